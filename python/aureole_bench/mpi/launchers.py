# SPDX-License-Identifier: Apache-2.0
"""The MPIs at hand: their launchers, and the library that belongs to each."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aureole.base.errors import bad_input
from aureole.ranks.find_launcher import KINDS

#: Open MPI refuses root, and more ranks than processors; ranks pin themselves.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}
#: On one machine Intel MPI needs no libfabric.
INTEL = {"I_MPI_FABRICS": "shm", "I_MPI_PIN": "0"}
_OF_OPENMPI, _OF_HYDRA = KINDS[0].libraries, KINDS[1].libraries


@dataclass(frozen=True)
class Mpi:
    """A launcher of MPI with its library; `environment` is what it needs besides ours."""

    program: str
    library: str
    environment: Mapping[str, str] = field(default_factory=dict, compare=False)


def programs(named: str) -> list[str]:
    """Launchers named, separated by colons, and otherwise those on PATH. Absolute, each once.

    One that is named and cannot be started raises InputError.
    """
    words = named.split(os.pathsep) if named else ["mpirun", "mpirun.openmpi", "mpirun.mpich"]
    places = [place for word in words if (place := shutil.which(word))]
    if named and (lost := [word for word in words if shutil.which(word) is None]):
        raise bad_input(
            f"{', '.join(lost)} cannot be started",
            "it is missing or not executable",
            "Give paths of mpirun programs, separated by colons",
        )
    # Absolute, as they are started in other folders.
    return [os.path.abspath(place) for place in {os.path.realpath(p): p for p in places}.values()]


def at_hand(named: str) -> list[Mpi]:
    """The MPIs of `programs`. AUREOLE_MPI_LIBRARY names the library of a single one."""
    found = [_mpi(program) for program in programs(named)]
    given = os.environ.get("AUREOLE_MPI_LIBRARY")
    if given and len(found) > 1:
        raise bad_input(
            f"AUREOLE_MPI_LIBRARY is {given!r}",
            f"{len(found)} launchers were found, and it belongs to one of them",
            "Name that launcher by --mpirun, or unset the variable",
        )
    return [Mpi(mpi.program, given or mpi.library, mpi.environment) for mpi in found]


def _mpi(program: str) -> Mpi:
    try:
        told = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=60, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        told = ""
    is_open = "open mpi" in told.lower() or "openrte" in told.lower()
    libraries = _OF_OPENMPI if is_open else _OF_HYDRA
    environment = OPENMPI if is_open else INTEL if "Intel" in told else {}
    beside = (folder / name for name in libraries for folder in _folders(program))
    library = next((str(path) for path in beside if path.exists()), libraries[0])
    return Mpi(program, library, environment)


def _folders(program: str) -> Iterator[Path]:
    prefix = Path(program).resolve().parent.parent
    yield from (prefix / "lib", prefix / "lib64", prefix / "lib" / "release")
    if several := sysconfig.get_config_var("MULTIARCH"):
        yield prefix / "lib" / several
