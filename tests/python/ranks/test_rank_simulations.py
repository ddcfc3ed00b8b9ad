# SPDX-License-Identifier: Apache-2.0
"""Simulations on several ranks, from Python: the same numbers as on one, the same errors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest


def system(n: int = 12, seed: int = 3) -> au.System:
    """A dense fluid of n³ Lennard-Jones particles, near a lattice."""
    rng = np.random.default_rng(seed)
    edge = (1 / 0.8) ** (1 / 3) * n
    lattice = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3)
    position = (lattice + 0.5) / n * edge - edge / 2 + rng.normal(0, 0.05, (n**3, 3))
    velocity = rng.normal(0, 1.2, (n**3, 3))
    return au.System(box=au.Box(edge, edge, edge), position=position, velocity=velocity)


def simulation(ranks: int, **more: Any) -> au.Simulation:
    settings: dict[str, Any] = {
        "forces": [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="shift")],
        "integrator": au.NVE(dt=0.003),
        "device": au.Device(ranks=ranks, threads=1, precision="double"),
    }
    return au.Simulation(system(), **(settings | more))


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize(
    "neighbors", [au.NeighborList(), au.NeighborList(mode="tolerance", buffer=0.6)]
)
def test_ranks_make_the_steps_of_one(ranks: int, neighbors: au.NeighborList) -> None:
    one, many = (simulation(n, neighbors=neighbors) for n in (1, ranks))
    for sim in (one, many):
        sim.run(40)
    assert many.n == one.n == 12**3
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-9)
    assert many.temperature == pytest.approx(one.temperature, rel=1e-9)
    assert many.pressure == pytest.approx(one.pressure, rel=1e-8)
    for name in ("position", "velocity", "force"):
        np.testing.assert_allclose(many.get(name), one.get(name), atol=1e-7)
    for name in ("type", "mass", "tag", "image"):
        np.testing.assert_array_equal(many.get(name), one.get(name))


@pytest.mark.parametrize("ranks", [2, 4])
def test_flat_lists_make_the_steps_of_one(ranks: int) -> None:
    one, many = (
        simulation(n, device=au.Device(ranks=n, threads=1, precision="double", algorithm="flat"))
        for n in (1, ranks)
    )
    for sim in (one, many):
        sim.run(30)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-9)
    assert many.pressure == pytest.approx(one.pressure, rel=1e-8)
    for name in ("position", "velocity", "force"):
        np.testing.assert_allclose(many.get(name), one.get(name), atol=1e-7)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_ghosts_have_the_columns_that_potentials_read(algorithm: str) -> None:
    diameter = np.random.default_rng(8).uniform(0.7, 1.3, 12**3)

    def sim(ranks: int) -> au.Simulation:
        of = system()
        of.columns["diameter"] = diameter
        device = au.Device(ranks=ranks, threads=1, precision="double", algorithm=algorithm)
        forces = [au.SoftSpheres(epsilon=20.0, r_cut=1.4)]
        return au.Simulation(of, forces=forces, integrator=au.NVE(dt=0.003), device=device)

    one, many = sim(1), sim(3)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-12)
    for each in (one, many):
        each.run(40)
    np.testing.assert_allclose(many.get("velocity"), one.get("velocity"), atol=1e-9)
    np.testing.assert_array_equal(many.get("diameter"), diameter)


def test_external_forces_and_stages_act_on_each_particle_once() -> None:
    dimer = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="shift")
    trap = au.HarmonicTrap(kx=0.3, ky=0.2, kz=0.1)
    of = {"forces": [dimer, trap], "stages": [au.LinearDrag(gamma=0.5)]}
    one, many = (simulation(n, **of) for n in (1, 3))
    for sim in (one, many):
        sim.run(40)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-9)
    for name in ("position", "velocity", "force"):
        np.testing.assert_allclose(many.get(name), one.get(name), atol=1e-7)


@pytest.mark.parametrize("how", [au.FIRE, au.SteepestDescent])
def test_minimisers_go_the_same_way(how: Callable[..., Any]) -> None:
    one, many = (simulation(n) for n in (1, 3))
    energy = [sim.minimize(how(max_steps=25)).energy for sim in (one, many)]
    assert energy[0] < 0.99 * simulation(1).energy.potential  # downhill
    assert energy[1] == pytest.approx(energy[0], rel=1e-9)
    np.testing.assert_allclose(many.get("position"), one.get("position"), atol=1e-7)


def test_observers_and_edits_work(tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    seen: list[float] = []
    callback = au.Callback(lambda sim: seen.append(sim.energy.potential), every=10)
    sim = simulation(2, observers=[au.Log(str(file), every=10), callback])
    sim.run(40)
    assert len(seen) == 5
    assert len(file.read_text().splitlines()) >= 5
    velocity = np.zeros((12**3, 3))
    velocity[:, 0] = np.arange(12**3)
    sim.set("velocity", velocity)
    np.testing.assert_array_equal(sim.get("velocity"), velocity)
    sim.thermalize(1.7)
    assert sim.temperature == pytest.approx(1.7)
    sim.integrator = au.Langevin(dt=0.002, kT=1.0, gamma=1.0)
    sim.run(10)
    assert sim.step == 50


def test_a_description_before_any_step_names_the_ranks() -> None:
    sim = simulation(2)
    assert sim.describe()["ranks"] == 2
    text = str(sim.describe())
    assert "2 ranks" in text
    assert "kick" in text


def test_arrays_are_those_of_the_rank() -> None:
    sim = simulation(2)
    sim.run(5)
    position, force = sim.get("position"), sim.get("force")
    with sim.arrays as a:
        assert 0 < len(a.tag) < sim.n
        assert a.position.shape == (len(a.tag), 3) == a.force.shape
        np.testing.assert_array_equal(a.position, position[a.tag])
        np.testing.assert_array_equal(a.force, force[a.tag])
        low, high = a.position.min(axis=0), a.position.max(axis=0)
        own = (low, high)
    assert (own[1] - own[0]).min() < 0.6 * sim.box.lengths[0]  # a half of the box
    sim.run(5)


def test_ranks_are_a_number() -> None:
    for wrong in (0, -3, 1.5):
        with pytest.raises(au.InputError, match="ranks"):
            au.Device(ranks=wrong)
    with pytest.raises(au.InputError, match="1000 ranks cannot be started"):
        simulation(1000)


def after(seconds: float, act: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_rank_that_dies_ends_a_run(how: signal.Signals) -> None:
    sim = simulation(3)
    sim.run(5)
    victim = sim._core._team.world.process(2)
    after(0.3, lambda: os.kill(victim, how))
    words = "was killed by signal 9, SIGKILL," if how == signal.SIGKILL else "is stopped"
    began = time.monotonic()
    with pytest.raises(au.RankError, match=rf"rank 2 \(process {victim}\) {words} while rank"):
        sim.run(10**9)
    assert time.monotonic() - began < 60
    with pytest.raises(au.Error):
        sim.run(1)


INTERRUPTED = """\
import os, signal, sys, threading
sys.path.insert(0, {folder!r})
from test_rank_simulations import simulation
signal.signal(signal.SIGINT, signal.default_int_handler)
sim = simulation(2)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    sim.run(10**9)
except KeyboardInterrupt:
    stopped = sim.step
    sim.run(10)
    print(stopped, sim.step)
"""


def test_ctrl_c_stops_all_ranks_at_one_step() -> None:
    # A process of its own: those that run tests side by side ignore the signal.
    script = INTERRUPTED.format(folder=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    stopped, later = map(int, done.stdout.split())
    assert 0 < stopped < 10**9
    assert later == stopped + 10


def test_another_thread_stops_all_ranks_at_one_step() -> None:
    sim, plain = simulation(2), simulation(2)
    asked = after(0.3, lambda: sim.stop("another thread"))
    sim.run(100_000)  # minutes
    asked.join()
    stopped = sim.step
    assert 0 < stopped < 100_000 and sim._loop.why == "another thread"
    assert not sim.stop()
    assert sim.run(10).step == stopped + 10  # all ranks go on together
    np.testing.assert_array_equal(plain.run(sim.step).get("position"), sim.get("position"))


def test_two_simulations_at_a_time() -> None:
    first, second = simulation(2), simulation(3)
    for _ in range(3):
        first.run(5)
        second.run(5)
    assert first.energy.potential == pytest.approx(second.energy.potential, rel=1e-9)
