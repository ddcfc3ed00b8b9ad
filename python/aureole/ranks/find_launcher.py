# SPDX-License-Identifier: Apache-2.0
"""The MPI launcher of this process, and the file of its library; nothing of MPI is linked."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from aureole.base.errors import RankError, bad_input
from aureole.base.text import one_line


@dataclass(frozen=True)
class Kind:
    """A family of launchers, by the names of the variables that it sets for its processes.

    Args:
        size, rank: variables of the number of ranks, and of the rank of the process
        near: variable of the number of ranks on its machine; "" if the launcher sets none
        libraries: names of the MPI library
    """

    size: str
    rank: str
    near: str
    libraries: tuple[str, ...]


_TASKS = "SLURM_STEP_NUM_TASKS"  # of srun; the script of sbatch has none
_NODES = "SLURM_STEP_NUM_NODES"
_PMIX_RANK = "PMIX_RANK"
KINDS = (
    Kind(
        *("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
        libraries=("libmpi.so.40",),
    ),
    Kind(
        *("PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"),
        libraries=("libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1"),
    ),
    # PMIx has no variable for the number of ranks. Of a step of Slurm it is that of its tasks.
    Kind(_TASKS, _PMIX_RANK, "", libraries=("libmpi.so.40",)),
)
_MODE = "AUREOLE_MPI"
_LIBRARY = "AUREOLE_MPI_LIBRARY"
_TRANSPORT = "AUREOLE_TRANSPORT"
_GENERATIONS = 4  # launchers start processes by way of others
_MOST_DIGITS = 6


def kind() -> Kind | None:
    """The launcher that started this process, if it is known."""
    return next((k for k in KINDS if k.size in os.environ and k.rank in os.environ), None)


def name() -> str:
    """The command that started the ranks: srun or mpirun."""
    return start(1).split()[0]


def start(size: int) -> str:
    """The beginning of a command that starts `size` ranks by the launcher of this process."""
    by = kind()
    if by is None or not _by_srun(by):
        return f"mpirun -n {size}"
    return f"srun --mpi={'pmix' if by.rank == _PMIX_RANK else 'pmi2'} -n {size}"


def all_near(size: int) -> bool:
    """Whether all ranks are on this machine, as far as the launcher tells."""
    by = kind()
    if by is None:
        return False
    if _by_srun(by):
        return os.environ.get(_NODES) == "1"
    return os.environ.get(by.near) == str(size)


def _by_srun(by: Kind) -> bool:
    """Whether a task of srun is the rank itself, not a launcher that has started the rank."""
    return _TASKS in os.environ and by.near not in os.environ


def work_alone() -> None:
    """Make this process, and those that it starts, no ranks of a launcher from now on."""
    os.environ[_MODE] = "none"


def launched() -> tuple[int, int]:
    """Rank of this process, and how many ranks a launcher of MPI started; (0, 1) without one.

    `AUREOLE_MPI=none` says that its processes have nothing to do with each other. Raises
    `InputError` where the variables hold what no launcher writes.
    """
    rank, size = _told()
    if size == 1:
        carries_all()  # refuses invalid values; of several ranks the first reports them alone
    return rank, size


def _told() -> tuple[int, int]:
    mode = os.environ.get(_MODE, "")
    if mode == "none":
        return 0, 1
    if mode:
        raise bad_input(
            f"{_MODE} is {_shown(mode)}",
            "the only valid value is none, for independent processes",
            f"Set {_MODE}=none, or unset it",
        )
    by = kind()
    if by is None:
        _refuse_copies()
        return 0, 1
    size, rank = _number(os.environ, by.size), _number(os.environ, by.rank)
    if size < 1 or rank >= size:
        raise bad_input(
            f"{by.rank} is {rank} and {by.size} is {size}",
            "MPI launchers set them, and ranks count from 0",
            f"Start with mpirun, or unset both; {_MODE}=none ignores them",
        )
    return rank, size


def _refuse_copies() -> None:
    """Refuse processes that know nothing of each other: each would run the whole job."""
    tasks, rank = (_digits(os.environ.get(name, "")) for name in (_TASKS, _PMIX_RANK))
    if tasks is not None and tasks > 1:
        raise bad_input(
            f"srun has started {tasks} processes without a link between them",
            "each would run the whole job and write the same files",
            "Start with srun --mpi=pmix (Open MPI), srun --mpi=pmi2 (MPICH) or mpirun; "
            f"{_MODE}=none starts one job in each",
        )
    if rank is not None and rank > 0:
        raise bad_input(
            f"{_PMIX_RANK} is {rank}, and the number of ranks is unknown",
            "of the launchers with PMIx only srun and Open MPI's mpirun give it",
            f"Start with one of them; {_MODE}=none starts one job in each process",
        )


def carries_all() -> bool:
    """Whether MPI is to carry everything between ranks, also where these could share memory.

    `AUREOLE_TRANSPORT=mpi` says so. Raises `InputError` for any other value.
    """
    transport = os.environ.get(_TRANSPORT, "")
    if transport not in ("", "mpi"):
        raise bad_input(
            f"{_TRANSPORT} is {_shown(transport)}",
            "the only valid value is mpi, for MPI messages even on one machine",
            f"Set {_TRANSPORT}=mpi, or unset it",
        )
    return transport == "mpi"


def _number(environment: Mapping[str, str], name: str) -> int:
    number = _digits(environment[name])
    if number is None:
        raise bad_input(
            f"{name} is {_shown(environment[name])}",
            "MPI launchers set it to a number",
            f"Start with mpirun, or unset it; {_MODE}=none ignores it",
        )
    return number


def _digits(text: str) -> int | None:
    good = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if good else None


def _shown(text: str) -> str:
    """The text of a variable, cut where it is long."""
    most = 40
    return repr(one_line(text[:most])) + ("..." if len(text) > most else "")


def library() -> str:
    """The file of the MPI library that belongs to the launcher of this process.

    `AUREOLE_MPI_LIBRARY` names it; otherwise it is sought beside the launcher, beside this Python,
    and where the system looks for libraries. Beside srun there is none: then first in the folders
    of LD_LIBRARY_PATH and beside the mpirun of PATH, as modules of clusters set them. Raises
    `RankError` if no launcher is known.
    """
    if named := os.environ.get(_LIBRARY):
        return named
    by = kind()
    if by is None:
        raise RankError(
            "this process was not started by an MPI that Aureole knows (Open MPI, MPICH and its "
            f"relatives). Use their mpirun, or set {_LIBRARY} to its libmpi."
        )
    return next(found(by), by.libraries[0])  # else the system's, if there is one


def found(by: Kind) -> Iterator[str]:
    """Files of libraries of a family, the best first."""
    for folder in _folders():
        for name in by.libraries:
            if (path := folder / name).exists():
                yield str(path)


def _folders() -> Iterator[Path]:
    import sysconfig  # takes time

    by = kind()
    if by is not None and _by_srun(by):
        yield from map(Path, filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":")))
        yield from beside_mpirun()
    for prefix in (*_prefixes_of_parents(), Path(sys.prefix)):
        yield from (prefix / "lib", prefix / "lib64")
        if several := sysconfig.get_config_var("MULTIARCH"):
            yield prefix / "lib" / several


def beside_mpirun() -> Iterator[Path]:
    """Folders of libraries of the mpirun that PATH has."""
    if at := shutil.which("mpirun"):
        for name in ("lib", "lib64"):
            yield Path(at).resolve().parent.parent / name


def _prefixes_of_parents() -> Iterator[Path]:
    process = os.getppid()
    for _ in range(_GENERATIONS):
        folder = Path("/proc") / str(process)
        try:
            yield (folder / "exe").readlink().parent.parent
            process = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
