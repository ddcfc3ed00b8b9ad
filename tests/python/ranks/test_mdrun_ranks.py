# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -ntmpi N`: the files of one rank, restarts on any number, clear errors."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import aureole as au
import commands
import numpy as np
import pytest
from aureole.formats.read_trajectory import Given, frames_of
from aureole.gromacs.job import read_job
from aureole.jobs.rerun import rerun
from aureole.ranks.team import Team
from mdrun_inputs import command, mdrun, rows

MDP = """\
integrator = {integrator}
dt = 0.001
nsteps = {steps}
rcoulomb = 0.8
rvdw = 0.8
coulombtype = PME
fourierspacing = 0.12
tcoupl = v-rescale
tc-grps = system
tau-t = 0.5
ref-t = 300
ld-seed = 7
constraints = h-bonds
nstxout-compressed = 10
nstenergy = 10
nstcalcenergy = 10
compressed-x-precision = 100000
; the start is hot in places: lists that would miss pairs there would differ between ranks
verlet-buffer-tolerance = 1e-12
"""


@pytest.fixture(scope="module")
def relaxed(tmp_path_factory: Any) -> Path:
    """A folder with water and ethanol after a steepest descent on two ranks."""
    folder = tmp_path_factory.mktemp("relaxed")
    text = MDP.format(integrator="steep", steps=150)
    au.build.solution({"spce": 500, "ethanol": 60}, seed=5).write_gromacs(folder, text)
    words = ["-precision", "double", "-ntmpi", 2]
    done = commands.run(command(*words), cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (folder / "confout.gro").rename(folder / "conf.gro")
    return folder


@pytest.fixture
def inputs(here: Path, relaxed: Path) -> Path:
    for name in ("conf.gro", "topol.top"):
        (here / name).write_bytes((relaxed / name).read_bytes())
    write_mdp(60)
    return here


def write_mdp(steps: int) -> None:
    text = MDP.format(integrator="md", steps=steps)
    Path("grompp.mdp").write_text(text + "gen-vel = yes\ngen-seed = 3\ngen-temp = 250\n")


def run(folder: str, ranks: int, *words: object) -> set[str]:
    """A run in double precision; the names of its files."""
    Path(folder).mkdir(exist_ok=True)
    names = ("-deffnm", f"{folder}/run", "-precision", "double")
    done = mdrun(*names, "-ntmpi", ranks, *words)
    if ranks > 1:
        assert f"{ranks} ranks" in done.stdout
    return {one.name for one in Path(folder).iterdir() if not one.name.startswith(".")}


def assert_alike(one: str, other: str) -> None:
    tables = [rows(f"{folder}/run.csv") for folder in (one, other)]
    assert list(tables[0]) == list(tables[1])
    for name, column in tables[0].items():
        scale = max(1.0, float(np.abs(column).max()))
        np.testing.assert_allclose(tables[1][name], column, atol=1e-6 * scale, err_msg=name)
    frames = [list(frames_of(f"{folder}/run.xtc")) for folder in (one, other)]
    assert [frame.step for frame in frames[0]] == [frame.step for frame in frames[1]]
    for a, b in zip(*frames, strict=True):
        np.testing.assert_allclose(b.position, a.position, atol=3e-5)


def test_ranks_write_the_files_of_one(inputs: Path) -> None:
    assert run("one", 1) == run("two", 2)
    assert_alike("one", "two")


def test_a_restart_takes_any_number_of_ranks(inputs: Path) -> None:
    run("straight", 1)
    run("cut", 2, "-nsteps", 25)
    run("cut", 1, "-cpi", "-nsteps", 20)  # a restart counts on from its checkpoint
    run("cut", 2, "-cpi", "-nsteps", 15)
    assert_alike("straight", "cut")


def test_a_restart_keeps_the_ranks(inputs: Path) -> None:
    run("cut", 2, "-nsteps", 10)
    done = mdrun("-deffnm", "cut/run", "-cpi", "-nsteps", 10)
    assert "2 ranks" in done.stdout


def test_reruns_on_ranks(inputs: Path) -> None:
    run("one", 1)
    for ranks in (1, 2):
        words = ("-rerun", "one/run.xtc", "-precision", "double", "-e", f"of_{ranks}.csv")
        mdrun(*words, "-ntmpi", ranks)
    tables = [rows(f"of_{ranks}.csv") for ranks in (1, 2)]
    assert len(tables[0]["step"]) == 7
    for name, column in tables[0].items():
        np.testing.assert_allclose(tables[1][name], column, rtol=1e-9, atol=1e-6, err_msg=name)


def test_a_rerun_of_changing_boxes_starts_its_ranks_once(
    inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = read_job("conf.gro", "topol.top", "grompp.mdp")
    first = job.coordinates
    given = [Given(k, None, first.position, None, first.box * (1 + 1e-3 * k)) for k in range(4)]
    monkeypatch.setattr("aureole.jobs.rerun.frames_of", lambda _: iter(given))
    started: list[int] = []
    start = Team._start

    def count(team: Team, *words: Any) -> Any:
        started.append(words[0])
        return start(team, *words)

    monkeypatch.setattr(Team, "_start", count)
    energies: list[float] = []
    look = au.Callback(lambda sim: energies.append(sim.energy.potential), every=1)
    rerun(job, "boxes", [look], au.Device(ranks=2, threads=1))
    assert started == [1]
    assert len(set(energies)) == 4


@pytest.mark.parametrize(
    "words, text",
    [
        (["-ntmpi", -3], "ranks is -3"),
        (["-ntmpi", 1000], "1 to 512 are possible"),
        (["-ntmpi", 2, "-nt", 3], "of all ranks together"),
        (["-ntmpi", 2, "-device", "cuda:0"], "several ranks run on the host only"),
        (["-ntmpi", "two"], "it must be a whole number"),
    ],
)
def test_errors_are_one_line(inputs: Path, words: list[object], text: str) -> None:
    done = mdrun(*words, code=2)
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert text in done.stderr


def test_a_dead_rank_ends_the_run_which_goes_on_from_its_checkpoint(inputs: Path) -> None:
    run("cut", 2, "-nsteps", 10)
    more = command("-deffnm", "cut/run", "-cpi", "-ntmpi", 2, "-nsteps", -1)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with commands.start(more, text=True, **pipes) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "output" in line:
                break
        time.sleep(0.3)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) == 1
        os.kill(int(children[0]), signal.SIGKILL)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert said.startswith("error: rank 1 ") and "SIGKILL" in said and "Traceback" not in said
    assert not Path(f"/proc/{children[0]}").exists()
    assert run("cut", 2, "-cpi", "-nsteps", 5) >= {"run.cpt", "run.xtc", "run.csv"}
