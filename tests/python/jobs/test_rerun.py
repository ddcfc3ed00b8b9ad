# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -rerun`: energies of frames that are there, and a log that says which."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.gromacs.job import Job, read_job
from aureole.jobs.rerun import rerun
from aureole.observers import Callback, RunLog
from aureole.specs.device import Device
from aureole_bench.gmx import settings_of
from gmx_tool import gromacs
from mdrun_inputs import argon, frames, intervals, mdrun, rigid, rows, steps, water


def test_rerun(here):
    """Energies of the frames of a run are those of the run, to the precision of the frames."""
    water(here, "nstfout = 40\n")
    mdrun()
    first, forces = rows(), frames("traj.trr")
    out = mdrun("-rerun", "traj.trr", "-deffnm", "again").stdout
    assert "6 frames of traj.trr" in out
    again = rows("again.csv")
    assert again["step"].tolist() == list(range(0, 201, 40))
    size = sum(np.abs(first[name]).max() for name in ("vdw", "coulomb", "harmonic_bond"))
    for name in ("vdw", "coulomb", "harmonic_bond", "harmonic_angle", "potential", "kinetic"):
        assert np.abs(first[name][::2] - again[name]).max() < 1e-5 * size, name
    assert np.abs(first["pressure"][::2] - again["pressure"]).max() < 1.0
    # Forces are an energy's slopes: those of both files agree where the reader gives them.
    assert [frame.step for frame in forces] == steps("again.trr")
    mdrun("-rerun", "traj_comp.xtc", "-deffnm", "rounded")
    assert len(rows("rounded.csv")["step"]) == 11
    assert np.all(rows("rounded.csv")["kinetic"] == 0)
    mdrun("-nsteps", "200", "-x", "traj.gsd", "-deffnm", "other")
    mdrun("-rerun", "traj.gsd", "-deffnm", "types")
    energies = rows("types.csv")["potential"]  # of positions in single precision
    assert len(energies) == 11
    assert np.abs(energies - first["potential"]).max() < 1e-4 * size
    for ending in ("gro", "pdb"):  # frames of a file for people, rounded to three decimals
        written = au.Frames(f"several.{ending}", 100)
        with au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", observers=[written]) as sim:
            sim.run(200)
        mdrun("-rerun", f"several.{ending}", "-deffnm", ending)
        text = rows(f"{ending}.csv")
        assert text["step"].tolist() == [0, 100, 200]
        assert np.abs(text["potential"] - first["potential"][::5]).max() < 0.05 * size
    mdrun("-rerun", "conf.gro", "-deffnm", "one")
    assert len(rows("one.csv")["step"]) == 1


@pytest.mark.parametrize("integrator", ["md", "sd"])
def test_frames_without_velocities_have_no_kinetic_energy(here, integrator):
    """Not that of half a step with their forces either: the pressure is that of the virial."""
    thermostat = "tc-grps = System\ntau-t = 1\nref-t = 300\n"
    water(here, thermostat)
    mdp = (here / "grompp.mdp").read_text()
    (here / "grompp.mdp").write_text(mdp.replace("md-vv", integrator))
    mdrun("-nsteps", "40")
    mdrun("-rerun", "traj_comp.xtc", "-deffnm", "bare")
    bare = rows("bare.csv")
    assert np.all(bare["kinetic"] == 0) and np.all(bare["temperature"] == 0)
    (here / "grompp.mdp").write_text(mdp)  # velocity Verlet adds nothing to velocities
    mdrun("-rerun", "traj_comp.xtc", "-deffnm", "verlet")
    np.testing.assert_allclose(bare["pressure"], rows("verlet.csv")["pressure"], rtol=1e-9)


