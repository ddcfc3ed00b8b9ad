# SPDX-License-Identifier: Apache-2.0
"""Charges and bonded tuples in the first frame of a GSD file, beside its types and masses.

A system whose bonds have names, with parameters in specs, can be read again: bonds, angles, ... by
name, constraints with their lengths, and exclusions. The bonds of a topology are written for
viewers, named after the types that they join, and are not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.units import BY_NAME
from aureole.system.bonded_pairs import bonded_pairs
from aureole.system.topology import Topology

from .gsd import UNIT_OF_LENGTH
from .gsd_tuples import Chunk, Tags, constraint_chunks, name_rows, rows_of, tuple_chunks

#: The chunk that says whether bonds are named tuples of a System; without it they are so in files
#: with reduced lengths.
BY_NAMES = "log/bonds/by_name"
#: The chunk of (m, 2) excluded pairs; without it, the pairs that bonds, special pairs and
#: constraints join are excluded.
EXCLUSIONS = "log/exclusions"
#: The chunk of words for the parts of the system that the file does not hold.
LEFT_OUT = "log/missing"


def first_chunks(
    fields: Mapping[str, Any],
    charge: NDArray[np.float64],
    topology: Topology | None,
    *,
    tags: NDArray[np.int64] | None = None,
    missing: Sequence[str] = (),
) -> list[Chunk]:
    """The chunks of the first frame that describe its system.

    Args:
        fields: fields of a System that do not change, `archive.STATIC`
        charge: (n,) charges of all particles [charge]
        topology: of all particles, with the terms that have names; None for that of `fields`
        tags: the particles that are written; None for all
        missing: words for the parts of the system that the file does not hold
    """
    chunks: list[Chunk] = []
    if charge.any():
        held = charge if tags is None else charge[tags]
        chunks.append(("particles/charge", held.astype(np.float32)))
    units, kept = BY_NAME[fields["units"]], None
    if tags is not None:
        kept = np.full(len(charge), -1)
        kept[tags] = np.arange(len(tags))
    by_name = fields["topology"] is None
    chunks += (
        _of_names(fields, kept) if by_name else _of_topology(topology or fields["topology"], kept)
    )
    if by_name == units.physical:
        chunks.append((BY_NAMES, np.array([by_name], dtype=np.uint8)))
    if units.physical:
        chunks.append((UNIT_OF_LENGTH, name_rows((units.symbol("length"),))))
    if missing:
        chunks.append((LEFT_OUT, name_rows(tuple(missing))))
    return chunks


def _of_names(fields: Mapping[str, Any], kept: Tags | None) -> list[Chunk]:
    """The chunks of named tuples, constraints and exclusions; `kept` as for `rows_of`."""
    chunks, held = tuple_chunks(fields, kept), (fields["terms"] or {}).get("constraint")
    if held is not None:
        chunks += constraint_chunks(held, kept)
    if fields["exclusions"] is not None:
        chunks.append((EXCLUSIONS, rows_of(fields["exclusions"], kept).astype(np.int32)))
    return chunks


def left_out(fields: Mapping[str, Any]) -> list[str]:
    """Words for the parts of a System that no GSD file holds."""
    terms = [kind for kind in fields["terms"] or {} if kind != "constraint"]
    there = {
        "the topology": fields["topology"] is not None,
        f"terms with parameters ({', '.join(terms)})": bool(terms),
        "groups": bool(fields["groups"]),
        "reference positions": fields["references"] is not None,
        "periodic_molecules": fields["periodic_molecules"],
    }
    return [words for words, found in there.items() if found]


def _of_topology(topology: Topology, kept: Tags | None) -> list[Chunk]:
    """The chunks of the bonds of a topology; `kept` as for `rows_of`.

    The type of a bond is named after the types of its particles, such as "HW-OW". Rigid bonds and
    the two bonds of a rigid water are among them.
    """
    pairs = bonded_pairs(topology)
    group = rows_of(pairs, kept)
    if len(group) == 0:
        return []
    written = pairs if kept is None else pairs[(kept[pairs] >= 0).all(axis=1)]
    kinds = topology.expand_atoms().type
    names, typeid = _types(kinds[written], topology.nonbonded.type_names)
    return [
        ("bonds/N", np.array([len(group)], dtype=np.uint32)),
        ("bonds/types", name_rows(names)),
        ("bonds/typeid", typeid.astype(np.uint32)),
        ("bonds/group", group.astype(np.uint32)),
    ]


def _types(
    kinds: NDArray[np.int32], names: tuple[str, ...]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names of the types of bonds, each once, and the index of each bond's type."""
    pairs, which = np.unique(np.sort(kinds, axis=1), axis=0, return_inverse=True)
    words = ["-".join(sorted((names[a], names[b]))) for a, b in pairs]
    known, number = np.unique(words, return_inverse=True)
    return tuple(known.tolist()), number[which.reshape(-1)]
