# SPDX-License-Identifier: Apache-2.0
"""`aureole bench busy`: speed while other programs use the processors."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from aureole.base.errors import Error

from aureole_bench import busy_worker, report
from aureole_bench.cases import melt
from aureole_bench.engines import cpus, run_program
from aureole_bench.gmx import Gmx, find
from aureole_bench.gromacs import Gromacs
from aureole_bench.molecules.cases import mixture
from aureole_bench.molecules.engines import Peer
from aureole_bench.quiet import Watch
from aureole_bench.snapshot import snapshot_of
from aureole_bench.stats import ratios
from aureole_bench.table import Cell, table

FLUIDS = (4_000, 32_000)
WATER = "12k"
BAR = 0.7  # of the best thread count's speed
QUIET = 0.99  # of the speed of the build before, where nothing else runs
LIMIT = 600.0  # seconds that one run may take
Say = Callable[[str], None]
Save = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Plan:
    """Settings of the measurement.

    Args:
        rounds: of all runs, in turn
        seconds: of each run
        folder: for starts and inputs
        before: a folder with the package of an earlier build, to compare the quiet speed with
    """

    rounds: int
    seconds: float
    folder: Path
    before: Path | None = None


@dataclass(frozen=True, eq=False)
class Subject:
    """One system: our job for the worker, and GROMACS ready to run, or None."""

    name: str
    job: dict[str, Any]
    gmx: Gmx | None
    dt: float


def measure(plan: Plan, say: Say, save: Save) -> dict[str, Any]:
    """Rates of all systems, thread counts and states of the machine."""
    subjects = _subjects(plan.folder.absolute(), say)
    everything = cpus()
    threads = sorted({1, 2, len(everything)} & set(range(1, len(everything) + 1)))
    result: dict[str, Any] = {**report.machine(), "processors": len(everything), "rows": []}
    result["quiet"] = []
    for k in sorted({0, len(everything) // 2, len(everything)}):
        for subject in subjects:
            watch = Watch()
            with other_work(everything[:k]):
                result["rows"] += _rates(plan, subject, threads, k, say)
            others = watch.others()
            if others is not None and others > k + 0.2:
                say(f"  {others - k:.1f} more processors were busy than requested")
            save(result)
    if plan.before is not None:
        for subject in subjects:
            result["quiet"] += _beside(plan, subject, threads, say)
            save(result)
    return result


@contextlib.contextmanager
def other_work(on: Sequence[int]) -> Iterator[None]:
    """A process that never sleeps on each of these processors."""
    loop = "import os, sys\nos.sched_setaffinity(0, [int(sys.argv[1])])\nwhile True: pass"
    running = [subprocess.Popen([sys.executable, "-c", loop, str(cpu)]) for cpu in on]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _subjects(folder: Path, say: Say) -> list[Subject]:
    program = find()
    found = []
    for n in FLUIDS:
        snapshot = snapshot_of(melt(n), say, folder)
        home = folder / snapshot.case.name
        home.mkdir(parents=True, exist_ok=True)
        start = home / "start.npz"
        np.savez(start, position=snapshot.position, velocity=snapshot.velocity)
        gmx = None
        if program:
            peer = Gromacs(program, 0.005)
            peer.prepare(snapshot, home)
            peer._compile("busy", nsteps=-1)
            gmx = peer.gmx
        job = {"case": snapshot.case.name, "start": str(start)}
        found.append(Subject(snapshot.case.name, job, gmx, snapshot.case.dt))
    if program is None:
        say("no gmx was found: GROMACS and the water that it equilibrates are skipped")
        return found
    case = mixture(WATER, True, folder, program, len(cpus()), say)
    water = Peer(case, program)
    conf, top, mdp = case.files
    water.gmx.grompp("busy", Path(conf.name), Path(top.name), case.settings, {"nsteps": -1})
    job = {"conf": str(conf), "top": str(top), "mdp": str(mdp)}
    return [*found, Subject(case.name, job, water.gmx, case.dt)]


def _rates(
    plan: Plan, subject: Subject, threads: Sequence[int], k: int, say: Say
) -> list[dict[str, Any]]:
    """Median rates at each thread count, of our engine and of GROMACS."""
    engines: dict[str, Callable[[int], float]] = {"aureole": lambda t: _ours(plan, subject, t)}
    if subject.gmx is not None:
        engines["gromacs"] = lambda t: _gromacs(plan, subject, t)
    found: dict[str, dict[int, list[float]]] = {name: {t: [] for t in threads} for name in engines}
    for _ in range(plan.rounds):
        for t in threads:
            for name, rate in engines.items():
                found[name][t].append(rate(t))
    rows = []
    for name, of in found.items():
        rates = {t: median(values) for t, values in of.items()}
        ratio = rates[threads[-1]] / max(rates.values())
        rows.append({"case": subject.name, "busy": k, "engine": name, "rates": rates, "all": of})
        rows[-1]["ratio"] = ratio
        say(f"  {subject.name}, {k} busy, {name}: {_words(rates)} steps/s, ratio {ratio:.2f}")
    return rows


def _ours(plan: Plan, subject: Subject, threads: int, package: Path | None = None) -> float:
    """Steps per second of our engine, or of that of another package."""
    job = {**subject.job, "threads": threads, "seconds": plan.seconds}
    text = run_program(
        [sys.executable, "-c", Path(busy_worker.__file__).read_text()],
        on=cpus(),
        folder=plan.folder,
        text=json.dumps(job),
        environment={"PYTHONPATH": str(package or Path(__file__).parents[2])},
        limit=LIMIT,
    )
    return float(json.loads(text.strip().splitlines()[-1])["rate"])


def _gromacs(plan: Plan, subject: Subject, threads: int) -> float:
    """Steps per second of GROMACS in the second half of its time, pinned as it likes."""
    gmx = subject.gmx
    assert gmx is not None
    hours = 2 * plan.seconds / 3600
    gmx.run(
        *("mdrun", "-s", "busy.tpr", "-deffnm", "busy", "-ntmpi", 1, "-ntomp", threads),
        *("-noconfout", "-notunepme", "-nsteps", -1, "-maxh", f"{hours:.6f}", "-resethway"),
        limit=LIMIT,
    )
    log = (gmx.folder / "busy.log").read_text()
    speed = re.search(r"^Performance:\s+(\S+)", log, re.MULTILINE)
    if not speed:
        raise Error(f"{gmx.folder}/busy.log has no performance (cut off?). Look at its end.")
    return float(speed[1]) * 1000 / subject.dt / 86400


def _beside(plan: Plan, subject: Subject, threads: Sequence[int], say: Say) -> list[dict[str, Any]]:
    """The quiet speed in pairs with that of the build before."""
    rows = []
    for t in threads:
        now, before = [], []
        for k in range(3 * plan.rounds):
            for package in (None, plan.before)[:: 1 if k % 2 else -1]:
                (now if package is None else before).append(_ours(plan, subject, t, package))
        ratio = ratios(now, before)
        assert ratio is not None
        rows.append({"case": subject.name, "threads": t, **ratio.of_ratios()})
        say(f"  {subject.name}, {t} threads, quiet: {ratio.median:.3f} of the build before")
    return rows


def _words(rates: dict[int, float]) -> str:
    return ", ".join(f"{rate:.0f} on {t}" for t, rate in rates.items())


def passes(result: dict[str, Any]) -> bool:
    """Is our engine above the bars everywhere?"""
    ours = [row["ratio"] for row in result["rows"] if row["engine"] == "aureole"]
    return min(ours) >= BAR and all(row["ratio"] >= QUIET for row in result["quiet"])


def text(result: dict[str, Any]) -> str:
    """The result as tables."""
    threads = list(result["rows"][0]["rates"])
    columns: dict[str, Cell] = {
        "system": "{case}",
        "engine": "{engine}",
        "busy": "{busy}",
        **{f"on {t}": (lambda row, t=t: f"{row['rates'][t]:.0f}") for t in threads},
        f"{threads[-1]} to best": "{ratio:.2f}",
    }
    lines = [
        f"{result['date']}   {result['cpu']}   load {os.getloadavg()[0]:.1f}",
        "",
        f"Steps per second while other programs use some of {result['processors']} processors; "
        f"target: at least {BAR} of the best",
        table(sorted(result["rows"], key=lambda row: (row["case"], row["busy"])), columns, 2),
    ]
    if result["quiet"]:
        columns = {"system": "{case}", "threads": "{threads}", "ratio": "{ratio:.3f}"}
        columns["quartiles"] = "{quartiles[0]:.3f} – {quartiles[1]:.3f}"
        lines += ["", f"Quiet speed relative to the build before; target: at least {QUIET}"]
        lines.append(table(result["quiet"], columns))
    return "\n".join(lines)
