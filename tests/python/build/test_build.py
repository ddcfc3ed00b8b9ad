# SPDX-License-Identifier: Apache-2.0
"""Builders make exactly what was asked for."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole.analysis import pair_distribution


def nearest(system, sample=200):
    rng = np.random.default_rng(0)
    best = []
    for tag in rng.permutation(system.n)[:sample]:
        d = system.box.minimum_image(system.position - system.position[tag])
        r2 = (d * d).sum(1)
        r2[tag] = np.inf
        best.append(r2.min())
    return np.sqrt(np.array(best))


# Nearest-neighbour distance of each lattice of density 1, from its cell.
CELLS = {"sc": 1, "bcc": 2, "fcc": 4, "diamond": 8}
NEAREST = {"sc": 1.0, "bcc": 3**0.5 / 2, "fcc": 2**0.5 / 2, "diamond": 3**0.5 / 4}


@pytest.mark.parametrize("kind", CELLS)
def test_full_lattices(kind):
    system = au.build.lattice(kind, n=CELLS[kind] * 4**3, density=0.8)
    edge = (CELLS[kind] / 0.8) ** (1 / 3)
    assert np.isclose(system.density, 0.8)
    assert np.allclose(nearest(system), NEAREST[kind] * edge)


@pytest.mark.parametrize("n", [1, 2, 5, 100, 1000, 32_001])
def test_any_number_of_particles(n):
    system = au.build.lattice("fcc", n=n, density=0.8442)
    assert system.n == n and np.isclose(system.density, 0.8442)
    # Vacancies are spread: no octant of the box is much emptier than another.
    if n >= 1000:
        octant = ((system.position > 0) @ [1, 2, 4]).astype(int)
        counts = np.bincount(octant, minlength=8)
        assert counts.max() - counts.min() < 0.1 * n / 8


@pytest.mark.parametrize(
    "n, options",
    [
        (2000, dict(density=0.3, min_distance=0.9)),
        (500, dict(box=(8, 20, 12, 0.4, 0.1, -0.3), min_distance=0.9)),
        (2, dict(density=0.1, min_distance=1.5)),
        (300, dict(density=0.5, min_distance=0.0)),
    ],
)
def test_random_fills_keep_their_distance(n, options):
    system = au.build.random(n, seed=5, **options)
    assert system.n == n
    assert nearest(system).min() >= options["min_distance"]
    again = au.build.random(n, seed=5, **options)
    assert np.array_equal(system.position, again.position)


@pytest.mark.parametrize("periodic", [(True, True, True), (True, False, True)])
def test_random_fills_are_those_of_one_draw_after_the_other(periodic):
    box = au.Box(4, 5, 3, 0.4, 0.1, -0.3, periodic=periodic)
    rng, placed = np.random.default_rng(5), np.empty((0, 3))
    while len(placed) < 35:
        drawn = rng.random(3)
        apart = box.minimum_image(box.positions(placed) - box.positions(drawn[None]))
        if not ((apart * apart).sum(axis=1) < 0.9**2).any():
            placed = np.vstack([placed, drawn])
    found = au.build.random(35, box=box, min_distance=0.9, seed=5)
    assert np.array_equal(found.position, box.positions(placed))


def test_mixture_has_the_shares():
    mix = au.build.mixture(1000, {"A": 0.8, "B": 0.15, "C": 0.05}, seed=1)
    assert np.bincount(mix["type"]).tolist() == [800, 150, 50]
    system = au.build.lattice("sc", n=1000, density=1.0, **mix)
    assert system.type_names == ("A", "B", "C")


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: au.build.lattice("fc", n=4, density=1), "Did you mean 'fcc'?"),
        (lambda: au.build.lattice("fcc", n=0, density=1), "n is 0"),
        (lambda: au.build.lattice("fcc", n=2.5, density=1), "n is 2.5"),
        (lambda: au.build.lattice("fcc", n=10**15, density=1), "GiB"),
        (lambda: au.build.lattice("fcc", n=4, density=0), "density is 0"),
        (lambda: au.build.random(10), "either density or box"),
        (lambda: au.build.random(100, density=1.0, min_distance=1.0), "jams"),
        (lambda: au.build.mixture(10, {}), "composition is {}"),
        (lambda: au.build.mixture(10, {"A": 0.0}), "all fractions"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(au.InputError) as caught:
        make()
    assert words in str(caught.value)


@pytest.mark.parametrize("box", [(9.0, 10.0, 11.0), (9.0, 10.0, 11.0, 0.4, -0.2, 0.3)])
def test_pair_distribution_counts_all_pairs(box):
    system = au.build.random(300, box=box, min_distance=0.8, seed=2)
    r, g = pair_distribution(system, r_max=3.5, bins=35, centres=300)
    found = []
    for i in range(300):
        d = system.box.minimum_image(system.position - system.position[i])
        distance = np.sqrt((d * d).sum(1))
        found.append(np.histogram(distance[distance > 0], np.linspace(0, 3.5, 36))[0])
    shells = 4 / 3 * np.pi * np.diff(np.linspace(0, 3.5, 36) ** 3)
    want = np.sum(found, axis=0) / (shells * 299 / system.box.volume * 300)
    assert np.allclose(g, want) and np.allclose(r, np.arange(35) * 0.1 + 0.05)
    with pytest.raises(au.InputError, match="exceeds half the box"):
        pair_distribution(system, r_max=8.0)


def test_lattices_take_no_box():
    with pytest.raises(au.InputError, match="lattice takes no box"):
        au.build.lattice("fcc", n=32, density=0.8, box=au.Box(5, 5, 5))
