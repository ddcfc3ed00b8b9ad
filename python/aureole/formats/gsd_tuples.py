# SPDX-License-Identifier: Apache-2.0
"""Bonds, angles, dihedrals, impropers and special pairs of GSD files: tags by their types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.system.system import System
from aureole.system.tuples import SIZES

from .gsd_check import damaged

Chunk = tuple[str, NDArray[Any]]


def name_rows(names: tuple[str, ...]) -> NDArray[np.int8]:
    """Names as the rows of a chunk, each ended by a zero."""
    width = max(len(name.encode()) for name in names) + 1
    rows = np.array([name.encode() for name in names], dtype=f"S{width}")
    return rows.view(np.int8).reshape(len(names), width)


def tuple_chunks(system: System) -> list[Chunk]:
    """The chunks of what binds the particles of a system, as its arguments name it."""
    chunks: list[Chunk] = []
    for field in SIZES:
        named = {name: tags for name, tags in getattr(system, field).items() if len(tags)}
        if not named:
            continue
        counts = [len(tags) for tags in named.values()]
        chunks += [
            (f"{field}/N", np.array([sum(counts)], dtype=np.uint32)),
            (f"{field}/types", name_rows(tuple(named))),
            (f"{field}/typeid", np.repeat(np.arange(len(named), dtype=np.uint32), counts)),
            (f"{field}/group", np.concatenate(list(named.values())).astype(np.uint32)),
        ]
    return chunks


def tuples_of(reader: Any, frame: int) -> dict[str, dict[str, NDArray[Any]]]:
    """The same arguments of a System from a frame of a `GSDReader`: tags by names of types."""
    return {field: _named(reader, frame, field, size) for field, size in SIZES.items()}


def _named(reader: Any, frame: int, field: str, size: int) -> dict[str, NDArray[Any]]:
    count = reader.scalar(f"{field}/N", frame) or 0
    if count == 0:
        return {}
    group = reader.numbers(f"{field}/group", frame, (count, size), "iu")
    typeid = reader.numbers(f"{field}/typeid", frame, (count,), "iu")
    if group is None:
        raise damaged(reader.path, f"it claims {count} {field} and names none")
    if typeid is None:  # files omit it where all are 0
        typeid = np.zeros(count, np.uint32)
    names = reader.names(frame, field)
    if int(typeid.min()) < 0 or int(typeid.max()) >= len(names):
        raise damaged(reader.path, f"the type of one of its {field} has no name")
    words = np.array(names)[typeid]
    return {str(name): group[words == name] for name in dict.fromkeys(words.tolist())}
