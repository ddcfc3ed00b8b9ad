# SPDX-License-Identifier: Apache-2.0
"""Ranks that mpirun starts, of command lines."""

from __future__ import annotations

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

SCRIPT = """\
import aureole as au

system = au.build.lattice("fcc", n=2048, density=0.8)
force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
seen = []
count = au.Callback(lambda sim: seen.append(sim.energy.total), every=20)
log = au.Log("log.csv", every=20)
{device}
with au.Simulation(system, [force], au.Langevin(dt=0.004, kT=1, gamma=1), observers=[count, log],
                   device=device) as sim:
    sim.run(60)
    ranks = sim.describe().get("ranks", 1)
    assert sim.get("position").shape == (2048, 3)
    sim.write_checkpoint("state.cpt")
pair = [au.Simulation(system, [force], au.NVE(dt=0.004), device=device) for _ in range(2)]
for _ in range(2):
    for sim in pair:
        sim.run(5)
assert pair[0].energy.potential == pair[1].energy.potential
print("ranks", ranks, "seen", len(seen), flush=True)
"""


def test_mdrun_makes_the_steps_of_as_many_ranks_without_mpi(mpirun: str, here: Path) -> None:
    argon(here)
    names = ("-nsteps", 40, "-ntomp", 1)
    mdrun("-ntmpi", 2, *names, "-deffnm", "own")
    code, out, err = ended(mpirun, 2, "-m", "aureole", "mdrun", *names, "-deffnm", "mpi")
    assert code == 0, err
    assert "2 ranks" in out and out.count("speed") == 1
    assert Path("mpi.csv").read_text() == Path("own.csv").read_text()
    files = [sorted(p.name[4:] for p in here.glob(f"{first}.*")) for first in ("own", "mpi")]
    assert files[0] == files[1]
    code, out, err = ended(mpirun, 3, "-m", "aureole", "mdrun", "-nsteps", 5, "-deffnm", "mpi",
                           "-cpi")  # fmt: skip
    assert code == 0 and "the box is too small for 3 ranks" in err
    assert " on 2 of 3 ranks, " in Path("mpi.log").read_text()
    mdrun("-nsteps", 5, "-deffnm", "mpi", "-cpi", "-ntmpi", 1)


def test_a_checkpoint_knows_its_ranks(mpirun: str, here: Path) -> None:
    """They go on by default, as those that aureole starts itself; a command names mpirun."""
    argon(here)
    words = ("-ntomp", 1, "-deffnm", "run")
    code, out, err = ended(
        mpirun, 2, "-m", "aureole", "mdrun", "-nsteps", 10**6, "-maxh", 1e-4, *words
    )
    assert code == 0, err
    assert re.search(r"continue with `mpirun -n 2 aureole mdrun .* -cpi run.cpt`", out), out
    assert "2 ranks" in mdrun(*words, "-cpi", "-nsteps", 5).stdout


@pytest.mark.parametrize("device", ["", "ranks=2, threads=1"])
def test_scripts_run_once_on_all_ranks(mpirun: str, here: Path, device: str) -> None:
    Path("job.py").write_text(SCRIPT.format(device=f"device = au.Device({device})"))
    code, out, err = ended(mpirun, 2, "-m", "aureole", "run", "job.py")
    assert code == 0, err
    assert out.count("ranks 2 seen 4") == 1
    assert len(Path("log.csv").read_text().splitlines()) >= 4
    again = subprocess.run(
        [sys.executable, "-m", "aureole", "run", "state.cpt", "--steps", "5"],
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert again.returncode == 0, again.stderr


def test_copies_may_be_meant(mpirun: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUREOLE_MPI", "none")
    Path("one.py").write_text(
        "import aureole as au\n"
        "sim = au.Simulation(au.build.lattice('fcc', n=256, density=0.8), [])\n"
        "print('ranks', sim.describe().get('ranks', 1), flush=True)\n"
    )
    code, out, err = ended(mpirun, 2, "one.py")
    assert code == 0, err
    assert out.count("ranks 1") == 2


def test_an_unknown_transport_is_refused_on_one_rank_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "AUREOLE_MPI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AUREOLE_TRANSPORT", "tcp")
    for start in (
        find_launcher.launched,
        lambda: au.Simulation(au.build.lattice("fcc", n=32, density=0.8), []),
    ):
        with pytest.raises(au.InputError, match="AUREOLE_TRANSPORT is 'tcp'"):
            start()
    monkeypatch.setenv("AUREOLE_TRANSPORT", "mpi")  # of one rank, which has nobody to talk to
    assert find_launcher.launched() == (0, 1)


def test_copies_by_srun_are_refused_unless_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "AUREOLE_MPI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SLURM_PROCID", "0")  # as the script of sbatch has it
    assert find_launcher.launched() == (0, 1)
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "1")
    assert find_launcher.launched() == (0, 1)
    monkeypatch.setenv("SLURM_STEP_NUM_TASKS", "4")
    with pytest.raises(au.InputError, match="srun has started 4 processes"):
        find_launcher.launched()
    monkeypatch.setenv("AUREOLE_MPI", "none")
    assert find_launcher.launched() == (0, 1)
    monkeypatch.delenv("AUREOLE_MPI")
    monkeypatch.setenv("PMI_SIZE", "4"), monkeypatch.setenv("PMI_RANK", "3")  # --mpi=pmi2
    assert find_launcher.launched() == (3, 4)


@pytest.mark.parametrize(
    "words, code, text",
    [
        (["-nsteps", "many"], 2, "it must be a whole number"),
        (["-ntmpi", 3], 2, "3 ranks were requested, but mpirun started 2"),
        (["-c", "none.gro"], 1, "No such file"),
    ],
)
def test_errors_are_printed_once(
    mpirun: str, here: Path, words: list[object], code: int, text: str
) -> None:
    argon(here)
    got, _, err = ended(mpirun, 2, "-m", "aureole", "mdrun", *words)
    assert got == code
    assert err.count("error: ") == 1 and text in err and "Traceback" not in err


def test_a_library_that_cannot_be_loaded(
    mpirun: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    argon(here)
    monkeypatch.setenv("AUREOLE_MPI_LIBRARY", "/nowhere/libmpi.so")
    code, _, err = ended(mpirun, 2, "-m", "aureole", "mdrun")
    assert code != 0
    assert err.count("error: ") == 1 and "/nowhere/libmpi.so cannot be used" in err
    assert not list(here.glob("*.log"))


@pytest.mark.parametrize("victim", ["leader", "follower"])
def test_a_rank_that_dies_ends_all(mpirun: str, here: Path, victim: str) -> None:
    argon(here)
    mdrun("-ntmpi", 2, "-nsteps", 10, "-deffnm", "run")
    more = ("-m", "aureole", "mdrun", "-nsteps", -1, "-cpi", "-deffnm", "run", "-ntomp", 1)
    with started(mpirun, 2, *more) as process:
        struck(process, here, 0 if victim == "leader" else 1, signal.SIGKILL)
    mdrun("-ntmpi", 2, "-nsteps", 5, "-cpi", "-deffnm", "run")
