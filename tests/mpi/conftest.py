# SPDX-License-Identifier: Apache-2.0
"""Tests of the preload: programs of MPI on emulated devices."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "suites")]

import mpis  # noqa: E402 - after its folder is known

#: MPIs with a compiler script; others run programs that these have built.
BUILDERS = ("mpich", "openmpi")


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, mpis.Mpi], Path]:
    """Builds a program of the folder `programs` with an MPI; once for each."""
    folder = tmp_path_factory.mktemp("programs")
    built: dict[tuple[str, str], Path] = {}

    def asked(name: str, mpi: mpis.Mpi, source: Path | None = None) -> Path:
        compiler = mpi if mpi.mpicc else mpis.compiler_of(mpi.abi)
        if compiler is None:
            pytest.skip(f"no MPI at hand builds programs for {mpi.name}")
        key = (name, compiler.name)
        if key not in built:
            program = folder / f"{name}-{compiler.name}"
            command = [compiler.mpicc, "-O1", "-g", f"-I{HERE / 'programs'}", "-o", program]
            command += [source or HERE / "programs" / f"{name}.c", "-ldl"]
            subprocess.run(command, check=True)
            built[key] = program
        return built[key]

    return asked


@pytest.fixture(params=BUILDERS)
def any_mpi(request: pytest.FixtureRequest) -> mpis.Mpi:
    """Each MPI that builds programs; skipped where it is not at hand."""
    found = mpis.named(request.param)
    if found is None:
        pytest.skip(mpis.missing(request.param))
    return found
