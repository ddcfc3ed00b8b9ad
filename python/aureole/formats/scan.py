# SPDX-License-Identifier: Apache-2.0
"""What a trajectory file holds, from the heads of its frames alone."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from ..errors import file_error

_TAG = b"GMX_trn_file"
_COLUMNS = ("position", "velocity", "force")


@dataclass(frozen=True)
class Contents:
    """What was found.

    Args:
        frames: whole ones
        particles: of each frame
        first, last: step and time [ps] of the first and the last frame; None where unknown
        holds: names of columns that some frame has
        rest: bytes after the last whole frame
    """

    frames: int
    particles: int
    first: tuple[int, float] | None
    last: tuple[int, float] | None
    holds: tuple[str, ...]
    rest: int


@dataclass(frozen=True)
class _Head:
    """Of one frame: particles, step, time, all its bytes, and its columns."""

    particles: int
    step: int
    time: float
    size: int
    holds: tuple[str, ...] = ("position",)


def scan(path: str) -> Contents:
    """The contents of an .xtc, .trr or .dcd file.

    Raises FileError when the file is none, or is damaged before its end.
    """
    ending = os.path.splitext(path)[1].lower()
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if ending == ".dcd":
                return _dcd(file, size)
            return _frames(file, size, {".xtc": _xtc, ".trr": _trr}[ending])
    except (OSError, ValueError, struct.error) as error:
        raise file_error(
            path, f"is no {ending} file, or is damaged", error, "Use a file that is whole"
        ) from None


def without_positions(path: str) -> set[int]:
    """Numbers of the frames of a .trr file that have no positions; none for other files.

    Raises FileError when the file is none, or is damaged before its end.
    """
    if os.path.splitext(path)[1].lower() != ".trr":
        return set()
    try:
        with open(path, "rb") as file:
            heads = _heads(file, os.fstat(file.fileno()).st_size, _trr)
            return {k for k, head in enumerate(heads) if "position" not in head.holds}
    except (OSError, ValueError, struct.error) as error:
        raise file_error(
            path, "is no .trr file, or is damaged", error, "Use a file that is whole"
        ) from None


def _frames(file: BinaryIO, size: int, head_of: Callable[[bytes], _Head]) -> Contents:
    at, frames, first, last = 0, 0, None, None
    found: set[str] = set()
    for head in _heads(file, size, head_of):
        at, frames, last = at + head.size, frames + 1, head
        first = first or head
        found.update(head.holds)
    if first is None or last is None:
        if size:
            raise ValueError("no whole frame")
        return Contents(0, 0, None, None, (), 0)
    ends = (first.step, first.time), (last.step, last.time)
    holds = tuple(name for name in _COLUMNS if name in found)
    return Contents(frames, last.particles, ends[0], ends[1], holds, size - at)


def _heads(file: BinaryIO, size: int, head_of: Callable[[bytes], _Head]) -> Iterator[_Head]:
    """The heads of all whole frames."""
    at = 0
    while at < size:
        file.seek(at)
        try:
            head = head_of(file.read(96))
        except struct.error:  # the file ends within the head
            return
        if at + head.size > size:
            return
        at += head.size
        yield head


def _xtc(data: bytes) -> _Head:
    magic, n, step, time = struct.unpack_from(">3if", data)
    if magic not in (1995, 2023) or n < 0:
        raise ValueError(f"a frame begins with {magic}, not 1995")
    if n <= 9:
        return _Head(n, step, time, 56 + 12 * n)
    place, kind = (88, ">i") if magic == 1995 else (88, ">q")
    (packed,) = struct.unpack_from(kind, data, place)
    if packed < 0:
        raise ValueError("a frame has a negative size")
    return _Head(n, step, time, place + struct.calcsize(kind) + (packed + 3) // 4 * 4)


def _trr(data: bytes) -> _Head:
    magic, _, length = struct.unpack_from(">3i", data)
    if magic != 1993 or length != len(_TAG) or data[12:24] != _TAG:
        raise ValueError(f"a frame begins with {magic}, not 1993")
    sizes = struct.unpack_from(">10i", data, 24)
    n, step, _ = struct.unpack_from(">3i", data, 64)
    if min(*sizes, n) < 0:
        raise ValueError("a frame has a negative size")
    columns = sizes[7:]
    real = next((s // (3 * n) for s in columns if s and n), sizes[2] // 9)
    if real not in (4, 8):
        raise ValueError(f"a number has {real} bytes")
    time = struct.unpack_from(">f" if real == 4 else ">d", data, 76)[0]
    holds = tuple(name for name, s in zip(_COLUMNS, columns, strict=True) if s)
    return _Head(n, step, time, 76 + 2 * real + sum(sizes), holds)


def _dcd(file: BinaryIO, size: int) -> Contents:
    head = file.read(92)
    if head[:8] != struct.pack("<i", 84) + b"CORD":
        raise ValueError("it does not begin as a DCD file does")
    frames, first, every, _ = struct.unpack_from("<4i", head, 8)
    delta, cell = struct.unpack_from("<fi", head, 44)
    (title,) = struct.unpack("<i", file.read(4))
    file.seek(92 + 8 + title)
    _, n, _ = struct.unpack("<3i", file.read(12))
    if n < 0 or title < 0:
        raise ValueError("a count is negative")
    one = (56 if cell else 0) + 3 * (8 + 4 * n)
    room = size - file.tell()
    frames = min(frames, room // one)
    time = 0.04888821 * delta
    ends = [(first + every * k, time * (first + every * k)) for k in (0, frames - 1)]
    known = ends if frames else [None, None]
    return Contents(frames, n, known[0], known[1], ("position",), room - frames * one)
