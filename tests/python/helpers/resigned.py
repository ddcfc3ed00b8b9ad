# SPDX-License-Identifier: Apache-2.0
"""Checkpoints taken apart and put together again with right checksums, as anyone can do."""

from __future__ import annotations

import ctypes
import json
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

HEADER = 72  # bytes before the table of blocks


class Hash128(ctypes.Structure):
    _fields_ = (("low", ctypes.c_uint64), ("high", ctypes.c_uint64))


@cache
def xxhash_library() -> ctypes.CDLL | None:
    """The checksum's own library, which comes with its headers on Debian."""
    try:
        library = ctypes.CDLL("libxxhash.so.0")
    except OSError:
        return None
    library.XXH3_128bits.restype = Hash128
    library.XXH3_128bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
    return library


def digest(data: bytes) -> bytes:
    value = xxhash_library().XXH3_128bits(data, len(data))
    return struct.pack(">QQ", value.high, value.low)


def places_of(data: bytes) -> dict[str, tuple[int, int]]:
    """Offset and size of each block of a sound checkpoint."""
    found = {}
    at = HEADER
    for _ in range(struct.unpack_from("<Q", data, 24)[0]):
        (length,) = struct.unpack_from("<I", data, at)
        name = data[at + 4 : at + 4 + length].decode()
        found[name] = struct.unpack_from("<QQ", data, at + 4 + length)
        at += 4 + length + 32
    return found


def blocks_of(data: bytes) -> dict[str, bytes]:
    """The blocks of a sound checkpoint."""
    return {name: data[at : at + size] for name, (at, size) in places_of(data).items()}


def checkpoint_of(sound: bytes, blocks: dict[str, bytes]) -> bytes:
    """A checkpoint with other blocks and right checksums."""
    at = HEADER + sum(36 + len(name.encode()) for name in blocks)
    table, body = b"", b""
    for name, data in blocks.items():
        padding = -at % 64
        text = name.encode()
        table += struct.pack("<I", len(text)) + text
        table += struct.pack("<QQ", at + padding, len(data)) + digest(data)
        body += bytes(padding) + data
        at += padding + len(data)
    header = sound[:16] + struct.pack("<QQQ", at, len(blocks), len(table)) + digest(table)
    return header + digest(header) + table + body


def change_extra(path: str | Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Rewrite the record of specs and states in a checkpoint."""
    sound = Path(path).read_bytes()
    blocks = blocks_of(sound)
    record = json.loads(blocks["extra"])
    record = change(record) or record
    blocks["extra"] = json.dumps(record).encode()
    Path(path).write_bytes(checkpoint_of(sound, blocks))
