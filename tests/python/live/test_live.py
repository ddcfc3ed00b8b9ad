# SPDX-License-Identifier: Apache-2.0
"""What simulations of all applications have: runs to steps and times, observers of both."""

from __future__ import annotations

import copy
import math
import pickle
import re
import threading
import time

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.live.arguments import check_device
from aureole.live.live import WITHOUT_END, Live
from aureole.live.observer import Observer, Recorder
from aureole.live.observer_list import HasObservers
from aureole.live.run_loop import RunLoop
from aureole.specs.spec import spec


@spec
class AtTimes(Observer, family=""):
    """Notes the steps and times at which it acts: each multiple of a time."""

    between: float
    seen: list

    def recorder(self):
        return AtTimesRecorder(self)


class AtTimesRecorder(Recorder):
    def next_step(self, step):
        return WITHOUT_END

    def is_due(self, step):
        return False

    def next_time(self, time):
        return (math.floor(time / self.spec.between + 1e-9) + 1) * self.spec.between

    def observe(self, sim, step):
        self.spec.seen.append((step, sim.time))


class Clock:
    """An engine whose steps grow: 0.1, 0.11, 0.121, ..."""

    step, time, dt, growth = 0, 0.0, 0.1, 1.1

    def run(self, steps, until):
        for _ in range(steps):
            if self.time >= until:
                return
            self.step += 1
            self.time = min(self.time + self.dt, until)
            self.dt *= self.growth

    def describe(self):
        return {"threads": 1}

    def hold(self, running):
        pass

    def ask_to_stop(self, asked):
        self.asked = asked

    def give_back(self):
        pass


class Clocked(HasObservers, Live):
    def __init__(self, observers=()):
        self._core = Clock()
        self._loop = RunLoop(self, observers)

    @property
    def time(self):
        return self._core.time

    def run(self, steps=WITHOUT_END, until=math.inf):
        self._loop.run(self.step + steps, until)


def test_times_are_met_by_whole_steps(liquid):
    """Each time by the first step at or after it; the engine's steps stay as they are."""
    seen, every = [], []
    observers = [AtTimes(between=0.013, seen=seen), au.Callback(lambda s: every.append(s.step), 4)]
    with liquid(observers=observers) as sim:
        sim.run(20)
    steps = [math.ceil(k * 0.013 / sim.dt - 1e-9) for k in range(1, 8)]
    assert [step for step, _ in seen] == [step for step in steps if step <= 20]
    assert every == [0, 4, 8, 12, 16, 20]
    exact = []
    with liquid(observers=[AtTimes(between=3 * sim.dt, seen=exact)]) as sim:
        sim.run(600)
    assert [step for step, _ in exact] == list(range(3, 601, 3))


def test_a_run_ends_at_a_time():
    seen, plain = [], Clocked()
    plain.run(until=0.7)
    assert plain.time == 0.7 and plain.target_time == 0.7
    with Clocked([AtTimes(between=0.25, seen=seen)]) as sim:
        sim.run(until=0.7)
        assert (sim.step, sim.time) == (plain.step, plain.time)
        assert [round(time, 4) for _, time in seen] == [0.331, 0.6105]
        sim.run(until=0.75)
    assert seen[-1] == (sim.step, 0.75)


@pytest.mark.parametrize("start", [0.0, 1e6, 1e9, -1e9])
def test_observers_at_times_are_not_early_where_steps_are_short_beside_the_time(start):
    """Steps of 2**-16, which add up exactly, beside times that a tolerance of 1e-12 would blur."""
    seen = []
    sim = Clocked([AtTimes(between=2**-10, seen=seen)])
    sim._core.time, sim._core.dt, sim._core.growth = start, 2**-16, 1.0
    sim.run(200)
    assert [step for step, _ in seen] == [64, 128, 192]
    assert [time - start for _, time in seen] == [k * 2**-10 for k in (1, 2, 3)]


def test_progress_of_a_run_to_a_time(capsys):
    with Clocked([au.Progress(lines=True)]) as sim:
        sim.run(until=0.7)
        sim.run(2)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("100.0 %  step 6  ") and second.startswith("100.0 %  step 8  ")


