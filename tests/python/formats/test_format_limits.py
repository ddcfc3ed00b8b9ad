# SPDX-License-Identifier: Apache-2.0
"""Coordinates that a format has no room for: told before the first step, or with what is safe."""

from __future__ import annotations

import os
import re
from pathlib import Path

import aureole as au
import chemfiles
import numpy as np
import pytest
from aureole.base.errors import FormatError, exit_code
from aureole.formats import DCD, TRR, Frame
from mdrun_inputs import argon, mdrun, rows

SPEED = 100.0  # nm/ps, so 1 nm a step
DT = 0.01


def flying(x, observers, units="molecular"):
    """Two particles in an open box, of which one flies off along x without a force."""
    system = au.System(
        au.Box(10, 10, 10, periodic=False),
        [[x, 0.0, 0.0], [0.0, 1.0, 0.0]],
        velocity=[[SPEED, 0, 0], [-SPEED, 0, 0]],
        units=units,
    )
    return au.Simulation(system, [], au.VelocityVerlet(dt=DT), observers, threads=1)


#: Where each format ends along x [nm] from the corner of a box of 10 nm, 5 nm below its centre.
ENDS = {"a.gro": 9999.999, "a.pdb": 999.9999, "a.xtc": 2**31 / 1e5}


def frames(name, every=10):
    return au.Frames(name, every, precision=1e5)


@pytest.mark.parametrize("name", ENDS)
def test_a_start_that_does_not_fit_is_told_before_the_first_step(here, name):
    Path(name).write_text("of an earlier run")
    at = ENDS[name] - 5.0 + 1.0
    with pytest.warns(UserWarning, match="outside the box"):
        sim = flying(at, [frames(name), au.Energies("e.csv", 1)])
    with pytest.raises(au.InputError) as caught:
        sim.run(5)
    said = str(caught.value)
    assert said.startswith(f"{name}: cannot be written (") and " nm" in said
    assert "1 " in said and said.endswith("No step was made.")
    assert sim.step == 0
    assert Path(name).read_text() == "of an earlier run" and not Path("e.csv").exists()


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("saved", ["s.ckpt", None])
def test_a_particle_that_leaves_the_room_ends_the_run_with_its_state_kept(here, name, saved):
    """All before is in the file, other files are whole, and the run goes on with other files."""
    room = 25  # steps until the format ends
    specs = [frames(name), au.Energies("e.csv", 5)]
    specs += [au.Checkpoint(saved, 1000)] if saved else []
    with pytest.warns(UserWarning, match="outside the box"):
        sim = flying(ENDS[name] - 5.0 - room - 0.01, specs)
    with sim, pytest.raises(FormatError) as caught:
        sim.run(40)
    said = str(caught.value)
    kept = saved or f"{os.path.splitext(name)[0]}.step{sim.step}.ckpt"
    assert f"{name}: cannot store the frame of step 30 (" in said
    assert f"{kept} holds its state, and the other files are complete." in said
    assert f"au.Simulation.from_checkpoint({kept!r}, observers=[...]) continues" in said
    ended = "All steps to 40 are made" if sim.step == 40 else f"The run ends at step {sim.step}"
    assert ended in said and exit_code(caught.value) == 3
    for word in ("space", "aureole run", "Then continue", "rescue"):
        assert word not in said
    assert not [path for path in os.listdir() if "rescue" in path]
    assert rows("e.csv")["step"].tolist() == list(range(0, sim.step + 1, 5))
    if name != "a.xtc":
        text = Path(name).read_text()
        assert text.count("step= ") == 3  # steps 0, 10 and 20

    other = [au.Frames("b.trr", 10), au.Energies("f.csv", 5)]
    with au.Simulation.from_checkpoint(kept, observers=other) as again:
        again.run(until=60)
    assert rows("f.csv")["step"][-1] == 60.0
    place = again.get("position")[0, 0]
    assert place == pytest.approx(ENDS[name] - 5.0 - room - 0.01 + 60, rel=1e-12)


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.filterwarnings("ignore:an earlier simulation", "ignore:.*outside the box")
def test_reduced_units_have_no_names(here, name):
    """Before a run, in it and by hand: its numbers alone; molecular units have theirs."""
    end = ENDS[name]
    for units in ("reduced", "molecular"):
        told = []
        for x in (end - 4.0, end - 5.0 - 5.5):
            with flying(x, [frames(name)], units) as sim, pytest.raises(au.Error) as caught:
                sim.run(10)
            told.append(str(caught.value))
        if name != "a.xtc":
            with pytest.raises(FormatError) as caught:
                au.write_frame(name, flying(end, [], units))
            told.append(str(caught.value))
        for said in told:
            assert said.startswith(f"{name}: cannot ")
            assert bool(re.search(r"\d nm\b", said)) == (units == "molecular"), said
            assert ("ångström" in said) == (name == "a.pdb" and units == "molecular")


