# SPDX-License-Identifier: Apache-2.0
"""The contents of a trajectory file, from the heads of its frames alone."""

from __future__ import annotations

import itertools
import math
import os
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from aureole.base.errors import file_error
from aureole.base.files import open_regular

from .registry import FileFormat, ending_of, format_of

TAG = b"GMX_trn_file"
AKMA = 0.04888821  # ps, CHARMM's unit of time: sqrt(amu Å² / (kcal/mol))
_COLUMNS = ("position", "velocity", "force")
_TRR_BLOCKS = {2: "box", 7: "position", 8: "velocity", 9: "force"}
_HEAD_BYTES = 96  # at least what stands before the blocks of a frame


@dataclass(frozen=True)
class Contents:
    """The contents of a trajectory file.

    Args:
        frames: number of whole frames
        particles: number in each frame
        first, last: step and time [ps] of the first and the last frame; None where unknown
        holds: names of columns that some frame has
        counts: number of frames with each column, where not all frames have it
        rest: bytes after the last whole frame
    """

    frames: int
    particles: int
    first: tuple[int, float] | None
    last: tuple[int, float] | None
    holds: tuple[str, ...]
    rest: int
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Head:
    """The header of one frame.

    Args:
        particles: number of particles
        step, time: [ps]
        size: of the whole frame [bytes]
        holds: names of its columns
        place: where the frame begins in the file [bytes]
        real: size of a number [bytes]
        blocks: for .trr, where box and columns begin within the frame, and their sizes [bytes]
    """

    particles: int
    step: int
    time: float
    size: int
    holds: tuple[str, ...] = ("position",)
    place: int = 0
    real: int = 4
    blocks: dict[str, tuple[int, int]] = field(default_factory=dict)


def scan(path: str, known: FileFormat | None = None) -> Contents:
    """The contents of a trajectory, whose format is `known` or follows from its name.

    Raises FileError when the file is no such trajectory, or is damaged before its end.
    """
    known = known or format_of(path)
    assert known is not None, "its caller knows the format"
    if known.scan is not None:
        return known.scan(path)
    assert known.frames is not None, "it is a trajectory"
    frames = list(known.frames(path))
    whole = [frame for frame in frames if frame is not None]
    ends = [(frame.step, frame.time or 0.0) for frame in whole]
    moving = any(frame.velocity is not None for frame in whole)
    holds = _COLUMNS[: 2 if moving else 1] if whole else ()
    count = len(whole[-1].position) if whole else 0
    first, last = (ends[0], ends[-1]) if ends else (None, None)
    return Contents(len(frames), count, first, last, holds, 0)


def scan_dcd(path: str) -> Contents:
    """The contents of a .dcd file."""
    return _checked(path, _dcd)


def scan_xtc(path: str) -> Contents:
    """The contents of an .xtc file."""
    return _contents(path, _xtc)


def scan_trr(path: str) -> Contents:
    """The contents of a .trr file."""
    return _contents(path, _trr)


def _contents(path: str, head_of: Callable[[bytes], Head]) -> Contents:
    heads, rest = _checked(path, lambda file, size: _heads(file, size, head_of))
    if not heads:
        return Contents(0, 0, None, None, (), 0)
    first, last = heads[0], heads[-1]
    found = Counter(name for head in heads for name in head.holds)
    holds = tuple(name for name in _COLUMNS if name in found)
    counts = {name: count for name, count in found.items() if count < len(heads)}
    begin, end = (first.step, first.time), (last.step, last.time)
    return Contents(len(heads), last.particles, begin, end, holds, rest, counts)


def heads_of(path: str) -> tuple[list[Head], int]:
    """The heads of all whole frames of an .xtc or .trr file, and the bytes after the last one.

    Raises FileError when the file is no such trajectory, or is damaged before its end.
    """
    head_of = {".xtc": _xtc, ".trr": _trr}[ending_of(path)]
    return _checked(path, lambda file, size: _heads(file, size, head_of))


def _checked(path: str, look: Callable[[BinaryIO, int], Any]) -> Any:
    try:
        with open_regular(path, 2**62) as file:
            return look(file, os.fstat(file.fileno()).st_size)
    except (OSError, ValueError, struct.error) as error:
        raise file_error(
            path,
            f"cannot be read: it is not a {ending_of(path)} file, or is damaged",
            error,
            "Use a complete file",
        ) from None


