# SPDX-License-Identifier: Apache-2.0
"""What programs over MPI on grids share: every way to run them, in turn, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from aureole.base.errors import bad_input

from aureole_bench.mpi import surroundings, tables
from aureole_bench.mpi.launchers import Mpi
from aureole_bench.mpi.surroundings import Say
from aureole_bench.mpi.worker import WAYS, Way, must_end, path_of
from aureole_bench.stats import spread

Row = dict[str, Any]
Key = tuple[str, str, int, str]  # MPI, memory, ranks, way
Runs = dict[str, list[Row]]  # by way


class Plan(Protocol):
    """What the plan of such a program has."""

    @property
    def ranks(self) -> Sequence[int]: ...
    @property
    def memories(self) -> Sequence[str]: ...
    @property
    def rounds(self) -> int: ...
    @property
    def mpirun(self) -> str: ...
    @property
    def devices(self) -> str: ...


def find(plan: Plan, without_hip: str, say: Say) -> tuple[dict[str, Mpi], Row, dict[Key, Way]]:
    """The MPIs, what the result says of them, and all ways; on AMD's devices, for which there are
    no kernels, host memory alone, and `without_hip` is said.
    """
    found, about = surroundings.find(plan.mpirun, plan.devices, say)
    memories = surroundings.memories(list(plan.memories), about)
    if about["devices"] == "HIP devices":
        about["missing"].append(without_hip)
        memories = [memory for memory in memories if memory == "host"]
        if not memories:
            chosen = ",".join(plan.memories)
            raise bad_input(f"memory is {chosen}", without_hip, "Choose --memory host")
    ways: dict[Key, Way] = {
        (name, memory, ranks, way): Way(mpi, memory, way, plan.devices)
        for name, mpi in found.items()
        for memory in memories
        for ranks in plan.ranks
        for way in WAYS
    }
    return found, about, ways


def timed(
    plan: Plan, ways: dict[Key, Way], checks: dict[Key, Row], words: list[str], say: Say
) -> dict[Key, list[Row]]:
    """Rounds of all ways whose check was right; the verdict on one whose messages went another way
    is changed.
    """
    times: dict[Key, list[Row]] = {key: [] for key in ways}
    for k in range(plan.rounds):
        for key in tables.in_turn(ways, k):
            if checks[key]["verdict"] == "right":
                told = must_end(ways[key], key[2], words)
                times[key].append(told.rows[0])
                if not ways[key].is_kept(told.rows[0]):
                    checks[key]["verdict"] = f"not {key[3]}"
        say(f"  round {k + 1} of {plan.rounds}")
    return times


def row_of(
    of: tuple[str, str, int], times: dict[Key, list[Row]], checks: dict[Key, Row]
) -> tuple[Runs, Row]:
    """The runs of one MPI, memory and number of ranks, and what is told of them: median seconds by
    way, their ratios, verdicts and paths.
    """
    verdicts = {way: checks[(*of, way)]["verdict"] for way in WAYS}
    runs = {way: times[(*of, way)] if verdicts[way] == "right" else [] for way in WAYS}
    seconds = {way: seconds_of(found) for way, found in runs.items()}
    paths = {way: {path_of(run) for run in runs[way]} for way in WAYS[1:] if of[1] != "host"}
    return runs, {
        **dict(zip(("mpi", "memory", "ranks"), of, strict=True)),
        "grid": next((run["grid"] for found in runs.values() for run in found), None),
        **tables.compare(seconds, is_rate=False),
        "paths": {way: "/".join(sorted(found)) for way, found in paths.items()},
        "verdicts": verdicts,
    }


def seconds_of(runs: list[Row]) -> list[float]:
    """By run."""
    return [run["seconds"] for run in runs]


def share(runs: list[Row], what: str) -> float | None:
    """The median fraction of the time that something took; None without runs."""
    shares = [run[what] / run["seconds"] for run in runs]
    return spread(shares).median if shares else None
