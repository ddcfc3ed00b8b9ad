# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of forces, integrators, lists, devices and simulations."""

from __future__ import annotations

import os
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from effects import LJ, liquid, pair, pair_energy, refuses, shows


def energy(r, epsilon=1.0, sigma=1.0):
    s6 = (sigma / r) ** 6
    return 4 * epsilon * (s6 * s6 - s6)


def made(kind, **changes):
    cut = {"LennardJones": {"r_cut": 2.5}, "WCA": {}}[kind]
    return getattr(au, kind)(**({"epsilon": 1.0, "sigma": 1.0} | cut | changes))


#: What WCA adds to a Lennard-Jones pair within its minimum.
LIFT = {"LennardJones": 0.0, "WCA": 1.0}


@shows("LennardJones.epsilon", "WCA.epsilon")
def strength(kind):
    for epsilon in (1.0, 2.5):
        want = energy(1.05, epsilon) + epsilon * LIFT[kind]
        assert np.isclose(pair_energy(made(kind, epsilon=epsilon), 1.05), want, rtol=1e-12)


@shows("LennardJones.sigma", "WCA.sigma")
def size(kind):
    for sigma in (1.0, 1.1):
        want = energy(1.05, sigma=sigma) + LIFT[kind]
        assert np.isclose(pair_energy(made(kind, sigma=sigma), 1.05), want, rtol=1e-12)


@shows("LennardJones.r_cut", "WCA.r_cut")
def cut_off(kind):
    assert pair_energy(made(kind, r_cut=1.0), 1.05) == 0.0
    assert pair_energy(made(kind, r_cut=1.08), 1.05) != 0.0
    if kind == "WCA":
        refuses("ends at 1.12246", lambda: pair_energy(made(kind, r_cut=2.0), 1.5))
    else:
        refuses("has no r_cut", lambda: pair_energy(made(kind, r_cut=None), 1.05))


@shows("LennardJones.mode", "WCA.mode")
def mode(kind):
    r, rc = 1.04, 1.1
    lift = LIFT[kind]
    slope = (energy(rc + 1e-6) - energy(rc - 1e-6)) / 2e-6
    shifted = energy(r) - energy(rc)
    want = {"none": energy(r) + lift, "shift": shifted, "force-shift": shifted - slope * (r - rc)}
    for name, value in want.items():
        assert np.isclose(pair_energy(made(kind, r_cut=rc, mode=name), r), value, atol=1e-8), name


@shows("LennardJones.r_switch", "WCA.r_switch")
def switch(kind):
    r, rc = 1.04, 1.1
    for start in (1.0, 1.02):
        a, b, c = rc**2 - r**2, start**2, rc**2
        smooth = a * a * (c + 2 * r**2 - 3 * b) / (c - b) ** 3
        found = pair_energy(made(kind, r_cut=rc, mode="xplor", r_switch=start), r)
        assert np.isclose(found, smooth * (energy(r) + LIFT[kind]), rtol=1e-10), start
    refuses("only mode 'xplor'", lambda: made(kind, r_cut=rc, r_switch=1.0, mode="shift"))


@shows("LennardJones.tail_correction")
def tail(_):
    plain, with_tail = (
        liquid(None, forces=[LJ.replace(tail_correction=on)]) for on in (False, True)
    )
    added = with_tail.energy.potential - plain.energy.potential
    want = 8 * np.pi / 3 * 256 * 0.8 * (2.5**-9 / 3 - 2.5**-3)
    assert np.isclose(added, want, rtol=1e-9)


@shows("WCA.tail_correction")
def no_tail(_):
    assert made("WCA", tail_correction=False) == made("WCA")
    refuses("zero beyond", lambda: made("WCA", tail_correction=True))


# Integrators


def integrator(kind, **changes):
    thermostat = {"NVE": {}, "Langevin": {"kT": 1.2}, "Bussi": {"kT": 1.2}}[kind]
    return getattr(au, kind)(**({"dt": 0.004} | thermostat | changes))


def after(steps, **changes):
    return liquid(**changes).run(steps)


@shows("NVE.dt", "Langevin.dt", "Bussi.dt")
def time_step(kind):
    for dt in (0.002, 0.004):
        sim = liquid(integrator=integrator(kind, dt=dt))
        x, v = sim.get("position"), sim.get("velocity")
        sim.run(1)
        moved = sim.box.minimum_image(sim.get("position") - x)
        assert np.abs(moved - v * dt).max() < 0.2 * dt and sim.time == dt


@shows("NVE.start", "Langevin.start", "Bussi.start")
def time_of_step_0(kind):
    assert liquid(integrator=integrator(kind, start=3.0)).run(1).time == pytest.approx(3.004)


