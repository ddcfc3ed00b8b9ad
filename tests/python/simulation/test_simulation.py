# SPDX-License-Identifier: Apache-2.0
"""The live object: the example of the README, integrators, arrays, refusals."""

from __future__ import annotations

import csv
import os
import weakref

import aureole as au
import gsd.hoomd
import numpy as np
import pytest
from aureole.engine.array_views import DeviceArray


def test_example_as_it_stands(here, capsys):
    system = au.build.lattice("fcc", n=4_000, density=0.8442)
    sim = au.Simulation(
        system,
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.NVE(dt=0.005),
        observers=[
            au.Trajectory("melt.gsd", every=1000),
            au.Log("melt.csv", every=100),
            au.Progress(),
        ],
        seed=1,
    )
    sim.thermalize(kT=1.44)
    assert np.isclose(sim.temperature, 1.44)
    sim.run(2_000)
    print(sim.energy.potential / system.n, sim.temperature, sim.pressure, sim.steps_per_second)
    with sim.arrays as a:
        print(a.position.shape, a.force[:3])
    # The crystal melts: about half of the kinetic energy goes into the structure.
    assert -6.0 < sim.energy.potential / system.n < -5.3
    assert 0.6 < sim.temperature < 0.85
    assert sim.steps_per_second > 1
    with gsd.hoomd.open("melt.gsd", "r") as file:
        assert [frame.configuration.step for frame in file] == [0, 1000, 2000]
    with open("melt.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["step"]) for row in rows] == list(range(0, 2001, 100))
    totals = [float(row["potential"]) + float(row["kinetic"]) for row in rows]
    assert np.ptp(totals) / system.n < 0.01
    assert np.isclose(float(rows[-1]["pressure"]), sim.pressure, rtol=1e-9)
    captured = capsys.readouterr()
    # Where other programs use the processors, a note says so.
    lines = [line for line in captured.err.splitlines() if not line.startswith("note ")]
    assert len(lines) == 2 and len(captured.out.splitlines()) >= 2


@pytest.mark.parametrize(
    "integrator, spread",
    [
        (au.Langevin(dt=0.005, kT=0.9, gamma=5.0), 0.06),
        (au.Bussi(dt=0.005, kT=0.9, tau=0.05), 0.06),
        (au.Bussi(dt=0.005, kT=0.9, tau=0.05, every=5), 0.06),
    ],
    ids=["Langevin", "Bussi", "Bussi every 5"],
)
def test_thermostats_reach_their_temperature(liquid, integrator, spread):
    sim = liquid(n=864, integrator=integrator)
    seen = []
    for _ in range(40):
        sim.run(50)
        seen.append(sim.temperature)
    # 864 particles: one reading spreads by 0.9 sqrt(2/2592) = 0.025.
    assert abs(np.mean(seen[10:]) - 0.9) < spread / 4


@pytest.mark.parametrize("threads", [1, 2])
def test_same_seed_same_trajectory(liquid, threads):
    integrator = au.Langevin(dt=0.005, kT=1.0)
    runs = [liquid(integrator=integrator, threads=threads).run(300) for _ in range(2)]
    for name in ("position", "velocity", "force"):
        assert np.array_equal(runs[0].get(name), runs[1].get(name))
    other = liquid(integrator=integrator, threads=threads, seed=2).run(300)
    assert not np.array_equal(runs[0].get("position"), other.get("position"))


def test_run_in_pieces_is_run_in_one(liquid):
    one, many = liquid(), liquid()
    one.run(200)
    for piece in (1, 7, 42, 100, 50):
        many.run(piece)
    assert one.step == many.step == 200
    assert np.array_equal(one.get("position"), many.get("position"))


def test_reading_does_not_disturb(liquid):
    one, two = liquid(), liquid()
    one.run(200)
    for _ in range(20):
        two.run(10)
        assert np.isfinite([two.pressure, two.energy.total]).all()
        two.get("virial"), two.get("energy"), two.snapshot()
    assert np.array_equal(one.get("position"), two.get("position"))


def test_nve_conserves(liquid):
    sim = liquid(
        n=864, forces=[au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="xplor", r_switch=2)]
    )
    sim.run(500)
    before, p = sim.energy.total, sim.momentum
    sim.run(1000)
    assert abs(sim.energy.total - before) / sim.n < 2e-3
    assert np.allclose(sim.momentum, p, atol=1e-4)