@pytest.mark.filterwarnings("ignore:an earlier simulation", "ignore:.*outside the box")
def test_the_states_of_two_runs_are_both_kept(here):
    """The second ends at the same step with the same file."""
    starts = [ENDS["a.pdb"] - 5.0 - ahead for ahead in (5.25, 5.5)]
    for x in starts:
        with flying(x, [frames("a.pdb")]) as sim, pytest.raises(FormatError):
            sim.run(10)
    kept = [
        au.Simulation.from_checkpoint(name, observers=[]).get("position")[0, 0]
        for name in ("a.step10.ckpt", "a.step10-2.ckpt")
    ]
    assert kept == pytest.approx([x + 10 for x in starts], abs=1e-6)


def test_a_run_goes_on_without_the_file(here):
    """The simulation itself is as it was, once the observer is taken out."""
    with pytest.warns(UserWarning, match="outside the box"):
        sim = flying(ENDS["a.pdb"] - 5.0 - 5.5, [frames("a.pdb"), au.Energies("e.csv", 5)])
    for _ in range(2):  # again, until it is mended
        with pytest.raises(FormatError, match="the frame of step 10"):
            sim.run(until=40)
    sim.observers.remove(sim.observers[0])
    with sim:
        sim.run(until=60)
    assert rows("e.csv")["step"].tolist() == list(range(0, 61, 5))


@pytest.mark.parametrize("kind", ["trr", "dcd", "gsd"])
def test_numbers_beyond_single_precision(here, kind):
    """They would be infinite in the file."""
    most = float(np.finfo(np.float32).max)
    position = np.ones((3, 3))
    large = {"position": (most / 10 if kind == "dcd" else most), "velocity": most, "force": most}
    for name, limit in large.items() if kind == "trr" else [("position", large["position"])]:
        for factor, fits in ((0.999, True), (1.001, False), (np.inf, True)):
            columns = {"position": position, name: position.copy()}
            columns[name][1, 2] = -factor * limit
            frame = Frame(4, 0.1, np.eye(3), **columns)
            if kind == "gsd":
                if factor < np.inf:
                    _gsd(columns["position"], fits)
            elif fits:
                (TRR(3, "a.trr") if kind == "trr" else DCD(3, 1, 0.1, 0, "a.dcd")).frame(frame)
            else:
                with pytest.raises(FormatError, match=r"particle 2 .* z = -3\.4.*single precision"):
                    (TRR(3, "a.trr") if kind == "trr" else DCD(3, 1, 0.1, 0, "a.dcd")).frame(frame)


def _gsd(velocity, fits):
    """A run that writes it as velocities of an open box."""
    system = au.System(au.Box(9, 9, 9, periodic=False), np.eye(3), velocity=velocity)
    sim = au.Simulation(system, [], au.NVE(dt=1e-45), [au.Trajectory("a.gsd", 1)], threads=1)
    if fits:
        with sim:
            sim.run(0)
        return
    with sim, pytest.raises(FormatError, match=r"particle 2 has the velocity z = -3\.4"):
        sim.run(0)


def far_start(here, x, speed):
    """Argon of which two atoms, one of them fast, are far away in an open box."""
    argon(here)
    text = Path("grompp.mdp").read_text().replace("gen-vel = yes", "gen-vel = no")
    more = "pbc = no\nnstlist = 10\ncomm-mode = None\n"
    Path("grompp.mdp").write_text(text.replace("md-vv", "md").replace("0.002", "0.01") + more)
    top = Path("topol.top").read_text()
    Path("topol.top").write_text(top.replace("AR 216", "AR 3"))
    atom = "    {0}AR      Ar    {0}{1:8.3f}{2:8.3f}{3:8.3f}{4:8.4f}{5:8.4f}{5:8.4f}"
    atoms = [
        (1, x, 1.0, 1.0, speed, 0.0),
        (2, 1.0, 1.0, 1.0, 0.0, 0.0),
        (3, 1.0, 1.5, 1.0, 0.0, 0.0),
    ]
    lines = ["three", "    3", *(atom.format(*one) for one in atoms), "   3.0   3.0   3.0", ""]
    Path("conf.gro").write_text("\n".join(lines))


