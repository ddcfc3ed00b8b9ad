# SPDX-License-Identifier: Apache-2.0
"""Molecules in one piece: which image of each particle lies beside those that it is bonded to."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from .box import Box
from .topology import MoleculeType, Topology

Ints = NDArray[np.int32]

#: Kinds of terms that hold a molecule together; of a virtual site, its first parent does.
BINDING = (
    *("harmonic_bond", "g96_bond", "morse_bond", "cubic_bond", "constraint", "settle"),
    *("vsite1", "vsite2", "vsite2fd", "vsite3", "vsite3fd", "vsite3fad", "vsite3out"),
    *("vsite4fdn", "vsiten"),
)


class Whole:
    """Places the molecules of a topology in one piece, with their centres in the box.

    A forest of bonds is found once. For each frame every particle counts the boundaries between
    itself and its parent; sums of these along the paths to the roots, by doubling of the steps,
    say by how many boxes it has to move. No bond may be as long as half the box is wide.
    """

    def __init__(self, topology: Topology) -> None:
        parents, start = [np.empty(0, np.int32)], 0
        for molecule, count in topology.blocks:
            one = parents_of(molecule)
            shifts = start + molecule.atoms.n * np.arange(count, dtype=np.int32)
            parents.append((one[None, :] + shifts[:, None]).reshape(-1))
            start += molecule.atoms.n * count
        self.parent: Ints = np.concatenate(parents).astype(np.int32)
        self._bound = np.flatnonzero(self.parent != np.arange(len(self.parent))).astype(np.int32)
        root = self.parent
        while not np.array_equal(further := root[root], root):
            root = further
        _, self._part = np.unique(root, return_inverse=True)
        self._sizes = np.bincount(self._part)

    def place(self, box: Box, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 3) positions of whole molecules [length], from any images of the particles."""
        position, _ = box.wrap(position)
        periodic = np.array(box.periodic)
        turns = np.zeros(position.shape, dtype=np.int32)
        bound = self._bound
        if len(bound):
            fraction = box.fractions(position)
            there = fraction[self.parent[bound]]
            turns[bound] = np.rint((there - fraction[bound]) * periodic)
            self._sum_to_roots(turns)
        # Whole boxes are added in one sum, so that a result does not depend on the images given.
        centres = self._means(box.fractions(position) + turns)
        home = np.where(periodic, np.floor(centres), 0.0).astype(np.int32)
        turns -= home[self._part]
        moved = turns.any(axis=1)
        position[moved] += turns[moved] @ box.matrix.T
        return position

    def _sum_to_roots(self, turns: Ints) -> None:
        ahead, left = self.parent.copy(), self._bound
        while len(left):
            further = ahead[left]
            turns[left] += turns[further]
            ahead[left] = ahead[further]
            left = left[ahead[left] != ahead[ahead[left]]]

    def _means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        parts = len(self._sizes)
        sums = [np.bincount(self._part, values[:, axis], parts) for axis in range(3)]
        return np.stack(sums, axis=1) / self._sizes[:, None]


def parents_of(molecule: MoleculeType) -> Ints:
    """(n,) the particle that each one follows; a root of each connected part follows itself."""
    n = molecule.atoms.n
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for kind in BINDING:
        terms = molecule.terms.get(kind)
        if terms is None:
            continue
        for row in terms.particles:
            for other in row[1:] if kind == "settle" else row[1:2]:
                neighbours[int(row[0])].append(int(other))
                neighbours[int(other)].append(int(row[0]))
    parent = np.full(n, -1, dtype=np.int32)
    for root in range(n):
        if parent[root] >= 0:
            continue
        parent[root] = root
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there in neighbours[here]:
                if parent[there] < 0:
                    parent[there] = here
                    queue.append(there)
    return parent