@shows("NVE.filter", "Langevin.filter", "Bussi.filter")
def those_that_move(kind):
    sim = liquid(integrator=integrator(kind, filter=au.Tags(range(100))))
    x = sim.get("position")
    moved = (sim.run(3).get("position") != x).any(axis=1)
    assert moved[:100].all() and not moved[100:].any()


@shows("NVE.remove_com_every", "Langevin.remove_com_every", "Bussi.remove_com_every")
def drift(kind):
    def momentum(every):
        sim = liquid(integrator=integrator(kind, remove_com_every=every))
        sim.set("velocity", sim.get("velocity") + 0.5)
        sim.run(4)
        return np.abs(sim.momentum).max()

    assert momentum(0) > 1.0 and momentum(5) > 1.0 and momentum(4) < 1e-9


@shows("Langevin.kT", "Bussi.kT")
def thermostat(kind):
    hard = {"Langevin": {"gamma": 50.0}, "Bussi": {"tau": 0.02, "every": 1}}[kind]
    for kT in (0.5, 2.0):
        sim = liquid(integrator=integrator(kind, kT=kT, **hard)).run(150)
        assert abs(sim.temperature - kT) < 0.25 * kT


@shows("Langevin.gamma")
def friction(_):
    alone, free = (
        liquid(integrator=integrator(kind, **more))
        for kind, more in (("Langevin", {"gamma": 0.0}), ("NVE", {}))
    )
    alone.set("velocity", free.get("velocity"))
    assert np.allclose(alone.run(20).get("velocity"), free.run(20).get("velocity"), atol=1e-9)
    # A step forgets 1 - exp(-gamma dt) of a velocity.
    for gamma in (1.0, 100.0):
        sim = liquid(forces=[], integrator=integrator("Langevin", kT=0.0, gamma=gamma))
        v = sim.get("velocity")
        assert np.allclose(sim.run(1).get("velocity"), v * np.exp(-gamma * 0.004))


@shows("Bussi.tau", "Bussi.every")
def rescaling(_):
    def kinetic(steps, **changes):
        sim = liquid(forces=[], integrator=integrator("Bussi", kT=50.0, **changes))
        return sim.run(steps).energy.kinetic

    start = liquid(forces=[]).energy.kinetic
    assert kinetic(3, every=4, tau=0.1) == start != kinetic(4, every=4, tau=0.1)
    slow, fast = (kinetic(4, every=4, tau=tau) for tau in (1.0, 0.1))
    assert start < slow < fast


def hot_crystal():
    return au.build.random(108, 0.5, min_distance=0.9, seed=2)


@shows("FIRE.force_tolerance", "FIRE.max_steps", "FIRE.dt_start",
       "Simulation.minimize.spec", "Simulation.minimize.changes")  # fmt: skip
def minimiser(_):
    def down(**changes):
        sim = liquid(None, system=hot_crystal())
        return sim.minimize(**changes)

    loose, tight = down(force_tolerance=5.0), down(force_tolerance=1.0)
    assert loose.converged and 1.0 < loose.max_force <= 5.0 and tight.max_force <= 1.0
    assert down(max_steps=7).steps == 7
    one, two = (down(max_steps=1, dt_start=dt).energy for dt in (0.001, 0.002))
    assert one != two
    assert down(spec=au.FIRE(force_tolerance=5.0)) == loose
    refuses("a spec and single settings", lambda: down(spec=au.FIRE(), max_steps=3))


# Lists and devices


@shows("NeighborList.mode", "NeighborList.tolerance", "NeighborList.buffer")
def lists(_):
    def widths(**changes):
        about = liquid(neighbors=au.NeighborList(**changes)).run(30).describe()
        return about["list"], about["inner_buffer"]

    assert widths() == ("exact", 0.0)
    kind, width = widths(mode="tolerance")
    assert kind == "tolerance" and width > widths(mode="tolerance", tolerance=0.05)[1] > 0.0
    assert widths(mode="tolerance", buffer=0.4)[1] == 0.4
    refuses("an exact list", lambda: au.NeighborList(buffer=0.4))


@shows("Device.name", "Simulation.device")
def device_name(_):
    assert liquid(None, device="host").describe()["device"] == "host"
    assert liquid(None, device=au.Device(name="cpu")).describe()["device"] == "host"
    refuses("cuda", lambda: liquid(None, device="cuda:99"))


