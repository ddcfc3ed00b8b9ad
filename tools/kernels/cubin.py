# SPDX-License-Identifier: Apache-2.0
"""Device code in object files of nvcc, and what ptxas noted about each kernel in it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

#: Attributes of a section .nv.info: numbers for the symbol of a function.
FRAME_SIZE, REGISTER_COUNT = 0x11, 0x2F
#: The form of an attribute that has a size, and what others have.
SIZED = 4
CUDA_MACHINE = 190


@dataclass
class Resources:
    """What a thread of a kernel uses."""

    registers: int = 0
    stack: int = 0


@dataclass
class Section:
    name: str
    start: int
    size: int
    link: int


def cubins_of(data: bytes) -> list[bytes]:
    """The cubins that an object file holds uncompressed."""
    found = []
    at = data.find(b"\x7fELF\x02\x01", 1)
    while at >= 0:
        if len(data) - at >= 64 and struct.unpack_from("<H", data, at + 18)[0] == CUDA_MACHINE:
            (table,) = struct.unpack_from("<Q", data, at + 40)
            each, count = struct.unpack_from("<HH", data, at + 58)
            (segments,) = struct.unpack_from("<Q", data, at + 32)
            each_segment, n_segments = struct.unpack_from("<HH", data, at + 54)
            end = max(table + each * count, segments + each_segment * n_segments)
            found.append(data[at : at + end])
        at = data.find(b"\x7fELF\x02\x01", at + 1)
    return found


def sections_of(cubin: bytes) -> list[Section]:
    (table,) = struct.unpack_from("<Q", cubin, 40)
    each, count, names = struct.unpack_from("<HHH", cubin, 58)
    raw = [struct.unpack_from("<IIQQQQII", cubin, table + k * each) for k in range(count)]
    text = raw[names][4]
    return [Section(string_at(cubin, text + r[0]), r[4], r[5], r[6]) for r in raw]


def string_at(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def resources_of(cubin: bytes) -> dict[str, Resources]:
    """What each kernel needs, by its mangled name."""
    sections = sections_of(cubin)
    by_name = {section.name: section for section in sections}
    symbols = by_name[".symtab"]
    strings = sections[symbols.link].start

    def name_of(symbol: int) -> str:
        (offset,) = struct.unpack_from("<I", cubin, symbols.start + 24 * symbol)
        return string_at(cubin, strings + offset)

    found = {s.name.removeprefix(".text."): Resources() for s in sections
             if s.name.startswith(".text.")}  # fmt: skip
    info = by_name[".nv.info"]
    at = info.start
    while at < info.start + info.size:
        form, attribute, size = struct.unpack_from("<BBH", cubin, at)
        at += 4
        if form != SIZED:
            continue
        if attribute in (FRAME_SIZE, REGISTER_COUNT) and size == 8:
            symbol, value = struct.unpack_from("<II", cubin, at)
            if (one := found.get(name_of(symbol))) is not None:
                setattr(one, "stack" if attribute == FRAME_SIZE else "registers", value)
        at += size
    return found
