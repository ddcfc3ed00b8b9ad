# SPDX-License-Identifier: Apache-2.0
"""Calls of the driver that messages need, as the double counts them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from rank_runs import Run, start

QUERY = "cuPointerGetAttributes"
COPIES = ("cuMemcpyAsync", "cuMemcpy3DAsync")
TIMES = 20


def calls(mpi: mpis.Mpi, program: Path, what: str, folder: Path, double: str = "") -> Counter[str]:
    """Of both ranks, for one message through the host: the difference between two runs."""
    counted = []
    for times in (TIMES, 2 * TIMES):
        log = folder / f"{what}-{times}"
        how = Run(mpi, double=f"{double},log={log}".strip(","))
        run = start(how, 2, [program, what, str(times)], AUREOLE_MPI_MAPPED_FROM="off")
        assert run.code == 0, run.told()
        total: Counter[str] = Counter()
        for line in log.read_text().splitlines():
            total.update(
                {name.removesuffix("_v2"): n for name, n in json.loads(line)["calls"].items()}
            )
        counted.append(total)
    more = {name: counted[1][name] - counted[0][name] for name in counted[1]}
    assert all(n % TIMES == 0 for n in more.values()), more
    return Counter({name: n // TIMES for name, n in more.items() if n})


@pytest.mark.parametrize("what", ["message", "later", "x", "y", "z"])
def test_a_message_is_one_query_and_one_copy_on_each_side(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path, what: str
) -> None:
    counted = calls(any_mpi, build("counted", any_mpi), what, tmp_path)
    assert counted[QUERY] == 2
    assert sum(counted[name] for name in COPIES) == 2
    is_strided = what in ("x", "y")
    assert counted["cuMemcpy3DAsync"] == (2 if is_strided else 0)
    assert counted["cuStreamSynchronize"] == 2


def test_a_sum_in_place_is_one_query_and_two_copies(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path
) -> None:
    counted = calls(any_mpi, build("counted", any_mpi), "sum", tmp_path)
    assert counted[QUERY] == 2
    assert sum(counted[name] for name in COPIES) == 4


@pytest.mark.parametrize("what", ["irregular", "list"])
def test_a_list_of_blocks_is_one_launch_on_each_side(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path, what: str
) -> None:
    """10^5 blocks; 1,000 as the pages on slow datatypes count them. The list itself went before."""
    counted = calls(any_mpi, build("counted", any_mpi), what, tmp_path)
    assert counted["cuLaunchKernel"] == 2
    assert sum(counted[name] for name in COPIES) == 0
    assert counted[QUERY] == 2
    assert counted["cuStreamSynchronize"] == 2
    assert counted["cuMemAlloc"] == 0


def test_without_kernels_blocks_are_copied_one_by_one(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path
) -> None:
    program = build("counted", any_mpi)
    counted = calls(any_mpi, program, "irregular", tmp_path, "fail=cuModuleLoadData:1")
    assert counted["cuLaunchKernel"] == 0
    assert sum(counted[name] for name in COPIES) == 2 * 428
