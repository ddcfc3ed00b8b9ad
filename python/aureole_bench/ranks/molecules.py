# SPDX-License-Identifier: Apache-2.0
"""`aureole bench grappa --ranks` and `protein --ranks`: ranks beside threads and GROMACS' ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aureole_bench import report
from aureole_bench.gmx import Gmx
from aureole_bench.molecules import report as molecular_report
from aureole_bench.molecules.cases import MolecularCase
from aureole_bench.molecules.engines import Ours, OursRanks, Peer, PeerRanks
from aureole_bench.molecules.measure import Peers, Plan, begun, check_start, drift_row
from aureole_bench.ranks.rounds import Rounds, Sides, measured, tables
from aureole_bench.table import table

Say = Callable[[str], None]
Row = dict[str, Any]


def measure(
    plan: Plan,
    peers: Peers,
    cases: Sequence[Callable[[], MolecularCase]],
    say: Say,
    save: Callable[[Row], None],
) -> Row:
    """All of the plan, whose `threads` are numbers of ranks; see `molecules.measure`."""
    versions = {"gromacs": Gmx(peers.program(), Path.cwd()).version}
    result = begun(plan, versions, missing=[]) | {"efficiencies": []}
    for make in cases:
        case = make()
        one, peer = Ours(case), Peer(case, peers.program())
        ours, theirs = OursRanks(case), PeerRanks(case, peers.program())
        points = {"aureole": one.point(), "gromacs": peer.point()}
        check_start(result, case, peers, points)
        say(molecular_report.points(result, case.name))
        how = Rounds(plan.pairs, plan.seconds, case.warm)
        for ranks in plan.threads:
            sides = Sides(ours, one, [theirs], [one, peer])
            for key, rows in measured(case, ranks, sides, how, say).items():
                result[key] += rows
            save(result)
        if plan.drift:
            ranks = max(plan.threads)
            rows = (drift_row(engine, ranks, say) for engine in (ours, theirs))
            result["drifts"] += [row for row in rows if row is not None]
            save(result)
    return result


def text(result: Row) -> str:
    """The result as tables."""
    parts = [*report.head(result), "", molecular_report.points(result), "", *tables(result)]
    if result["drifts"]:
        parts += ["", "Drift of the conserved energy, on ranks"]
        parts.append(table(result["drifts"], molecular_report.DRIFTS, left=2))
    return "\n".join(parts)
