# SPDX-License-Identifier: Apache-2.0
"""Long runs on several ranks: nothing is lost, drift and averages are those of one rank.

AUREOLE_LONG_STEPS makes them shorter, for a look.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import aureole as au
import numpy as np
import pytest
from stacks import Shape
from systems import FLUIDS, Library, on, words

STEPS = int(os.environ.get("AUREOLE_LONG_STEPS", "100000"))
ROWS = 200
RUNS = 3
GRIDS: list[Shape] = [(2, 1, 1), (2, 2, 1)]
#: Without thermostats, so that the energy is to stay.
CONSERVING = {"reaction field": {"dt": "0.002"}, "mesh": {"coulombtype": "PME", "dt": "0.002"}}
COUPLED = ("four-site water", "restraints", "chain")
#: Of the fluids; a droplet is cold.
KT = {"melt": 1.1, "droplet": 0.25, "ring": 1.1}


@dataclass(frozen=True)
class Course:
    """Rows of a long run: energies and pressure at equal intervals, after a tenth of it."""

    time: np.ndarray
    total: np.ndarray
    averaged: np.ndarray  #: potential, kinetic energy, pressure; a row each
    n: int

    @property
    def drift(self) -> tuple[float, float]:
        """Slope of the total energy, and its standard error with ten independent parts."""
        parts = np.array_split(np.arange(len(self.time)), 10)
        t = np.array([self.time[part].mean() for part in parts])
        e = np.array([self.total[part].mean() for part in parts])
        line, covariance = np.polyfit(t, e, 1, cov=True)
        return float(line[0]), float(np.sqrt(covariance[0, 0]))


def course(sim: au.Simulation, kT: float | str, seed: int) -> Course:
    sim.thermalize(kT, seed=seed)
    n = sim.n
    sim.run(STEPS // 10)
    seen = []
    for _ in range(ROWS):
        sim.run(STEPS // ROWS)
        e = sim.energy
        # At each renewal ranks count particles and terms, and end the run where some are missing.
        assert sim.n == n and np.isfinite(e.total)
        seen.append((sim.step * sim.dt, e.total, e.potential, e.kinetic, sim.pressure))
    table = np.array(seen)
    assert len(np.unique(sim.get("tag"))) == n
    return Course(table[:, 0], table[:, 1], table[:, 2:], n)


def started(library: Library, name: str, grid: Shape, ranks: Shape) -> au.Simulation:
    device = on(ranks, "mixed")
    return library.simulation(name, grid, device, CONSERVING.get(name))


def run_of(library: Library, name: str, grid: Shape, ranks: Shape, seed: int) -> Course:
    with started(library, name, grid, ranks) as sim:
        return course(sim, KT.get(name, "250 K"), seed)


def assert_alike(what: str, one: list[Course], many: list[Course], drift: bool) -> None:
    """Drift, if it says something, and averages."""
    if drift:
        slopes = [np.array([c.drift for c in of]) for of in (one, many)]
        apart = slopes[1][:, 0].mean() - slopes[0][:, 0].mean()
        # Of the fits, or of the scatter of the runs, where that is larger.
        fits = sum((of[:, 1] ** 2).sum() for of in slopes) / RUNS**2
        error = np.sqrt(max(fits, sum(np.var(of[:, 0], ddof=1) for of in slopes) / RUNS))
        print(f"{what}: drift {slopes[0][:, 0]} and {slopes[1][:, 0]}, ± {error:.3g}")
        assert abs(apart) < 3 * error
    # Runs at constant energy differ in their energies as their starts do; these are the same.
    for k, column in enumerate(("potential", "kinetic", "pressure")):
        means = [np.array([c.averaged[:, k].mean() for c in of]) for of in (one, many)]
        errors = [np.array([deviation(c.averaged[:, k]) for c in of]) for of in (one, many)]
        error = np.sqrt(sum((of**2).sum() for of in errors)) / RUNS
        apart = means[1].mean() - means[0].mean()
        print(f"{what}: {column} {means[0].mean():.6g} apart {apart:.3g} ± {error:.3g}")
        assert abs(apart) < 3 * error


def deviation(rows: np.ndarray, blocks: int = 10) -> float:
    """Standard error of a mean, from blocks."""
    means = [block.mean() for block in np.array_split(rows, blocks)]
    return float(np.std(means, ddof=1) / np.sqrt(blocks))


@pytest.mark.validate
@pytest.mark.parametrize("name", [*FLUIDS, *CONSERVING, *COUPLED])
@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_drift_and_averages_are_those_of_one_rank(grid: Shape, name: str, library: Library) -> None:
    one, many = (
        [run_of(library, name, grid, ranks, seed) for seed in range(1, RUNS + 1)]
        for ranks in ((1, 1, 1), grid)
    )
    assert_alike(f"{name} {words(grid)}", one, many, drift=name not in COUPLED)