@pytest.mark.parametrize("x, speed", [(9990.0, 20.0), (-990.0, -20.0)])
def test_the_last_frame_that_does_not_fit(here, x, speed):
    """The run counts: its checkpoint holds the state, and -co names another file."""
    far_start(here, x, speed)
    done = mdrun("-deffnm", "far", "-nsteps", 100, "-maxwarn", 9, code=3)
    end = x + 100 * DT * speed
    assert f"far.gro: cannot be written (atom 1 is at x = {end:.0f} nm; 8 columns" in done.stderr
    assert "All steps are made, and the other files are complete. far.cpt holds" in done.stderr
    assert "100 steps in" in done.stdout and not Path("far.gro").exists()
    command = done.stderr.partition("next stage, and `aureole mdrun ")[2].partition("`")[0]
    mdrun(*command.replace("NAME", "last").split())
    with chemfiles.Trajectory("last.trr") as file:
        frame = file.read()
    assert frame.step == 100
    assert frame.positions[0] / 10 == pytest.approx([end, 1.0, 1.0], rel=1e-6)
    assert frame.velocities[0, 0] / 10 == pytest.approx(speed, rel=1e-6)
    again = mdrun("-deffnm", "far", "-nsteps", 0, "-maxwarn", 9, "-cpi", code=2)
    assert "No step was made. Give -co NAME.trr." in again.stderr


def test_frames_of_a_run_that_do_not_fit(here):
    """The option of the file that ended it is named, and the command goes on."""
    far_start(here, 9990.0, 20.0)
    with open("grompp.mdp", "a") as file:
        file.write("compressed-x-precision = 214700\n")  # up to 10,002.3 nm, reached at step 62
    words = ("-deffnm", "far", "-co", "last.trr", "-maxwarn", 9)
    said = mdrun(*words, "-nsteps", 4_000, code=3).stderr
    assert "far.xtc: cannot store the frame of step 80 (particle 1 of the frame is at 10006" in said
    assert "hold 10002.3 nm" in said and "far.cpt holds its state" in said
    steps = rows("far.csv")["step"]
    assert steps[0] == 0 and np.all(np.diff(steps) == 20)
    if "All steps to 4,000 are made" in said:  # before the thread that writes was at work
        assert Path("last.trr").exists() and "Continue" not in said
        return
    command = said.partition("Continue with `aureole mdrun ")[2].partition("`")[0]
    assert command.endswith("-cpi far.cpt -noappend -x NAME.gsd")
    mdrun(*command.split())
    assert rows("far.part0002.csv")["step"][-1] == 4_000
    assert Path("last.part0002.trr").exists()


def test_a_minimum_that_does_not_fit_is_written_elsewhere(here):
    """No checkpoint holds it."""
    far_start(here, 9999.99, 0.0)
    text = Path("conf.gro").read_text()
    Path("conf.gro").write_text(
        text.replace("   1.000   1.000   1.000", "9999.700   1.000   1.000")
    )
    mdp = Path("grompp.mdp").read_text().replace("integrator = md", "integrator = steep")
    Path("grompp.mdp").write_text(mdp + "emtol = 1\n")
    done = mdrun("-deffnm", "em", "-nsteps", 50, "-maxwarn", 9)
    told = " ".join(done.stdout.split())
    assert "em.gro: cannot be written (atom 1 is at x = 10000." in told
    assert "The frame is in em.trr instead" in told
    with chemfiles.Trajectory("em.trr") as file:
        frame = file.read()
    places = frame.positions / 10
    assert 0.35 < places[0, 0] - places[1, 0] < 0.45 and not Path("em.gro").exists()


@pytest.mark.parametrize("name", ["a.gro", "a.pdb"])
def test_a_frame_by_hand(here, name):
    with pytest.warns(UserWarning, match="outside the box"):
        sim = flying(1e5, [])
    with pytest.raises(
        FormatError, match=rf"{name[:1]}\.{name[2:]}: cannot be written \(atom 1 is"
    ):
        au.write_frame(name, sim)
    assert os.listdir() == []
    au.write_frame("a.trr", sim)
    with chemfiles.Trajectory("a.trr") as file:
        frame = file.read()
    assert frame.positions[0, 0] == pytest.approx(10 * (1e5 + 5), rel=1e-6)
