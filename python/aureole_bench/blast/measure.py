# SPDX-License-Identifier: Apache-2.0
"""`aureole bench blast`: Sedov's blast by each schedule, and beside PyClaw."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from aureole.amr.problems import sedov
from aureole.amr.schedules import BY_NAME
from aureole.base.errors import Error
from aureole.base.parse import integer

from aureole_bench import hyperthreads, report
from aureole_bench.blast import physics as blast_physics
from aureole_bench.blast import refined as blast_refined
from aureole_bench.blast import sweep as blast_sweep
from aureole_bench.blast.engines import (
    STYLES,
    Blast,
    BlastEngine,
    Ours,
    PyClaw,
    PyClawRun,
    Refused,
    find_pyclaw,
)
from aureole_bench.engines import PeerFailed
from aureole_bench.rounds import Measured, undisturbed
from aureole_bench.stats import ratios, spread

Say = Callable[[str], None]
Save = Callable[[dict[str, Any]], None]

#: Schemes of the paper, and of the comparison with PyClaw, whose methods are of second order.
PAPER = {"reconstruct": "ppm", "riemann": "hllc", "steps": "rk3"}
SECOND = {"reconstruct": "plm", "riemann": "hllc", "steps": "rk2"}
#: The pressure outside, for both engines: PyClaw's linearised waves need one.
OUTSIDE = {"pressure": 1e-2}
COARSE = 64  # cells along each axis: the time compared is a few steps with fewer
TARGET = 1.5  # times PyClaw's speed, at least


@dataclass(frozen=True)
class Plan:
    """Settings of the measurement.

    Args:
        cells: along each axis
        steps: of each run
        rounds: of all runs, in turn
        threads: counts of threads, on the host
        device: "host", "gpu:0" and so on
        pyclaw: a Python with PyClaw; None: the usual places
        sweep: settings of the schedules with tasks; None on the host, which they do not concern
        refined: cells along each axis of the blast in two dimensions; 0: it is left out
    """

    cells: int
    steps: int
    rounds: int
    threads: Sequence[int]
    device: str
    pyclaw: str | None
    sweep: blast_sweep.Sweep | None
    refined: int = 0


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the benchmark."""
    parser.add_argument(
        "--device",
        default="host",
        help="host, gpu:0 ..., or hostile: a host with delays, for tests (default %(default)s)",
    )
    parser.add_argument(
        "--cells", type=integer, default=64, help="along each axis, in eights (default %(default)s)"
    )
    parser.add_argument("--steps", type=integer, default=15, help="of each run (default 15)")
    parser.add_argument("--rounds", type=integer, default=9, help="of all (default %(default)s)")
    parser.add_argument(
        "--pyclaw",
        metavar="PYTHON",
        help="a Python with the package clawpack (default: AUREOLE_PYCLAW, or this one)",
    )
    parser.add_argument(
        "--picture", type=Path, help="plot, .png or .svg (default blast.png, with matplotlib)"
    )
    parser.add_argument(
        "--refined",
        type=integer,
        default=128,
        metavar="CELLS",
        help="along each axis of the blast on a mesh that refines itself; 0 leaves it out "
        "(default %(default)s)",
    )
    blast_sweep.add_options(parser)


def plan_of(chosen: argparse.Namespace, threads: Sequence[int]) -> Plan:
    """The plan that the options ask for. Wrong numbers or a missing Python raise InputError."""
    sedov(chosen.cells)
    counts = threads if chosen.device == "host" else [0]
    sweep = blast_sweep.plan_of(chosen)
    of_runs = (chosen.cells, chosen.steps, chosen.rounds, counts)
    if chosen.refined:
        sedov(chosen.refined, dims=2).mesh(blast_refined.LEVELS)
    return Plan(*of_runs, chosen.device, chosen.pyclaw, sweep, chosen.refined)


def measure(plan: Plan, say: Say, save: Save) -> dict[str, Any]:
    """Times, errors and bits of all schedules, the sweep, then the comparison with PyClaw.

    Raises Error where the device is missing, or has no schedule.
    """
    result: dict[str, Any] = {
        **{**report.machine(), "device": plan.device, "cells": plan.cells, "steps": plan.steps},
        **{"rounds": plan.rounds, "scheme": PAPER, "missing": [], "rows": [], "pyclaw": None},
        **{"sweep": [], "refined": []},
    }
    result["gains"] = hyperthreads.gains(plan.threads) if plan.device == "host" else []
    peer = None
    try:
        peer = find_pyclaw(plan.pyclaw)
    except PeerFailed as error:
        result["missing"].append(str(error))
    if plan.cells < COARSE:
        say(f"  Below {COARSE} cells the blast is as large as its source: errors mean little")
    with tempfile.TemporaryDirectory(prefix="aureole-bench-") as folder:
        case = Blast(plan.cells, Path(folder))
        _schedules(plan, case, result, say)
        save(result)
        if plan.sweep is not None:
            blast_sweep.measure(plan.sweep, partial(Ours, case, scheme=PAPER), result, say, save)
    if plan.refined and plan.device == "host":
        few = min(plan.rounds, 3)
        result["refined"] = blast_refined.measure(plan.refined, few, plan.threads[0], say)
        save(result)
    if peer is not None:
        with tempfile.TemporaryDirectory(prefix="aureole-bench-") as folder:
            case = Blast(plan.cells, Path(folder), OUTSIDE)
            result["pyclaw"] = _beside(plan, case, peer, result["missing"], say)
    return result