@shows("Device.precision", "Simulation.precision")
def precision(_):
    def force(**changes):
        sim = liquid(None, system=hot_crystal(), **changes)
        return sim.describe()["precision"], sim.get("force")

    (one, exact), (two, rounded) = force(), force(precision="mixed")
    assert (one, two) == ("double", "mixed")
    assert 0 < np.abs(exact - rounded).max() < 1e-4 * np.abs(exact).max()
    three = force(precision=None, device=au.Device(precision="double"))
    assert three[0] == "double" and np.array_equal(three[1], exact)


@shows("Device.threads", "Simulation.threads")
def threads(_):
    for n in (1, 2):
        assert liquid(None, threads=n).describe()["threads"] == n
        by_spec = liquid(None, threads=None, device=au.Device(threads=n))
        assert by_spec.describe()["threads"] == n


@shows("Device.ranks")
def ranks(_):
    system = au.build.lattice("fcc", n=2048, density=0.8)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)

    def described(n):
        device = au.Device(ranks=n, threads=1)
        sim = au.Simulation(system, [force], au.NVE(dt=0.002), device=device)
        sim.run(2)
        return sim.describe().get("ranks", 1)

    assert described(1) == 1
    assert described(2) == 2


@shows("Device.grid")
def grid(_):
    system = au.build.lattice("fcc", n=2048, density=0.8)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    for axis in range(3):
        cells = tuple(2 if k == axis else 1 for k in range(3))
        device = au.Device(ranks=2, threads=1, grid=cells)
        sim = au.Simulation(system, [force], au.NVE(dt=0.002), device=device)
        sim.run(2)
        with sim.arrays as own:  # of rank 0, in the lower half
            along = own.position[:, axis] / system.box.lengths[axis]
        assert along.max() < 0.1 and len(along) < 0.6 * sim.n


@shows("Device.pin")
def pinned(_):
    allowed = len(os.sched_getaffinity(0))
    if allowed < 2:
        pytest.skip("one processor: its only thread is bound to it in any case")

    def bound(pin):
        before = set(os.listdir("/proc/self/task"))
        sim = liquid(None, threads=None, device=au.Device(name="host", threads=allowed, pin=pin))
        sim.run(1)
        new = set(os.listdir("/proc/self/task")) - before
        return [len(os.sched_getaffinity(int(task))) for task in new].count(1)

    assert bound(True) == allowed - 1 and bound(False) == 0


@shows("Device.hostile")
def hostile(_):
    plain, delayed = (
        liquid(threads=None, device=au.Device(name="host", threads=1, hostile=on))
        for on in (False, True)
    )
    assert (plain.device.hostile, delayed.device.hostile) == (False, True)
    assert np.array_equal(plain.run(3).get("position"), delayed.run(3).get("position"))


@shows("Device.algorithm")
def algorithm(_):
    found = {
        name: liquid(threads=None, device=au.Device(name="host", threads=1, algorithm=name))
        for name in ("auto", "clusters", "flat")
    }
    forces = {name: sim.get("force") for name, sim in found.items()}
    about = {name: sim.run(5).describe() for name, sim in found.items()}
    assert about["auto"] == about["clusters"] != about["flat"]
    assert np.allclose(forces["flat"], forces["clusters"], atol=1e-3)


# Simulations


@shows("Simulation.system", "Simulation.forces", "Simulation.integrator", "Simulation.observers",
       "Simulation.seed", "Simulation.neighbors")  # fmt: skip
def parts(_):
    system = pair(1.2)
    with au.Simulation(system, [LJ, au.WCA(epsilon=1.0, sigma=1.0)], threads=1) as sim:
        assert sim.snapshot() == system and sim.integrator is None
        assert sim.energy.per_force.keys() == {"LennardJones", "WCA"}
        refuses("no integrator", lambda: sim.run(1))
    assert au.Simulation(system, threads=1).energy.potential == 0.0
    assert liquid(integrator=au.NVE(dt=0.001)).dt == 0.001
    seen = []
    watched = liquid(observers=[au.Callback(lambda s: seen.append(s.step), every=2)])
    watched.run(4)
    assert seen == [0, 2, 4] and len(watched.observers) == 1
    one, same, other = (liquid(seed=seed).get("velocity") for seed in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)
    spec = au.NeighborList(mode="tolerance")
    assert liquid(neighbors=spec).run(1).describe()["list"] == "tolerance"


@shows("Simulation.run.steps", "Simulation.run.until")
def length(_):
    from effects_molecules import argon_simulation

    sim = argon_simulation()
    assert sim.run("6 fs").step == 3 and sim.run(until="10 fs").step == 5
    sim = liquid()
    assert sim.run(3).step == 3
    assert sim.run(until=5).step == 5 and sim.run(until=4).step == 5
    refuses("only one can apply", lambda: sim.run(1, until=9))
    refuses("reduced units", lambda: sim.run("6 fs"))


