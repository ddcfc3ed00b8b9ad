# SPDX-License-Identifier: Apache-2.0
"""Fortran through `mpif.h`, `mpi` and `mpi_f08`, with Debian's MPIs: PyPI's have no modules."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mpis
import pytest
from mpich_suite import SUITES
from rank_runs import Run, start

HERE = Path(__file__).parent / "fortran"
PROGRAMS = ("mpif_h", "use_mpi", "use_mpi_f08")
LIBRARIES = {
    "openmpi": ("mpi_usempif08", "mpi_usempi_ignore_tkr", "mpi_mpifh", "mpi"),
    "mpich": ("mpichfort", "mpich"),
}


def compiled(mpi: mpis.Mpi, program: str, folder: Path) -> Path:
    """A program with Debian's header, modules and libraries."""
    name = mpi.family
    libraries = mpi.libraries()
    modules = next(libraries.glob(f"fortran/*/{name}"))
    headers = libraries / "openmpi/include"
    if name == "mpich":
        headers = mpi.prefix / "include" / libraries.name / "mpich"
    link = [f"-L{libraries}", f"-L{libraries}/openmpi/lib", f"-Wl,-rpath-link,{libraries}"]
    link += [f"-l{library}" for library in LIBRARIES[name]]
    devices = [f"-L{SUITES}/cuda/lib", "-lcudart"]
    target = folder / program
    options = [
        "-O1",
        "-fallow-argument-mismatch",
        "-w",
        f"-J{folder}",
        f"-I{modules}",
        f"-I{headers}",
    ]
    sources = [HERE / "devices.f90", HERE / f"{program}.f90"]
    command = ["gfortran", *options, *sources, *link, *devices, "-o", target]
    subprocess.run([str(word) for word in command], check=True, cwd=folder)
    return target


@pytest.fixture
def prepared(suite, devices, tmp_path):
    """Asks for all that a test of this file needs; gives an MPI and a program of its own."""

    def asked(name: str, program: str) -> tuple[mpis.Mpi, Path]:
        suite("fortran")
        devices("cuda")
        mpi = mpis.of_debian(name, SUITES / "fortran" / name / "root")
        return mpi, compiled(mpi, program, tmp_path)

    return asked


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", LIBRARIES)
def test_fortran(prepared, name, program, ranks):
    mpi, built = prepared(name, program)
    without = start(Run(mpi, preload=False, limit=20), ranks, [built])
    assert without.crashed, without.told()
    found = start(Run(mpi), ranks, [built])
    assert found.code == 0, found.told()
    assert "No Errors" in found.output, found.told()
