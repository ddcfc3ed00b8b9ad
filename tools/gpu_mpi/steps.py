# SPDX-License-Identifier: Apache-2.0
"""The steps of the check of messages on a GPU, in the order of what they tell.

A step is `passed`, `failed` (data are wrong, or a test of ours ended badly) or `not measured`, with
the reason: it ran out of time, or something on this machine is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gpu_mpi.ranks import (
    BY_UCX,
    DEFAULT,
    HOST,
    STAGED,
    STRAIGHT,
    UCX,
    Mpi,
    Outcome,
    Pack,
    Row,
    Way,
    run,
)

PASSED, FAILED, NOT_MEASURED = "passed", "failed", "not measured"

Act = Callable[[float], Row]
#: Bytes of messages; the last one is compared with a copy of the driver.
SIZES = (8, 1024, 8192, 65536, 1 << 20, 64 << 20)
SMALL_SIZES = (8, 1024, 65536, 1 << 20)
MESSAGES = ("latency", "bandwidth", "bidirectional")
COLLECTIVES = (*("allreduce", "bcast", "reduce", "allgather", "alltoall"),
               *("gather", "scatter", "reduce_scatter"))  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """How much is done: seconds of each figure, numbers of programs and cycles, largest buffers."""

    seconds: float = 0.05
    twins: int = 150
    cycles: tuple[tuple[int, int, float], ...] = ((100_000, 1 << 16, 45), (2_000, 1 << 23, 15))
    sizes: tuple[int, ...] = SIZES
    largest: int = SIZES[-1]  # of what the driver copies and maps
    small_sizes: tuple[int, ...] = SMALL_SIZES


QUICK = Plan(
    seconds=0.001,
    twins=10,
    cycles=((60, 1 << 16, 20), (20, 1 << 20, 20)),
    sizes=(8, 65536, 1 << 20),
    largest=1 << 20,
    small_sizes=(8, 65536),
)


@dataclass(frozen=True)
class Step:
    """`most` is its own limit [s]; `mpi` has to start, if one is named."""

    name: str
    most: float
    act: Act
    mpi: str | None = None


def missing(why: str) -> Row:
    return {"state": NOT_MEASURED, "why": why}


def of(state: str, outcome: Outcome, figures: list[Row], why: str = "") -> Row:
    row: Row = {"state": state, "figures": figures, "s": round(outcome.seconds, 2)}
    return row if state == PASSED else {**row, "why": why or outcome.why()}


def costs(pack: Pack, plan: Plan) -> Act:
    """What calls of the driver cost; a figure whose call fails is named."""

    def act(limit: float) -> Row:
        words = [str(pack.folder / "bin" / "costs"), str(plan.seconds), str(plan.largest)]
        outcome = run(words, limit, pack.libraries(None))
        figures = [row for row in outcome.rows if "figure" in row]
        wrong = [row for row in figures if row.get("wrong")]
        state = PASSED if {"ended": True} in outcome.rows else NOT_MEASURED
        row = of(FAILED if wrong else state, outcome, figures, _told_wrong(wrong, "figure"))
        head = next((row for row in outcome.rows if "device" in row), {})
        return {**row, "device": head}

    return act


def starts(pack: Pack, mpi: Mpi) -> Act:
    """Whether an MPI starts here at all, without anything of ours."""

    def act(limit: float) -> Row:
        outcome = pack.bench(mpi, HOST, ["tables=barrier"], limit)
        works = outcome.code == 0 and {"ended": True} in outcome.rows
        row = of(PASSED if works else NOT_MEASURED, outcome, [])
        told = next((head["version"] for head in outcome.rows if "version" in head), "")
        return {**row, "version": " ".join(told.replace("Version:", "").split())}

    return act


def table(pack: Pack, mpi: Mpi, way: Way, plan: Plan, tables: tuple[str, ...]) -> Act:
    """OSU's tables one way: all data are compared first, then only what was right is timed."""
    sizes = plan.sizes if tables == MESSAGES else plan.small_sizes
    words = [f"tables={','.join(tables)}", f"sizes={','.join(map(str, sizes))}"]

    def act(limit: float) -> Row:
        if way is BY_UCX and not all((pack.folder / "ucx" / name).exists() for name in UCX):
            return missing("UCX is not in the pack: tools/gpu_mpi/pack.py --download")
        tried = pack.bench(mpi, way, [*words, "seconds=0"], limit / 2)
        compared = [row for row in tried.rows if "wrong" in row]
        wrong = [row for row in compared if row["wrong"]]
        if wrong:
            # That another library is wrong is no fault of ours.
            state = FAILED if way.preloaded else NOT_MEASURED
            return of(state, tried, [], _told_wrong(wrong, "table"))
        if len(compared) != len(tables) * len(sizes) or tried.code != 0:
            return of(NOT_MEASURED, tried, [])
        outcome = pack.bench(mpi, way, [*words, f"seconds={plan.seconds}"], limit / 2)
        names = {"mpi": mpi.name, "way": way.name}
        figures = [{**names, **row} for row in outcome.rows if "table" in row]
        complete = len(figures) == len(compared) and outcome.code == 0
        return of(PASSED if complete else NOT_MEASURED, outcome, figures)

    return act


