# SPDX-License-Identifier: Apache-2.0
"""Opening input, regular files alone, as pipes never end and devices never stop; and output."""

from __future__ import annotations

import os
import stat
from typing import IO, BinaryIO

from .errors import file_error

#: Larger ones are no input: 200 million lines of a .gro file.
MOST_BYTES = 2**34

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_regular(path: str | os.PathLike[str], most: int = MOST_BYTES) -> BinaryIO:
    """The file, open for reading bytes; OSError for what is no file, or larger than `most` bytes.

    Nothing waits here, not even for the other end of a pipe.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            what = next((words for test, words in _KINDS if test(about.st_mode)), "something else")
            raise OSError(f"it is {what}, not a regular file")
        if about.st_size > most:
            raise OSError(f"it has {about.st_size:,} bytes; at most {most:,} are read")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def is_saved(path: str) -> bool:
    """Whether there is such a checkpoint, or the one before it."""
    return os.path.exists(path) or os.path.exists(f"{path}.prev")


def refuse_pipe(path: str | os.PathLike[str]) -> None:
    """Raise FileError where output would go to a pipe, which has or has not got a reader.

    What runs write is cut back where a piece did not reach the disk, or at a restart.
    """
    try:
        is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:  # not there yet
        return
    if is_pipe:
        raise file_error(
            path,
            "cannot be opened for writing",
            "it is a pipe, and output must be a file that can be truncated",
            "Write to a file, and follow it with `tail -f`",
        )


def refuse_place(path: str | os.PathLike[str]) -> None:
    """Raise FileError where nothing can be written: a pipe, a folder, no folder to be in."""
    folder = os.path.dirname(os.path.abspath(path))
    said = "cannot be opened for writing"
    if not os.path.isdir(folder):
        raise file_error(path, said, f"there is no folder {folder}", "Create it first")
    if os.path.isdir(path):
        raise file_error(path, said, "it is a folder", "Give a file name")
    refuse_pipe(path)


def open_output(path: str | os.PathLike[str]) -> IO[bytes]:
    """The file, emptied and without a buffer; FileError for a pipe."""
    refuse_pipe(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o666), "wb", buffering=0)


class Place:
    """A file that was opened for output; tells whether it still has a name."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._file = os.open(path, os.O_PATH | os.O_CLOEXEC)

    def check(self) -> None:
        """Raise FileError where it was removed; one that was renamed is whole."""
        if os.fstat(self._file).st_nlink == 0:
            raise file_error(
                self._path,
                "was removed or replaced while it was being written",
                "the data written so far are lost",
                "Leave output files in place until the run ends. Continue from an earlier "
                "checkpoint, or run again",
            )

    def leave(self) -> None:
        """Check for the last time."""
        try:
            self.check()
        finally:
            os.close(self._file)


def sync(path: str | os.PathLike[str]) -> None:
    """Have the operating system put the file on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
