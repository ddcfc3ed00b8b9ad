# SPDX-License-Identifier: Apache-2.0
"""Second threads and forked processes: a simulation has one owner at a time."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from small_runs import liquid, python

USES = {
    "energy": lambda sim: sim.energy,
    "get": lambda sim: sim.get("position"),
    "set": lambda sim: sim.set("velocity", np.zeros((sim.n, 3))),
    "set prepared": lambda sim: sim.set("velocity", np.zeros((500, 3))),
    "thermalize": lambda sim: sim.thermalize(1.0),
    "minimize": lambda sim: sim.minimize(max_steps=10),
    "write_checkpoint": lambda sim: sim.write_checkpoint("a.ckpt"),
    "run": lambda sim: sim.run(10),
    "arrays": lambda sim: sim.arrays.__enter__(),
    "close": lambda sim: sim.close(),
    "step": lambda sim: sim.step,
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def in_a_thread(sim: au.Simulation, act) -> list[BaseException]:
    """Have `act` done on a thread until it raises, while the main thread runs."""
    raised: list[BaseException] = []
    running = threading.Event()
    over = threading.Event()

    def work() -> None:
        running.wait(30)
        while not over.is_set() and not raised:
            try:
                act(sim)
            except BaseException as error:
                raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    running.set()
    try:
        sim.run(20)
    finally:
        over.set()
        thread.join(30)
    return raised


@pytest.fixture(scope="module")
def undisturbed() -> float:
    return liquid(n=500).run(20).energy.total


@pytest.mark.parametrize("use", USES)
def test_another_thread_is_refused_during_a_run(use, undisturbed):
    sim = liquid(n=500, observers=[au.Log("a.csv", every=10)])
    begun = threading.Event()
    refused: list[BaseException] = []

    def work() -> None:
        begun.wait(30)
        try:
            USES[use](sim)
        except BaseException as error:
            refused.append(error)

    thread = threading.Thread(target=work)
    thread.start()

    def release(_) -> None:  # between steps the simulation is the runner's too
        begun.set()
        thread.join(30)

    sim._loop.recorders.append(au.Callback(release, every=1).recorder())
    sim._loop._ordered.append(sim._loop.recorders[-1])
    sim.run(20)
    assert len(refused) == 1 and isinstance(refused[0], au.InputError), refused
    assert "another thread" in str(refused[0]) or "during a run" in str(refused[0])
    assert sim.energy.total == undisturbed
    sim.close()
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 3
    USES[use](sim)  # afterwards it may


def test_another_thread_is_refused_in_the_midst_of_steps():
    quiet = liquid(n=4000).run(20).energy.total
    sim = liquid(n=4000)
    raised = in_a_thread(sim, lambda sim: sim.thermo())
    assert sim.step == 20 and sim.energy.total == quiet
    assert all("another thread" in str(error) for error in raised)


def test_short_calls_wait_for_each_other():
    """Two threads that read a simulation at rest both get what they want."""
    sim = liquid(n=4000)
    wrong: list[object] = []
    expected = sim.energy.total

    def read() -> None:
        for _ in range(20):
            try:
                sim._changes += 1  # nothing is remembered
                if sim.energy.total != expected:
                    wrong.append(sim.energy.total)
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_a_callback_uses_its_simulation():
    seen = []

    def look(sim) -> None:
        sim.thermalize(1.0)
        sim.write_checkpoint("a.ckpt")
        seen.append((sim.step, sim.energy.total, float(sim.get("position").sum())))

    sim = liquid(observers=[au.Callback(look, every=5)]).run(10)
    assert [step for step, *_ in seen] == [0, 5, 10] and sim.step == 10


def test_close_in_a_callback_is_refused_and_loses_nothing():
    def close(sim) -> None:
        if sim.step == 20:
            with pytest.raises(au.InputError, match="close was called during a run"):
                sim.close()

    observers = [au.Log("a.csv", every=10), au.Callback(close, every=10)]
    with liquid(observers=observers) as sim:
        sim.run(50)
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 6


FORK = """
import os, sys, warnings
import aureole as au
from small_runs import liquid
warnings.simplefilter("ignore")
sim = liquid(threads=2, observers=[
    au.Log("a.csv", every=10), au.Trajectory("a.gsd", every=10), au.Checkpoint("a.ckpt", every=10)
])
sim.run(20)
pid = os.fork()
if pid == 0:
    for use in (lambda: sim.run(10), lambda: sim.energy, lambda: sim.step):
        try:
            use()
        except au.InputError as error:
            assert "forked" in str(error), error
        else:
            raise AssertionError("the child used it")
    sim.close()
    new = liquid(threads=2)
    new.run(10)
    assert new.step == 10
    sys.exit(7)
sim.run(20)
_, status = os.waitpid(pid, 0)
assert os.waitstatus_to_exitcode(status) == 7, status
sim.run(20)
sim.close()
"""


def test_a_forked_child_neither_hangs_nor_touches_files():
    done = python(FORK)
    assert done.returncode == 0, done.stderr
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 7
    import gsd.fl

    with gsd.fl.open("a.gsd", "r") as file:
        steps = [int(file.read_chunk(k, "configuration/step")[0]) for k in range(file.nframes)]
    assert steps == [0, 10, 20, 30, 40, 50, 60]
    with au.Simulation.from_checkpoint("a.ckpt") as again:
        assert again.step == 60
        again.run(10)


def test_a_fork_in_a_callback_ends_the_run_of_the_child_alone():
    text = """
import os
from small_runs import liquid
import aureole as au
children = []
def fork(sim):
    if sim.step == 20:
        children.append(os.fork())
sim = liquid(observers=[au.Log("a.csv", every=10), au.Callback(fork, every=10)])
try:
    sim.run(40)
except au.InputError as error:
    assert children == [0] and "forked" in str(error)
    raise SystemExit(5)
assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 5
sim.close()
"""
    done = python(text)
    assert done.returncode == 0, done.stderr
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 5


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_a_dropped_simulation_leaves_neither_thread_nor_descriptor():
    liquid().run(1)
    gc.collect()
    before = threading.active_count(), descriptors()
    for kind in (au.Log("a.csv", every=10), au.Frames("a.xtc", every=10)):
        sim = liquid(threads=2, observers=[kind, au.Trajectory("a.gsd", every=10)])
        sim.run(20)
        del sim
        gc.collect()
    assert (threading.active_count(), descriptors()) == before
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_what_was_not_closed_is_whole_when_python_ends():
    done = python("""
import aureole as au
from small_runs import liquid
sim = liquid(observers=[au.Log("a.csv", every=10), au.Trajectory("a.gsd", every=10)])
sim.run(20)
""")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(Path("a.csv").read_text().splitlines()) == 1 + 3
    assert not [name for name in os.listdir() if name.startswith(".")]
