# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi` on emulated devices: all tables, data compared, and faults that it finds."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import mpis
import pytest
from aureole_bench.mpi import tables
from aureole_bench.mpi.worker import MEMORIES, Way, run
from bench_runs import MACHINE, bench_of, emulate, planted

#: A size that no library sends in one piece of its own, and one that ranks cannot share evenly.
SIZES = (8, 100, 66564)


@pytest.mark.parametrize(
    ("memory", "preloaded"),
    [way for way in itertools.product(MEMORIES, (False, True)) if way != ("device", False)],
)
def test_data_of_every_table_are_right(
    any_mpi: mpis.Mpi, monkeypatch: pytest.MonkeyPatch, memory: str, preloaded: bool
) -> None:
    emulate(monkeypatch)
    plan = tables.Plan(sizes=SIZES)
    way = Way(bench_of(any_mpi), memory, preloaded)
    told = run(way, 2, plan.words(plan.tables_in(memory), 0), tables.TRIAL_SECONDS)
    assert told.ended, told.said
    assert told.head["emulated"] and told.head["preloaded"] == preloaded, told.said
    found = {(row["table"], row["bytes"]): row["wrong"] for row in told.rows}
    wanted = {(t, size) for t in plan.tables_in(memory) for size in plan.sizes_of(t)}
    assert found == dict.fromkeys(wanted, 0)


def test_data_of_three_ranks_are_right(any_mpi: mpis.Mpi, monkeypatch: pytest.MonkeyPatch) -> None:
    emulate(monkeypatch)
    plan = tables.Plan(sizes=(8, 100), ranks=3)
    verdicts = tables.tried(plan, Way(bench_of(any_mpi), "device", True))
    assert verdicts == dict.fromkeys(plan.tables_in("device"), "right")


def test_every_interface_is_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that are looked up at run time are those of the preload, whichever MPI it is."""
    if not mpis.at_hand():
        pytest.skip(mpis.missing("mpich"))
    emulate(monkeypatch)
    for mpi, preloaded in itertools.product(mpis.at_hand(), (False, True)):
        way = Way(bench_of(mpi), "device" if preloaded else "host", preloaded)
        told = run(way, 2, ["tables=latency,allreduce", "sizes=1024"], tables.TRIAL_SECONDS)
        assert told.ended, told.said
        assert told.head["abi"] == mpi.abi
        assert told.head["preloaded"] == preloaded
        assert [row["wrong"] for row in told.rows] == [0, 0]


def test_rows_of_a_measurement(any_mpi: mpis.Mpi, monkeypatch: pytest.MonkeyPatch) -> None:
    emulate(monkeypatch)
    plan = tables.Plan(
        tables=("latency", "bandwidth", "scatter", "barrier"),
        sizes=(8, 1024),
        rounds=2,
        seconds=1e-3,
        mpirun=str(any_mpi.mpiexec),
    )
    told: list[str] = []
    result = tables.measure(plan, MACHINE, told.append)
    assert tables.all_right(result), told
    (name,) = result["libraries"]
    keys = {(row["table"], row["memory"], row["bytes"]) for row in result["rows"]}
    of_data = itertools.product(("latency", "bandwidth", "scatter"), MEMORIES, (8, 1024))
    assert keys == {*of_data, ("barrier", "host", 0)}
    for row in result["rows"]:
        assert row["with"] > 0 and row["to_host"] > 0
        if row["memory"] == "device":  # these MPIs know no devices
            assert row["without"] is None and row["verdicts"]["without"] in ("crashes", "cannot")
        else:
            assert row["pairs"] == 2 and row["quartiles"][0] <= row["ratio"] <= row["quartiles"][1]
    text = tables.text(json.loads(json.dumps(result)))
    assert "these numbers are not those of a GPU" in text and f"{name} (" in text


#: The last number is not sent, all messages arrive at one place, another call is made.
FAULTS = [
    ("messages.c", "MPI(Send, c->out, c->n, mpi.of_float, 1, tag", "c->n, mpi", "c->n - 1, mpi",
     "latency"),
    ("messages.c", "c->in + (size_t)slot * (size_t)c->n", "(size_t)slot *", "0 *", "bandwidth"),
    ("collectives.c", "Bcast, c->in, c->n", "c->n", "c->n - 1", "bcast"),
    ("collectives.c", "Alltoall, c->out", "Alltoall", "Allgather", "alltoall"),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[-1])
def test_data_that_are_wrong_are_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: tuple[str, ...]
) -> None:
    mpi = mpis.named("openmpi")
    if mpi is None:
        pytest.skip(mpis.missing("openmpi"))
    file, where, right, wrong, table = fault
    emulate(monkeypatch, planted(tmp_path, file, where, where.replace(right, wrong)))
    plan = tables.Plan(tables=(table, "allgather"), sizes=(256,))
    for memory, preloaded in (("host", False), ("device", True)):
        verdicts = tables.tried(plan, Way(bench_of(mpi), memory, preloaded))
        assert verdicts == {table: "wrong data", "allgather": "right"}