def test_filter_holds_the_others(liquid):
    tags = au.Tags(range(0, 500, 2))
    sim = liquid(integrator=au.NVE(dt=0.005, filter=tags))
    before, images = sim.get("position"), sim.get("image")
    sim.run(50)
    moved = (sim.get("position") != before).any(axis=1) | (sim.get("image") != images).any(axis=1)
    assert moved[::2].all() and not moved[1::2].any()


def test_minimizer(here):
    start = au.build.random(150, density=0.6, min_distance=0.7, seed=1)
    # Where forces jump at the cut-off, a minimum may have none as small as wanted.
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="force-shift")
    sim = au.Simulation(start, [force], threads=1)
    before = sim.energy.potential
    result = sim.minimize(au.FIRE(force_tolerance=1e-2, max_steps=5000))
    assert result.converged and result.energy < before
    assert np.linalg.norm(sim.get("force"), axis=1).max() <= 1.01e-2
    assert np.isclose(sim.energy.potential, result.energy, rtol=1e-6)
    few = sim.minimize(force_tolerance=1e-12, max_steps=3)
    assert not few.converged and few.steps == 3


def test_arrays_are_views_in_local_order(liquid):
    sim = liquid().run(20)
    with sim.arrays as a:
        for name in ("position", "velocity", "force", "image"):
            assert np.array_equal(getattr(a, name), sim.get(name)[a.tag])
            assert np.array_equal(getattr(a, name), sim.get(name, order="local"))
        assert np.array_equal(a.mass, np.ones(sim.n)) and (a.type == 0).all()
        assert not a.position.flags.owndata
        with pytest.raises(ValueError):
            a.position[0] = 0
        with pytest.raises(au.InputError, match="cannot run inside"):
            sim.run(1)
        with pytest.raises(AttributeError, match="Did you mean 'force'"):
            a.froce  # noqa: B018
    with pytest.raises(au.InputError, match="outside the with block"):
        a.position  # noqa: B018
    assert sorted(sim.get("tag", order="local")) == list(range(sim.n))
    sim.run(1)


def test_device_arrays_speak_dlpack_and_the_cuda_interface():
    # Any exporter will do: here a NumPy array stands for a GPU's memory.
    memory = np.arange(12.0).reshape(4, 3)
    array = DeviceArray(memory, memory.ctypes.data, "<f8", (4, 3))
    assert np.array_equal(np.from_dlpack(array), memory)
    assert np.shares_memory(np.from_dlpack(array), memory)
    interface = array.__cuda_array_interface__
    assert interface["version"] == 3 and interface["data"][0] == memory.ctypes.data
    assert interface["shape"] == (4, 3) == array.shape and interface["typestr"] == "<f8"
    assert len(array) == 4 and "float64" in repr(array)


def test_set_and_snapshot(liquid):
    sim = liquid()
    system = sim.snapshot()
    velocity = np.arange(3.0 * sim.n).reshape(-1, 3)
    sim.set("velocity", velocity)
    assert np.array_equal(sim.get("velocity"), velocity)
    sim.set("position", system.position + 0.01)
    assert np.allclose(sim.get("position"), system.position + 0.01)
    twin = au.Simulation(sim.snapshot(), sim.forces, sim.integrator, threads=1)
    assert np.isclose(twin.energy.potential, sim.energy.potential, rtol=1e-6)
    with pytest.raises(au.InputError, match="position has the shape"):
        sim.set("position", velocity[1:])
    with pytest.raises(au.InputError, match="not finite"):
        sim.set("velocity", velocity * np.nan)
    with pytest.raises(au.InputError, match="unknown column to set 'force'"):
        sim.set("force", velocity)


def test_describe_tells_what_runs_where(liquid):
    about = liquid().run(5).describe()
    assert {"device", "precision", "isa", "threads"} <= set(about)
    assert about["precision"] == "mixed" and about["threads"] == 1


