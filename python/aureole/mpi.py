# SPDX-License-Identifier: Apache-2.0
"""Which MPI started this process, and where its library is; nothing of MPI is linked."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from .errors import RankError

#: By the variable that its launcher sets to the number of ranks: that of the rank, its libraries.
_KINDS = {
    "OMPI_COMM_WORLD_SIZE": ("OMPI_COMM_WORLD_RANK", ("libmpi.so.40",)),
    "PMI_SIZE": ("PMI_RANK", ("libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1")),
}
_LIBRARY = "AUREOLE_MPI_LIBRARY"
_GENERATIONS = 4  # launchers start processes by way of others


def launched() -> tuple[int, int]:
    """Rank of this process, and how many ranks a launcher of MPI started; (0, 1) without one.

    `AUREOLE_MPI=none` says that its processes have nothing to do with each other.
    """
    if os.environ.get("AUREOLE_MPI") == "none":
        return 0, 1
    for size, (rank, _) in _KINDS.items():
        if size in os.environ and rank in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


def library() -> str:
    """The file of the MPI library that belongs to the launcher of this process.

    `AUREOLE_MPI_LIBRARY` names it; otherwise it is sought beside the launcher, beside this Python,
    and where the system looks for libraries. Raises `RankError` if no launcher is known.
    """
    if named := os.environ.get(_LIBRARY):
        return named
    kind = next((words for key, words in _KINDS.items() if key in os.environ), None)
    if kind is None:
        raise RankError(
            "this process was not started by an MPI that Aureole knows (Open MPI, MPICH and its "
            f"relatives). Use their mpirun, or set {_LIBRARY} to its libmpi."
        )
    for folder in _folders():
        for name in kind[1]:
            if (path := folder / name).exists():
                return str(path)
    return kind[1][0]  # the system's, if there is one


def _folders() -> Iterator[Path]:
    for prefix in (*_prefixes_of_parents(), Path(sys.prefix)):
        yield from (prefix / "lib", prefix / "lib64")
        if several := sysconfig.get_config_var("MULTIARCH"):
            yield prefix / "lib" / several


def _prefixes_of_parents() -> Iterator[Path]:
    process = os.getppid()
    for _ in range(_GENERATIONS):
        folder = Path("/proc") / str(process)
        try:
            yield (folder / "exe").readlink().parent.parent
            process = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