@shows("Simulation.thermalize.kT", "Simulation.thermalize.seed")
def thermalise(_):
    from effects_molecules import argon_simulation

    sim = argon_simulation()
    # kT [kJ/mol] of 100 K
    refuses("100 K", lambda: sim.thermalize(0.8314462618))
    assert np.isclose(sim.thermalize("120 K").temperature, 120.0)
    assert np.isclose(sim.thermalize("1 kJ/mol").temperature, 120.27236)
    refuses("there is no thermostat", lambda: sim.thermalize())
    for kT in (0.5, 1.5):
        assert np.isclose(liquid(kT).temperature, kT, rtol=1e-12)
    sim = liquid(None, integrator=au.Langevin(dt=0.005, kT=0.7))
    assert np.isclose(sim.thermalize().temperature, 0.7)
    one, same, other = (sim.thermalize(1.0, seed=k).get("velocity") for k in (5, 5, 6))
    assert np.array_equal(one, same) and not np.array_equal(one, other)
    refuses("reduced units", lambda: sim.thermalize("100 K"))


@shows("Simulation.get.name", "Simulation.get.order", "Simulation.set.name",
       "Simulation.set.values", "Simulation.set.order")  # fmt: skip
def columns(_):
    from effects_molecules import argon_simulation

    for sim in (argon_simulation(), liquid(n=500).run(60)):
        check_columns(sim)


def check_columns(sim):
    tag = sim.get("tag", order="local")
    assert not np.array_equal(tag, np.arange(sim.n))
    x, v = sim.get("position"), sim.get("velocity")
    assert np.array_equal(sim.get("position", order="local"), x[tag])
    assert not np.array_equal(x, v)
    sim.set("velocity", 2 * v)
    assert np.array_equal(sim.get("velocity"), 2 * v) and np.array_equal(sim.get("position"), x)
    sim.set("velocity", v[tag], order="local")
    assert np.array_equal(sim.get("velocity"), v)


@shows("Simulation.set_positions.values")
def positions_from_a_corner(_):
    sim = liquid(n=500)
    x = sim.positions()
    sim.set_positions(x + 0.3)
    assert np.allclose(sim.positions(), (x + 0.3) % sim.box.lengths, atol=1e-12)


@shows("Simulation.pace.steps_per_second")
def pace(_):
    from effects_molecules import argon_simulation

    # 2 fs steps: a million seconds of a thousand steps make 2 ns... 86400 × 2 fs × 1000
    assert argon_simulation().pace(1000.0).startswith("173 ns")
    assert liquid(None).pace(1.0) == "432 τ/day"  # 86400 × 0.005


@shows("Simulation.from_checkpoint.path", "Simulation.from_checkpoint.callbacks",
       "Simulation.from_checkpoint.device", "Simulation.from_checkpoint.threads",
       "Simulation.write_checkpoint.path")  # fmt: skip
def restarts(_):
    seen = []
    function = au.Callback(lambda sim: seen.append(sim.step), every=2)
    sim = liquid(observers=[function]).run(2)
    sim.write_checkpoint("a.ckpt")
    sim.run(2)
    sim.write_checkpoint("b.ckpt")
    load = au.Simulation.from_checkpoint
    a, b = load("a.ckpt", callbacks=[function]), load("b.ckpt", callbacks=[function])
    assert (a.step, b.step) == (2, 4)
    seen.clear()
    a.run(2)
    assert seen == [4] and np.array_equal(a.get("position"), b.get("position"))
    with pytest.warns(UserWarning, match="callback"):
        assert not load("a.ckpt").observers
    assert load("a.ckpt", callbacks=[function], threads=2).describe()["threads"] == 2
    other = au.Device(name="host", threads=1, precision="double", algorithm="flat")
    assert load("a.ckpt", callbacks=[function], device=other).device.algorithm == "flat"


@shows("Simulation.from_checkpoint.allow_write")
def places_to_write(_):
    from effects_molecules import argon_simulation

    for make in (argon_simulation, liquid):
        check_places(make)


def check_places(make):
    path = Path("out/log.csv").absolute()
    path.parent.mkdir(exist_ok=True)
    Path("in").mkdir(exist_ok=True)
    table = [au.Energies(str(path), every=1)]
    cls = au.Simulation
    with make(observers=table) as sim:
        sim.run(2)
        sim.write_checkpoint("in/a.ckpt")
    refuses("allow_write", lambda: cls.from_checkpoint("in/a.ckpt"))
    with cls.from_checkpoint("in/a.ckpt", allow_write=[path]) as again:
        again.run(1)
    assert path.read_text().splitlines()[-1].startswith("3,")
