# SPDX-License-Identifier: Apache-2.0
"""Checks of a GSD file's header and index before any library reads it.

The layout is that of the GSD file format, version 2: a header of 256 bytes, an index of entries
of 32 bytes, which ends at the first entry without a location, and a list of chunk names.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np

from aureole.base.errors import FileError, file_error, unreadable
from aureole.base.files import open_regular

MAGIC = 0x65DF65DF65DF65DF
HEADER_BYTES = 256
_ENTRY = np.dtype(
    [
        ("frame", "<u8"),
        ("rows", "<u8"),
        ("location", "<i8"),
        ("columns", "<u4"),
        ("name", "<u2"),
        ("type", "u1"),
        ("flags", "u1"),
    ]
)
# Bytes of one number of each data type, by its code; 0 where there is no such type.
_SIZES = np.array([0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1] + [0] * 244)


def damaged(path: object, why: str) -> FileError:
    """The error for a file that cannot be what it claims."""
    return file_error(path, "damaged or not a GSD file", why, "Use another copy of it")


def looks_like_gsd(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins as GSD files do."""
    try:
        with open_regular(path, 2**62) as file:
            return file.read(8) == struct.pack("<Q", MAGIC)
    except OSError:
        return False


def check(path: Path) -> int:
    """Check header and index; returns the size of the file in bytes. Raises FileError."""
    try:
        with open_regular(path, 2**62) as file:
            size = os.fstat(file.fileno()).st_size
            header = file.read(HEADER_BYTES)
            if len(header) < HEADER_BYTES or struct.unpack_from("<Q", header)[0] != MAGIC:
                raise damaged(path, "it has no GSD header")
            place, entries, names, name_entries = struct.unpack_from("<4Q", header, 8)
            if place + 32 * entries > size or names + 64 * name_entries > size:
                raise damaged(path, "its index lies beyond its end")
            file.seek(place)
            index = np.frombuffer(file.read(32 * entries), dtype=_ENTRY)
            file.seek(names)
            known = _names(path, file.read(64 * name_entries), header[46] >= 2)
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    _check_index(path, index, size, known)
    return size


def _names(path: Path, block: bytes, packed: bool) -> int:
    """The number of names of chunks, all of them text; in version 1 each has 64 bytes."""
    if packed:
        words = block.split(b"\0\0", 1)[0].split(b"\0") if block[:1] != b"\0" else []
    else:
        words = [block[k : k + 64].split(b"\0")[0] for k in range(0, len(block), 64)]
    try:
        block.decode()  # all of it, as the library looks for names behind the last one too
    except UnicodeDecodeError:
        raise damaged(path, "the name of a chunk is not text") from None
    return len(words)


def _check_index(path: Path, index: np.ndarray, size: int, names: int) -> None:
    if len(index) == 0:
        raise damaged(path, "it has no index")
    ends = np.flatnonzero(index["location"] == 0)
    used = index[: ends[0]] if len(ends) else index
    if len(ends) and (index["location"][ends[0] :] != 0).any():
        raise damaged(path, "its index has a gap")
    # In floating point nothing overflows, and a file is far from the sizes where digits are lost.
    sizes = used["rows"].astype(float) * used["columns"] * _SIZES[used["type"]]
    good = (
        (_SIZES[used["type"]] > 0)
        & (used["flags"] == 0)
        & (used["location"] > 0)
        & (used["location"] + sizes <= size)
        & (used["frame"] < len(index))
        & (used["name"] < names)
    )
    if not good.all():
        raise damaged(path, f"entry {int(np.argmin(good))} of its index is invalid")
    if (np.diff(used["frame"].astype(np.int64)) < 0).any():
        raise damaged(path, "its frames are out of order")
