# SPDX-License-Identifier: Apache-2.0
"""Opening input: regular files alone, as pipes never end and devices never stop; saving output."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

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
            raise OSError(f"it has {about.st_size:,} bytes, at most {most:,} are read")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def sync(path: str | os.PathLike[str]) -> None:
    """Have the operating system put the file on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
