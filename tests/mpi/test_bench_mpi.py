# SPDX-License-Identifier: Apache-2.0
"""The tables of `aureole bench mpi` on emulated devices: data compared, and faults it finds."""

from __future__ import annotations

import itertools
from pathlib import Path

import mpis
import pytest
from bench_runs import WAYS, planted, run

MESSAGES = ("latency", "bandwidth", "bidirectional")
COLLECTIVES = (
    *("allreduce", "bcast", "reduce", "allgather", "alltoall"),
    *("gather", "scatter", "reduce_scatter"),
)
TABLES = (*MESSAGES, *COLLECTIVES, "barrier")
#: One that ranks cannot share evenly, and one that no library sends in one piece of its own.
SIZES = (8, 100, 66564)


def words(tables: tuple[str, ...], sizes: tuple[int, ...], seconds: float = 0) -> list[str]:
    sizes_of = ",".join(map(str, sizes))
    return [f"tables={','.join(tables)}", f"sizes={sizes_of}", f"seconds={seconds}"]


def entries(tables: tuple[str, ...], sizes: tuple[int, ...]) -> list[tuple[str, int]]:
    """Tables and sizes in the order of the program; a barrier has no size."""
    return [(table, size) for table in tables for size in (sizes if table != "barrier" else (0,))]


@pytest.mark.parametrize(
    ("ranks", "memory", "preloaded"), [*((2, *way) for way in WAYS), (3, "device", True)]
)
def test_data_of_every_table_are_right(
    any_mpi: mpis.Mpi, ranks: int, memory: str, preloaded: bool
) -> None:
    told = run((any_mpi, memory, preloaded), ranks, *words(TABLES, SIZES))
    assert told.ended, told.said
    assert told.head["emulated"] and told.head["preloaded"] == preloaded, told.said
    assert [(row["table"], row["bytes"]) for row in told.rows] == entries(TABLES, SIZES)
    assert [row for row in told.rows if row["wrong"] != 0] == []


def test_every_table_has_a_number(any_mpi: mpis.Mpi) -> None:
    sizes = (8, 4096)
    for memory, preloaded in (("host", False), ("device", True)):
        told = run((any_mpi, memory, preloaded), 2, *words(TABLES, sizes, 1e-4))
        assert told.ended, told.said
        assert [(row["table"], row["bytes"]) for row in told.rows] == entries(TABLES, sizes)
        for row in told.rows:
            is_rate = row["table"] in ("bandwidth", "bidirectional")
            assert row["bytes_per_second" if is_rate else "seconds"] > 0


@pytest.mark.parametrize("seconds", [0, 1e-4])
def test_rows_tell_which_way_messages_went(any_mpi: mpis.Mpi, seconds: float) -> None:
    """Counted by the library; how many there should be, the program has counted itself."""
    asked = words(MESSAGES, (8, 4096, 66564), seconds)

    def went(memory: str, mapped_from: str, double: str = "") -> list[tuple[int, int, int]]:
        way = (any_mpi, memory, True)
        told = run(way, 2, *asked, double=double, AUREOLE_MPI_MAPPED_FROM=mapped_from)
        assert told.ended, told.said
        assert told.head["straight_from"] == {"0": 2369, "off": -1}.get(mapped_from, 5000)
        return [(row["bytes"], row["straight"], row["large"]) for row in told.rows]

    for memory in ("device", "managed"):
        rows = went(memory, "0")
        assert all(straight == large for _, straight, large in rows)
        assert [large > 0 for _, _, large in rows] == [False, True, True] * len(MESSAGES)
    assert [large > 0 for _, _, large in went("device", "5000")] == [False, False, True] * 3
    assert {(straight, large) for _, straight, large in went("device", "off")} == {(0, 0)}
    assert {(straight, large) for _, straight, large in went("host", "0")} == {(0, 0)}
    # Devices whose memory nobody else can map.
    for size, straight, large in went("device", "0", double="handles=none"):
        assert (straight, large > 0) == (0, size > 2368)


def test_device_memory_crashes_without_the_preload(any_mpi: mpis.Mpi) -> None:
    """Which `aureole bench mpi` tells as such; or the rows above would say nothing."""
    told = run((any_mpi, "device", False), 2, *words(("latency",), (1024,)))
    assert not told.ended
    assert told.head["preloaded"] is False


def test_functions_looked_up_at_run_time_are_those_of_the_preload() -> None:
    """Whichever the binary interface is."""
    if not mpis.at_hand():
        pytest.skip(mpis.missing("mpich"))
    for mpi, preloaded in itertools.product(mpis.at_hand(), (False, True)):
        way = (mpi, "device" if preloaded else "host", preloaded)
        told = run(way, 2, *words(("latency", "allreduce"), (1024,)))
        assert told.ended, told.said
        assert (told.head["abi"], told.head["preloaded"]) == (mpi.abi, preloaded)
        assert [row["wrong"] for row in told.rows] == [0, 0]


#: The last number is not sent, all messages arrive at one place, another call is made.
FAULTS = {
    "latency": ("messages.c", "(Send, c->out, c->n, mpi.of_float, 1", "c->n", "c->n - 1"),
    "bandwidth": ("messages.c", "c->in + (size_t)slot * (size_t)c->n", "(size_t)slot", "0"),
    "bcast": ("collectives.c", "Bcast, c->in, c->n", "c->n", "c->n - 1"),
    "alltoall": ("collectives.c", "Alltoall, c->out", "Alltoall", "Allgather"),
}


@pytest.mark.parametrize("table", FAULTS)
def test_data_that_are_wrong_are_noticed(tmp_path: Path, table: str) -> None:
    mpi = mpis.named("openmpi")
    if mpi is None:
        pytest.skip(mpis.missing("openmpi"))
    file, where, right, wrong = FAULTS[table]
    program = planted(tmp_path, file, where, where.replace(right, wrong))
    for memory, preloaded in (("host", False), ("device", True)):
        way = (mpi, memory, preloaded)
        told = run(way, 2, *words((table, "allgather"), (256,)), program=program)
        assert told.ended, told.said
        assert [row["wrong"] > 0 for row in told.rows] == [True, False]
