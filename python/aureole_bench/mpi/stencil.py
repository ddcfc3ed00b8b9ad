# SPDX-License-Identifier: Apache-2.0
"""A seven-point stencil in three dimensions over MPI, in memory of hosts and devices.

Faces travel as derived datatypes, before each step; nothing overlaps with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from aureole.base.errors import bad_input

from aureole_bench.lists import counts
from aureole_bench.mpi import runs, surroundings, tables
from aureole_bench.mpi.report import ratio_columns, rounds_of
from aureole_bench.mpi.runs import Key, Row
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import WAYS, Told, Way, run
from aureole_bench.table import Cell, table

TRIAL = (12, 10, 9)  # cells, of a run that shows whether an MPI can do it
TRIAL_STEPS, TRIAL_SECONDS = 5, 60


@dataclass(frozen=True)
class Plan:
    """What is measured: `cells` of all ranks in x, y, z."""

    cells: Sequence[int] = (96, 96, 96)
    steps: int = 50
    ranks: Sequence[int] = (1, 2)
    memories: Sequence[str] = ("host", "device", "managed")
    rounds: int = 5
    check: bool = False
    mpirun: str = ""
    devices: str = "any"


def cells_of(text: str) -> list[int]:
    """Three numbers of cells, or one for a cube; raises InputError."""
    found = counts(text, "cells")
    if len(found) == 1:
        found *= 3
    if len(found) != 3:
        raise bad_input(
            f"cells is {text!r}", "a grid has one or three numbers", "Write for example 96,96,64"
        )
    return found


def measure(plan: Plan, machine: Row, say: Say) -> Row:
    """All ways; `machine` is what the result says of it."""
    without_hip = "The stencil has no kernel for AMD's devices: host memory alone."
    _, about, ways = runs.find(plan, without_hip, say)
    checks = {key: _checked(plan, key[2], way) for key, way in ways.items()}
    sums = {check["sum"] for check in checks.values() if check["sum"]}
    told = {0: "no result", 1: "the same result"}.get(len(sums), f"{len(sums)} different results")
    say(f"  checked: {len(checks)} ways, {told}")
    times = runs.timed(plan, ways, checks, _words(plan.cells, plan.steps, False), say)
    rows = [_row(plan, key[:3], times, checks) for key in ways if key[3] == "off"]
    plan_of = {"cells": list(plan.cells), "steps": plan.steps, "rounds": plan.rounds}
    of_check = {
        "checked": list(plan.cells) if plan.check else list(TRIAL),
        "results": len(sums),
    }  # different ones
    return {**machine, **about, "plan": plan_of, **of_check, "rows": rows}


def _words(cells: Sequence[int], steps: int, check: bool) -> list[str]:
    of = ",".join(map(str, cells))
    return ["run=stencil", f"cells={of}", f"steps={steps}", f"check={int(check)}"]


def _checked(plan: Plan, ranks: int, way: Way) -> Row:
    """A run whose cells are compared with those of a loop on one rank that knows no ghosts."""
    cells = [max(n, *plan.ranks) for n in TRIAL]
    words = _words(cells, TRIAL_STEPS, True)
    told = run(way, ranks, words, TRIAL_SECONDS)
    if plan.check and told.ended:
        told = run(way, ranks, _words(plan.cells, plan.steps, True))
    return judged(way, told)


def judged(way: Way, told: Told) -> Row:
    """A verdict on a checked run, and the sum of the bits of its cells."""
    if not told.ended:
        return {"verdict": told.verdict(), "sum": None, "different": None}
    last = told.rows[-1]
    verdict = "right" if way.is_kept(told.rows[0]) else f"not {way.name}"
    if last["different"] != 0:
        verdict = "wrong data"
    return {"verdict": verdict, "sum": last["sum"], "different": last["different"]}


def _row(
    plan: Plan, of: tuple[str, str, int], times: dict[Key, list[Row]], checks: dict[Key, Row]
) -> Row:
    by_way, row = runs.row_of(of, times, checks)
    updates = math.prod(plan.cells) * plan.steps
    return {
        **row,
        **{way: updates / row[way] if row[way] else None for way in WAYS},
        "exchange": runs.share(by_way["mapped"], "exchange"),
    }


def all_right(result: Row) -> bool:
    """Whether all had the bits of one rank, but where an MPI cannot take memory of devices."""
    return result["results"] == 1 and all(
        all(row["verdicts"][way] == "right" for way in tables.expected_of(row["memory"]))
        for row in result["rows"]
    )


def text(result: Row) -> str:
    """The result as a table."""

    def rate(way: str) -> Cell:
        return lambda row: row["verdicts"][way] if row[way] is None else f"{row[way] / 1e6:.1f}"

    columns: dict[str, Cell] = {
        **{"MPI": "{mpi}", "memory": "{memory}", "ranks": "{ranks}"},
        "grid": lambda row: " x ".join(map(str, row["grid"] or [])),
        **{way: rate(way) for way in WAYS},
        **ratio_columns(),
        "messages": lambda row: "" if row["exchange"] is None else f"{row['exchange']:.0%}",
    }
    plan = result["plan"]
    devices = f", {result['devices']}" if result["devices"] else ""
    cells, checked = (" x ".join(map(str, of)) for of in (plan["cells"], result["checked"]))
    lines = [
        *surroundings.head(result),
        "",
        f"Seven-point stencil, {cells} cells, {plan['steps']} steps{devices}: million cell updates "
        f"per second, {rounds_of(plan)}; ratios of times. Off: without the preload; staged: with "
        "it, through the host; mapped: straight between devices",
        table(result["rows"], columns, left=2),
        "",
    ]
    if all_right(result):
        lines.append(f"All results are those of one rank to the bit ({checked} cells).")
        return "\n".join(lines)
    told = {verdict for row in result["rows"] for verdict in row["verdicts"].values()}
    if ways := sorted(verdict for verdict in told if verdict.startswith("not ")):
        lines.append(f"NOT all messages went as they should: {', '.join(ways)}.")
    elif result["rows"]:
        lines.append(f"NOT all results are those of one rank ({checked} cells).")
    return "\n".join(lines)
