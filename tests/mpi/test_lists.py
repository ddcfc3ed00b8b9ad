# SPDX-License-Identifier: Apache-2.0
"""Lists of blocks go by one kernel: its order, its device, and calls of it that fail."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import gen_ptx
import mpis
import pytest
from rank_runs import Outcome, Run, start

LATE = "late=500,seed=1"
MESSAGES = 20


def ran(mpi: mpis.Mpi, build: Callable, where: str, double: str) -> Outcome:
    return start(Run(mpi, double=double), 2, [build("lists", mpi), where])


def calls(log: Path) -> Counter[str]:
    total: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        total.update(json.loads(line)["calls"])
    return total


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_lists_follow_the_work_before_them(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path, where: str
) -> None:
    log = tmp_path / "calls"
    run = ran(any_mpi, build, where, f"{LATE},log={log}")
    assert run.code == 0, run.told()
    assert "wrong: 0\n" in run.output, run.told()
    assert calls(log)["cuLaunchKernel"] == 2 * MESSAGES


@pytest.mark.parametrize("function", ["cuModuleLoadData", "cuModuleGetFunction", "cuMemAlloc_v2"])
def test_without_kernel_or_memory_for_lists_blocks_are_copied_one_by_one(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path, function: str
) -> None:
    log = tmp_path / "calls"
    run = ran(any_mpi, build, "here", f"fail={function}:1,log={log}")
    assert run.code == 0, run.told()
    assert "wrong: 0\n" in run.output, run.told()
    counted = calls(log)
    assert counted["cuLaunchKernel"] < 2 * MESSAGES
    assert counted["cuMemcpyAsync"] + counted["cuMemcpy3DAsync"] > 200


def test_a_launch_that_fails_is_told_with_rank_and_call(any_mpi: mpis.Mpi, build: Callable) -> None:
    run = ran(any_mpi, build, "here", "fail=cuLaunchKernel:2")
    assert run.code not in (0, None), run.told()
    told = r"aureole-mpi: rank \d: MPI_(Send|Recv): cuLaunchKernel failed \(CUDA_ERROR_\w+"
    assert re.search(told, run.output), run.told()


def test_empty_blocks_of_other_types_are_packed_as_from_hosts(
    any_mpi: mpis.Mpi, build: Callable
) -> None:
    """MPICH ended the process where the datatype that it saw had empty parts."""
    run = start(Run(any_mpi), 1, [build("empty_blocks", any_mpi)])
    assert run.code == 0, run.told()
    assert "wrong: 0\n" in run.output, run.told()


def test_the_kernel_is_compiled_from_the_sources_here() -> None:
    """By their hash; the lane cuda compiles them again."""
    assert gen_ptx.hash_of_sources() in gen_ptx.OUTPUT.read_text(), "run tools/gen_ptx.py"