def program(pack: Pack, mpi: Mpi, way: Way, words: list[str], right: str) -> Act:
    """A test program that says `right` in the end. One that ends otherwise has failed."""

    def act(limit: float) -> Row:
        outcome = pack.start(mpi, way, [pack.program(words[0], mpi), *words[1:]], limit)
        if outcome.code is None:
            return of(NOT_MEASURED, outcome, [])
        passed = outcome.code == 0 and right in outcome.output
        return of(PASSED if passed else FAILED, outcome, [])

    return act


def cycles(pack: Pack, mpi: Mpi, cycle: tuple[int, int, float]) -> Act:
    """Buffers of random sizes are allocated, sent and freed; ends early if time runs out."""
    times, largest, seconds = cycle

    def act(limit: float) -> Row:
        within = min(seconds, limit - 5)
        words = [pack.program("straight", mpi), "cycles", *map(str, (times, largest, within))]
        outcome = pack.start(mpi, STRAIGHT, words, limit)
        told = [{**row, "of": times, "largest": largest} for row in outcome.rows if "cycles" in row]
        if outcome.code is None:
            return of(NOT_MEASURED, outcome, [])
        if outcome.code != 0 or "right" not in outcome.output or not told:
            return of(FAILED, outcome, told)
        row = of(PASSED, outcome, told)
        if told[0]["cycles"] < times:
            row["left out"] = f"{times - told[0]['cycles']:,} of {times:,} cycles: time ran out"
        return row

    return act


def suites(pack: Pack, mpi: Mpi, plan: Plan) -> Iterator[Step]:
    """Programs of tests/mpi that need no more than two ranks and a device."""
    twins = ["--count", str(plan.twins), "--memory", "device", "--least", "600", "--hang", "30"]
    told: list[tuple[str, Way, list[str], str]] = [
        ("short program", DEFAULT, ["short"], "right"),
        ("short program", STRAIGHT, ["short"], "right"),
        ("both send at once", STRAIGHT, ["straight", "exchange", "12"], "right"),
        ("both send at once", STAGED, ["straight", "exchange", "12"], "right"),
        ("probes", STRAIGHT, ["straight", "probed", "12"], "right"),
        ("buffers that are too small", STRAIGHT, ["straight", "too-small", "12"], "right"),
        ("processes that fork", STRAIGHT, ["straight", "forked", "8"], "right"),
        ("work on the default stream", DEFAULT, ["streams", "legacy", "1000"], "wrong: 0"),
        ("work on a blocking stream", DEFAULT, ["streams", "blocking", "100000"], "wrong: 0"),
        ("lists of blocks", DEFAULT, ["lists", "here"], "wrong: 0"),
        ("random programs", STAGED, ["twins", "--seed", "1", *twins], " 0 differ; "),
        ("random programs", STRAIGHT, ["twins", "--seed", "5", "--sizes", "30", *twins],
         " 0 differ; "),
    ]  # fmt: skip
    for what, way, words, right in told:
        name = f"{mpi.name}: {what}, {way.name}"
        yield Step(name, 25, program(pack, mpi, way, words, right), mpi.name)


def all_of(pack: Pack, plan: Plan) -> Iterator[Step]:
    """All steps; what one MPI alone can tell comes before the other MPI."""
    yield Step("costs", 40, costs(pack, plan))
    for k, mpi in enumerate(pack.mpis.values()):
        yield Step(f"{mpi.name} starts", 20, starts(pack, mpi))
        # UCX is one of Open MPI's ways.
        for way in (STAGED, STRAIGHT, *((BY_UCX,) if mpi.name == "openmpi" else ()), HOST):
            yield _table(pack, mpi, way, plan, MESSAGES)
        if k == 0:
            for cycle in plan.cycles:
                name = f"{mpi.name}: {cycle[0]:,} cycles, at most {cycle[1]:,} bytes"
                yield Step(name, cycle[2] + 15, cycles(pack, mpi, cycle), mpi.name)
        yield from suites(pack, mpi, plan)
    for mpi in pack.mpis.values():
        for way in (STAGED, *((BY_UCX,) if mpi.name == "openmpi" else ()), HOST):
            yield _table(pack, mpi, way, plan, COLLECTIVES)


def _table(pack: Pack, mpi: Mpi, way: Way, plan: Plan, tables: tuple[str, ...]) -> Step:
    what = "messages" if tables == MESSAGES else "collectives"
    return Step(
        f"{mpi.name}: {what}, {way.name}", 40, table(pack, mpi, way, plan, tables), mpi.name
    )


def _told_wrong(wrong: list[Row], named: str) -> str:
    return (
        "data are wrong: " + json.dumps([[r[named], r["bytes"], r["wrong"]] for r in wrong])[:400]
    )
