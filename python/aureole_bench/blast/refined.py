# SPDX-License-Identifier: Apache-2.0
"""A blast on a mesh that refines itself, beside a uniform mesh of its finest cells."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from aureole import amr
from aureole.observers import Callback

from aureole_bench.stats import ratios, spread
from aureole_bench.table import Row, table

LEVELS = 2
#: As in the rest of the benchmark.
SCHEME = amr.Scheme(reconstruct="ppm", riemann="hllc", steps="rk3")
UNTIL = 0.05  # the front is then at a fifth of the box
CHECK = 4  # steps between two checks of the mesh


def _start(problem: amr.Problem, levels: int, threads: int) -> amr.Simulation:
    refine = [amr.SecondDerivative("pressure")] if levels else []
    return amr.Simulation(
        problem.mesh(levels), problem.gas(), SCHEME, refine=refine, threads=threads
    ).set(problem)


def _looked_at(problem: amr.Problem, levels: int, threads: int) -> Row:
    """Cell updates and error of a run that is not timed."""
    sim = _start(problem, levels, threads)
    updates = 0

    def count(sim: amr.Simulation) -> None:
        nonlocal updates
        updates += CHECK * int(sim.describe()["cells"])

    sim.observers.append(Callback(count, every=CHECK))
    sim.run(until=UNTIL)
    x, y = np.meshgrid(*[problem.mesh().centers(axis) for axis in "xy"])
    expected = problem.exact(UNTIL, x, y).density
    wrong = float(abs(sim.get("density", level=levels) - expected).mean())
    return {
        **{"levels": levels, "cells": int(sim.describe()["cells"]), "steps": sim.step},
        **{"updates": updates, "density": wrong, "repairs": sim.repairs["cells"]},
    }


def measure(cells: int, rounds: int, threads: int, say: Callable[[str], None]) -> list[Row]:
    """Rows of both meshes: errors, cell updates, and times of runs in turn.

    Args:
        cells: along each axis of the uniform mesh
        rounds: of both
        threads: of the host
        say: is told what has been measured
    """
    problem = amr.sedov(cells, dims=2, pressure=1e-2)
    rows = [_looked_at(problem, levels, threads) for levels in (0, LEVELS)]
    seconds: list[list[float]] = [[], []]
    shares: list[float] = []
    for k in range(rounds):
        for levels, runs in zip((0, LEVELS), seconds, strict=True):
            sim = _start(problem, levels, threads)
            before = sim.profile()
            began = time.perf_counter()
            sim.run(until=UNTIL)
            runs.append(time.perf_counter() - began)
            if levels:
                shares.append((sim.profile()["mesh"] - before["mesh"]) / runs[-1])
        say(f"  {k + 1}/{rounds}: uniform {seconds[0][-1]:.2f} s, refined {seconds[1][-1]:.2f} s")
    for row, runs in zip(rows, seconds, strict=True):
        row["seconds"] = spread(runs).median
        row["mcells_per_s"] = row["updates"] / row["seconds"] / 1e6
    compared = ratios(seconds[1], seconds[0])
    rows[1]["time_ratio"] = compared.of_ratios() if compared else None
    rows[1]["mesh_share"] = spread(shares).median
    return rows


def text(rows: list[Row]) -> list[str]:
    """The rows as lines."""
    uniform, refined = rows
    columns: dict[str, Any] = {
        "mesh": lambda row: f"{row['levels']} levels" if row["levels"] else "uniform",
        **{"cells at the end": "{cells:,}", "steps": "{steps}"},
        "M cell updates": lambda row: f"{row['updates'] / 1e6:.1f}",
        **{"seconds": "{seconds:.2f}", "M cells/s": "{mcells_per_s:.2f}"},
        **{"error of density": "{density:.3e}", "cells repaired": "{repairs}"},
    }
    share = refined["updates"] / uniform["updates"]
    lines = [
        f"A blast in two dimensions up to t = {UNTIL:g}, on a mesh that refines itself and on a "
        "uniform one of its finest cells",
        table(rows, columns),
        f"Refined: {share:.2f} of the cell updates, "
        f"{refined['mcells_per_s'] / uniform['mcells_per_s']:.2f} of the speed of each, "
        f"{refined['density'] / uniform['density']:.2f} of the error; "
        f"{refined['mesh_share']:.0%} of its time for the mesh",
    ]
    if refined["time_ratio"]:
        lines.append(f"Time: {refined['time_ratio']['ratio']:.2f} of the uniform mesh")
    return lines
