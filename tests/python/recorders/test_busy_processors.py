# SPDX-License-Identifier: Apache-2.0
"""Busy processors: the same bits whichever threads do the shares, and a word when fewer do them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from mdrun_inputs import command, rigid, rows

MESH = {"reaction-field": "PME", "epsilon-rf = 80": "fourierspacing = 0.12"}
NOTE = "other programs use some of the processors"


def water(threads: int, active: int | None) -> dict[str, bytes]:
    """Files of a run of rigid water with a mesh, by so many threads of which `active` work."""
    here = Path(f"{threads}-{active}")
    here.mkdir()
    rigid(here)
    text = (here / "grompp.mdp").read_text()
    for old, new in MESH.items():
        text = text.replace(old, new)
    (here / "grompp.mdp").write_text(text)
    environment = dict(os.environ)
    environment.pop("AUREOLE_ACTIVE_THREADS", None)
    if active is not None:
        environment["AUREOLE_ACTIVE_THREADS"] = str(active)
    words = command("-nsteps", 100)
    words[words.index("-nt") + 1] = str(threads)
    done = subprocess.run(
        words, cwd=here, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    told = (here / "md.log").read_text().count(NOTE)
    # Where nothing is fixed the machine decides.
    assert told <= 1 if active is None else told == (active < threads)
    return {name: (here / name).read_bytes() for name in ("traj.trr", "ener.csv", "confout.gro")}


@contextlib.contextmanager
def other_work(count: int):
    """So many other processes that never sleep."""
    loop = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(loop) for _ in range(count)]
    try:
        yield
    finally:
        for process in loops:
            process.kill()
            process.wait()


def test_same_files_whichever_threads_work(here):
    files = water(4, None)
    assert np.isfinite(rows("4-None/ener.csv")["total"]).all()
    for active in (1, 2, 3):
        assert water(4, active) == files, active


def test_same_files_beside_other_programs(here):
    files = water(3, None)
    with other_work(len(os.sched_getaffinity(0))):
        assert water(3, 3) == files


def fluid(threads: int) -> au.Simulation:
    system = au.build.lattice("fcc", n=2048, density=0.8)
    force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
    sim = au.Simulation(system, [force], au.NVE(dt=0.005), threads=threads, seed=3)
    sim.thermalize(kT=1.0)
    return sim


def test_same_bits_for_a_fluid(monkeypatch):
    found = []
    for active in (None, 1, 2):
        if active is not None:
            monkeypatch.setenv("AUREOLE_ACTIVE_THREADS", str(active))
        sim = fluid(4)
        sim.run(200)
        about = sim.describe()
        assert about["threads"] == 4
        assert active is None or about["active_threads"] == about["fewest_active_threads"] == active
        found.append((sim.get("position").tobytes(), sim.energy.total, sim.pressure))
        sim.close()
    assert found[1] == found[0] and found[2] == found[0]


def test_progress_says_it_once(monkeypatch, capsys):
    monkeypatch.setenv("AUREOLE_ACTIVE_THREADS", "1")
    from aureole.recorders.progress import Progress, ProgressRecorder

    sim = fluid(2)
    recorder = ProgressRecorder(Progress(seconds=0.05, lines=True), sys.stderr)
    recorder.seconds = 0.0
    recorder.start(sim, 40)
    for step in (10, 20, 30):
        sim.run(10)
        recorder.observe(sim, step)
    text = capsys.readouterr().err
    assert text.count(NOTE) == 1 and "1 of 2 threads" in text
    sim.close()


def test_a_count_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("AUREOLE_ACTIVE_THREADS", "few")
    with pytest.raises(au.InputError, match="number of threads"):
        fluid(2)
