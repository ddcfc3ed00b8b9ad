# SPDX-License-Identifier: Apache-2.0
"""OSU's tables for every MPI at hand, with the preload and without, in memory of each kind.

Every combination is tried first, in processes of its own, with all data compared: an MPI that
cannot take memory of a device ends its ranks. Only what was right is timed, in alternating rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aureole_bench.mpi import surroundings
from aureole_bench.mpi.launchers import Mpi
from aureole_bench.mpi.report import text as text
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import Told, Way, must_end, run
from aureole_bench.stats import ratios, spread

Row = dict[str, Any]
MESSAGES = ("latency", "bandwidth", "bidirectional")
COLLECTIVES = (
    *("allreduce", "bcast", "reduce", "allgather", "alltoall"),
    *("gather", "scatter", "reduce_scatter", "barrier"),
)
TABLES = (*MESSAGES, *COLLECTIVES)
WITHOUT_DATA = ("barrier",)
RATES = ("bandwidth", "bidirectional")
TRIAL_SECONDS = 60  # after which a trial counts as hanging


@dataclass(frozen=True)
class Plan:
    """What is measured: `sizes` in bytes, multiples of 4; `seconds` for each number."""

    tables: Sequence[str] = TABLES
    sizes: Sequence[int] = (8, 1024, 65536, 1 << 20)
    memories: Sequence[str] = ("host", "device", "managed")
    ranks: int = 2
    rounds: int = 5
    seconds: float = 0.05
    mpirun: str = ""
    devices: str = "any"

    def tables_in(self, memory: str) -> list[str]:
        """A table without data is measured once."""
        return [t for t in self.tables if memory == "host" or t not in WITHOUT_DATA]

    def sizes_of(self, table: str) -> list[int]:
        return [0] if table in WITHOUT_DATA else list(self.sizes)

    def words(self, tables: Sequence[str], seconds: float) -> list[str]:
        """For the program of the ranks; 0 seconds: data are compared, and nothing is timed."""
        sizes = ",".join(map(str, self.sizes))
        return [f"tables={','.join(tables)}", f"sizes={sizes}", f"seconds={seconds:g}"]


Verdicts = dict[tuple[str, str, bool], dict[str, str]]
Numbers = dict[tuple[str, str, bool, str, int], list[float]]


def measure(plan: Plan, machine: Row, say: Say) -> Row:
    """All tables; `machine` is what the result says of it."""
    found, about = surroundings.find(plan.mpirun, plan.devices, say)
    memories = surroundings.memories(list(plan.memories), about)
    ways = {
        (name, memory, preloaded): Way(mpi, memory, preloaded, plan.devices)
        for name, mpi in found.items()
        for memory in memories
        for preloaded in (False, True)
    }
    verdicts: Verdicts = {}
    for key, way in ways.items():
        verdicts[key] = tried(plan, way)
        say(f"  tried: {_told(key)}: {_summary(verdicts[key])}")
    numbers: Numbers = {}
    for k in range(plan.rounds):
        for key, way in _in_turn(ways, k):
            good = [table for table, verdict in verdicts[key].items() if verdict == "right"]
            if good:
                told = must_end(way, plan.ranks, plan.words(good, plan.seconds))
                _keep(numbers, key, told)
        say(f"  round {k + 1} of {plan.rounds}")
    plan_of = {"ranks": plan.ranks, "rounds": plan.rounds, "seconds": plan.seconds}
    rows = _rows(plan, found, memories, verdicts, numbers)
    return {**machine, **about, "plan": plan_of, "rows": rows}


def _in_turn(ways: dict[tuple[str, str, bool], Way], k: int) -> list[Any]:
    """With and without the preload side by side; which comes first alternates."""
    return sorted(ways.items(), key=lambda item: (*item[0][:2], item[0][2] == (k % 2 == 0)))


def tried(plan: Plan, way: Way) -> dict[str, str]:
    """For each table: right, wrong data, cannot (an error of MPI), crashes or hangs."""
    tables = plan.tables_in(way.memory)
    told = run(way, plan.ranks, plan.words(tables, 0), TRIAL_SECONDS)
    verdicts = {table: _verdict(plan, table, told) for table in tables}
    for table in tables:
        if verdicts[table] not in ("right", "wrong data"):
            own = run(way, plan.ranks, plan.words([table], 0), TRIAL_SECONDS)
            verdicts[table] = _verdict(plan, table, own)
    return verdicts


def _verdict(plan: Plan, table: str, told: Told) -> str:
    wrong = {row["bytes"]: row["wrong"] for row in told.rows if row["table"] == table}
    if any(wrong.values()):
        return "wrong data"
    if set(wrong) == set(plan.sizes_of(table)):
        return "right"
    return "cannot" if told.ended else told.verdict()


def _keep(numbers: Numbers, key: tuple[str, str, bool], told: Told) -> None:
    for row in told.rows:
        value = row.get("seconds") or row["bytes_per_second"]
        numbers.setdefault((*key, row["table"], row["bytes"]), []).append(value)


def _rows(
    plan: Plan, found: dict[str, Mpi], memories: list[str], verdicts: Verdicts, numbers: Numbers
) -> list[Row]:
    def runs(name: str, memory: str, preloaded: bool, table: str, size: int) -> list[float]:
        return numbers.get((name, memory, preloaded, table, size), [])

    rows = []
    for name in found:
        for table in plan.tables:
            for size in plan.sizes_of(table):
                for memory in memories:
                    if table not in plan.tables_in(memory):
                        continue
                    of = [runs(name, memory, preloaded, table, size) for preloaded in (False, True)]
                    on_host = runs(name, "host", False, table, size)
                    what = {"mpi": name, "table": table, "bytes": size, "memory": memory}
                    told = [verdicts[name, memory, preloaded][table] for preloaded in (False, True)]
                    rows.append({**what, **_compared(table, of, on_host, told)})
    return rows


def _compared(table: str, of: list[list[float]], on_host: list[float], told: list[str]) -> Row:
    """Medians, and ratios of times that were measured side by side."""
    without, preloaded = of
    if table in RATES:  # of the times that the same bytes take
        ratio, to_host = ratios(without, preloaded), ratios(on_host, preloaded)
    else:
        ratio, to_host = ratios(preloaded, without), ratios(preloaded, on_host)
    return {
        "unit": "bytes/s" if table in RATES else "s",
        "without": spread(without).median if without else None,
        "with": spread(preloaded).median if preloaded else None,
        "verdicts": {"without": told[0], "with": told[1]},
        "runs": {"without": without, "with": preloaded},
        **(ratio.of_ratios() if ratio else {"ratio": None, "quartiles": None, "pairs": 0}),
        "to_host": to_host.median if to_host else None,
    }


def all_right(result: Row) -> bool:
    """Whether all data were right, but where an MPI by itself cannot take memory of devices."""
    return bool(result["rows"]) and all(
        row["verdicts"]["with"] == "right"
        and (row["memory"] == "device" or row["verdicts"]["without"] == "right")
        for row in result["rows"]
    )


def _told(key: tuple[str, str, bool]) -> str:
    name, memory, preloaded = key
    return f"{name}, {memory}, {'with' if preloaded else 'without'} the preload"


def _summary(verdicts: dict[str, str]) -> str:
    counted: dict[str, list[str]] = {}
    for table, verdict in verdicts.items():
        counted.setdefault(verdict, []).append(table)
    return "; ".join(
        verdict if len(counted) == 1 else f"{verdict}: {', '.join(tables)}"
        for verdict, tables in counted.items()
    )
