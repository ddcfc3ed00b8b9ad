# SPDX-License-Identifier: Apache-2.0
"""What goes by the clock: checkpoints, the end of a run; and runs that end themselves."""

from __future__ import annotations

import io
import os
import signal
import time
import warnings

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.recorders.progress import ProgressRecorder
from aureole.recorders.wall_time import Pace


def test_stop_ends_a_run_at_its_step(liquid):
    sim = liquid(observers=[])
    seen = []

    def enough(sim):
        seen.append(sim.step)
        if sim.step == 30:
            sim.stop()

    sim = liquid(observers=[au.Callback(enough, every=10)])
    assert sim.run(100).step == 30 and seen == [0, 10, 20, 30]
    assert sim.run(until=100).step == 100  # one stop ends one run
    assert sim.target == 100


def test_time_limit(here, liquid):
    limit = au.TimeLimit(seconds=0.5)
    sim = liquid(observers=[limit, au.TimedCheckpoint("a.cpt"), au.Log("a.csv", every=100)])
    began = time.monotonic()
    with sim:
        sim.run(10**9)
    assert 0.45 < time.monotonic() - began < 10
    again = au.Simulation.from_checkpoint("a.cpt")
    assert again.step == sim.step and again.target == 10**9
    assert np.array_equal(again.get("position"), sim.get("position"))
    assert sim.run(10**9).step > again.step  # each run has the whole time


def test_a_time_limit_without_a_step_is_said(liquid):
    gas = amr.Simulation(amr.sod(64).mesh(), threads=1, observers=[au.TimeLimit(0)])
    gas.set(amr.sod(64))
    words = r"ended at step 0 without a step of its own \(the time limit of 0 s was over\)"
    for sim, ways in (
        (liquid(observers=[au.TimeLimit(0)]), [{"steps": 10}, {"until": 10}]),
        (gas, [{"steps": 10}, {"until": 0.1}]),
    ):
        for how in ways:
            with pytest.warns(UserWarning, match=words) as said:
                sim.run(**how)
            assert sim.step == 0 and [w.filename for w in said] == [__file__]
        nothing_to_do = [{"steps": 0}, {"until": 0}]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for how in nothing_to_do:
                sim.run(**how)
            sim.observers = [au.TimeLimit(60.0)]
            assert sim.run(2).step == 2


def test_a_handler_of_the_users_stays(liquid):
    heard = []
    tell = au.Callback(lambda s: s.step == 20 and os.kill(os.getpid(), signal.SIGUSR1), every=10)
    sim = liquid(observers=[tell])
    before = signal.signal(signal.SIGUSR1, lambda *_: heard.append(sim.step))
    try:
        assert sim.run(40).step == 40 and heard == [20]
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        sim.step = 0
        with pytest.raises(au.Terminated, match=r"stopped at step 20 of 40 by SIGUSR1 \(") as ended:
            sim.run(40)
        assert ended.value.code == 128 + signal.SIGUSR1
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_checkpoints_by_the_clock(here, liquid, monkeypatch):
    written = []
    write = au.Simulation.write_checkpoint
    monkeypatch.setattr(
        au.Simulation,
        "write_checkpoint",
        lambda self, path: (written.append((self.step, time.monotonic())), write(self, path)),
    )
    checkpoint = au.TimedCheckpoint("a.cpt", minutes=0.2 / 60)
    sim = liquid(observers=[checkpoint, au.TimeLimit(seconds=1.5)])
    sim.run(10**9)
    steps, times = zip(*written, strict=True)
    assert 3 <= len(steps) <= 9 and steps[-1] == sim.step
    assert min(np.diff(times)[:-1]) > 0.19  # the last one is that of the end
    assert os.path.exists("a.cpt.prev")


def test_none_but_the_last(here, liquid):
    sim = liquid(observers=[au.TimedCheckpoint("a.cpt", minutes=0), au.TimeLimit(seconds=0.3)])
    sim.run(10**9)
    assert not os.path.exists("a.cpt.prev")
    assert au.Simulation.from_checkpoint("a.cpt").step == sim.step


def test_clocks_do_not_change_the_course(liquid, here):
    plain = liquid()
    plain.run(300)
    timed = liquid(observers=[au.TimedCheckpoint("a.cpt", minutes=1e-4), au.TimeLimit(seconds=60)])
    timed.run(300)
    assert np.array_equal(plain.get("position"), timed.get("position"))


def test_pace_grows_slowly():
    pace = Pace(100)
    assert pace.steps_in(1e9, 100) == 1
    assert 1 <= pace.steps_in(1e9, 110) <= 40
    assert pace.steps_in(0.0, 110) == 1


@pytest.mark.parametrize("value", [-1, float("nan"), "soon"])
def test_wrong_times(value):
    with pytest.raises(au.InputError, match="seconds of TimeLimit"):
        au.TimeLimit(seconds=value)
    with pytest.raises(au.InputError, match="minutes of TimedCheckpoint"):
        au.TimedCheckpoint(minutes=value)


def test_lines_of_progress(liquid):
    stream = io.StringIO()
    sim = liquid()
    recorder = ProgressRecorder(au.Progress(lines=True), stream)
    recorder.start(sim, 10)
    sim.run(10)
    recorder.finish(sim)
    text = stream.getvalue()
    assert text.endswith("\n") and "100.0 %" in text and "step 10" in text and "\033" not in text


def test_progress_without_end(liquid, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    stream.isatty = lambda: True
    sim = liquid()
    recorder = ProgressRecorder(au.Progress(seconds=0.05), stream)
    recorder.start(sim, 2**62)
    for _ in range(3):
        sim.run(200)
        time.sleep(0.06)
        recorder.observe(sim, sim.step)
    text = stream.getvalue()
    assert "step 200" in text and "%" not in text and "left" not in text
