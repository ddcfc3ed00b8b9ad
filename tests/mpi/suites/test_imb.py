# SPDX-License-Identifier: Apache-2.0
"""Intel's benchmarks for GPUs, ready-made: nothing of them can be adapted."""

from __future__ import annotations

import re
from pathlib import Path

import mpis
import pytest
from rank_runs import Outcome, Run, start

MESSAGES = (
    "PingPong",
    "PingPing",
    "PingPongAnySource",
    "PingPingAnySource",
    "PingPongSpecificSource",
    "PingPingSpecificSource",
    "Sendrecv",
    "Exchange",
    "Uniband",
    "Biband",
)
COLLECTIVES = (
    "Allgather",
    "Allgatherv",
    "Allreduce",
    "Alltoall",
    "Alltoallv",
    "Barrier",
    "Bcast",
    "Gather",
    "Gatherv",
    "Reduce",
    "Reduce_local",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scatter",
    "Scatterv",
)
ONE_SIDED = (
    "Accumulate",
    "All_get_all",
    "All_put_all",
    "Bidir_get",
    "Bidir_put",
    "Compare_and_swap",
    "Exchange_get",
    "Exchange_put",
    "Fetch_and_op",
    "Get_accumulate",
    "Get_all_local",
    "Get_local",
    "One_get_all",
    "One_put_all",
    "Put_all_local",
    "Put_local",
    "Truly_passive_put",
    "Unidir_get",
    "Unidir_put",
)
#: Lengths of 0, 1, 2, 4 bytes and so on; few times each.
SIZES = ("-msglog", "0:14", "-iter", "20", "-iter_policy", "off", "-time", "1")
LONG_SIZES = ("-msglog", "0:22", "-time", "2")


@pytest.fixture
def prepared(suite, devices, mpi):
    """Asks for all that a test of this file needs, and gives an MPI."""

    def asked(name: str) -> mpis.Mpi:
        suite("imb")
        devices("cuda")
        return mpi(name)

    return asked


def program(name: str) -> Path:
    intel = mpis.named("intel")
    assert intel is not None
    return intel.prefix / "bin" / name


def benchmark(run: Run, ranks: int, name: str, sizes: tuple[str, ...] = SIZES) -> Outcome:
    words = [program("IMB-MPI1-GPU"), "-mem_alloc_type", "device", "-npmin", str(ranks), *sizes]
    return start(run, ranks, [*words, name])


def one_sided(run: Run, which: str, name: str, sizes: tuple[str, ...] = SIZES) -> Outcome:
    """Programs of this kind have no option for where buffers lie."""
    return start(run, 2, [program(which), "-npmin", "2", *sizes, name])


def ended(found: Outcome, name: str) -> None:
    """It came to its end by itself, with a row for each length."""
    assert found.code == 0, found.told()
    assert "All processes entering MPI_Finalize" in found.output, found.told()
    assert f"# Benchmarking {name}" in found.output, found.told()
    rows = re.findall(r"^\s+\d+\s+\d+(?:\s+[\d.]+)+\s*$", found.output, re.MULTILINE)
    assert rows or name in ("Barrier", "Compare_and_swap"), found.told()


@pytest.mark.parametrize("name", ["intel", "mpich"])
@pytest.mark.parametrize("what", ["PingPong", "Allreduce"])
def test_without_the_preload_it_crashes(prepared, name, what):
    found = benchmark(Run(prepared(name), preload=False, limit=30), 2, what)
    assert found.crashed, found.told()
    assert "entering MPI_Finalize" not in found.output


@pytest.mark.parametrize("what", (*MESSAGES, *COLLECTIVES))
def test_every_benchmark_ends(prepared, what):
    ended(benchmark(Run(prepared("intel")), 2, what), what)


@pytest.mark.parametrize(
    "what", ("PingPong", "Exchange", "Allreduce", "Alltoallv", "Reduce_scatter")
)
def test_on_the_library_of_mpich(prepared, what):
    ended(benchmark(Run(prepared("mpich")), 2, what), what)


@pytest.mark.parametrize("what", ONE_SIDED)
def test_one_sided_benchmarks_on_hosts_end(prepared, what):
    ended(one_sided(Run(prepared("intel")), "IMB-RMA", what), what)


def test_every_one_sided_benchmark_on_devices_ends(prepared):
    """Up to IMB 2021.11 the program never sets its allocator: it calls address 0 anywhere."""
    run = Run(prepared("intel"))
    alone = one_sided(Run(run.mpi, preload=False, devices=None), "IMB-RMA-GPU", "Compare_and_swap")
    if alone.crashed:
        pytest.skip("IMB-RMA-GPU crashes by itself, without devices and without the preload")
    for what in ONE_SIDED:
        ended(one_sided(run, "IMB-RMA-GPU", what), what)


@pytest.mark.validate
@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("name", ["intel", "mpich"])
def test_all_benchmarks_at_all_lengths(prepared, name, ranks):
    mpi, failed = prepared(name), []
    for what in (*MESSAGES, *COLLECTIVES):
        try:
            ended(benchmark(Run(mpi, limit=300), ranks, what, LONG_SIZES), what)
        except AssertionError as wrong:
            failed.append(f"{what}: {wrong}")
    assert not failed, "\n\n".join(failed)