def _heads(file: BinaryIO, size: int, head_of: Callable[[bytes], Head]) -> tuple[list[Head], int]:
    at, heads = 0, []
    while at < size:
        file.seek(at)
        try:
            head = head_of(file.read(_HEAD_BYTES))
        except struct.error:  # the file ends within the head
            break
        except ValueError as error:
            raise ValueError(f"frame {len(heads) + 1}: {error}") from None
        if at + head.size > size:
            break
        heads.append(replace(head, place=at))
        at += head.size
    if size and not heads:
        raise ValueError("no complete frame")
    return heads, size - at


def _xtc(data: bytes) -> Head:
    magic, n, step, time, *box = struct.unpack_from(">3i10f", data)
    (again,) = struct.unpack_from(">i", data, 52)
    if magic not in (1995, 2023) or n < 0:
        raise ValueError("it does not start with the magic number 1995")
    if again != n:
        raise ValueError("its two numbers of particles differ")
    _require_finite(time, *box)
    if n <= 9:
        return Head(n, step, time, 56 + 12 * n)
    kind = ">i" if magic == 1995 else ">q"
    (packed,) = struct.unpack_from(kind, data, 88)
    # Each particle takes at least two bits, and at most 96 and those that describe its chain.
    if not n // 4 <= packed <= 13 * n + 16:
        raise ValueError(f"{packed} bytes cannot hold {n} particles")
    return Head(n, step, time, 88 + struct.calcsize(kind) + (packed + 3) // 4 * 4)


def _require_finite(*numbers: float) -> None:
    if not all(map(math.isfinite, numbers)):
        raise ValueError("its time or its box is not a finite number")


def _trr(data: bytes) -> Head:
    magic, _, length = struct.unpack_from(">3i", data)
    if magic != 1993 or length != len(TAG) or data[12:24] != TAG:
        raise ValueError("it does not start with the magic number 1993")
    sizes = struct.unpack_from(">10i", data, 24)
    n, step, _ = struct.unpack_from(">3i", data, 64)
    if min(*sizes, n) < 0:
        raise ValueError("it has a negative size")
    columns = sizes[7:]
    real = next((s // (3 * n) for s in columns if s and n), sizes[2] // 9)
    if real not in (4, 8):
        raise ValueError(f"a number has {real} bytes")
    if sizes[2] not in (0, 9 * real) or any(s not in (0, 3 * n * real) for s in columns):
        raise ValueError(f"its sizes do not match {n} particles")
    (time,) = struct.unpack_from(">f" if real == 4 else ">d", data, 76)
    _require_finite(time)
    places = list(itertools.accumulate(sizes, initial=76 + 2 * real))
    blocks = {name: (places[k], sizes[k]) for k, name in _TRR_BLOCKS.items()}
    holds = tuple(name for name, s in zip(_COLUMNS, columns, strict=True) if s)
    return Head(n, step, time, places[-1], holds, real=real, blocks=blocks)


def _dcd(file: BinaryIO, size: int) -> Contents:
    head = file.read(92)
    if head[:8] != struct.pack("<i", 84) + b"CORD" or head[88:] != head[:4]:
        raise ValueError("it has no DCD header")
    frames, first, every, _ = struct.unpack_from("<4i", head, 8)
    (fixed,) = struct.unpack_from("<i", head, 40)
    delta, cell, fourth = struct.unpack_from("<f2i", head, 44)
    if frames < 0 or fixed or fourth or cell not in (0, 1):
        raise ValueError("fixed particles, a fourth dimension or counts below 0 are unsupported")
    _require_finite(delta)
    (title,) = struct.unpack("<i", file.read(4))
    if title < 4 or 92 + 8 + title > size:
        raise ValueError("its title is incomplete")
    file.seek(96 + title)
    ends, four, n, again = struct.unpack("<4i", file.read(16))
    if ends != title or four != 4 or again != 4 or n < 1:
        raise ValueError("its number of particles is invalid")
    records = ([48] if cell else []) + [4 * n] * 3
    one = sum(8 + record for record in records)
    room = size - file.tell()
    frames = min(frames, room // one)
    _require_records(file, records, frames)
    time = AKMA * delta
    known = [(first + every * k, time * (first + every * k)) for k in (0, frames - 1)]
    begin, end = known if frames else (None, None)
    return Contents(frames, n, begin, end, ("position",), room - frames * one)


def _require_records(file: BinaryIO, records: list[int], frames: int) -> None:
    """Each record stands between two counts of its bytes."""
    at = file.tell()
    for k in range(frames):
        for record in records:
            for place in (at, at + 4 + record):
                file.seek(place)
                if file.read(4) != struct.pack("<i", record):
                    raise ValueError(f"frame {k + 1}: a record does not have {record} bytes")
            at += 8 + record
