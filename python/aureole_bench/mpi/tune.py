# SPDX-License-Identifier: Apache-2.0
"""`aureole mpi --tune`: from which size on messages should go straight between devices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aureole.base.errors import FileError, bad_input
from aureole.ranks import find_launcher

from aureole_bench.mpi import surroundings, tables, thresholds
from aureole_bench.mpi.launchers import Mpi
from aureole_bench.mpi.report import rounds_of
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import Way, must_end
from aureole_bench.stats import ratios, spread
from aureole_bench.table import Cell, table

Row = dict[str, Any]
#: 4 kB to 4 MB. Shorter ones go through the host in any case; how much longer ones go is known.
SIZES = tuple(4096 << k for k in range(11))
#: By how much mapped may be slower at some larger size: as much as measurements vary.
SLACK = 1.05
_WAYS = ("staged", "mapped")
_IDLE = 1.0  # load above which ranks may have to share a processor


@dataclass(frozen=True)
class Plan:
    """How often each size is measured, and for how many seconds each time."""

    rounds: int = 5
    seconds: float = 0.02
    mpirun: str = ""
    devices: str = "any"
    sizes: Sequence[int] = SIZES


def threshold_of(found: Sequence[tuple[int, float]]) -> int | None:
    """The smallest size from which on no ratio of mapped to staged is above SLACK; None if there
    is none. Pairs of size and ratio, in any order.
    """
    smallest = None
    for size, ratio in sorted(found, reverse=True):
        if ratio > SLACK:
            break
        smallest = size
    return smallest


def measure(plan: Plan, machine: Row, say: Say) -> Row:
    """Latencies of each MPI at hand in device memory, and its threshold; nothing is written."""
    if (ranks := find_launcher.launched()[1]) > 1:
        raise bad_input(
            f"this runs on {ranks} ranks", "it starts ranks of its own", "Run it without mpirun"
        )
    thresholds.prepare()  # before any time is spent
    found, about = surroundings.find(plan.mpirun, plan.devices, say)
    if not about["devices"]:
        raise bad_input(
            "no device was found",
            "thresholds are for messages between devices, and no driver has any",
            "Run it on a machine with devices",
        )
    rows: list[Row] = []
    for name, mpi in found.items():
        row = _of_mpi(plan, mpi, say)
        if "missing" in row:
            about["missing"].append(f"{name} is left out ({row['missing']}).")
        else:
            rows.append({"mpi": name, **row})
    plan_of = {"rounds": plan.rounds, "seconds": plan.seconds, "slack": SLACK}
    return {**machine, **about, "plan": plan_of, "rows": rows}


def _of_mpi(plan: Plan, mpi: Mpi, say: Say) -> Row:
    ways = {way: Way(mpi, "device", way, plan.devices) for way in _WAYS}
    asked = tables.Plan(tables=["latency"], sizes=plan.sizes)
    for name, way in ways.items():
        verdict = tables.tried(asked, way)["latency"]
        if verdict == "not mapped":
            return {"missing": "its messages do not go straight from device to device here"}
        if verdict != "right":
            return {"missing": f"{name}: {verdict}"}
    runs: dict[str, dict[int, list[float]]] = {way: {s: [] for s in plan.sizes} for way in _WAYS}
    head: Row = {}
    for k in range(plan.rounds):
        for (name,) in tables.in_turn([(way,) for way in _WAYS], k):
            told = must_end(ways[name], 2, asked.words(["latency"], plan.seconds))
            if not all(ways[name].is_kept(row) for row in told.rows):
                return {"missing": f"its messages were not {name} in every round"}
            head = told.head
            for row in told.rows:
                runs[name][row["bytes"]].append(row["seconds"])
        say(f"  round {k + 1} of {plan.rounds}")
    sizes = [_of_size(size, [runs[way][size] for way in _WAYS]) for size in plan.sizes]
    threshold = threshold_of([(size["bytes"], size["ratio"]) for size in sizes])
    return {"machine": head["machine"], "threshold": threshold, "sizes": sizes}


def _of_size(size: int, runs: Sequence[list[float]]) -> Row:
    staged, mapped = runs
    compared = ratios(mapped, staged)
    assert compared is not None  # there is a round
    medians = {"staged": spread(staged).median, "mapped": spread(mapped).median}
    return {
        **{"bytes": size, **medians, **compared.of_ratios()},
        "runs": {"staged": staged, "mapped": mapped},
    }


def all_right(result: Row) -> bool:
    """Whether there is a threshold; an MPI that is on PATH and does not work is told of."""
    return bool(result["rows"])


def keep(result: Row, say: Say) -> bool:
    """Write what was found into the user's file, and say so; whether there was anything. Raises
    FileError.
    """
    new = {row["machine"]: row["threshold"] for row in result["rows"]}
    if not new:
        return False
    try:
        replaced = thresholds.keep(new)
    except FileError as error:
        raise thresholds.instead(error, new) from None
    if replaced:
        say(replaced)
    say(f"Written to {thresholds.path()}.")
    return True


def text(result: Row) -> str:
    """The tables, and the thresholds."""
    columns: dict[str, Cell] = {
        "bytes": "{bytes:,}",
        **{f"{way} [µs]": _microseconds(way) for way in _WAYS},
        "mapped:staged": "{ratio:.3f}",
        "quartiles": lambda row: "–".join(f"{q:.3f}" for q in row["quartiles"]),
    }
    lines = [
        *surroundings.head(result),
        "",
        f"Latency one way in device memory, {rounds_of(result['plan'])}; staged: through the host, "
        "mapped: straight between devices.",
    ]
    for row in result["rows"]:
        lines += ["", row["machine"], table(row["sizes"], columns, left=0), _conclusion(row)]
    if result["load"] > _IDLE:
        lines += ["", "Other programs kept this machine busy: run it again when they have ended."]
    if os.environ.get("AUREOLE_MPI_MAPPED_FROM"):
        lines += ["", "AUREOLE_MPI_MAPPED_FROM is set, and has precedence over the file."]
    return "\n".join(lines)


def _microseconds(way: str) -> Cell:
    return lambda row: f"{row[way] * 1e6:.2f}"


def _conclusion(row: Row) -> str:
    if row["threshold"] is None:
        last = row["sizes"][-1]["bytes"]
        return f"Threshold: off (mapped is slower up to {last:,} bytes)."
    return f"Threshold: {row['threshold']:,} bytes (mapped is not slower from there on)."
