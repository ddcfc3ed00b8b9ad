# SPDX-License-Identifier: Apache-2.0
"""`aureole bench grappa` and `protein`: molecules, our engine and the installed peers in turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from aureole.base.errors import Error
from numpy.typing import NDArray

from aureole_bench import gmx, hyperthreads, report
from aureole_bench.gmx import INSTALL, Gmx, Point, Settings
from aureole_bench.molecules import report as molecular_report
from aureole_bench.molecules.cases import MolecularCase
from aureole_bench.molecules.engines import MolecularEngine, OpenMM, Ours, Peer, openmm_version
from aureole_bench.molecules.worker import can_run
from aureole_bench.rounds import Measured, interleaved
from aureole_bench.stats import ratios
from aureole_bench.terms import compared, missing

AGREEMENT = 1e-5  # of each energy to its scale, in mixed precision
#: Settings of the same physics, converged to 1e-7 of the forces. GROMACS' functions for the direct
#: part are fits of limited accuracy: with 1e-10 its forces are wrong by 2e-6, with 1e-12 by 1e-4.
CONVERGED: Settings = {"ewald-rtol": 1e-8, "pme-order": 12, "fourierspacing": 0.05}
OPENMM_INSTALL = "OpenMM is missing. Install: pip install openmm"
NO_DYNAMICS = (
    "This build has no molecular dynamics yet: initial energies and forces of Aureole are "
    "compared, but not its speed."
)
Say = Callable[[str], None]
Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """Settings of the measurement.

    Args:
        threads: numbers of threads
        pairs: interleaved rounds
        seconds: of the fastest run at least
        drift: measure the drift of the conserved energy
        openmm_pairs: rounds that OpenMM takes part in; 0 for none
    """

    threads: Sequence[int]
    pairs: int
    seconds: float
    drift: bool = True
    openmm_pairs: int = 0


@dataclass(frozen=True)
class Peers:
    """Peers of this machine: the gmx program and the version of OpenMM, None where missing."""

    gromacs: str | None
    openmm: str | None

    @classmethod
    def find(cls, openmm: bool) -> Peers:
        """The peers that are installed; OpenMM only where it is wanted."""
        return cls(gmx.find(), openmm_version() if openmm else None)

    def program(self) -> str:
        """The gmx program; raises Error, with how to install it, where there is none."""
        if self.gromacs is None:
            raise Error(f"no gmx (it prepares the system and is the peer). Install: {INSTALL}")
        return self.gromacs


def measure(
    plan: Plan,
    peers: Peers,
    cases: Sequence[Callable[[], MolecularCase]],
    say: Say,
    save: Callable[[Row], None],
) -> Row:
    """All of the plan for each case, made when its turn comes; `save` gets the growing result."""
    version = Gmx(peers.program(), Path.cwd()).version
    versions = {"gromacs": version} | ({"openmm": peers.openmm} if peers.openmm else {})
    gone = [OPENMM_INSTALL] if plan.openmm_pairs and not peers.openmm else []
    missing = gone + ([] if can_run() else [NO_DYNAMICS])
    result = begun(plan, versions, missing)
    for line in result["missing"]:
        say(line)
    for make in cases:
        case = make()
        engines = _engines(case, plan, peers)
        points = {e.engine: e.point() for e in [Ours(case), *engines] if e.engine != "aureole"}
        points["aureole"] = Ours(case).point()
        check_start(result, case, peers, points)
        say(molecular_report.points(result, case.name))
        if plan.drift:
            most = max(plan.threads)
            result["drifts"] += [row for e in engines if (row := drift_row(e, most, say))]
        for threads in plan.threads:
            entries = _entries(plan, case, threads, engines)
            interleaved(entries, case, threads, say)
            result["rows"] += [_row(case, threads, entry) for entry in entries]
            result["ratios"] += _ratios(case, threads, entries)
            save(result)
    return result


def begun(plan: Plan, versions: Row, missing: list[str]) -> Row:
    """A result without rows."""
    return {
        **report.machine(),
        "versions": versions,
        "missing": missing,
        "plan": {"pairs": plan.pairs, "seconds": plan.seconds},
        "gains": hyperthreads.gains(plan.threads),
        **{key: [] for key in ("checks", "forces", "drifts", "rows", "ratios")},
    }


def check_start(result: Row, case: MolecularCase, peers: Peers, points: dict[str, Point]) -> None:
    """Adds energies of the start by term, ours beside GROMACS', and errors of all engines' forces
    to a result.
    """
    reference, name = _reference(case, peers.program(), CONVERGED)
    result["checks"] += _checks(case, points["aureole"], *_exact(case, peers, points))
    result["forces"] += _forces(case, points, reference, name)


def _engines(case: MolecularCase, plan: Plan, peers: Peers) -> list[MolecularEngine]:
    """The engines that can run, in the order of a round."""
    engines: list[MolecularEngine] = [Ours(case)] if can_run() else []
    engines.append(Peer(case, peers.program()))
    if plan.openmm_pairs and peers.openmm:
        engines.append(OpenMM(case))
    return engines


def _reference(case: MolecularCase, program: str, extra: Settings) -> tuple[Point | None, str]:
    """The start in double precision, and by whom; None without a double-precision gmx."""
    double = Gmx(program, case.folder).double()
    if double is None:
        return None, "no gmx_d beside gmx"
    added = dict(extra) if case.pme else {}
    conf, top, _ = case.files
    point = double.point("exact", Path(conf.name), Path(top.name), case.settings, added)
    said = ", ".join(f"{key} {value}" for key, value in added.items())
    return point, f"gmx_d {said}".strip()


def _exact(case: MolecularCase, peers: Peers, points: dict[str, Point]) -> tuple[Point, str]:
    """GROMACS' energies with the parameters of the run, in double precision where there is it."""
    point, _ = _reference(case, peers.program(), {})
    return (point, "gmx_d") if point else (points["gromacs"], "gmx in mixed precision")


