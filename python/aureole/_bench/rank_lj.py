# SPDX-License-Identifier: Apache-2.0
"""`aureole bench lj --ranks`: ranks beside threads, and beside the ranks of GROMACS."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from . import gmx, gromacs, hyperthreads, report
from .cases import Case, case_named
from .engines import WARM, Engine
from .lj import TOLERANCES, Plan
from .own import Aureole, AureoleRanks
from .rounds import Measured, interleaved
from .snapshot import snapshot_of
from .stats import ratios
from .table import Cell, spread, table

Say = Callable[[str], None]
Row = dict[str, Any]

#: What the ratio of our ranks to each other should be at least.
_TO_THREADS, _TO_GROMACS = 0.95, 1.05


def measure(plan: Plan, say: Say, save: Callable[[Row], None]) -> Row:
    """All of the plan, whose `threads` are numbers of ranks; see `lj.measure`."""
    program = gmx.find()
    result: Row = {
        **report.machine(),
        "versions": {"gromacs": gmx.Gmx(program, plan.folder).version} if program else {},
        "missing": [] if program else [f"GROMACS is missing. Install: {gmx.INSTALL}"],
        "plan": {"pairs": plan.pairs, "seconds": plan.seconds, "warm_steps": WARM},
        "gains": hyperthreads.gains(plan.threads),
        **{"rows": [], "ratios": []},
    }
    for name in plan.cases:
        case = case_named(name)
        snapshot = snapshot_of(case, say, plan.folder)
        engines: list[Engine] = [AureoleRanks(), Aureole()]
        if program:
            engines.append(gromacs.GromacsRanks(program, TOLERANCES[1]))
        for engine in engines:
            engine.prepare(snapshot, plan.folder / case.name)
        for ranks in plan.threads:
            entries = [Measured(engine, None, plan.pairs) for engine in engines]
            trial = min(engine.seconds(ranks, 400) for engine in engines)
            for entry in entries:
                entry.steps = math.ceil(1.05 * plan.seconds * 400 / trial / 100) * 100
            interleaved(entries, case, ranks, say)
            result["rows"] += [
                {**entry.row(case, ranks), "label": entry.engine.label} for entry in entries
            ]
            result["ratios"] += _ratios(case, ranks, entries)
            save(result)
    return result


def _ratios(case: Case, ranks: int, entries: Sequence[Measured]) -> list[Row]:
    """Our ranks over each of the others."""
    ours, *others = entries
    rows = []
    for other in others:
        ratio = ratios(ours.rates, other.rates)
        if ratio is None:
            continue
        target = _TO_THREADS if other.engine.engine == ours.engine.engine else _TO_GROMACS
        rows.append(
            {
                **{"case": case.name, "ranks": ranks, "peer": other.engine.label},
                **{**ratio.of_ratios(), "target": target},
            }
        )
    return rows


def text(result: Row) -> str:
    """The result as tables."""
    rates: dict[str, Cell] = {
        **{"case": "{case}", "engine and list": "{label}", "processors": "{threads}"},
        **{"M atom-steps/s": "{matom_steps_per_s:.2f}", **spread(2)},
    }
    comparisons: dict[str, Cell] = {
        **{"case": "{case}", "our ranks / peer": "{peer}", "ranks": "{ranks}"},
        **{"ratio": "{ratio:.3f}", **spread(3), "pairs": "{pairs}"},
        "target": lambda r: (
            f"{r['target']:g} {'reached' if r['ratio'] >= r['target'] else 'NOT reached'}"
        ),
    }
    return "\n".join(
        [
            *report.head(result),
            "",
            f"Million atom-steps per second ({result['plan']['pairs']} interleaved rounds)",
            table(result["rows"], rates, left=2),
            *report.disturbance(result["rows"]),
            "",
            table(result["ratios"], comparisons, left=2),
        ]
    )
