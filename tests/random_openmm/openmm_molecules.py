# SPDX-License-Identifier: Apache-2.0
"""Random molecules in random boxes, for systems of OpenMM."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
from openmm import app

SPACING = 0.75  # nm between the centres of molecules at least


@dataclass
class Drawn:
    """A system that is being drawn.

    Attributes:
        rng: what draws
        vectors: (3, 3) of the box, rows [nm]
        position: (n, 3) [nm]
        bonds: pairs of particles, those of rings too
        molecules: first particle and number of particles of each
        beside: how far from their places virtual sites will be given [nm]
    """

    rng: np.random.Generator
    vectors: np.ndarray
    position: np.ndarray
    bonds: list[tuple[int, int]]
    molecules: list[tuple[int, int]]
    beside: dict[int, np.ndarray] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.position)

    def chance(self, part: float) -> bool:
        """True for that part of all systems."""
        return bool(self.rng.random() < part)

    def choose(self, some):
        """One of a sequence."""
        return some[int(self.rng.integers(len(some)))]

    def paths(self, length: int) -> list[tuple[int, ...]]:
        """Chains of bonded particles, each once: angles are of length 3, dihedrals of 4."""
        partners: dict[int, list[int]] = {}
        for i, j in self.bonds:
            partners.setdefault(i, []).append(j)
            partners.setdefault(j, []).append(i)
        found = [(i,) for i in range(self.n)]
        for _ in range(length - 1):
            found = [
                (*path, j) for path in found for j in partners.get(path[-1], ()) if j not in path
            ]
        return [path for path in found if path[0] < path[-1]]

    def anywhere(self, count: int) -> tuple[int, ...]:
        """Different particles of any molecules."""
        return tuple(int(i) for i in self.rng.choice(self.n, count, replace=False))


def drawn_particles(rng: np.random.Generator) -> Drawn:
    """Chains, some with rings or branches, at places of a lattice in a box."""
    vectors = _box(rng)
    shape = np.floor(np.diag(vectors) / SPACING).astype(int)
    places = np.array(list(itertools.product(*(range(k) for k in shape)))) / shape
    count = min(int(rng.integers(2, 9)), len(places))
    centres = places[rng.choice(len(places), count, replace=False)] @ vectors
    position, bonds, molecules = [], [], []
    for centre in centres:
        first, size = sum(map(len, position)), int(rng.choice((1, 2, 3, 4, 5, 6, 8)))
        shape_of_it, own = _molecule(rng, size)
        # Molecules may be anywhere, whole boxes away too.
        position.append(shape_of_it + centre + rng.integers(-1, 2, 3) @ vectors * rng.integers(2))
        bonds += [(first + i, first + j) for i, j in own]
        molecules.append((first, size))
    if sum(map(len, position)) < 5:
        return drawn_particles(rng)
    return Drawn(rng, vectors, np.concatenate(position), bonds, molecules)


def _box(rng: np.random.Generator) -> np.ndarray:
    edges = rng.uniform(2.2, 3.6, 3)
    vectors = np.diag(edges)
    if rng.random() < 0.4:
        for i, j in ((1, 0), (2, 0), (2, 1)):
            vectors[i, j] = rng.uniform(-0.49, 0.49) * edges[j] * (rng.random() < 0.8)
    return vectors


def _molecule(rng: np.random.Generator, size: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Positions about a centre, and bonds."""
    while True:
        points, bonds = [np.zeros(3)], []
        for k in range(1, size):
            parent = k - 1 if rng.random() < 0.8 else int(rng.integers(k))
            step = rng.normal(size=3)
            points.append(points[parent] + step / np.linalg.norm(step) * rng.uniform(0.1, 0.16))
            bonds.append((parent, k))
        found = np.array(points)
        apart = np.linalg.norm(found[:, None] - found, axis=2) + 9 * np.eye(size)
        if apart.min() > 0.09:
            break
    if size > 3 and rng.random() < 0.2:
        bonds.append((0, size - 1))
        bonds = sorted({tuple(sorted(pair)) for pair in bonds})
    return found - found.mean(axis=0), bonds


def topology_of(drawn: Drawn, box: bool) -> app.Topology:
    """OpenMM's, with a residue for each molecule."""
    topology = app.Topology()
    chain = topology.addChain()
    elements = [app.element.carbon, app.element.hydrogen, app.element.oxygen]
    atoms = []
    for first, size in drawn.molecules:
        residue = topology.addResidue(f"M{size}", chain)
        for i in range(first, first + size):
            element = elements[i % 3]
            atoms.append(topology.addAtom(f"{element.symbol}{i - first}", element, residue))
    for i, j in drawn.bonds:
        topology.addBond(atoms[i], atoms[j])
    if box:
        topology.setPeriodicBoxVectors(drawn.vectors)
    return topology