def test_log_of_a_rerun(here):
    """It tells which frames it saw; averages are those of the table, made by pandas."""
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    intervals(here, 40, 50, 0)
    mdrun()
    out = mdrun("-rerun", "traj.trr", "-deffnm", "again").stdout
    course = "6 frames of traj.trr, steps 0 to 200, time 0 to 0.1 ps, 2 with velocities"
    assert f"{course}; 3 more without positions skipped" in out
    log, twin = Path("again.log").read_text(), json.loads(Path("again.json").read_text())
    for words in (
        "this is a rerun", "rerun  traj.trr", "topol.top", "125 SOL", "epsilon-rf               80",
        f"Done: {course}; 3 more", "4 frames count with zero kinetic", "Averages of 6 frames",
        "Where the time went", "energies    again.csv", " frames/s",
    ):  # fmt: skip
        assert words in log, words
    matters, idle = log.split("Settings of grompp.mdp without effect here")
    for name in ("nsteps", "gen-temp", "nstvout"):
        assert f"  {name}" not in matters and f"{name}=" in idle
    assert "rvdw                     0.7" in matters and "rvdw=" not in idle
    table = pandas.read_csv("again.csv", comment="#")
    shown = [line.split() for line in log.splitlines() if line[:12].strip().isdigit()]
    assert [int(cells[0]) for cells in shown] == table["step"].tolist() == list(range(0, 201, 40))
    assert np.allclose([float(cells[4]) for cells in shown], table["potential"], atol=6e-5)
    assert set(twin["averages"]) == set(table.columns) - {"step", "time", "conserved"}
    for name, average in twin["averages"].items():
        assert average["mean"] == pytest.approx(table[name].mean(), rel=1e-9, abs=1e-9), name
        assert average["spread"] == pytest.approx(table[name].std(), rel=1e-6, abs=1e-9), name
    assert twin["rerun"] == {
        "trajectory": "traj.trr", "frames": 6, "without_positions": 3, "with_velocities": 2,
        "first": {"step": 0, "time": 0.0}, "last": {"step": 200, "time": 0.1}, "complete": True,
    }  # fmt: skip
    assert twin["inputs"]["rerun"] == "traj.trr" and twin["outputs"]["energies"] == "again.csv"
    speed = twin["speed"]
    assert speed["frames_per_second"] == pytest.approx(6 / speed["wall_seconds"])
    assert sum(row["share"] for row in twin["profile"]) == pytest.approx(1, abs=0.02)
    assert {"force", "rest"} <= {row["part"] for row in twin["profile"]}


def test_a_rerun_keeps_its_trajectory(here):
    argon(here)
    mdrun("-nsteps", 40)
    before = Path("traj.trr").read_bytes()
    done = mdrun("-rerun", "traj.trr", code=2)
    assert "traj.trr is the trajectory of -rerun" in done.stderr
    assert Path("traj.trr").read_bytes() == before and not os.path.exists("#traj.trr.1#")
    mdrun("-rerun", "traj.trr", "-o", "forces.trr")  # logs of the run are put aside, as always
    assert {"#md.log.1#", "#md.json.1#", "#ener.csv.1#"} <= set(os.listdir())


def test_a_rerun_is_stopped(here):
    """The log says how far it came, and that this is not all."""
    argon(here)
    mdrun()
    out = mdrun("-rerun", "traj_comp.xtc", "-deffnm", "again", "-maxh", 1e-9).stdout
    assert "(-maxh) reached: stopped after 0 frames" in out
    seen = []

    def stop(sim):
        seen.append(sim.step)
        if len(seen) == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    job = read_job("conf.gro", "topol.top", "grompp.mdp")
    specs = [Callback(stop, 1), RunLog("cut.log")]
    course = rerun(job, "traj_comp.xtc", specs, Device(threads=1))
    assert course.stopped and course.caught == signal.SIGTERM and seen == [0, 20, 40]
    end = "Stopped by SIGTERM (kill, scancel, preemption, or the end of --time): 3 frames of traj"
    assert end in Path("cut.log").read_text()
    twin = json.loads(Path("cut.json").read_text())
    assert twin["rerun"]["complete"] is False and twin["rerun"]["with_velocities"] == 0