def _checks(case: MolecularCase, ours: Point, theirs: Point, source: str) -> list[Row]:
    """Energies of the start, term by term."""
    rows: list[Row] = [
        {
            "case": case.name,
            "term": term.name,
            "aureole": term.ours,
            "gromacs": term.theirs,
            "gap": term.gap,
            "agrees": term.gap <= AGREEMENT,
            "peer": source,
        }
        for term in compared(ours.energy, theirs.energy)
    ]
    for name in missing(ours.energy, theirs.energy):
        rows.append(
            {
                "case": case.name,
                "term": name,
                "aureole": None,
                "gromacs": theirs.energy[name],
                "gap": None,
                "agrees": False,
                "peer": source,
            }
        )
    return rows


def _forces(
    case: MolecularCase, points: dict[str, Point], reference: Point | None, name: str
) -> list[Row]:
    """Errors of all engines' forces against the reference, relative to its root mean square."""
    if reference is None:
        return []
    return [
        {
            "case": case.name,
            "engine": engine,
            "error": relative_error(point.force, reference.force),
            "largest": largest_error(point.force, reference.force),
            "reference": name,
        }
        for engine, point in sorted(points.items())
    ]


def relative_error(force: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    """Root mean square of the difference over that of the exact forces, both (n, 3)."""
    return float(np.sqrt(((force - exact) ** 2).mean() / (exact**2).mean()))


def largest_error(force: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    """Largest difference of a particle's force over the root mean square of the exact ones."""
    sizes = (exact**2).sum(axis=1)
    return float(np.sqrt(((force - exact) ** 2).sum(axis=1).max() / sizes.mean()))


def drift_row(engine: MolecularEngine, threads: int, say: Say) -> Row | None:
    """Slope of the conserved energy over some steps."""
    case = engine.case
    steps = min(20_000, max(1000, 60_000_000 // case.n)) // 100 * 100
    course = engine.course(threads, steps)
    if course is None:
        return None
    row = {
        "case": case.name,
        "engine": engine.engine,
        "steps": steps,
        "drift": course.drift(case.n),
        "kT_per_ns": course.drift(case.n) * 1000 / (0.00831446261815324 * 300),
    }
    say(f"  {case.name} {engine.label}: drift {row['drift']:+.2e} kJ/mol/ps per particle")
    return row


def _entries(
    plan: Plan, case: MolecularCase, threads: int, engines: Sequence[MolecularEngine]
) -> list[Measured]:
    """The engines with the steps of their runs. Slow OpenMM makes fewer, in rounds of its own."""
    trial = {engine.engine: engine.seconds(threads, case.warm) for engine in engines}
    common = min(seconds for name, seconds in trial.items() if name != "openmm")

    def entry(engine: MolecularEngine) -> Measured:
        slow = engine.engine == "openmm"
        rounds = min(plan.pairs, plan.openmm_pairs) if slow else plan.pairs
        steps = _steps(plan.seconds, case.warm, trial["openmm"] if slow else common)
        return Measured(engine, None, rounds, steps)

    return [entry(engine) for engine in engines]


def _steps(seconds: float, trial_steps: int, trial: float) -> int:
    """So many that a run takes `seconds` at least, in tens."""
    return max(10, math.ceil(1.05 * seconds * trial_steps / max(trial, 1e-6) / 10) * 10)


def _row(case: MolecularCase, threads: int, entry: Measured) -> Row:
    row = entry.row(case, threads)
    return row | {"ns_per_day": row["matom_steps_per_s"] * 86.4e6 * case.dt / case.n}


def _ratios(case: MolecularCase, threads: int, entries: list[Measured]) -> list[Row]:
    """Ours over each peer, runs side by side."""
    by_name = {entry.engine.engine: entry for entry in entries}
    ours = by_name.pop("aureole", None)
    rows: list[Row] = []
    for name, peer in by_name.items() if ours else ():
        assert ours is not None
        ratio = ratios(ours.rates, peer.rates)
        if ratio is not None:
            rows.append(
                {
                    "case": case.name,
                    "threads": threads,
                    "peer": name,
                    **ratio.of_ratios(),
                }
            )
    return rows
