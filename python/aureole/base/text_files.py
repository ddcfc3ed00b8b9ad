# SPDX-License-Identifier: Apache-2.0
"""Files of text: opening them, naming their lines in errors, replacing them whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from .errors import (
    FileError,
    FormatError,
    InputError,
    bad_input,
    file_error,
    output_advice,
    unreadable,
)
from .files import open_regular, sync

Name = str | os.PathLike[str]

_MOST_SHOWN = 40
_NUMBERS = re.compile(r"[-+*.\deEnaifNAIF \t]*")
_WORD = re.compile(r"[-+*.\w]{0,24}")


@contextmanager
def opened(path: Name) -> Iterator[BinaryIO]:
    """The file, open for reading bytes; what the operating system refuses is a FileError."""
    try:
        file = open_regular(path)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    with file:
        try:
            yield file
        except FileError:
            raise
        except (OSError, MemoryError) as error:
            raise unreadable(path, error) from None


def at(path: Name, line: int, problem: str, why: Any, suggestion: str) -> FileError:
    """The error for line `line`, counted from 1, of a file."""
    return file_error(f"{os.fspath(path)}:{line}", problem, why, suggestion)


def shown(text: bytes, recognised: bool = False) -> str:
    """`text` as an error shows it: numbers, or one plain word.

    Anything else may be of a file that was named by mistake, and is not shown, unless lines before
    it, or its beginning, were `recognised` as those of the format. Then the blanks before it stay,
    so that columns can be counted.
    """
    word = (text.rstrip() if recognised else text.strip()).decode("latin-1")
    if not recognised and not _NUMBERS.fullmatch(word) and not _WORD.fullmatch(word):
        return "the text there"
    return repr(word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 3] + "...")


def word_shown(word: str) -> str:
    """One word of a line that is text already, as `shown` gives it."""
    return shown(word.encode("latin-1", "replace"))


def unwritable(path: Name, what: str, why: str) -> InputError:
    """The error for something that the format of a file has no room for."""
    problem = f"{os.fspath(path)}: {what} cannot be written"
    return bad_input(problem, why, "Change it, or use another format")


def replace(path: Name, parts: Iterable[bytes]) -> None:
    """Write `parts` one after the other, through a temporary beside the file."""
    beside = Path(f"{os.fspath(path)}.new")
    try:
        with open(beside, "wb") as file:
            for part in parts:
                file.write(part)
        sync(beside)
        os.replace(beside, path)
        sync(os.path.dirname(path) or ".")
    except FormatError:
        _remove(beside)
        raise
    except OSError as error:
        _remove(beside)
        raise file_error(path, "cannot be written", error, output_advice(error)) from None
    except BaseException:
        _remove(beside)
        raise


def _remove(beside: Path) -> None:
    with suppress(OSError):  # its folder does not exist either
        beside.unlink(missing_ok=True)