def test_rerun_follows_the_box(here):
    """A frame in a larger box has the energy of a run that begins there."""
    argon(here)
    text = Path("conf.gro").read_text()
    Path("large.gro").write_text(text.replace("2.28000", "2.40000"))
    mdrun("-rerun", "large.gro", "-deffnm", "a")
    mdrun("-c", "large.gro", "-nsteps", 0, "-deffnm", "b")
    a, b = rows("a.csv"), rows("b.csv")
    assert a["volume"][0] == pytest.approx(2.4**3) and a["potential"][0] == b["potential"][0]
    said = json.loads(Path("a.json").read_text())["system"]
    assert np.diag(said["box"]) == pytest.approx([2.4] * 3)


def test_restraints_of_a_rerun_refer_to_the_coordinates_of_the_job(here):
    """Not to those of its first frame; also where a job was put together by hand."""
    argon(here)
    restraints = "[ position_restraints ]\n1 1 1000 1000 1000\n[ system ]"
    top = Path("topol.top").read_text().replace("[ system ]", restraints)
    Path("topol.top").write_text(top)
    mdrun("-r", "conf.gro", "-nsteps", 20)
    read = read_job("conf.gro", "topol.top", "grompp.mdp", references="conf.gro")
    found = []
    for job in (read, Job(read.coordinates, read.topology, read.parameters)):
        table = au.Energies(f"{len(found)}.csv", every=1)
        rerun(job, "traj_comp.xtc", [table], Device())
        found.append(rows(table.path)["position_restraint"].tolist())
    assert found[0] == found[1] and found[0][-1] > 0.1


def test_rerun_as_gromacs(here):
    """Energies of the frames of one trajectory, by both programs."""
    gmx = gromacs()
    water(here, "nstcalcenergy = 20\n")
    mdrun()
    mdrun("-rerun", "traj.trr", "-deffnm", "ours", "-precision", "double")
    given = settings_of(Path("grompp.mdp").read_text())
    other = {"integrator": "md", "gen-vel": "no", "continuation": "yes"}
    gmx.grompp("theirs", Path("conf.gro"), Path("topol.top"), given, other)
    gmx.mdrun("theirs", "-rerun", "traj.trr")
    theirs = gmx.energies("theirs", "Potential")
    ours = rows("ours.csv")
    np.testing.assert_allclose(theirs["time"], ours["time"], atol=1e-6)
    size = np.abs(ours["coulomb"]).max()
    np.testing.assert_allclose(theirs["Potential"], ours["potential"], atol=2e-5 * size)
    assert "6" in gmx.run("check", "-f", "ours.trr")


def _moved(here, atoms, to):
    """torn.gro, with some atoms beside another one, as far from each other as before."""
    lines = (here / "conf.gro").read_text().splitlines()
    place = {k: np.array([float(lines[k + 2][20 + 9 * i : 29 + 9 * i]) for i in range(3)])
             for k in (*atoms, to)}  # fmt: skip
    for k in atoms:
        x = place[k] - place[atoms[0]] + place[to] + [0.05, 0.0, 0.0]
        lines[k + 2] = lines[k + 2][:20] + "".join(f"{one:9.4f}" for one in x)
    (here / "torn.gro").write_text("\n".join(lines) + "\n")


def test_frames_whose_pressure_is_not_finite_are_errors(here):
    """The frame is named, with what cannot be satisfied or bears the largest force."""
    rigid(here)
    mdrun("-rerun", "conf.gro", "-deffnm", "good")
    assert np.isfinite(rows("good.csv")["pressure"]).all()
    _moved(here, [33], 3)  # the oxygen of one water beside that of another
    told = mdrun("-rerun", "torn.gro", "-deffnm", "again", code=1).stderr
    assert "frame 1 of torn.gro: " in told and "(its settle with particle 33" in told
    assert "particle 33 (the first is 0) is atom 1 (OW) of molecule 12 (SOL)" in told
    assert "The frame may be damaged" in told and "Minimise" not in told
    _moved(here, [33, 34, 35], 3)  # the whole of it
    told = mdrun("-rerun", "torn.gro", "-deffnm", "again", code=1).stderr
    assert "frame 1 of torn.gro: the pressure is not finite at step 0 (the largest" in told
    assert "is atom 1 (OW) of molecule " in told
