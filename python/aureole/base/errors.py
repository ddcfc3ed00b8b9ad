# SPDX-License-Identifier: Apache-2.0
"""Errors that users meet, all in the form *problem (why) suggestion*."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable

from aureole._core import BlowUpError, DeviceError, Error, FileError, InputError, RankError

from .text import printable

__all__ = [
    "ArgumentError",
    "BlowUpError",
    "DeviceError",
    "Error",
    "FileError",
    "FormatError",
    "InputError",
    "RankError",
    "Terminated",
    "bad_input",
    "exit_code",
    "file_error",
    "nearest",
    "output_advice",
    "unreadable",
]


class ArgumentError(InputError, TypeError):
    """A spec was given arguments that it does not take."""


class FormatError(FileError):
    """The format of a file has no room for numbers of a run; neither disk nor input is at fault.

    Args:
        path: the file
        problem: what happened to it
        why: which number there is no room for, of which particle, and what the format holds
        suggestion: which formats have room
    """

    def __init__(self, path: str, problem: str, why: str, suggestion: str) -> None:
        self.path, self.problem, self.why, self.suggestion = path, problem, why, suggestion
        super().__init__(printable(f"{path}: {problem} ({why}). {_sentence(suggestion)}"))

    def saying(self, more: str) -> FormatError:
        """A copy of the error with further sentences."""
        return FormatError(
            self.path, self.problem, self.why, f"{_sentence(self.suggestion)} {more}"
        )


class Terminated(SystemExit):
    """A run was ended by a signal at a step boundary; the exit code is 128 and its number.

    143 is SIGTERM, 129 SIGHUP, 138 SIGUSR1, 152 SIGXCPU.
    """

    def __init__(self, message: str, code: int = 143) -> None:
        super().__init__(code)
        self.message = message

    def __str__(self) -> str:
        return self.message


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else text + "."


def bad_input(problem: str, why: str, suggestion: str) -> InputError:
    """An `InputError` that reads *problem (why) suggestion*."""
    return InputError(printable(f"{problem} ({why}). {_sentence(suggestion)}"))


def file_error(path: object, problem: str, why: object, suggestion: str) -> FileError:
    """A `FileError` that names the file, what happened to it and what to do."""
    reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
    return FileError(printable(f"{path}: {problem} ({reason}). {_sentence(suggestion)}"))


def exit_code(error: BaseException) -> int:
    """The exit code of a command that an error ends: 2 for input, 3 for formats, else 1."""
    if isinstance(error, FormatError):
        return 3
    return 2 if isinstance(error, InputError) else 1


def unreadable(path: object, why: object) -> FileError:
    """The error for a file that the operating system does not open or read."""
    return file_error(path, "cannot be read", why, "Check its name and permissions")


def not_ours(path: str, why: object) -> FileError:
    """The error for a checkpoint whose checksums are right and whose contents are not."""
    return file_error(
        path,
        "holds an invalid record",
        why,
        "Another program or version wrote it: use an earlier checkpoint, or start a new run",
    )


def output_advice(error: BaseException) -> str:
    """Advice on an output file that cannot be written, by the reason the system gave."""
    match getattr(error, "errno", None):
        case errno.EMFILE | errno.ENFILE:
            return "Close other files, or raise the limit on open files (ulimit -n)"
        case errno.ENOENT | errno.ENOTDIR | errno.ESTALE | errno.ENOTCONN:
            return "Check that its folder is still there"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "Choose a folder that you may write to"
        case errno.EIO | errno.ENXIO | errno.ENODEV:
            return "The disk or its connection has failed: write to another disk"
        case _:
            return "Free space there"


def nearest(word: str, choices: Iterable[str]) -> str:
    """A suggestion for a misspelt name: the nearest of `choices`, or all of them."""
    known = sorted(choices)
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {lowered[close[0]]!r}?"
    return "Known: " + ", ".join(known) + "." if known else "None are known."
