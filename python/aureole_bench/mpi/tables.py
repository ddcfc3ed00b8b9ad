# SPDX-License-Identifier: Apache-2.0
"""OSU's tables for every MPI at hand, without the preload and with it, in memory of each kind.

Every combination is tried first, in processes of its own, with all data compared: an MPI that
cannot take memory of a device ends its ranks. Only what was right is timed, in alternating rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from aureole_bench.mpi import surroundings
from aureole_bench.mpi.launchers import Mpi
from aureole_bench.mpi.report import text as text
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import WAYS, Told, Way, must_end, path_of, run
from aureole_bench.stats import Spread, ratios, spread

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


Key = tuple[str, str, str]  # MPI, memory, way
Verdicts = dict[Key, dict[str, str]]


@dataclass
class Found:
    """The numbers of one table and size in one way, and how its messages went."""

    runs: list[float] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)


Numbers = dict[tuple[Key, str, int], Found]


def measure(plan: Plan, machine: Row, say: Say) -> Row:
    """All tables; `machine` is what the result says of it."""
    found, about = surroundings.find(plan.mpirun, plan.devices, say)
    memories = surroundings.memories(list(plan.memories), about)
    ways = {
        (name, memory, way): Way(mpi, memory, way, plan.devices)
        for name, mpi in found.items()
        for memory in memories
        for way in WAYS
    }
    verdicts: Verdicts = {}
    for key, way in ways.items():
        verdicts[key] = tried(plan, way)
        say(f"  tried: {_told(key)}: {_summary(verdicts[key])}")
    numbers: Numbers = {}
    for k in range(plan.rounds):
        for key in in_turn(ways, k):
            way = ways[key]
            good = [table for table, verdict in verdicts[key].items() if verdict == "right"]
            if good:
                told = must_end(way, plan.ranks, plan.words(good, plan.seconds))
                _keep(numbers, verdicts, key, way, told)
        say(f"  round {k + 1} of {plan.rounds}")
    plan_of = {"ranks": plan.ranks, "rounds": plan.rounds, "seconds": plan.seconds}
    rows = _rows(plan, found, memories, verdicts, numbers)
    return {**machine, **about, "plan": plan_of, "rows": rows}


def in_turn(keys: Iterable[Any], k: int) -> list[Any]:
    """The ways of the same beside each other; which of them comes first changes by rounds. Keys
    are tuples whose last entry is the way.
    """
    return sorted(keys, key=lambda key: (*key[:-1], (WAYS.index(key[-1]) + k) % len(WAYS)))


def tried(plan: Plan, way: Way) -> dict[str, str]:
    """For each table: right, wrong data, cannot (an error of MPI), crashes, hangs, or not mapped:
    messages did not go the way that was to be measured.
    """
    tables = plan.tables_in(way.memory)
    told = run(way, plan.ranks, plan.words(tables, 0), TRIAL_SECONDS)
    verdicts = {table: _verdict(plan, way, table, told) for table in tables}
    for table in tables:
        if verdicts[table] not in ("right", "wrong data", f"not {way.name}"):
            own = run(way, plan.ranks, plan.words([table], 0), TRIAL_SECONDS)
            verdicts[table] = _verdict(plan, way, table, own)
    return verdicts


def _verdict(plan: Plan, way: Way, table: str, told: Told) -> str:
    wrong = {row["bytes"]: row["wrong"] for row in told.rows if row["table"] == table}
    if any(wrong.values()):
        return "wrong data"
    if not all(way.is_kept(row) for row in told.rows if row["table"] == table):
        return f"not {way.name}"
    if set(wrong) == set(plan.sizes_of(table)):
        return "right"
    return "cannot" if told.ended else told.verdict()


def _keep(numbers: Numbers, verdicts: Verdicts, key: Key, way: Way, told: Told) -> None:
    for row in told.rows:
        if not way.is_kept(row):
            verdicts[key][row["table"]] = f"not {way.name}"
            continue
        found = numbers.setdefault((key, row["table"], row["bytes"]), Found())
        found.runs.append(row.get("seconds") or row["bytes_per_second"])
        if way.preloaded and way.memory != "host":
            found.paths.add(path_of(row))


def _rows(
    plan: Plan, found: dict[str, Mpi], memories: list[str], verdicts: Verdicts, numbers: Numbers
) -> list[Row]:
    def found_of(key: Key, table: str, size: int) -> Found:
        is_right = verdicts[key][table] == "right"
        return numbers.get((key, table, size), Found()) if is_right else Found()

    rows = []
    for name in found:
        for table in plan.tables:
            for size in plan.sizes_of(table):
                for memory in memories:
                    if table not in plan.tables_in(memory):
                        continue
                    of = {w: found_of((name, memory, w), table, size) for w in WAYS}
                    on_host: list[float] = []
                    if "host" in memories:
                        on_host = found_of((name, "host", "off"), table, size).runs
                    what = {"mpi": name, "table": table, "bytes": size, "memory": memory}
                    told = {w: verdicts[name, memory, w][table] for w in WAYS}
                    rows.append({**what, **_compared(table, of, on_host), "verdicts": told})
    return rows


def _compared(table: str, of: dict[str, Found], on_host: list[float]) -> Row:
    """Medians, and ratios of times that were measured side by side."""
    runs = {way: found.runs for way, found in of.items()}
    compared = compare(runs, is_rate=table in RATES)
    to_host = _ratio(runs["mapped"], on_host, table in RATES)
    return {
        "unit": "bytes/s" if table in RATES else "s",
        **compared,
        "paths": {way: "/".join(sorted(found.paths)) for way, found in of.items() if found.paths},
        "to_host": to_host.median if to_host else None,
    }


def compare(runs: dict[str, list[float]], is_rate: bool) -> Row:
    """The median of each way, and the ratios of their times: staged to off, mapped to staged."""
    staged = _ratio(runs["staged"], runs["off"], is_rate)
    mapped = _ratio(runs["mapped"], runs["staged"], is_rate)
    return {
        **{way: spread(of).median if of else None for way, of in runs.items()},
        "runs": runs,
        "staged_to_off": staged.of_ratios() if staged else None,
        "mapped_to_staged": mapped.of_ratios() if mapped else None,
    }


def _ratio(ours: list[float], theirs: list[float], is_rate: bool) -> Spread | None:
    """The ratio of the times that the same bytes take."""
    return ratios(theirs, ours) if is_rate else ratios(ours, theirs)


def all_right(result: Row) -> bool:
    """Whether all data were right, but where an MPI by itself cannot take memory of devices."""
    return bool(result["rows"]) and all(
        all(row["verdicts"][way] == "right" for way in expected_of(row["memory"]))
        for row in result["rows"]
    )


def expected_of(memory: str) -> Sequence[str]:
    """The ways in which every MPI should do it: few take memory of devices by themselves."""
    return WAYS[1:] if memory == "device" else WAYS


def _told(key: Key) -> str:
    return ", ".join(key)


def _summary(verdicts: dict[str, str]) -> str:
    counted: dict[str, list[str]] = {}
    for table, verdict in verdicts.items():
        counted.setdefault(verdict, []).append(table)
    return "; ".join(
        verdict if len(counted) == 1 else f"{verdict}: {', '.join(tables)}"
        for verdict, tables in counted.items()
    )
