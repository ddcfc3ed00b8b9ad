# SPDX-License-Identifier: Apache-2.0
"""Job scripts of the page on clusters run in a shell with Slurm's variables, part after part.

`sbatch` only notes that it was called. `srun` starts its tasks by an mpirun, see `srun_task`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mdrun_inputs import argon, rows
from mpirun_jobs import ABLE

PAGE = Path(__file__).parents[3] / "docs/howto/on-a-cluster.md"
TASK = Path(__file__).parents[1] / "helpers" / "srun_task.py"
STEPS = 20_000
SLURM = {
    **{"SLURM_JOB_ID": "17", "SLURM_NTASKS": "2", "SLURM_CPUS_PER_TASK": "1"},
    **{"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NODEID": "0"},
    **{"SLURM_JOB_NUM_NODES": "1", "SLURM_TASKS_PER_NODE": "2"},
}
SRUN = """\
#!/bin/bash
words=("$@")
while [[ ${words[0]} == --* ]]; do echo "${words[0]}" >> srun.called; words=("${words[@]:1}"); done
[ "${words[0]}" = aureole ]
exec MPIRUN -n "$SLURM_NTASKS" PYTHON TASK -m "${words[@]}"
"""


def scripts() -> tuple[str, str, str]:
    """Of one node, of mpirun, and that of mpirun with the command of srun."""
    blocks = re.findall(r"^```bash\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    alone, ranks = (text for text in blocks if "sbatch" in text and "em.gro" not in text)
    (srun,) = (text for text in blocks if text.startswith("srun"))
    mpirun = re.search(r"^mpirun .*\\\n.*\n", ranks, re.MULTILINE)
    assert mpirun
    return alone, ranks, ranks.replace(mpirun[0], srun)


def shell(folder: Path, mpirun: str) -> dict[str, str]:
    """The environment of a batch script, with commands in `folder`/home."""
    home, bin_ = folder / "home", folder / "home/bin"
    (home / "aureole/.venv/bin").mkdir(parents=True)
    bin_.mkdir()
    path = f"{Path(mpirun).parent}:{Path(sys.executable).parent}"
    (home / "aureole/.venv/bin/activate").write_text(f'PATH="{bin_}:{path}:$PATH"\n')
    names = {"MPIRUN": mpirun, "PYTHON": sys.executable, "TASK": str(TASK)}
    text = re.sub("MPIRUN|PYTHON|TASK(?!S)", lambda found: names[found[0]], SRUN)
    for name, program in (("sbatch", '#!/bin/sh\necho "$@" >> sbatch.called\n'), ("srun", text)):
        (bin_ / name).write_text(program)
        (bin_ / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "PMI", "OMPI_"))}
    return {**kept, **ABLE, **SLURM, "HOME": str(home)}


@pytest.mark.parametrize("which", [0, 1, 2], ids=["one-node", "mpirun", "srun"])
def test_parts_until_the_run_has_ended(mpirun: str, here: Path, which: int) -> None:
    mdp = Path(argon(here)[2])
    text = mdp.read_text().replace("nsteps = 200", f"nsteps = {STEPS}")
    mdp.write_text(text.replace("nstxout = 40", "nstxout = 0"))
    environment = shell(here, mpirun)
    script = scripts()[which]
    assert "-maxh 24" in script
    Path("short.sh").write_text(script.replace("-maxh 24", "-maxh 1e-4"))
    Path("job.sh").write_text(script)

    def submitted(name: str) -> str:
        done = subprocess.run(
            ["bash", name], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    said = submitted("short.sh")
    assert ("2 ranks" in said) == (which > 0) and "time limit (-maxh) reached" in said
    assert Path("sbatch.called").read_text() == "short.sh\n" and not Path("md.gro").exists()
    said = submitted("job.sh")
    assert "continuing from md.cpt" in said and ("2 ranks" in said) == (which > 0)
    assert Path("md.gro").exists() and rows("md.csv")["step"][-1] == STEPS
    assert Path("sbatch.called").read_text() == "short.sh\n"  # nothing is left to be submitted
    kept = Path("md.gro").read_bytes()
    assert f"ended at step {STEPS:,}" in submitted("job.sh")
    assert Path("md.gro").read_bytes() == kept
    assert Path("srun.called").exists() == (which == 2)
    mdp.write_text(mdp.read_text().replace(f"= {STEPS}", f"= {10 * STEPS}"))  # an extended run
    assert "time limit (-maxh) reached" in submitted("short.sh")
    assert Path("sbatch.called").read_text() == "short.sh\n" * 2 and not Path("md.gro").exists()
    assert Path("#md.gro.1#").read_bytes() == kept


@pytest.mark.parametrize("name", ["SIGUSR1", "SIGTERM"])
def test_a_signal_makes_a_part_end_and_an_error_the_chain(here: Path, name: str) -> None:
    mdp = Path(argon(here)[2])
    mdp.write_text(mdp.read_text().replace("nsteps = 200", "nsteps = 100000000"))
    environment = shell(here, sys.executable)
    Path("job.sh").write_text(scripts()[0])
    with subprocess.Popen(["bash", "job.sh"], env=environment) as job:
        log = Path("md.log")
        while not (log.exists() and "\nRun from" in log.read_text()):
            assert job.poll() is None
            time.sleep(0.05)
        found = re.search(r"^ *process +(\d+)$", log.read_text(), re.MULTILINE)
        assert found
        os.kill(int(found[1]), getattr(signal, name))
        assert job.wait(60) == 0
    assert (
        Path("sbatch.called").read_text() == "job.sh\n" and f"Stopped by {name}" in log.read_text()
    )
    mdp.write_text("nonsense\n")
    assert subprocess.run(["bash", "job.sh"], env=environment).returncode == 2
    assert Path("sbatch.called").read_text() == "job.sh\n"


def test_stages_go_on_where_they_were_interrupted(here: Path) -> None:
    run = Path(argon(here)[2])
    text = run.read_text().replace("nstxout = 40", "nstxout = 0")
    steep = text.replace("md-vv", "steep") + "emtol = 1e-9\nemstep = 1e-7\n"
    Path("em.mdp").write_text(steep.replace("nsteps = 200", "nsteps = -1"))
    Path("nvt.mdp").write_text(text)
    Path("md.mdp").write_text(text.replace("gen-vel = yes", "gen-vel = no"))
    (script,) = re.findall(r"^```bash\n([^`]*em\.gro.*?)^```", PAGE.read_text(), re.M | re.S)
    Path("job.sh").write_text(script)
    environment = shell(here, sys.executable)
    with subprocess.Popen(["bash", "job.sh"], env=environment) as job:
        while not (Path("em.log").exists() and "1e-07" in Path("em.log").read_text()):
            assert job.poll() is None
            time.sleep(0.05)
        found = re.search(r"^ *process +(\d+)$", Path("em.log").read_text(), re.MULTILINE)
        assert found
        os.kill(int(found[1]), signal.SIGTERM)
        assert job.wait(60) == 0
    assert Path("em.stopped.gro").exists() and not Path("em.gro").exists()
    assert Path("sbatch.called").read_text() == "job.sh\n" and not Path("nvt.log").exists()
    Path("em.mdp").write_text(steep.replace("nsteps = 200", "nsteps = 5"))
    assert subprocess.run(["bash", "job.sh"], env=environment).returncode == 0
    assert all(Path(f"{stage}.gro").exists() for stage in ("em", "nvt", "md"))
    assert Path("sbatch.called").read_text() == "job.sh\n"
    kept = {path: path.stat().st_mtime_ns for path in here.glob("*.gro")}
    assert subprocess.run(["bash", "job.sh"], env=environment).returncode == 0
    assert kept == {path: path.stat().st_mtime_ns for path in here.glob("*.gro")}
