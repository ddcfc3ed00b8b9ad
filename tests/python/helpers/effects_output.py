# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of observers and of what writes frames."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from unittest import mock

import aureole as au
import gsd.hoomd
import numpy as np
from aureole.recorders.progress import ProgressRecorder
from aureole.report.view import scene_of
from effects import liquid, refuses, shows
from effects_molecules import argon_simulation, water_simulation
from mdrun_inputs import frames, rows


def run(observer, steps=6, make=liquid):
    with make(observers=[observer]) as sim:
        if make is water_simulation:  # molecules that the box cuts
            sim.set("position", sim.get("position") + 0.15)
        return sim.run(steps)


@shows("Callback.function", "Callback.every")
def callbacks(_):
    for every, want in ((1, 7), (3, 3)):
        seen = []
        run(au.Callback(seen.append, every=every))
        assert len(seen) == want
    refuses("callable", lambda: au.Callback(3))


@shows("Checkpoint.path", "Checkpoint.every")
def checkpoints(_):
    for every, before in ((2, 4), (6, None)):
        path = f"{every}.ckpt"
        run(au.Checkpoint(path, every=every))
        assert au.Simulation.from_checkpoint(path).step == 6
        previous = Path(path + ".prev")
        assert previous.exists() == (before is not None)
        if before:
            assert au.Simulation.from_checkpoint(previous).step == before


@shows("TimedCheckpoint.path", "TimedCheckpoint.every", "TimedCheckpoint.minutes")
def timed_checkpoints(_):
    for name, more in (("a", {}), ("b", {"every": 2}), ("c", {"minutes": 1e-9})):
        run(au.TimedCheckpoint(f"{name}.ckpt", **more), steps=40)
        assert au.Simulation.from_checkpoint(f"{name}.ckpt").step == 40
    # `every` is not used; a short time brings more of them.
    assert [Path(f"{name}.ckpt.prev").exists() for name in "abc"] == [False, False, True]


@shows("TimeLimit.seconds")
def time_limit(_):
    assert run(au.TimeLimit(0.0), steps=100_000).step < 100_000
    assert run(au.TimeLimit(1e6), steps=50).step == 50


@shows("Simulation.stop.why")
def reason_of_a_stop(_):
    for why in ((), ("enough is known",)):
        end = au.Callback(lambda sim, why=why: sim.step == 10 and sim.stop(*why), every=10)
        liquid(observers=[au.RunLog("a.log", every=10), end]).run(100).close()
        said = (*why, "sim.stop()")[0]
        assert json.loads(Path("a.json").read_text())["stopped"] == said
        assert f"Stopped by {said} before step 100 at step 10" in Path("a.log").read_text()


@shows("Energies.path", "Energies.every")
def energies(_):
    for every, want in ((2, [0, 2, 4, 6]), (3, [0, 3, 6])):
        run(au.Energies(f"{every}.csv", every=every))
        assert rows(f"{every}.csv")["step"].tolist() == want
    run(au.Energies("a.parquet", every=3))
    assert Path("a.parquet").read_bytes()[:4] == b"PAR1"


@shows("Callback.every_time", "Log.every_time")
def at_times(_):
    """In place of every so many steps; at the first step at or after each time."""
    for between, want in ((0.01, [0, 2, 4, 6]), (0.0125, [0, 3, 5])):
        seen = []
        call = au.Callback(lambda sim, seen=seen: seen.append(sim.step), every_time=between)
        log = au.Log("times.csv", every_time=between, quantities=("step",))
        with liquid(observers=[call, log]) as sim:
            sim.run(6)
        assert seen == want
        assert [int(row) for row in Path("times.csv").read_text().split()[1:]] == want
    refuses("every_time of Log is -1", lambda: au.Log("a.csv", every_time=-1))


@shows("Log.path", "Log.every", "Log.quantities")
def logs(_):
    run(au.Log("a.csv", every=3))
    assert rows("a.csv")["step"].tolist() == [0, 3, 6]
    run(au.Log("b.csv", every=2, quantities=["step", "momentum_x"]))
    assert list(rows("b.csv")) == ["step", "momentum_x"] and len(rows("b.csv")["step"]) == 4


@shows("Trajectory.path", "Trajectory.every", "Trajectory.fields")
def trajectories(_):
    run(au.Trajectory("a.gsd", every=2))
    run(au.Trajectory("b.gsd", every=3, fields=["force"]))
    with gsd.hoomd.open("a.gsd") as a, gsd.hoomd.open("b.gsd") as b:
        assert [f.configuration.step for f in a] == [0, 2, 4, 6]
        assert [f.configuration.step for f in b] == [0, 3, 6]
        assert "particles/force" in b[0].log and not a[0].log
        assert np.abs(a[0].particles.velocity).max() > 0 == np.abs(b[0].particles.velocity).max()


@shows("Frames.path", "Frames.every", "Frames.precision", "Frames.particles", "Frames.positions",
       "Frames.velocities", "Frames.forces", "Frames.whole")  # fmt: skip
