# SPDX-License-Identifier: Apache-2.0
"""The first steps on several ranks: the places of one rank, and on the same grid the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from stacks import Shape
from systems import Library, on, words

STEPS = {"clusters": 200, "flat": 60}
GRIDS: list[Shape] = [(2, 1, 1), (2, 2, 1)]
COLUMNS = ("position", "velocity", "force", "image")


class Seen:
    """What some steps on a grid lead to."""

    def __init__(self, library: Library, name: str, grid: Shape, **how: Any) -> None:
        steps = how.pop("steps", STEPS[how["algorithm"]])
        with library.simulation(name, how.pop("box", grid), on(grid, **how)) as sim:
            sim.run(steps)
            self.n, self.box, self.step = sim.n, sim.box, sim.step
            self.columns = {one: np.array(sim.get(one)) for one in COLUMNS}
            found = sim.thermo()
            self.energy = np.array([one["energy"] for one in found["per_force"]])
            self.potential, self.kinetic = found["potential"], found["kinetic"]

    def assert_same(self, other: Seen) -> None:
        """To the bit."""
        assert (self.n, self.step, self.box) == (other.n, other.step, other.box)
        np.testing.assert_array_equal(self.energy, other.energy)
        for name, column in self.columns.items():
            np.testing.assert_array_equal(column, other.columns[name], err_msg=name)

    def assert_near(self, other: Seen) -> None:
        """Rounding grows from step to step, and stays far below what a lost pair does."""
        assert (self.n, self.step) == (other.n, other.step)
        assert self.potential == pytest.approx(other.potential, rel=1e-8)
        assert self.kinetic == pytest.approx(other.kinetic, rel=1e-8)
        assert self.box.lengths == pytest.approx(other.box.lengths, rel=1e-10)
        apart = self.columns["position"] - other.columns["position"]
        assert np.abs(self.box.minimum_image(apart)).max() < 1e-7


#: Names of systems with each kind of lists.
LISTS = [
    *((name, "clusters") for name in Library.names),
    *((name, "flat") for name in Library.without_mesh),
]


def in_turn(
    names: tuple[str, ...], clusters: list[Any], flat: list[Any]
) -> list[tuple[Any, str, str]]:
    """Two of the grids for each system, and one later for the next: the first with clusters, the
    second with flat lists where the system has them. `clusters`, `flat`: the same grids, with more.
    """
    runs = []
    for row, name in enumerate(names):
        first, second = row % len(clusters), (row + 1) % len(clusters)
        runs.append((clusters[first], name, "clusters"))
        if (name, "flat") in LISTS:
            runs.append((flat[second], name, "flat"))
        else:
            runs.append((clusters[second], name, "clusters"))
    return runs


STEPPED = in_turn(Library.names, GRIDS, GRIDS)


@pytest.mark.parametrize(
    ("grid", "name", "algorithm"),
    sorted(STEPPED, key=lambda run: np.prod(run[0])),  # ranks start anew where their number changes
    ids=lambda value: words(value) if isinstance(value, tuple) else None,
)
def test_steps_are_those_of_one_rank(
    grid: Shape, name: str, algorithm: str, library: Library
) -> None:
    how: dict[str, Any] = {"precision": "double", "algorithm": algorithm}
    many = Seen(library, name, grid, **how)
    many.assert_near(Seen(library, name, (1, 1, 1), box=grid, **how))


#: Grids with the precision and the number of threads of each rank.
RUNS = {
    "clusters": [((2, 1, 1), "mixed", 2), ((2, 2, 2), "double", 1)],
    "flat": [((2, 1, 1), "double", 2), ((2, 2, 1), "mixed", 1)],
}
REPEATED = in_turn(Library.names, RUNS["clusters"], RUNS["flat"])


@pytest.mark.parametrize(
    ("grid", "precision", "threads", "name", "algorithm"),
    [
        (*run, name, algorithm)
        for run, name, algorithm in sorted(REPEATED, key=lambda what: np.prod(what[0][0]))
    ],
    ids=lambda value: words(value) if isinstance(value, tuple) else None,
)
def test_the_same_grid_gives_the_same_bits(
    grid: Shape, precision: str, threads: int, name: str, algorithm: str, library: Library
) -> None:
    how: dict[str, Any] = {"precision": precision, "threads": threads, "algorithm": algorithm}
    once, again = (Seen(library, name, grid, **how) for _ in range(2))
    once.assert_same(again)


def test_each_grid_has_each_kind_of_lists_and_each_system_two_grids() -> None:
    known = {"clusters": GRIDS, "flat": GRIDS}
    for runs, grids in ((STEPPED, known), (REPEATED, RUNS)):
        assert {(name, kind) for _, name, kind in runs} == set(LISTS)
        for kind, wanted in grids.items():
            assert [one for one in wanted if (one, kind) not in {(g, k) for g, _, k in runs}] == []
        for name in Library.names:
            assert len({what for what, one, _ in runs if one == name}) == 2
