# SPDX-License-Identifier: Apache-2.0
"""Drivers that fail, ranks that die, and machines that have no device or no right."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from rank_runs import DRIVERS, PRELOAD, Run, start

#: What the preload calls.
FUNCTIONS = ("cuPointerGetAttributes", "cuCtxGetCurrent", "cuMemHostAlloc", "cuMemcpyAsync",
             "cuMemcpy3DAsync", "cuStreamSynchronize")  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_call_of_the_driver_that_fails_is_told_with_rank_and_call(
    any_mpi: mpis.Mpi, build: Callable, function: str
) -> None:
    program = build("short", any_mpi)
    failed = 0
    for nth in range(1, 40):
        run = start(Run(any_mpi, double=f"fail={function}:{nth}", limit=20), 2, [program])
        assert run.code is not None, run.told()
        if run.code == 0:  # it has no further call
            assert "right" in run.output, run.told()
            break
        failed += 1
        told = rf"aureole-mpi: rank \d: MPI_\w+: {function} failed \(CUDA_ERROR_\w+"
        assert re.search(told, run.output), run.told()
    else:
        pytest.fail(f"{function} is called more often than this test expects")
    assert failed > 0


def processes_of(mark: str) -> list[int]:
    found = []
    wanted = f"AUREOLE_TEST_LASTING={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
        except OSError:
            continue
    return found


def begun(command: list[str], mpi: mpis.Mpi) -> subprocess.Popen:
    """Ranks that are at work; a launcher that did not start is started again."""
    for _ in range(5):
        process = subprocess.Popen(
            command,
            env={**os.environ, **mpi.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdout is not None
        if b"begun" in process.stdout.readline():
            return process
        process.kill()
        process.wait()
        time.sleep(0.5)
    pytest.fail("the ranks did not begin")


@pytest.mark.parametrize("seed", range(4))
def test_others_end_when_a_rank_is_killed(any_mpi: mpis.Mpi, build: Callable, seed: int) -> None:
    program = build("lasting", any_mpi)
    mark = f"{os.getpid()}-{seed}-{any_mpi.name}"
    command = Run(any_mpi).command(3, [program], {"AUREOLE_TEST_LASTING": mark})
    files = set(os.listdir("/dev/shm"))
    process = begun(command, any_mpi)
    try:
        draw = random.Random(seed)
        time.sleep(draw.uniform(0, 0.3))
        ranks = [p for p in processes_of(mark) if Path(f"/proc/{p}/exe").resolve() == program]
        assert len(ranks) == 3
        os.kill(draw.choice(ranks), signal.SIGKILL)
        assert process.wait(timeout=10) != 0
        deadline = time.monotonic() + 5
        while processes_of(mark) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not processes_of(mark)
        left = {name for name in set(os.listdir("/dev/shm")) - files if "aureole" in name}
        assert not left
    finally:
        for pid in processes_of(mark):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()


def test_ranks_without_a_device_take_part(any_mpi: mpis.Mpi, build: Callable) -> None:
    program = build("hosts_only", any_mpi)
    for devices, told in (("cuda", "CUDA (devices: "), (None, "rank 0 has loaded no driver")):
        run = start(Run(any_mpi, devices=devices), 3, [program], AUREOLE_MPI_LOG="1")
        assert run.code == 0, run.told()
        assert "right" in run.output, run.told()
        assert told in run.output, run.told()


def test_a_rank_without_the_preload_takes_part(any_mpi: mpis.Mpi, build: Callable) -> None:
    program = build("hosts_only", any_mpi)
    folders = f"LD_LIBRARY_PATH={any_mpi.libraries()}:{DRIVERS}"
    command = [str(any_mpi.mpiexec), "-n", "1", "env", folders, f"LD_PRELOAD={PRELOAD}", program,
               ":", "-n", "2", "env", folders, program]  # fmt: skip
    run = subprocess.run(
        command,
        env={**os.environ, **any_mpi.environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "right" in run.stdout


def test_a_value_that_is_not_known_ends_the_job_with_one_line(
    any_mpi: mpis.Mpi, build: Callable
) -> None:
    run = start(Run(any_mpi), 1, [build("short", any_mpi)], AUREOLE_MPI_WAIT="sometimes")
    assert run.code != 0
    assert 'AUREOLE_MPI_WAIT is "sometimes". Set it to stream or device.' in run.output, run.told()


def test_off_leaves_the_program_as_it_is(any_mpi: mpis.Mpi, build: Callable) -> None:
    run = start(Run(any_mpi), 2, [build("short", any_mpi)], AUREOLE_PRELOAD="off")
    assert run.crashed, run.told()