def _schedules(plan: Plan, case: Blast, result: dict[str, Any], say: Say) -> None:
    """Rows and states of all schedules that the device has."""
    problem = case.problem
    want = blast_physics.expected(problem)
    engines, result["states"], reason = [], [], ""
    for name in BY_NAME:
        engine = Ours(case, name, PAPER, plan.device)
        try:
            states = [(count, engine.state(count)) for count in plan.threads]
        except Refused as refused:
            reason = f"Schedule {name} is left out: {refused}"
            result["missing"].append(reason)
            continue
        engines.append(engine)
        for count, state in states:
            row = {"schedule": name, "threads": count, **blast_physics.errors(state, want, problem)}
            result["states"].append(row)
            result["profile"] = blast_physics.profile(state.density, problem)
        say(
            f"  {name}: error of the density {row['density']['mean']:.3e}, energy "
            f"{row['energy']['mean']:.3e}"
        )
    if not engines:
        raise Error(reason)
    result["exact"] = blast_physics.exact_profile(problem)
    result["expected"] = blast_physics.profile(want["density"], problem)
    result["same_bits"] = len({row["bits"] for row in result["states"]}) == 1
    runs = [(engine, count) for count in plan.threads for engine in engines]
    entries = _rounds(plan, case, runs, say)
    first = {entry.engine.style: entry for (_, n), entry in entries if n == plan.threads[0]}
    for (engine, count), entry in sorted(entries, key=lambda run: engines.index(run[0][0])):
        row = {"schedule": engine.style, "threads": count, **_row(entry, case)}
        speedup = ratios(entry.rates, first[engine.style].rates)
        row["speedup"] = speedup.of_ratios() if speedup and count != plan.threads[0] else None
        result["rows"].append(row)


def _rounds(
    plan: Plan, case: Blast, runs: Sequence[tuple[BlastEngine, int]], say: Say
) -> list[tuple[tuple[BlastEngine, int], Measured]]:
    """All of them measured, round by round."""
    entries = [(run, Measured(run[0], None, plan.rounds, plan.steps)) for run in runs]
    for k in range(plan.rounds):
        for (_, count), entry in entries:
            seconds, others = undisturbed(entry, count, say)
            entry.rates.append(case.cells**3 * plan.steps / seconds / 1e6)
            entry.others.append(others)
        told = ", ".join(f"{e.label} on {n} {entry.rates[-1]:.3f}" for (e, n), entry in entries)
        say(f"  {k + 1}/{plan.rounds}: {told} M cells/s")
    return entries


def _row(entry: Measured, case: Blast) -> dict[str, Any]:
    rate = spread(entry.rates)
    ms = case.cells**3 / 1e3
    return {
        "mcells_per_s": rate.median,
        "ms_per_step": ms / rate.median,
        "quartiles": [ms / rate.high, ms / rate.low],
        "runs": entry.rates,
        "counts": getattr(entry.engine, "counts", {}),
        "processors_used_by_others": entry.others,
    }


def _beside(
    plan: Plan, case: Blast, peer: PyClaw, missing: list[str], say: Say
) -> dict[str, Any] | None:
    """Ours and PyClaw's solvers on one processor in pairs: rates, ratios, errors.

    Solvers that fail are left out, and named in `missing`.
    """
    problem = case.problem
    want = blast_physics.expected(problem)
    ours = Ours(case, "pack", SECOND)
    engines: list[BlastEngine] = [ours, *(PyClawRun(case, style, peer) for style in STYLES)]
    found: dict[str, Any] = {"version": peer.version, "rows": [], "target": TARGET, **OUTSIDE}
    states: dict[str, dict[str, Any]] = {}
    for engine in list(engines):
        try:
            state = engine.state(1)
        except PeerFailed as error:
            if engine is ours:
                raise
            missing.append(f"{engine.label} is skipped: {error}")
            engines.remove(engine)
            continue
        states[engine.style] = blast_physics.errors(state, want, problem)
        states[engine.style]["profile"] = blast_physics.profile(state.density, problem)
    if engines == [ours]:
        return None
    entries = _rounds(plan, case, [(engine, 1) for engine in engines], say)
    for (engine, _), entry in entries:
        ratio = ratios(entries[0][1].rates, entry.rates) if engine is not ours else None
        found["rows"].append(
            {
                **{"engine": engine.label, **_row(entry, case), **states[engine.style]},
                "ratio": ratio.of_ratios() if ratio else None,
            }
        )
    fastest = min(found["rows"][1:], key=lambda row: row["ratio"]["ratio"])
    return {**found, "fastest": fastest["engine"], **fastest["ratio"]}
