# SPDX-License-Identifier: Apache-2.0
"""Runs of the benchmarks' program on emulated devices, also of one with a planted fault."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mpis
import pytest
from aureole_bench.mpi import worker
from aureole_bench.mpi.launchers import Mpi
from rank_runs import DRIVERS, PRELOAD

SOURCES = mpis.ROOT / "src/preload/bench"
MACHINE = {"date": "2026-11-29 12:00 UTC", "cpu": "a processor", "load": 0.0}


def bench_of(mpi: mpis.Mpi) -> Mpi:
    """An MPI as the benchmarks know it."""
    return Mpi(str(mpi.mpiexec), str(mpi.library), mpi.environment)


def emulate(monkeypatch: pytest.MonkeyPatch, folder: Path | None = None) -> None:
    """Let ranks find the driver double, and the program in that folder; skip without a build."""
    for file in (PRELOAD, PRELOAD.parent / worker.PROGRAM, PRELOAD.parent / worker.LAUNCHER):
        if not file.exists():
            pytest.skip(f"{file.name} is not built")
    monkeypatch.setattr(worker, "FOLDER", folder or PRELOAD.parent)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVERS))
    monkeypatch.setenv("AUREOLE_DOUBLE", "")
    monkeypatch.delenv("AUREOLE_MPI_LIBRARY", raising=False)


def planted(folder: Path, file: str, right: str, wrong: str) -> Path:
    """The folder, with a program of which one expression is wrong, and all that is beside it."""
    program = folder / worker.PROGRAM
    sources = folder / "sources"
    sources.mkdir()
    for source in SOURCES.glob("*.[ch]"):
        text = source.read_text()
        if source.name == file:
            assert text.count(right) == 1, f"{file} has changed"
            text = text.replace(right, wrong)
        (sources / source.name).write_text(text)
    flags = ["-std=gnu11", "-O1", "-ffp-contract=off", "-rdynamic", "-o", str(program)]
    files = map(str, sources.glob("*.c"))
    subprocess.run(["cc", *flags, *files, "-ldl"], check=True)
    for beside in (PRELOAD.name, worker.LAUNCHER):
        (folder / beside).symlink_to(PRELOAD.parent / beside)
    return folder
