# SPDX-License-Identifier: Apache-2.0
"""Molecules are made whole, wherever the boundaries cut them."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole.system.topology import Terms
from aureole.system.whole_molecules import Whole, in_box, parents_of
from output_tools import molecule, topology

BOXES = [
    au.Box(4, 4.5, 5),
    au.Box(4, 4.5, 5, 0.4, -0.3, 0.45),
    au.Box(4, 4.5, 5, periodic=(True, False, True)),
]


def walk(random, parents, length=0.3):
    """Positions of a molecule whose particles are `length` from their parents."""
    x = np.zeros((len(parents), 3))
    for k, parent in enumerate(parents[1:], 1):
        step = random.normal(size=3)
        x[k] = x[parent] + length * step / np.linalg.norm(step)
    return x


@pytest.mark.parametrize("box", BOXES)
def test_whole_again(box):
    random = np.random.default_rng(4)
    tree = [0, *(int(random.integers(0, k)) for k in range(1, 40))]
    kinds = [
        ([0], 5),
        ([0, 0, 0], 30),  # water
        (tree, 4),
        ([0, *range(99)], 3),  # a chain, longer than the box
        ([0, 0, 1, 2, 3, 4], 6),  # a ring, closed below
    ]
    blocks, pieces = [], []
    for parents, count in kinds:
        edges = [(parents[k], k) for k in range(1, len(parents))]
        # Bonds are given in no order.
        edges = [edges[k][:: random.choice([-1, 1])] for k in random.permutation(len(edges))]
        ring = [(0, 5)] if len(parents) == 6 else []
        blocks.append((molecule(len(parents), edges + ring), count))
        for _ in range(count):
            x = walk(random, parents, 0.1 if ring else 0.3)
            fraction = random.random((1, 3))
            fraction[:, ~np.array(box.periodic)] = 0.5
            pieces.append(x - x.mean(axis=0) + box.positions(fraction))
    exact = np.concatenate(pieces)
    turns = random.integers(-2, 3, exact.shape) * np.array(box.periodic)
    whole = Whole(topology(*blocks))
    for broken in (exact + turns @ box.matrix.T, in_box(box, exact), exact):
        assert np.allclose(whole.place(box, broken), exact, atol=1e-12)


def test_parts_of_one_molecule_type_are_placed_one_by_one():
    """Two ions that a topology calls one molecule are each in the box."""
    box = au.Box(3, 3, 3)
    whole = Whole(topology((molecule(3, [(0, 1)]), 2)))
    x = np.array([[1.4, 0, 0], [-1.5, 0, 0], [4.0, 0, 0]] * 2)
    placed = whole.place(box, x)
    assert np.allclose(placed[:, 0], [1.4, 1.5, 1.0] * 2) or np.allclose(
        placed[:, 0], [-1.6, -1.5, 1.0] * 2
    )


def test_rigid_water_with_a_site_and_constraints_hold_together():
    """Terms other than bonds bind too; a restraint does not."""
    one = np.zeros(1, np.int32)
    water = molecule(4, [], "W")
    water.terms.clear()
    water.terms["settle"] = Terms(np.array([[0, 1, 2]], np.int32), one, np.array([[0.1, 0.16]]))
    water.terms["vsite3"] = Terms(np.array([[3, 0, 1, 2]], np.int32), one, np.array([[0.1, 0.1]]))
    assert parents_of(water).tolist() == [0, 0, 0, 0]
    rod = molecule(4, [(0, 1)])
    rod.terms["constraint"] = Terms(np.array([[1, 2]], np.int32), one, np.array([[0.1]]))
    rod.terms["harmonic_restraint"] = Terms(np.array([[2, 3]], np.int32), one, np.ones((1, 2)))
    assert parents_of(rod).tolist() == [0, 0, 1, 3]


def test_particles_in_the_box():
    random = np.random.default_rng(5)
    for box in BOXES:
        x = 20 * random.normal(size=(300, 3))
        placed = in_box(box, x)
        assert np.allclose(placed, box.wrap(x)[0], atol=1e-12)
