# SPDX-License-Identifier: Apache-2.0
"""Where a rank dies, the error ends with the command that continues from the last checkpoint."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import aureole as au
from mdrun_inputs import argon, mdrun
from mpirun_jobs import processes_of, processes_with, started

HEAD = [sys.executable, "-m", "aureole"]
SCRIPT = """\
import aureole as au

sim = au.Simulation(
    au.build.lattice("fcc", n=2048, density=0.8),
    [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)],
    au.NVE(dt=0.001),
    observers=[au.Checkpoint("state file.ckpt", every=100)],
    device=au.Device(ranks=2, threads=1),
)
sim.thermalize(1.0)
sim.run(200)
print("under way", flush=True)
sim.run(10**7)
"""


def killed(command: list[str], until: str, folder: Path, saved: str = "") -> str:
    """What a run of two ranks says whose second one is killed, once it has saved a checkpoint."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout is not None
        while until not in (line := process.stdout.readline()):
            assert line, process.communicate()[1]
        while saved and not (folder / saved).exists():
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(0.3)
        others = {process.pid, os.getpid()}
        (second,) = (n for n in processes_with(str(folder)) if n not in others)
        os.kill(second, signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and err.count("error: ") == 1
    assert f"rank 1 (process {second}) was killed by signal 9" in err
    return err


def command_in(text: str) -> list[str]:
    """The words of the command at the end of an error."""
    found = re.search(r"Continue with `([^`]+)`\.$", text.strip())
    assert found, text
    words = shlex.split(found[1])
    return [*HEAD, *words[words.index("aureole") + 1 :]]


def test_mdrun_without_a_checkpoint(here: Path) -> None:
    argon(here)
    command = [*HEAD, "mdrun", "-ntmpi", "2", "-ntomp", "1", "-nsteps", "-1"]
    err = killed(command, "output", here)
    assert err.strip().endswith("The run has no checkpoint yet: start it again.")


def test_mdrun_with_a_checkpoint_of_another_call(here: Path) -> None:
    argon(here)
    words = ("-deffnm", "my run", "-ntmpi", "2", "-ntomp", "1")
    mdrun(*words, "-nsteps", 10)
    err = killed([*HEAD, "mdrun", *words, "-nsteps", "9000000", "-cpi"], "output", here)
    assert "The last checkpoint is my run.cpt, written at step 10. " in err
    command = command_in(err)
    assert command[3:] == ["mdrun", *words, "-nsteps", "9000000", "-cpi", "my run.cpt"]
    done = subprocess.run([*command, "-maxh", "1e-5"], capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    assert "continuing from my run.cpt, step 10" in done.stdout and "2 ranks" in done.stdout


def test_mdrun_with_a_checkpoint_of_its_own(here: Path) -> None:
    """The command makes the steps that are left after the checkpoint, not after the death."""
    argon(here)
    command = [*HEAD, "mdrun", "-ntmpi", "2", "-ntomp", "1", "-cpt", "0.002", "-nsteps", "9000000"]
    words = command_in(err := killed(command, "output", here, "state.cpt"))
    found = re.search(r"The last checkpoint is state.cpt, written at step (\d+)\.", err)
    assert found, err
    assert "Continue with `aureole mdrun" in Path("md.log").read_text()
    assert words[words.index("-nsteps") + 1] == str(9_000_000 - int(found[1]))


def test_a_script(here: Path) -> None:
    Path("job.py").write_text(SCRIPT)
    err = killed([*HEAD, "run", "job.py"], "under way", here)
    command = command_in(err)
    assert command[3:] == ["run", "state file.ckpt"]
    found = re.search(r"The last checkpoint is state file.ckpt, written at step (\d+)\.", err)
    assert found and int(found[1]) == au.Simulation.from_checkpoint("state file.ckpt").step


def test_ranks_of_mpirun(mpirun: str, here: Path) -> None:
    """Some mpirun ends rank 0 at once: the command has been printed at the start."""
    argon(here)
    mdrun("-ntmpi", 2, "-nsteps", 10, "-deffnm", "run")
    mdp = Path("grompp.mdp")
    mdp.write_text(mdp.read_text().replace("nsteps = 200", "nsteps = 9000000"))
    words = ("-m", "aureole", "mdrun", "-cpi", "-deffnm", "run", "-ntomp", 1, "-maxh", "0.01")
    again = "mpirun -n 2 aureole mdrun -deffnm run -ntomp 1 -maxh 0.01 -cpi run.cpt"
    with started(mpirun, 2, *words) as process:
        assert process.stdout is not None
        while "if a rank dies" not in (line := process.stdout.readline()):
            assert line, process.communicate()[1]
        assert line == f"if a rank dies, continue with `{again}`\n"
        time.sleep(0.3)
        os.kill(processes_of(here)["1"], signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    for error in errors:
        assert error.endswith(f"is run.cpt, written at step 10. Continue with `{again}`.")
    assert errors or "openmpi" not in mpirun
