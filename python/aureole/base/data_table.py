# SPDX-License-Identifier: Apache-2.0
"""Tables that the package reads from text files beside its modules: their rows, and damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass
class Record:
    """A line of a table that is not indented, with the indented ones below it.

    Args:
        section: the last heading before it, a line "== Section"
        line: its number
        head: its text
        body: numbers and texts of the lines below it
    """

    section: str
    line: int
    head: str
    body: list[tuple[int, str]] = field(default_factory=list)


def records(path: Path) -> Iterator[Record]:
    """The records of a table, in order."""
    section = ""
    record: Record | None = None
    for number, text in rows(path):
        if text.startswith(" "):
            if record is None:
                raise damaged(path, number, f"{text.strip()!r} comes before the first record")
            record.body.append((number, text.strip()))
            continue
        if record is not None:
            yield record
        record = None if text.startswith("== ") else Record(section, number, text)
        section = section if record is not None else text[3:]
    if record is not None:
        yield record


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8").rstrip()
    except UnicodeDecodeError:
        raise damaged(path, number, "it is not UTF-8 text") from None


def damaged(path: Path, line: int, why: str) -> FileError:
    """The error for a line of a table that cannot be understood."""
    return at(path, line, "the table is damaged", why, "Install Aureole again")