def test_observers_that_need_more_are_refused_by_name():
    sim = Clocked()
    for one, needs in ((au.Energies("e.csv"), "particles"), (au.Checkpoint(), "checkpoints")):
        with pytest.raises(au.InputError, match=f"needs {needs}, and.*Progress"):
            sim.observers.append(one)
    with pytest.raises(au.InputError, match=r"only objects such as au\.Prog"):
        sim.observers = [3]
    sim.observers = [au.TimeLimit(5.0)]
    sim.run(3)
    assert sim.step == 3


def stopped_by_a_thread(sim, steps):
    """How many steps a run makes that another thread ends as soon as it can."""

    def end():
        while not sim.stop("another thread") and not done.is_set():
            time.sleep(1e-3)

    first, done, thread = sim.step, threading.Event(), threading.Thread(target=end)
    thread.start()
    try:
        sim.run(steps)
    finally:
        done.set()
        thread.join()
    assert sim._loop.why == "another thread"
    return sim.step - first


def test_another_thread_ends_a_run_of_particles(here, liquid):
    with liquid(observers=[au.Checkpoint("a.ckpt", every=10**9)]) as sim:
        assert stopped_by_a_thread(sim, 20_000) < 20_000
        assert sim.run(5).target == sim.step  # one stop ends one run
        np.testing.assert_array_equal(liquid().run(sim.step).get("position"), sim.get("position"))
    assert au.Simulation.from_checkpoint("a.ckpt").step == sim.step


@pytest.mark.parametrize("schedule", ["pack", "subgrids", "aggregate"])
def test_another_thread_ends_a_run_of_a_gas(schedule):
    problem = amr.sod(64)
    sims = [
        amr.Simulation(problem.mesh(), threads=1, schedule=schedule).set(problem) for _ in range(2)
    ]
    assert stopped_by_a_thread(sims[0], 400_000) < 400_000
    last = sims[0].step + 3
    for sim in sims:
        sim.run(last - sim.step)
    np.testing.assert_array_equal(sims[0].get("energy"), sims[1].get("energy"))


def test_a_stop_without_a_run_says_so(liquid):
    answers = []
    sim = liquid(observers=[au.Callback(lambda s: answers.append(s.stop()), every=7)])
    assert sim.stop() is False
    assert sim.run(20).step == 0 and answers == [True]  # that one was for no run
    assert sim.stop() is False
    sim.observers = []
    assert sim.run(3).step == 3


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_simulations_are_neither_copied_nor_pickled(make, liquid):
    """A copy would share the engine and the files with its original."""
    gas = amr.Simulation(amr.sod(64).mesh(), amr.IdealGas())
    for sim, advice in (
        (liquid(), "snapshot"),
        (gas, "from_checkpoint"),
        (Clocked(), "another one"),
    ):
        words = f"{type(sim).__name__} cannot be copied or pickled .*{advice}"
        with pytest.raises(au.InputError, match=words) as told:
            make(sim)
        assert isinstance(told.value, TypeError)  # what pickle raises, and others expect
        with pytest.raises(au.InputError, match=words):
            make({"of": [sim]} if make is not copy.copy else sim)


def test_the_advice_on_copies_of_a_gas_makes_one(here):
    sim = amr.Simulation(amr.sod(64).mesh(), threads=1).set(amr.sod(64)).run(5)
    with pytest.raises(au.InputError) as told:
        copy.copy(sim)
    save, load = re.search(r": (sim\.\S+), then (amr\.\S+)\.$", str(told.value)).groups()
    eval(save, {"sim": sim})
    other = eval(load, {"amr": amr})
    assert other.time == sim.time and other is not sim
    np.testing.assert_array_equal(other.run(5).get("energy"), sim.run(5).get("energy"))


def test_copies_of_observers_are_lists():
    sim = Clocked([au.TimeLimit(5.0)])
    for made in (copy.copy(sim.observers), pickle.loads(pickle.dumps(sim.observers))):
        assert type(made) is list and made == [au.TimeLimit(5.0)]


def test_settings_that_an_application_lacks_are_refused_by_name():
    why = {"algorithm": "it has no pair lists", "ranks": "it runs on one rank"}
    check_device(au.Device(threads=2, precision="double"), "amr", why)
    for device in (au.Device(algorithm="flat"), au.Device(ranks=2)):
        with pytest.raises(au.InputError, match=r"(algorithm|ranks) of.*amr has no such"):
            check_device(device, "amr", why)
