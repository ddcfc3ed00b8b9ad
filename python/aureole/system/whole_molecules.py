# SPDX-License-Identifier: Apache-2.0
"""Molecules in one piece: the images of particles that lie beside their bonded partners."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from .box import Box
from .topology import MoleculeType, Topology

Ints = NDArray[np.int32]

#: Kinds of terms that hold a molecule together; a virtual site is held by its first parent.
BINDING = (
    *("harmonic_bond", "g96_bond", "morse_bond", "fene_bond", "cubic_bond", "constraint", "settle"),
    *("vsite1", "vsite2", "vsite2fd", "vsite3", "vsite3fd", "vsite3fad", "vsite3out"),
    *("vsite4fdn", "vsiten"),
)


def in_box(box: Box, position: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) positions with every particle in the box along its periodic axes."""
    return _moved(box, position, -np.floor(_fractions(box, position)))


class Whole:
    """Places the molecules of a topology in one piece, with their centres in the box.

    A forest of bonds is found once. For each frame every particle counts the boundaries between
    itself and its parent; sums of these along the paths to the roots, in steps that double, say
    by how many boxes it has to move. No bond may be as long as half the box is wide.

    Attributes:
        root: (n,) the root of the connected part that each particle belongs to
    """

    def __init__(self, topology: Topology) -> None:
        parents, start = [np.empty(0, np.int32)], 0
        for molecule, count in topology.blocks:
            shifts = start + molecule.atoms.n * np.arange(count, dtype=np.int32)
            parents.append((parents_of(molecule)[None, :] + shifts[:, None]).reshape(-1))
            start += molecule.atoms.n * count
        parent = np.concatenate(parents).astype(np.int32)
        self._child: Ints = np.flatnonzero(parent != np.arange(len(parent))).astype(np.int32)
        self._parent: Ints = parent[self._child]
        self.root, self._doublings = _doublings(parent)
        _, part = np.unique(self.root, return_inverse=True)
        self._part: Ints = part.astype(np.int32)
        self._sizes = np.bincount(part)

    def place(self, box: Box, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 3) positions of whole molecules [length], from any images of the particles."""
        turns = _fractions(box, position)
        parts = len(self._sizes)
        for axis in np.flatnonzero(box.periodic):
            fraction = turns[axis]
            count = np.zeros(len(fraction))
            count[self._child] = np.rint(fraction[self._parent] - fraction[self._child])
            for here, ahead in self._doublings:
                count[here] += count[ahead]
            centre = np.bincount(self._part, fraction + count, parts) / self._sizes
            count -= np.floor(centre)[self._part]
            turns[axis] = count
        return _moved(box, position, turns)


def _fractions(box: Box, position: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, n) fractions of the edges."""
    return np.linalg.inv(box.matrix) @ position.T + 0.5


def _moved(
    box: Box, position: NDArray[np.float64], turns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Positions moved by (3, n) whole boxes along the periodic axes."""
    turns[~np.array(box.periodic)] = 0.0
    return position + (box.matrix @ turns).T


def _doublings(parent: Ints) -> tuple[Ints, list[tuple[Ints, Ints]]]:
    """The root of each particle, and the pairs (here, ahead) along which sums reach it.

    In the k-th step a particle takes over the sum of the particle that is 2^k generations ahead.
    """
    ahead, steps = parent, list[tuple[Ints, Ints]]()
    while True:
        further = ahead[ahead]
        here = np.flatnonzero(further != ahead).astype(np.int32)
        if len(here) == 0:
            return ahead, steps
        steps.append((here, ahead[here]))
        ahead = further


def parents_of(molecule: MoleculeType) -> Ints:
    """(n,) the parent of each particle; the root of each connected part is its own parent."""
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
