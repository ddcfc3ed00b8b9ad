# SPDX-License-Identifier: Apache-2.0
"""Folders, disks and descriptors that go during a run: the state is saved, and it is said where."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from mdrun_inputs import argon, command, mdrun, rows
from small_runs import liquid, python

SAVED = re.compile(r"The state at step (\d+) is saved in (\S+?)\. Then")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rescued(said: str) -> tuple[int, Path]:
    found = SAVED.search(said)
    assert found and "Traceback" not in said, said
    return int(found[1]), Path(found[2])


@pytest.mark.parametrize("gone", ["", "home"])
def test_the_working_folder_vanishes(here, gone):
    """The state goes to the home folder; where that is none, to the one for temporary files."""
    files = argon(here)
    mdp = Path(files[2])
    mdp.write_text(mdp.read_text().replace("nsteps = 200", "nsteps = 10000000"))
    for name in ("work", "home", "tmp", "later"):
        Path(name).mkdir()
    home, temporary = (str(here / name) for name in ("home", "tmp"))
    if gone == "home":
        shutil.rmtree(home)
    words = command("-c", files[0], "-p", files[1], "-f", files[2])
    process = subprocess.Popen(
        words,
        cwd="work",
        env=os.environ | {"HOME": home, "TMPDIR": temporary},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    table = Path("work/ener.csv")
    while not table.exists() or len(table.read_text().splitlines()) < 5:  # it makes steps
        assert process.poll() is None
    shutil.rmtree("work")
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1, said
    step, path = rescued(said)
    assert str(path.parent) == (temporary if gone == "home" else home)
    os.chdir("later")
    given = ("-c", files[0], "-p", files[1], "-f", files[2])
    told = mdrun(*given, "-cpi", path, "-nsteps", 40).stdout
    assert f"step {step:,}" in told
    assert rows()["step"][-1] <= step + 40


def test_no_disk_takes_anything():
    """No file may grow, as where all disks are full: the error says so, what was saved stays."""
    text = """
import resource, sys
import aureole as au
from small_runs import liquid
def fill(sim):
    if sim.step == 40:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sim = liquid(observers=[au.Callback(fill, every=10), au.Checkpoint("a.ckpt", every=20)])
try:
    with sim:
        sim.run(100)
except au.FileError as error:
    sys.exit(str(error))
"""
    done = python(text)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "could not be saved elsewhere" in done.stderr
    assert "a.ckpt" in done.stderr and "File too large" in done.stderr
    whole = liquid().run(60).get("position")
    with au.Simulation.from_checkpoint("a.ckpt", callbacks=[au.Callback(int, every=1000)]) as sim:
        assert sim.step == 20
        assert (sim.run(40).get("position") == whole).all()
    assert not [name for name in os.listdir() if name.startswith((".", "aureole-rescue"))]


def test_there_are_no_descriptors():
    text = """
import os, sys
import aureole as au
from small_runs import liquid
def take_all(sim):
    if sim.step == 40:
        try:
            while True:
                os.dup(0)
        except OSError:
            pass
observers = [
    au.Callback(take_all, every=10), au.Log("a.csv", every=10), au.Checkpoint("a.ckpt", every=20)
]
sim = liquid(observers=observers)
try:
    with sim:
        sim.run(100)
except au.FileError as error:
    sys.exit(str(error))
"""
    done = python(f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n{text}")
    assert done.returncode == 1, done.stderr
    assert "Too many open files" in done.stderr and "ulimit -n" in done.stderr
    step, path = rescued(done.stderr)
    assert step == 40
    callbacks = [au.Callback(int, every=1000)]
    with au.Simulation.from_checkpoint(path, callbacks=callbacks) as sim:
        sim.run(60)
        assert (sim.get("position") == liquid().run(100).get("position")).all()
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 11


def test_a_clock_that_jumps_changes_nothing(monkeypatch):
    """Someone sets the clock of the machine: intervals and rates do not depend on it."""
    with liquid(observers=[au.Log("quiet.csv", every=10)]) as sim:
        quiet = sim.run(300).get("position")
    true, jumps = time.time, iter(np.random.default_rng(3).choice((-1e8, 1e8), 100_000))
    asked = []

    def jumping() -> float:
        asked.append(true() + next(jumps))
        return asked[-1]

    monkeypatch.setattr(time, "time", jumping)
    observers = [
        au.Log("a.csv", every=10),
        au.RunLog("a.log", every=50),
        au.TimedCheckpoint("a.ckpt", minutes=60),
        au.TimeLimit(seconds=3600),
        au.Progress(lines=True),
    ]
    with liquid(observers=observers) as sim:
        assert (sim.run(300).get("position") == quiet).all()
    assert sim.step == 300 and 0 < sim.steps_per_second < 1e9
    assert Path("a.csv").read_text() == Path("quiet.csv").read_text()
    assert not Path("a.ckpt.prev").exists()  # the last one alone