def system_of_two():
    return au.System(au.Box(10, 10, 10), [[0, 0, 0], [2, 0, 0]], type=[0, 1])


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda lj: au.Simulation(system_of_two(), [lj.replace(r_cut=5.1)]),
            "cut-off 5.1 of LennardJones exceeds half the box 5",
        ),
        (
            lambda lj: au.Simulation(
                system_of_two(), [au.LennardJones(epsilon={("A", "A"): 1}, sigma=1, r_cut=2)]
            ),
            "no epsilon for the pair A-B",
        ),
        (
            lambda lj: au.Simulation(
                system_of_two(), [au.LennardJones(epsilon={("A", "C"): 1}, sigma=1, r_cut=2)]
            ),
            "unknown type 'C'",
        ),
        (lambda lj: au.Simulation(system_of_two(), lj), "it must be a list"),
        (lambda lj: au.Simulation(system_of_two(), [au.NVE(dt=1)]), "does not belong there"),
        (lambda lj: au.Simulation([[0, 0, 0]], [lj]), "it must be a System"),
        (lambda lj: au.Simulation(system_of_two(), [lj], "NVE"), "integrator is 'NVE'"),
        (lambda lj: au.Simulation(system_of_two(), [lj], seed=-1), "seed is -1"),
        (lambda lj: au.Simulation(system_of_two(), [lj]).run(1), "has no integrator"),
        (lambda lj: au.Simulation(system_of_two(), [lj], au.NVE(dt=0.1)).run(), "needs a number"),
        (lambda lj: au.Simulation(system_of_two(), [lj], au.NVE(dt=0.1)).run(-1), "steps is -1"),
        (lambda lj: au.Simulation(system_of_two(), [lj]).thermalize(kT=np.nan), "kT is nan"),
        (lambda lj: au.Simulation(system_of_two(), [lj]).get("positon"), "mean 'position'"),
        (lambda lj: au.Simulation(system_of_two(), [lj]).energy.of("WCA"), "no force 'WCA'"),
        (
            lambda lj: au.Simulation(
                system_of_two(), [lj], observers=[au.Log("a.csv"), au.Energies("./a.csv")]
            ),
            "two observers write",
        ),
        (lambda lj: au.Progress(lines="x"), "lines of Progress is 'x'"),
        (
            lambda lj: au.Simulation.from_checkpoint("a", temperature=300),
            "argument 'temperature' (it would have no effect). Set sim.integrator",
        ),
        (lambda lj: au.Simulation.from_checkpoint("a", thread=3), "Did you mean 'threads'"),
        (
            lambda lj: au.Simulation(system_of_two(), [lj]).thermalize(1.0, filter=au.All()),
            "argument 'filter' (it would have no effect). Make velocities",
        ),
    ],
)  # fmt: skip
def test_refusals(lj, make, words):
    with pytest.raises(au.InputError) as caught:
        make(lj)
    assert words in str(caught.value)


def test_absent_device_is_named(lj):
    with pytest.raises(au.DeviceError, match="cuda:7"):
        au.Simulation(system_of_two(), [lj], device="cuda:7")


def test_tilted_box_has_narrower_faces():
    system = au.build.random(30, box=(6, 6, 6, 1.0, 0, 0), min_distance=0.8)
    with pytest.raises(au.InputError, match=r"exceeds half the box 2\.12"):
        au.Simulation(system, [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)])


@pytest.mark.parametrize("what", ["overlap", "velocity", "jump", "parameter"])
def test_blow_up_is_named(here, what):
    system = au.build.lattice("fcc", n=500, density=0.8)
    position, velocity, epsilon = system.position.copy(), np.zeros((500, 3)), 1.0
    if what == "overlap":
        position[123] = position[77] + [1e-7, 0, 0]
    elif what == "velocity":
        velocity[123] = 1e9
    elif what == "jump":
        velocity[123] = 50 * system.box.lx / 0.005
    else:
        epsilon = 1e30
    texts = []
    for _ in range(2):
        sim = au.Simulation(
            system.replace(position=position, velocity=velocity),
            [au.LennardJones(epsilon=epsilon, sigma=1, r_cut=2.5)],
            au.NVE(dt=0.005),
            observers=[au.Trajectory("a.gsd", every=1), au.Log("a.csv", every=1)],
            threads=1,
        )
        with pytest.raises(au.BlowUpError) as caught:
            sim.run(100)
        sim.close()
        texts.append(str(caught.value))
        with gsd.hoomd.open("a.gsd", "r") as file:
            assert len(file) >= 1 and np.isfinite(file[-1].particles.position).all()
    assert texts[0] == texts[1]
    assert "step" in texts[0] and "particle" in texts[0]
    if what != "parameter":
        assert "123" in texts[0]
    if what in ("overlap", "parameter"):
        assert "LennardJones" in texts[0]


def test_parameters_beyond_all_numbers(here):
    spec = au.LennardJones(epsilon=1e300, sigma=1, r_cut=2.5)
    sim = au.Simulation(au.build.lattice("fcc", n=500, density=0.8), [spec], au.NVE(dt=0.005))
    with pytest.raises(au.Error, match=r"LennardJones|not finite"):
        print(sim.energy)
    with pytest.raises(au.Error, match=r"LennardJones|not finite"):
        sim.run(100)


