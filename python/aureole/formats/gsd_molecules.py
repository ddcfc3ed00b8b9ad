# SPDX-License-Identifier: Apache-2.0
"""What GSD files say of molecules besides their particles: charges and bonds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.system.bonded_pairs import bonded_pairs
from aureole.system.topology import Topology

from .gsd_tuples import name_rows

Chunk = tuple[str, NDArray[Any]]


def molecule_chunks(topology: Topology, tags: NDArray[np.int64] | None = None) -> list[Chunk]:
    """The chunks of the first frame with charges [e] and bonds.

    Args:
        topology: of all particles
        tags: the particles that are written; None for all

    A bond is of the type that the types of its particles make, such as "HW-OW". Rigid bonds and
    the two of a rigid water are among them.
    """
    atoms = topology.expand_atoms()
    charge = atoms.charge if tags is None else atoms.charge[tags]
    chunks: list[Chunk] = [("particles/charge", charge.astype(np.float32))]
    group = bonded_pairs(topology)
    if tags is not None:
        place = np.full(topology.n, -1)
        place[tags] = np.arange(len(tags))
        group = place[group[(place[group] >= 0).all(axis=1)]]
    if len(group) == 0:
        return chunks
    kinds = atoms.type if tags is None else atoms.type[tags]
    names, typeid = _types(kinds[group], topology.nonbonded.type_names)
    return [
        *chunks,
        ("bonds/N", np.array([len(group)], dtype=np.uint32)),
        ("bonds/types", name_rows(names)),
        ("bonds/typeid", typeid.astype(np.uint32)),
        ("bonds/group", group.astype(np.uint32)),
    ]


def _types(
    kinds: NDArray[np.int32], names: tuple[str, ...]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names of the types of bonds, each once, and the number of that of each bond."""
    pairs, which = np.unique(np.sort(kinds, axis=1), axis=0, return_inverse=True)
    words = ["-".join(sorted((names[a], names[b]))) for a, b in pairs]
    known, number = np.unique(words, return_inverse=True)
    return tuple(known.tolist()), number[which.reshape(-1)]
