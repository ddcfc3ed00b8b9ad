# SPDX-License-Identifier: Apache-2.0
"""How far the state of a blast is from the exact solution."""

from __future__ import annotations

from typing import Any

import numpy as np
from aureole.amr import exact
from aureole.amr.problem import Problem
from numpy.typing import NDArray

from aureole_bench.blast.engines import State

Array = NDArray[np.float64]


def radii(problem: Problem) -> Array:
    """Radii of the centres of all cells, [z][y][x]."""
    lines = [problem.mesh().centers(axis) for axis in "xyz"]
    z, y, x = np.meshgrid(*lines[::-1], indexing="ij")
    return np.sqrt(x * x + y * y + z * z)


def expected(problem: Problem) -> dict[str, Array]:
    """Means over cells of the exact density and energy, [z][y][x], at the problem's time."""
    lines = [problem.mesh().centers(axis) for axis in "xyz"]
    z, y, x = np.meshgrid(*lines[::-1], indexing="ij")
    fields, r = problem.exact(problem.until, x, y, z), radii(problem)
    found = {"density": fields["density"], "energy": fields["pressure"] / (problem.gamma - 1)}
    # Outside of the blast, where all is at rest and uniform, the means are the values.
    moved = (fields["velocity"] != 0).any(axis=-1)
    near = r < r[moved].max() + 2 * problem.mesh().spacing[0]
    means = problem.means(problem.until, x[near], y[near], z[near])
    for name, values in found.items():
        values[near] = means[name]
    return found


def errors(state: State, want: dict[str, Array], problem: Problem) -> dict[str, Any]:
    """Mean and root-mean-square errors of density and energy, and the energy of the box."""
    row: dict[str, Any] = {"steps": state.steps, "bits": state.bits}
    for name, values in want.items():
        row[name] = exact.error_norms(getattr(state, name), values)._asdict()
    volume = float(np.prod(problem.mesh().spacing))
    return {**row, "total_energy": float(state.energy.sum()) * volume}


def profile(density: Array, problem: Problem) -> dict[str, list[float]]:
    """Density along the radius: means over shells as thick as a cell, up to 1.6 times the front."""
    cell, r = problem.mesh().spacing[0], radii(problem)
    shells = np.floor(r / cell).astype(int).ravel()
    count = np.bincount(shells)
    last = min(len(count), int(np.ceil(_front(problem) * 1.6 / cell)))
    inside = [k for k in range(last) if count[k]]
    sums = {name: np.bincount(shells, weights=v.ravel()) for name, v in (("r", r), ("d", density))}
    return {
        "radius": [float(sums["r"][k] / count[k]) for k in inside],
        "density": [float(sums["d"][k] / count[k]) for k in inside],
    }


def exact_profile(problem: Problem, points: int = 400) -> dict[str, list[float]]:
    """The exact density along the radius."""
    r = np.linspace(0, 1.6 * _front(problem), points)
    density = problem.exact(problem.until, r, 0 * r, 0 * r)["density"]
    return {"radius": r.tolist(), "density": density.tolist()}


def _front(problem: Problem) -> float:
    """Radius of the shock."""
    r = np.linspace(0, 1, 4001)
    velocity = problem.exact(problem.until, r, 0 * r, 0 * r)["velocity"]
    return float(r[(velocity != 0).any(axis=-1)].max())
