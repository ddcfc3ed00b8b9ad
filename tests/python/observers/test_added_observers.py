# SPDX-License-Identifier: Apache-2.0
"""Observers that are added and taken out between runs write what they had written all along."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import aureole as au
import gsd.hoomd
import pytest

LOG, TABLE = au.Log("a.csv", every=10), au.Energies("b.csv", every=10)


def steps(path):
    with open(path) as file:
        return [int(row["step"]) for row in csv.DictReader(file)]


def rows(path, first):
    with open(path) as file:
        return [row for row in csv.reader(file) if row[0].isdecimal() and int(row[0]) >= first]


def test_files_are_those_of_one_made_with_them(here, liquid):
    with liquid(observers=[LOG, TABLE, au.Trajectory("t.gsd", every=20)]) as whole:
        whole.run(100)
    for name in ("a.csv", "b.csv", "t.gsd"):
        os.replace(name, f"whole_{name}")
    with liquid(observers=[LOG]) as sim:
        sim.run(40)
        sim.observers.append(TABLE)
        sim.observers += [au.Trajectory("t.gsd", every=20)]
        assert not Path("b.csv").exists() and not Path("t.gsd").exists()
        assert sim.observers == (LOG, TABLE, au.Trajectory("t.gsd", every=20))
        sim.run(60)
    assert Path("a.csv").read_text() == Path("whole_a.csv").read_text()
    assert rows("b.csv", 0) == rows("whole_b.csv", 40)
    with gsd.hoomd.open("t.gsd") as file:
        assert [frame.configuration.step for frame in file] == [40, 60, 80, 100]


@pytest.mark.parametrize("when", ["soon", "later", "by hand"])
def test_checkpoints_hold_them(here, liquid, when):
    with liquid(observers=[LOG, au.Checkpoint("c.ckpt", every=1000)]) as sim:
        sim.run(30)
        sim.observers.append(TABLE)
        if when == "by hand":
            sim.write_checkpoint("c.ckpt")
        else:
            sim.run(1 if when == "soon" else 25)
    at = sim.step
    with au.Simulation.from_checkpoint("c.ckpt") as again:
        assert again.observers == (LOG, au.Checkpoint("c.ckpt", every=1000), TABLE)
        again.run(until=90)
    assert at in (30, 31, 55) and steps("b.csv") == list(range(30, 91, 10))
    assert steps("a.csv") == list(range(0, 91, 10))
    with liquid(observers=[au.Log("w.csv", every=10)]) as whole:
        whole.run(90)
    assert Path("a.csv").read_text() == Path("w.csv").read_text()


def test_they_may_be_added_to_a_restart(here, liquid):
    with liquid(observers=[LOG, au.Checkpoint("c.ckpt", every=10)]) as sim:
        sim.run(30)
    with au.Simulation.from_checkpoint("c.ckpt") as again:
        again.observers.append(TABLE)
        again.run(20)
    assert steps("a.csv") == [0, 10, 20, 30, 40, 50] and steps("b.csv") == [30, 40, 50]
    with au.Simulation.from_checkpoint("c.ckpt") as once_more:
        once_more.run(10)
    assert steps("a.csv") == [*range(0, 61, 10)] and steps("b.csv") == [30, 40, 50, 60]


def test_one_that_was_taken_out_may_come_back(here, liquid):
    with liquid(observers=[LOG, TABLE]) as sim:
        sim.run(20)
        sim.observers.remove(TABLE)
        assert sim.observers == [LOG] and steps("b.csv") == [0, 10, 20]
        sim.run(20)
        sim.observers.append(TABLE)
        sim.run(20)
    assert steps("b.csv") == [0, 10, 20, 40, 50, 60] and steps("a.csv") == [*range(0, 61, 10)]
    with pytest.raises(au.InputError, match="is no observer of the simulation"):
        sim.observers.remove(au.Progress())


def test_trajectories_of_all_formats_go_on(here, liquid):
    names = [f"t{ending}" for ending in (".gsd", ".xtc", ".trr", ".dcd", ".xyz", ".gro", ".pdb")]
    files = [au.Trajectory(name, every=10) for name in names]
    with liquid(observers=[*files, au.Frames("f.xtc", every=10)]) as whole:
        whole.run(40)
    expected = {name: Path(name).read_bytes() for name in (*names[1:], "f.xtc")}
    with liquid(observers=[*files, au.Frames("f.xtc", every=10)]) as sim:
        sim.run(20)
        sim.observers.append(au.Progress(lines=False))
        sim.run(20)
    for name, content in expected.items():
        assert Path(name).read_bytes() == content, name
    with gsd.hoomd.open("t.gsd") as file:
        assert [frame.configuration.step for frame in file] == [0, 10, 20, 30, 40]


def test_what_a_simulation_has_written_is_not_replaced(here, liquid):
    with liquid(observers=[LOG, au.Checkpoint("c.ckpt", every=10)]) as sim:
        sim.run(20)
        words = r"every=5\) would replace a.csv .*every=10\) of this simulation has written it"
        with pytest.raises(au.InputError, match=words):
            sim.observers = [au.Log("a.csv", every=5)]
        sim.observers[1] = au.Checkpoint("c.ckpt", every=5)  # which is replaced in any case
        sim.run(10)
    assert steps("a.csv") == [0, 10, 20, 30]


def test_times_name_those_that_are_taken_out(here):
    molecules = au.build.water(30).system()
    table = au.Energies("a.csv", every="0.1 ps")
    forces = [au.LennardJones(r_cut="0.4 nm"), au.ReactionField(r_cut="0.4 nm")]
    with au.Simulation(molecules, forces, au.LeapFrog(dt="2 fs"), observers=[table]) as sim:
        sim.observers.remove(table)
        assert sim.observers == []


def test_files_are_claimed_by_the_next_run(here, liquid):
    sim, other = liquid(), liquid(observers=[TABLE])
    other.run(10)
    sim.observers.append(TABLE)
    other.run(10)
    assert steps("b.csv") == [0, 10, 20]
    sim.run(10)  # one process: it takes the file over, as it may when it is made with it
    assert steps("b.csv") == [0, 10]


def test_what_is_refused_changes_nothing(here, liquid):
    def grow(sim):
        sim.observers.append(au.Log("late.csv", every=5))

    sim = liquid(observers=[LOG, au.Callback(grow, every=10)])
    with pytest.raises(au.InputError, match="changed during a run"):
        sim.run(20)
    with liquid(observers=[LOG]) as sim:
        sim.run(10)
        for wrong, words in (
            (au.Energies("a.csv", every=5), "two observers write"),
            (au.Log, "that is the class"),
            (au.NVE(dt=0.1), "an integrator does not belong there"),
            (au.Log("x.csv", every="1 ps"), "reduced units"),
        ):
            with pytest.raises(au.InputError, match=words):
                sim.observers.append(wrong)
        with pytest.raises(au.InputError, match="it must be a list"):
            sim.observers = au.Progress()
        assert sim.observers == [LOG]
        sim.run(10)
    assert steps("a.csv") == [0, 10, 20]


def test_the_list_reads_as_one(liquid):
    sim = liquid(observers=[au.Progress(lines=False)])
    kept = sim.observers
    kept.append(au.TimeLimit(seconds=100))
    assert len(kept) == 2 and kept[1] == au.TimeLimit(seconds=100) and au.Progress() not in kept
    assert repr(kept) == "[au.Progress(lines=False), au.TimeLimit(seconds=100.0)]"
    sim.observers = []
    assert sim.observers == [] == list(sim.observers) and repr(kept[0]) in repr(kept)
    assert "observers" not in str(sim.describe())


def test_the_methods_of_a_list(here, liquid):
    """They change the simulation as those of a list change that."""
    with liquid(observers=[LOG]) as sim:
        like, progress = [LOG], au.Progress()
        for change in (
            lambda items: items.extend([TABLE, progress]),
            lambda items: items.insert(0, au.Log("first.csv", every=5)),
            lambda items: items.pop(),
            lambda items: items.__setitem__(slice(0, 2), [progress]),
            lambda items: items.__delitem__(0),
            lambda items: items.reverse(),
            lambda items: items.clear(),
        ):
            change(sim.observers), change(like)
            assert sim.observers == like and tuple(like) == sim._loop.specs
    assert like == []
