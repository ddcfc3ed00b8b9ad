# SPDX-License-Identifier: Apache-2.0
"""Bonds, angles, dihedrals, impropers, special pairs and constraints in GSD files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.system.topology import Terms
from aureole.system.tuples import SIZES

from .gsd_check import damaged

Chunk = tuple[str, NDArray[Any]]
Tags = NDArray[Any]


def name_rows(names: tuple[str, ...]) -> NDArray[np.int8]:
    """Names as the rows of a chunk, each ended by a zero."""
    width = max(len(name.encode()) for name in names) + 1
    rows = np.array([name.encode() for name in names], dtype=f"S{width}")
    return rows.view(np.int8).reshape(len(names), width)


def tuple_chunks(named: Mapping[str, Any], kept: Tags | None = None) -> list[Chunk]:
    """The chunks of named tuples, from the arguments of a System.

    Args:
        named: (m, k) tags by the names of types, in turn by "bonds", "angles", ...
        kept: as for `rows_of`
    """
    chunks: list[Chunk] = []
    for field in SIZES:
        tuples = {name: rows_of(tags, kept) for name, tags in (named[field] or {}).items()}
        tuples = {name: tags for name, tags in tuples.items() if len(tags)}
        if not tuples:
            continue
        counts = [len(tags) for tags in tuples.values()]
        chunks += [
            (f"{field}/N", np.array([sum(counts)], dtype=np.uint32)),
            (f"{field}/types", name_rows(tuple(tuples))),
            (f"{field}/typeid", np.repeat(np.arange(len(tuples), dtype=np.uint32), counts)),
            (f"{field}/group", np.concatenate(list(tuples.values())).astype(np.uint32)),
        ]
    return chunks


def rows_of(tags: Tags, kept: Tags | None) -> Tags:
    """(m, k) tuples of tags as rows of a file, those of which all particles are `kept`.

    `kept` is (n,): the row of each particle in the file, -1 where it is left out; None keeps all.
    """
    if kept is None:
        return tags
    rows = kept[tags]
    return rows[(rows >= 0).all(axis=1)]


def constraint_chunks(terms: Terms, kept: Tags | None = None) -> list[Chunk]:
    """The chunks of constraints; `kept` as for `rows_of`."""
    length = terms.parameters[terms.row, 0]
    if kept is not None:
        length = length[(kept[terms.particles] >= 0).all(axis=1)]
    if len(length) == 0:
        return []
    return [
        ("constraints/N", np.array([len(length)], dtype=np.uint32)),
        ("constraints/value", length.astype(np.float32)),
        ("constraints/group", rows_of(terms.particles, kept).astype(np.uint32)),
    ]


def constraints_of(reader: Any, frame: int) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """Constraints as `terms` of a System, from a frame of a `GSDReader`."""
    count = reader.scalar("constraints/N", frame) or 0
    if count <= 0:
        return {}
    group = reader.numbers("constraints/group", frame, (count, 2), "iu")
    length = reader.numbers("constraints/value", frame, (count,), "f")
    if group is None or length is None or not (length > 0).all():
        raise damaged(reader.path, f"it claims {count} constraints without particles or lengths")
    return {"constraint": (group, length.astype(np.float64))}


def tuples_of(reader: Any, frame: int) -> dict[str, dict[str, NDArray[Any]]]:
    """Named tuples as arguments of a System, tags by names, from a frame of a `GSDReader`."""
    return {field: _named(reader, frame, field, size) for field, size in SIZES.items()}


def _named(reader: Any, frame: int, field: str, size: int) -> dict[str, NDArray[Any]]:
    count = reader.scalar(f"{field}/N", frame) or 0
    if count <= 0:
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
