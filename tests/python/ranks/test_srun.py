# SPDX-License-Identifier: Apache-2.0
"""Ranks that srun of Slurm starts, with PMIx and with PMI-2; and processes of srun without MPI."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from aureole.ranks import find_launcher
from mdrun_inputs import argon, mdrun
from mpirun_jobs import ended, started, struck

TASK = str(Path(__file__).parents[1] / "helpers" / "srun_task.py")
KNOWN = ("AUREOLE_MPI", "OMPI_", "PMI_", "PMIX_", "SLURM_", "MPI_")
BATCH = {"SLURM_JOB_ID": "17", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_LOCALID": "0"}
STEP = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_STEP_NUM_NODES": "1", "SLURM_PROCID": "3"}
PMIX = {"PMIX_RANK": "3", "PMIX_NAMESPACE": "slurm.pmix.17.0"}
PMI2 = {"PMI_FD": "11", "PMI_JOBID": "17.0", "PMI_RANK": "3", "PMI_SIZE": "4"}
NAMES = ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
OPEN_MPI = dict(zip(NAMES, "212", strict=True))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch):
    """Sets variables, and no others of a launcher."""

    def put(**variables: str) -> None:
        for name in [name for name in os.environ if name.startswith(KNOWN)]:
            monkeypatch.delenv(name)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return put


@pytest.mark.parametrize(
    "variables, launched, name",
    [
        ({}, (0, 1), "mpirun"),
        (BATCH, (0, 1), "mpirun"),
        (BATCH | STEP | PMIX, (3, 4), "srun"),
        (BATCH | STEP | PMI2, (3, 4), "srun"),
        (BATCH | STEP | PMIX | {"SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, (0, 1), "srun"),
        (BATCH | STEP | {"SLURM_STEP_NUM_TASKS": "1"}, (0, 1), "mpirun"),
        # Each mpirun in a step of Slurm, which may have its daemons started by srun.
        (BATCH | STEP | PMIX | OPEN_MPI, (1, 2), "mpirun"),
        (BATCH | STEP | PMI2 | {"PMI_SIZE": "5", "MPI_LOCALNRANKS": "5"}, (3, 5), "mpirun"),
        (BATCH | STEP | {"AUREOLE_MPI": "none"}, (0, 1), "mpirun"),
        (PMIX | {"PMIX_RANK": "0"}, (0, 1), "mpirun"),
    ],
)
def test_variables(told, variables: dict[str, str], launched: tuple[int, int], name: str) -> None:
    told(**variables)
    assert find_launcher.launched() == launched
    if launched[1] > 1:
        assert find_launcher.name() == name


@pytest.mark.parametrize(
    "variables, words",
    [
        (BATCH | STEP, "srun has started 4 processes without a link .* srun --mpi=pmix"),
        (PMIX, "PMIX_RANK is 3, and the number of ranks is unknown"),
        (STEP | PMIX | {"PMIX_RANK": "4"}, "PMIX_RANK is 4 and SLURM_STEP_NUM_TASKS is 4"),
        (STEP | PMIX | {"PMIX_RANK": "x"}, "PMIX_RANK is 'x'"),
    ],
)
def test_copies_and_nonsense_are_refused(told, variables: dict[str, str], words: str) -> None:
    told(**variables)
    with pytest.raises(au.InputError, match=words):
        find_launcher.launched()
    told(**variables, AUREOLE_MPI="none")
    assert find_launcher.launched() == (0, 1)


def test_machines_and_the_command_to_start_again(told) -> None:
    told(**STEP, **PMIX)
    assert find_launcher.all_near(4) and find_launcher.start(4) == "srun --mpi=pmix -n 4"
    told(**STEP, **PMI2)
    assert find_launcher.all_near(4) and find_launcher.start(8) == "srun --mpi=pmi2 -n 8"
    told(**STEP | PMIX | {"SLURM_STEP_NUM_NODES": "2"})
    assert not find_launcher.all_near(4)
    told(**STEP, **PMIX, **OPEN_MPI)
    assert find_launcher.all_near(2) and find_launcher.start(4) == "mpirun -n 4"


def test_the_library_is_that_of_the_module(told, monkeypatch, tmp_path: Path) -> None:
    """Of LD_LIBRARY_PATH, then beside mpirun of PATH; Open MPI's for PMIx, MPICH's for PMI-2."""
    (tmp_path / "bin").mkdir()
    for folder in ("lib", "module"):
        (tmp_path / folder).mkdir()
        for name in ("libmpi.so.40", "libmpi.so.12"):
            (tmp_path / folder / name).touch()
    (tmp_path / "bin/mpirun").touch(mode=0o755)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    for variables, name in ((PMIX, "libmpi.so.40"), (PMI2, "libmpi.so.12")):
        told(**STEP, **variables)
        assert find_launcher.library() == str(tmp_path / "lib" / name)
        monkeypatch.setenv("LD_LIBRARY_PATH", f"/nowhere:{tmp_path}/module")
        assert find_launcher.library() == str(tmp_path / "module" / name)
        monkeypatch.delenv("LD_LIBRARY_PATH")
        monkeypatch.setenv("AUREOLE_MPI_LIBRARY", "/else/libmpi.so")
        assert find_launcher.library() == "/else/libmpi.so"
    told(**OPEN_MPI)  # its mpirun is the parent, which no module hides
    assert not find_launcher.library().startswith(str(tmp_path))


def test_mdrun_and_scripts_run_on_all_tasks(mpirun: str, here: Path) -> None:
    argon(here)
    names = ("-nsteps", 40, "-ntomp", 1)
    mdrun("-ntmpi", 2, *names, "-deffnm", "own")
    words = (TASK, "-m", "aureole", "mdrun", "-ntomp", 1, "-deffnm", "step")
    code, out, err = ended(mpirun, 2, *words, "-nsteps", 40)
    assert code == 0, err
    assert "2 ranks" in out and out.count("speed") == 1
    assert Path("step.csv").read_text() == Path("own.csv").read_text()
    code, out, err = ended(mpirun, 2, *words, "-nsteps", 10**6, "-maxh", 1e-4, "-cpi")
    assert code == 0, err
    assert re.search(r"continue with `srun --mpi=pmi(x|2) -n 2 aureole mdrun .* -cpi", out), out
    Path("job.py").write_text(
        "import aureole as au\n"
        "sim = au.Simulation(au.build.lattice('fcc', n=2048, density=0.8), [], au.NVE(dt=0.01))\n"
        "sim.run(3)\n"
        "print(f\"rank {au.ranks.rank} of {sim.describe()['ranks']}\\n\", end='', flush=True)\n"
    )
    code, out, err = ended(mpirun, 2, TASK, "job.py")
    assert code == 0, err
    assert sorted(out.splitlines()) == ["rank 0 of 2", "rank 1 of 2"]


def test_a_task_that_dies_ends_all(mpirun: str, here: Path) -> None:
    argon(here)
    words = ("-m", "aureole", "mdrun", "-nsteps", -1, "-deffnm", "run", "-ntomp", 1)
    with started(mpirun, 2, TASK, *words) as process:
        struck(process, here, 1, signal.SIGKILL)


def test_tasks_without_mpi_end_with_an_error(here: Path) -> None:
    """As those of srun --mpi=none are."""
    argon(here)
    done = subprocess.run(
        [sys.executable, "-m", "aureole", "mdrun", "-nsteps", "5"],
        env={**os.environ, **BATCH, **STEP},
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.returncode == 2
    assert done.stderr.count("error: ") == 1 and "srun has started 4 processes" in done.stderr
    assert not list(here.glob("*.log"))