def test_nan_velocity_is_found(liquid):
    with pytest.raises(au.Error, match="velocity of particle 0 is not finite"):
        liquid().set("velocity", np.full((500, 3), np.nan))


def test_dropped_simulations_go_at_once(here, liquid):
    sim = liquid(observers=[au.Log("a.csv", every=5), au.Trajectory("a.gsd", every=5)])
    with sim.run(10).arrays as a:
        assert a.position.shape == (500, 3)
    gone = weakref.ref(sim)
    del a, sim
    assert gone() is None


@pytest.mark.parametrize("algorithm", [au.FIRE(), au.SteepestDescent()], ids=["FIRE", "descent"])
@pytest.mark.parametrize("lists", ["clusters", "flat"])
def test_forces_beyond_all_numbers_are_no_minimum(algorithm, lists):
    system = au.System(au.Box(6, 6, 6), [[1, 1, 1], [1.001, 1, 1]])
    sim = au.Simulation(
        system,
        [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        au.NVE(dt=0.004),
        device=au.Device(algorithm=lists),
    )
    assert not np.isfinite(sim.get("force")).all()
    with pytest.raises(au.Error, match="particle"):
        sim.minimize(algorithm)


@pytest.mark.parametrize("lists", ["clusters", "flat"])
def test_no_use_of_a_simulation_that_stopped_in_a_step(here, lists):
    pull = au.BerendsenBarostat(P=-30.0, tau=0.3, compressibility=0.05, every=10)
    sim = au.Simulation(
        au.build.lattice("fcc", n=500, density=0.7),
        [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        au.LeapFrog(dt=0.004, thermostat=au.VRescale(T=1.2, tau=0.5), barostat=pull),
        device=au.Device(algorithm=lists),
    ).thermalize(kT=1.2)
    with pytest.raises(au.Error, match="the box changes by"):
        sim.run(25)
    for use in (
        lambda: sim.run(1),
        lambda: sim.energy,
        lambda: sim.minimize(),
        lambda: sim.write_checkpoint("half.ckpt"),
    ):
        with pytest.raises(au.Error, match=r"in the middle of a step.*the box changes by"):
            use()
    assert not os.path.exists("half.ckpt")
    assert np.isfinite(sim.snapshot().position).all()  # to be looked at


def test_callbacks_of_minimize_may_read_particles_alone():
    sim = au.Simulation(
        au.build.lattice("fcc", n=500, density=0.7),
        [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
    )
    sim.set("position", sim.get("position") + np.random.default_rng(1).normal(0, 0.05, (500, 3)))
    descent = au.SteepestDescent(max_steps=5, force_tolerance=0.1)
    for use in (lambda: sim.energy, lambda: sim.thermalize(1.0), lambda: sim.minimize(descent)):
        with pytest.raises(au.InputError, match="a callback of minimize"):
            sim.minimize(descent, tell=lambda *_, use=use: use())
    seen: list[float] = []
    sim.minimize(descent, tell=lambda *_: seen.append(float(sim.snapshot().position[0, 0])))
    assert len(seen) == 6 and len(set(seen)) > 1


def test_fire_with_constraints_is_refused():
    system = au.System(6.0, [[1, 1, 1], [2, 1, 1]], terms={"constraint": ([[0, 1]], 1.0)})
    sim = au.Simulation(system, [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)])
    with pytest.raises(au.InputError, match="FIRE cannot minimise with constraints"):
        sim.minimize(au.FIRE())
    with pytest.raises(au.InputError, match="minimize got 3"):
        sim.minimize(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [40, 100])
def test_minimize_with_lists_that_tolerate_a_drift(steps):
    """Energy and largest force are those of the places where it ends: no pair came too late."""

    def make(system):
        return au.Simulation(
            system,
            [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0, tail_correction=True)],
            au.NVE(dt=0.002),
            neighbors=au.NeighborList(mode="tolerance", tolerance=1e-4),
            precision="double",
            threads=1,
        )

    sim = make(au.build.random(100, density=0.4, min_distance=0.9, seed=1))
    found = sim.minimize(max_steps=steps)
    fresh = make(sim.snapshot())
    largest = np.linalg.norm(fresh.get("force"), axis=1).max()
    assert found.max_force == pytest.approx(largest, rel=1e-10)
    assert found.energy == pytest.approx(fresh.energy.potential, rel=1e-12)
    assert sim.neighbors.mode == "tolerance" and sim.describe()["list"] == "tolerance"
