# SPDX-License-Identifier: Apache-2.0
"""Ranks of mpirun that send each other messages by MPI, as those on several machines do."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from mdrun_inputs import argon, command, mdrun
from mpirun_jobs import ended, started, struck


@pytest.fixture
def by_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUREOLE_TRANSPORT", "mpi")


# Bonds of any length, sums in each step, columns of ghosts, checkpoints; on rank 0 and everywhere.
SCRIPT = """\
import numpy as np
import aureole as au

system = au.build.lattice("fcc", n=2048, density=0.8)
pairs = np.random.default_rng(5).integers(0, 1024, 60)
far = np.stack([pairs, pairs + 1024], axis=1)
sim = au.Simulation(
    system,
    [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)],
    au.Bussi(dt=0.004, kT=1, tau=1),
    observers=[au.Log("NAME.csv", every=20)],
    device=au.Device(threads=1),
)
sim.thermalize(1.0)
sim.run(60)
position = sim.get("position")
sim.write_checkpoint("NAME.cpt")
text = sim.describe()["description"]
if au.ranks.rank == 0:
    np.save("NAME.npy", position)
    print(text, flush=True)
"""


@pytest.mark.parametrize("words", [[], ["-m", "aureole", "run"]])
def test_scripts_give_the_files_of_ranks_with_memory(
    mpirun: str, here: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    for name in ("memory", "messages"):
        Path(f"{name}.py").write_text(SCRIPT.replace("NAME", name))
        if name == "messages":
            monkeypatch.setenv("AUREOLE_TRANSPORT", "mpi")
        code, out, err = ended(mpirun, 2, *words, f"{name}.py")
        assert code == 0, err
        assert ("2 ranks with messages by MPI" in out) == (name == "messages")
        assert "2 ranks" in out
    for kind in ("csv", "npy", "cpt"):
        memory, messages = (Path(f"{name}.{kind}") for name in ("memory", "messages"))
        if kind == "cpt":  # which holds the time of writing
            assert abs(memory.stat().st_size - messages.stat().st_size) < 1000
        else:
            assert memory.read_bytes() == messages.read_bytes()


# Each process says that it is on a machine of its own.
SEVERAL = """\
import aureole as au
from aureole.ranks import launched_team

about = launched_team.about
launched_team.about = lambda: about() | {"machine": f"machine {au.ranks.rank}"}
"""


def test_ranks_on_several_machines_send_messages(mpirun: str, here: Path) -> None:
    Path("several.py").write_text(SEVERAL + SCRIPT.replace("NAME", "several"))
    code, out, err = ended(mpirun, 2, "several.py")
    assert code == 0, err
    assert out.count("2 ranks with messages by MPI") == 1


def test_mdrun_gives_the_energies_of_ranks_with_memory(
    mpirun: str, here: Path, by_messages: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    argon(here)
    names = ("-m", "aureole", "mdrun", "-nsteps", 40, "-ntomp", 1, "-deffnm")
    code, out, err = ended(mpirun, 2, *names, "messages")
    assert code == 0, err
    assert "2 ranks with messages" in out
    code, _, err = ended(mpirun, 2, *names, "messages", "-nsteps", 10, "-cpi")
    assert code == 0, err
    monkeypatch.delenv("AUREOLE_TRANSPORT")
    mdrun("-ntmpi", 2, "-nsteps", 40, "-ntomp", 1, "-deffnm", "memory")
    memory = Path("memory.csv").read_text().splitlines()
    assert Path("messages.csv").read_text().splitlines()[: len(memory)] == memory


def test_memory_that_cannot_be_opened_is_done_without(mpirun: str, here: Path) -> None:
    Path("closed.py").write_text(
        "import os\n"
        "own = os.open\n"
        "def closed(path, *more, **how):\n"
        "    if str(path).startswith('/proc/') and '/fd/' in str(path):\n"
        "        raise PermissionError(13, 'Permission denied')\n"
        "    return own(path, *more, **how)\n"
        "os.open = closed\n"
        "import aureole as au\n"
        "system = au.build.lattice('fcc', n=2048, density=0.8)\n"
        "sim = au.Simulation(system, [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)],\n"
        "                    au.NVE(dt=0.004))\n"
        "sim.run(2)\n"
        "assert 'messages by MPI' in sim.describe()['description']\n"
    )
    code, _, err = ended(mpirun, 2, "closed.py")
    assert code == 0, err
    assert err.count("note: ranks cannot share memory (rank 1 may not open") == 1
    assert "error" not in err


def test_a_mesh_is_refused(mpirun: str, here: Path, by_messages: None) -> None:
    Path("mesh.py").write_text(
        "import aureole as au\n"
        "water = au.build.water(600, 'spce')\n"
        "sim = au.Simulation(water.system(), [au.LennardJones(r_cut='0.9 nm'),\n"
        "                    au.PME(r_cut='0.9 nm', spacing='0.12 nm')], au.LeapFrog(dt='2 fs'))\n"
        "sim.run(2)\n"
    )
    for words in (["mesh.py"], ["-m", "aureole", "run", "mesh.py"]):
        code, _, err = ended(mpirun, 2, *words)
        assert code == 2, err
        assert err.count("error: ") == 1 and "ranks that share the memory of one machine" in err


def test_other_values_and_ranks_without_mpi_are_refused(
    mpirun: str, here: Path, by_messages: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    argon(here)
    done = mdrun("-ntmpi", 2, "-nsteps", 1, code=2)
    assert "AUREOLE_TRANSPORT=mpi needs ranks started by mpirun" in done.stderr
    monkeypatch.setenv("AUREOLE_TRANSPORT", "pigeons")
    code, _, err = ended(mpirun, 2, *command("-nsteps", 1)[1:])
    assert code == 2, err
    assert err.count("error: ") == 1 and "AUREOLE_TRANSPORT is 'pigeons'" in err


@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGSTOP])
def test_a_rank_that_dies_or_stops_ends_all(
    mpirun: str, here: Path, by_messages: None, victim: int, by: signal.Signals
) -> None:
    argon(here)
    words = ("-m", "aureole", "mdrun", "-nsteps", -1, "-deffnm", "run", "-ntomp", 1)
    with started(mpirun, 2, *words) as process:
        err, number = struck(process, here, victim, by)
    if by == signal.SIGSTOP and victim == 1:
        assert f"rank 1 (process {number}) is stopped while rank 0 waited" in err
