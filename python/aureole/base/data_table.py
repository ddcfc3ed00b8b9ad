# SPDX-License-Identifier: Apache-2.0
"""Tables that the package reads from text files beside its modules: their rows, and damage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .errors import FileError
from .text_files import at, opened


def rows(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of every line of a table but blank ones and comments ("# ...")."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            text = _decoded(path, number, line)
            if text and not text.startswith("# "):
                yield number, text


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8").rstrip()
    except UnicodeDecodeError:
        raise damaged(path, number, "it is not UTF-8 text") from None


def damaged(path: Path, line: int, why: str) -> FileError:
    """The error for a line of a table that cannot be understood."""
    return at(path, line, "the table is damaged", why, "Install Aureole again")
