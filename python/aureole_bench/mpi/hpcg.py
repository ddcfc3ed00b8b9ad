# SPDX-License-Identifier: Apache-2.0
"""HPCG's conjugate gradients with multigrid over MPI, in memory of hosts and devices.

Every combination is tried first on a small grid, with what HPCG tests before it measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aureole_bench.mpi import runs, surroundings, tables
from aureole_bench.mpi.launchers import Mpi
from aureole_bench.mpi.report import ratio_columns, rounds_of
from aureole_bench.mpi.runs import Key, Row
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import WAYS, Told, Way, must_end, run
from aureole_bench.stats import ratios
from aureole_bench.table import Cell, table

TRIAL = (16, 16, 16)  # cells of a rank, of a run that shows whether an MPI can do it
TRIAL_ITERATIONS, TRIAL_SECONDS = 25, 120
#: What HPCG 3.1 allows: departures from symmetry, in units of rounding, and iterations of two
#: systems whose diagonals are large, without the preconditioner and with it.
MOST_DEPARTURE, MOST_ITERATIONS = 1.0, (12, 2)
#: Root mean square of what the solution may lack to the known one.
MOST_ERROR = 1e-3


@dataclass(frozen=True)
class Plan:
    """What is measured: `cells` of each rank in x, y, z."""

    cells: Sequence[int] = (104, 104, 104)
    iterations: int = 50
    ranks: Sequence[int] = (1, 2)
    memories: Sequence[str] = ("host", "device", "managed")
    rounds: int = 5
    check: bool = False
    mpirun: str = ""
    devices: str = "any"


def measure(plan: Plan, machine: Row, say: Say) -> Row:
    """All ways; `machine` is what the result says of it."""
    without_hip = "HPCG has no kernels for AMD's devices: host memory alone."
    found, about, ways = runs.find(plan, without_hip, say)
    checks = {key: _checked(plan, key[2], way) for key, way in ways.items()}
    compare_bits(checks)
    say(f"  checked: {len(checks)} ways")
    ratings = [
        _rating(plan, ranks, mpi) for mpi in list(found.values())[:1] for ranks in plan.ranks
    ]
    times = runs.timed(plan, ways, checks, words(plan.cells, plan.iterations), say)
    rows = [_row(key[:3], times, checks) for key in ways if key[3] == "off"]
    plan_of = {"cells": list(plan.cells), "iterations": plan.iterations, "rounds": plan.rounds}
    checked = list(plan.cells) if plan.check else list(TRIAL)
    return {
        **{**machine, **about, "plan": plan_of, "checked": checked},
        **{"ratings": ratings, "rows": rows},
    }


def words(cells: Sequence[int], iterations: int, *more: str) -> list[str]:
    """For the program of the ranks."""
    of = ",".join(map(str, cells))
    return ["run=hpcg", f"cells={of}", f"iterations={iterations}", *more]


def _checked(plan: Plan, ranks: int, way: Way) -> Row:
    told = run(way, ranks, words(TRIAL, TRIAL_ITERATIONS, "check=1"), TRIAL_SECONDS)
    if plan.check and told.ended:
        told = run(way, ranks, words(plan.cells, plan.iterations, "check=1"))
    return judged(way, told)


def judged(way: Way, told: Told) -> Row:
    """A verdict on a checked run, and what it has printed."""
    if not told.ended:
        return {"verdict": told.verdict(), "residuals": None}
    last = told.rows[-1]
    if "residuals" not in last:  # C has a word of its own for numbers that are none
        return {"verdict": "not a number", "residuals": None}
    verdict = "right" if way.is_kept(told.rows[0]) else f"not {way.name}"
    if not last["error"] <= MOST_ERROR:
        verdict = "wrong solution"
    elif any(n > most for n, most in zip(last["spread"], MOST_ITERATIONS, strict=True)):
        verdict = "not converged"
    elif not max(last["symmetry"]) <= MOST_DEPARTURE:
        verdict = "not symmetric"
    return {"verdict": verdict, **last}


def compare_bits(checks: dict[Key, Row]) -> None:
    """All ways and kinds of memory of an MPI have the same residuals on as many ranks, or each of
    their verdicts that was right becomes `differs`.
    """
    for of in {(key[0], key[2]) for key in checks}:
        same = [row for key, row in checks.items() if (key[0], key[2]) == of]
        right = [row for row in same if row["verdict"] == "right"]
        if any(row["residuals"] != right[0]["residuals"] for row in right):
            for row in right:
                row["verdict"] = "differs"


def _rating(plan: Plan, ranks: int, mpi: Mpi) -> Row:
    """How many more iterations colours need than HPCG's own order of cells."""
    way = Way(mpi, "host", "off", plan.devices)
    told = must_end(way, ranks, words(plan.cells, plan.iterations, "rating=1"))
    return {"ranks": ranks, **told.rows[-1]}


