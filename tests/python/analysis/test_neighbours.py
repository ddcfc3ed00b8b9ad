# SPDX-License-Identifier: Apache-2.0
"""Pairs within a distance, beside all pairs in double precision."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from aureole.analysis import neighbours
from aureole.analysis.neighbours import all_pairs, pairs
from aureole.system.box import Box

BOXES = {
    "cube": Box(3, 3, 3),
    "long": Box(0.9, 9.0, 2.0),
    "tilted": Box(4, 5, 3, 0.4, -0.3, 0.2),
    "very tilted": Box(4, 5, 3, 1.0, -0.9, 0.7),
    "flat": Box(30, 20, 0.5),
    "open": Box(3, 4, 5, periodic=(False, False, False)),
    "open x": Box(3, 4, 5, 0.2, 0.3, -0.1, periodic=(False, True, True)),
    "open z": Box(3, 4, 5, 0.2, periodic=(True, True, False)),
}


def by_all_pairs(box, centres, others, r_max):
    """(centre, other) → the distance of the nearest image."""
    turns = [range(-2, 3) if repeats else (0,) for repeats in box.periodic]
    shifts = np.array(list(itertools.product(*turns))) @ box.matrix.T
    a, b = (box.wrap(x)[0] if len(x) else x for x in (centres, others))
    apart = (b[None, :] - a[:, None])[:, :, None] + shifts
    r = np.sqrt((apart**2).sum(axis=-1)).min(axis=-1) if apart.size else np.zeros(apart.shape[:2])
    return {(int(i), int(j)): r[i, j] for i, j in zip(*np.nonzero(r < r_max), strict=True)}


def check(box, centres, others, r_max):
    i, j, r = all_pairs(box, centres, others, r_max)
    wanted = by_all_pairs(box, centres, others, r_max)
    found = list(zip(i.tolist(), j.tolist(), strict=True))
    assert len(found) == len(wanted) and set(found) == set(wanted)
    assert np.allclose(r, [wanted[pair] for pair in found], rtol=1e-12, atol=1e-12)
    assert (np.diff(i) >= 0).all()
    return len(found)


@pytest.mark.parametrize("part", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("name", BOXES)
def test_they_are_those_of_all_pairs(name, part):
    box, rng = BOXES[name], np.random.default_rng(len(name))
    a, b = (box.positions(rng.uniform(-1, 2, (n, 3))) for n in (40, 70))
    r_max = part * box.widths.min() / 2
    assert check(box, a, b, r_max) + check(box, b, b, r_max) >= 70
    assert check(box, a[:5], b, r_max) <= check(box, a, b, r_max)


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("n, m", [(0, 0), (0, 2), (2, 0), (1, 1), (1, 2), (2, 2)])
def test_of_few_particles(name, n, m):
    rng = np.random.default_rng(n + 7 * m)
    a, b = (BOXES[name].positions(rng.random((k, 3))) for k in (n, m))
    for part in (0.1, 0.9):
        check(BOXES[name], a, b, part * BOXES[name].widths.min() / 2)


@pytest.mark.parametrize("name", BOXES)
def test_of_particles_on_faces_edges_and_corners(name):
    box = BOXES[name]
    ends = np.array(list(itertools.product((0.0, 0.5, 1.0), repeat=3)))
    near = np.concatenate([ends, np.nextafter(ends, -1.0), np.nextafter(ends, 2.0)])
    position = box.positions(near)
    for r_max in (1e-6, 0.3 * box.widths.min()):
        assert check(box, position, position, r_max) >= len(position)


def test_of_a_droplet_in_an_empty_box():
    rng = np.random.default_rng(3)
    for box in (Box(1000, 1000, 1000), Box(1e6, 1e6, 1e-2), Box(1e7, 1, 1)):
        position = rng.normal(scale=0.002, size=(60, 3))
        assert check(box, position, position, 0.004) > 500


def test_of_a_lattice_with_neighbours_at_the_distance():
    """Sums of powers of two are exact: r < r_max leaves out those at r_max."""
    position = np.array(list(itertools.product(range(4), repeat=3))) * 0.25 - 0.5
    box = Box(1, 1, 1)
    assert [check(box, position, position, r) for r in (0.25, 0.2500001)] == [64, 7 * 64]


def test_of_distances_beyond_half_a_box_without_tilt():
    box, rng = Box(2, 3, 4), np.random.default_rng(5)
    position = box.positions(rng.random((20, 3)))
    for r_max in (1.2, 1.9, 3.0, np.inf):
        check(box, position, position, r_max)


def test_far_particles_and_those_that_are_nowhere():
    box, rng = Box(4, 5, 3, 0.4, -0.3, 0.2), np.random.default_rng(6)
    position = box.positions(rng.random((80, 3)))
    far = position + rng.integers(-1000, 1000, (80, 3)) @ box.matrix.T
    kept = all_pairs(box, position, position, 1.2)
    moved = all_pairs(box, far, far, 1.2)
    assert set(zip(*kept[:2], strict=True)) == set(zip(*moved[:2], strict=True))
    for nowhere in (np.nan, np.inf, -np.inf, 1e300):
        lost = np.concatenate([position, [[nowhere, 0, 0], [0, 0, nowhere]]])
        i, j, _ = all_pairs(box, lost, lost, 1.2)
        inside = (i < 80) & (j < 80)
        assert np.array_equal(i[inside], kept[0]) and np.array_equal(j[inside], kept[1])
        assert inside.all() or nowhere == 1e300


def test_pieces_hold_all_pairs_once(monkeypatch):
    box, rng = Box(3, 3, 3), np.random.default_rng(7)
    position = box.positions(rng.random((200, 3)))
    whole = all_pairs(box, position, position, 1.0)
    monkeypatch.setattr(neighbours, "_MOST", 100)
    pieces = list(pairs(box, position, position, 1.0))
    assert len(pieces) > 10 and max(len(r) for _, _, r in pieces) < 300
    for column, one in zip(zip(*pieces, strict=True), whole, strict=True):
        assert np.array_equal(np.concatenate(column), one)
    assert [len(r) for _, _, r in pairs(box, position[:0], position, 1.0)] == [0]