def frame_files(_):
    def made(path, **changes):
        run(au.Frames(path, **({"every": 2} | changes)), make=water_simulation)
        return frames(path)

    def places(path, **changes):
        frame = made(path, **changes)[0]  # which owns what is copied
        return frame.positions.copy()

    plain = made("a.xtc")
    assert [f.step for f in plain] == [0, 2, 4, 6]
    assert len(made("b.xtc", every=3)) == 3 and len(made("c.gro")) == 4
    coarse, fine = places("d.xtc", precision=10.0), plain[0].positions  # chemfiles tells Å
    assert np.allclose(coarse, np.round(coarse), atol=1e-3)
    assert not np.allclose(fine, np.round(fine), atol=1e-3)
    assert len(made("e.xtc", particles="0-3,8")[0].atoms) == 5
    assert not plain[0].has_velocities() and made("f.trr", velocities=True)[0].has_velocities()
    size = {name: Path(name).stat().st_size for name in ("f.trr",)}
    made("g.trr", velocities=True, forces=True)
    made("h.trr", velocities=True, positions=4)
    assert Path("h.trr").stat().st_size < size["f.trr"] < Path("g.trr").stat().st_size
    apart, together = places("i.trr", whole=False) / 10, places("j.trr") / 10

    def longest(x):
        return np.abs(x.reshape(-1, 3, 3)[:, 1:] - x.reshape(-1, 3, 3)[:, :1]).max()

    assert longest(together) < 0.11 < 1.4 < longest(apart)  # of a box of 1.56 nm


@shows("view.of")
def views(_):
    """What is shown; the widget itself needs anywidget: test_notebook.py."""
    for of in (water_simulation(), water_simulation().snapshot()):
        assert [kind["name"] for kind in scene_of(of)["elements"]] == ["oxygen", "hydrogen"]
        assert scene_of(of)["n"] == of.n
    refuses("view got 3", lambda: scene_of(3))


@shows("Progress.seconds", "Progress.lines")
def progress(_):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def intervals(stream, **changes):
        with mock.patch.dict(os.environ, TERM="xterm"):
            recorder = ProgressRecorder(au.Progress(**changes), stream)
        return recorder.shown, recorder.seconds

    assert intervals(Terminal()) == (True, 0.5)
    assert intervals(Terminal(), seconds=2.0) == (True, 2.0)
    assert intervals(io.StringIO()) == (True, 10.0)
    assert intervals(io.StringIO(), lines=False) == (False, 10.0)
    assert intervals(io.StringIO(), lines=True) == (True, 10.0)


@shows("RunLog.path", "RunLog.every", "RunLog.inputs", "RunLog.notes", "RunLog.outputs",
       "RunLog.timed_from")  # fmt: skip
def diaries(_):
    def written(name, **changes):
        run(au.RunLog(f"{name}.log", **changes), make=argon_simulation)
        return Path(f"{name}.log").read_text(), json.loads(Path(f"{name}.json").read_text())

    text, twin = written("a", every=2)
    assert twin["step"] == 6 and "of its own" not in text
    rare, _ = written("b", every=6)
    assert len(rare.splitlines()) == len(text.splitlines()) - 2
    text, twin = written("c", notes=["a note of its own"])
    assert "a note of its own" in text and twin["notes"][0] == "a note of its own"
    text, twin = written("d", inputs={"conf": "of its own.gro"})
    assert "of its own.gro" in text and twin["inputs"]["conf"] == "of its own.gro"
    text, twin = written("e", outputs={"last_frame": "of its own.gro"})
    assert twin["outputs"]["last_frame"] == "of its own.gro" and twin["steps"] == 6
    assert written("f", timed_from=4)[1]["steps"] == 2


@shows("write_frame.path", "write_frame.sim", "write_frame.precision", "write_frame.velocities",
       "write_frame.whole", "Simulation.positions.whole")  # fmt: skip
def last_frames(_):
    sim = water_simulation()
    sim.set("position", sim.get("position") + 0.15)

    def text(path="a.gro", of=sim, **changes):
        au.write_frame(path, of, **changes)
        return Path(path).read_text()

    plain = text()
    assert text("a.pdb").startswith("TITLE") and text(of=argon_simulation()) != plain
    assert len(text(precision=5).splitlines()[5]) - len(plain.splitlines()[5]) == 12
    assert len(plain.splitlines()[5]) - len(text(velocities=False).splitlines()[5]) == 24
    assert text(whole=False) != plain
    for whole in (True, False):  # what the file holds
        rows = [line[20:44].split() for line in text(whole=whole).splitlines()[2:-1]]
        assert np.allclose(np.array(rows, float), sim.positions(whole=whole), atol=6e-4)


@shows("from_gromacs.observers")
def observers(_):
    seen = []
    argon_simulation(observers=[au.Callback(seen.append, every=2)]).run(4)
    assert len(seen) == 3