def _row(of: tuple[str, str, int], times: dict[Key, list[Row]], checks: dict[Key, Row]) -> Row:
    by_way, row = runs.row_of(of, times, checks)
    flops = next((run["flops"] for found in by_way.values() for run in found), 0.0)
    on_host = runs.seconds_of(times.get((of[0], "host", of[2], "off"), []))
    to_host = ratios(runs.seconds_of(by_way["mapped"]), on_host)
    return {
        **row,
        **{way: flops / row[way] if row[way] else None for way in WAYS},
        "to_host": to_host.median if to_host else None,
        **{what: runs.share(by_way["mapped"], what) for what in ("exchange", "reduction")},
    }


def all_right(result: Row) -> bool:
    """Whether all were right, but where an MPI cannot take memory of devices."""
    return bool(result["rows"]) and all(
        all(row["verdicts"][way] == "right" for way in tables.expected_of(row["memory"]))
        for row in result["rows"]
    )


def text(result: Row) -> str:
    """The result as a table."""

    def rate(way: str) -> Cell:
        return lambda row: row["verdicts"][way] if row[way] is None else f"{row[way] / 1e9:.2f}"

    def share(what: str) -> Cell:
        return lambda row: "" if row[what] is None else f"{row[what]:.0%}"

    columns: dict[str, Cell] = {
        **{"MPI": "{mpi}", "memory": "{memory}", "ranks": "{ranks}"},
        "grid": lambda row: " x ".join(map(str, row["grid"] or [])),
        **{way: rate(way) for way in WAYS},
        **ratio_columns(),
        "to host": lambda row: "–" if row["to_host"] is None else f"{row['to_host']:.2f}",
        "messages": share("exchange"),
        "sums": share("reduction"),
    }
    plan = result["plan"]
    devices = f", {result['devices']}" if result["devices"] else ""
    cells, checked = (" x ".join(map(str, of)) for of in (plan["cells"], result["checked"]))
    lines = [
        *surroundings.head(result),
        "",
        f"HPCG, {cells} cells a rank, {plan['iterations']} iterations{devices}: GFLOP/s as HPCG "
        f"counts them, {rounds_of(plan)}; ratios of times. Off: without the preload; staged: with "
        "it, through the host; mapped: straight between devices; to host: mapped, to off in memory "
        "of the host",
        table(result["rows"], columns, left=2),
        "",
        *map(_told_of_rating, result["ratings"]),
    ]
    wrong = {
        (row["mpi"], row["memory"], f"{row['ranks']} ranks", way, row["verdicts"][way])
        for row in result["rows"]
        for way in tables.expected_of(row["memory"])
        if row["verdicts"][way] != "right"
    }
    lines += [f"NOT right: {', '.join(each)}" for each in sorted(wrong)]
    if all_right(result):
        lines.append(
            f"HPCG's tests are passed, and residuals are the same to the bit ({checked} cells)."
        )
    return "\n".join(lines)


def _told_of_rating(of: Row) -> str:
    factor = of["in_order"] / of["needed"]
    ranks = "1 rank" if of["ranks"] == 1 else f"{of['ranks']} ranks"
    return (
        f"{ranks}: sweeps by colours need {of['needed']} iterations for the residual "
        f"that HPCG's order of cells has after {of['in_order']} ({of['reached']:.1e}). HPCG's "
        f"rating is {factor:.3f} of the rates."
    )
