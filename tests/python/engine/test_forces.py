# SPDX-License-Identifier: Apache-2.0
"""Forces, energies and virials against all pairs in double precision."""

from __future__ import annotations

import dataclasses

import aureole as au
import numpy as np
import pytest
import reference

ORTHO = (9.0, 10.0, 8.0)
TILTED = (10.0, 9.0, 9.5, 0.35, -0.2, 0.4)
MODES = {
    "none": {},
    "shift": dict(mode="shift"),
    "force-shift": dict(mode="force-shift"),
    "xplor": dict(mode="xplor", r_switch=1.8),
}
# Rounding of the coordinates that a kernel in single precision reads is not an error of the
# forces, yet the reference here reads the unrounded ones: 1e-6 of a box of ten diameters, times
# the steepness of the potential where particles nearly touch.
TOLERANCE = {"double": (1e-12, 1e-11), "mixed": (5e-6, 1e-4)}


def check(system, spec, precision, **options):
    sim = au.Simulation(system, [spec], precision=precision, threads=1, **options)
    want = reference.forces(system, spec)
    rms, largest = TOLERANCE[precision]
    scale = np.sqrt((want.force**2).sum(1).mean())
    error = np.linalg.norm(sim.get("force") - want.force, axis=1)
    assert np.sqrt((error**2).mean()) <= rms * scale
    assert error.max() <= largest * scale
    depth = np.abs(want.energies).sum()
    assert abs(sim.energy.potential - want.energy) <= rms * depth
    assert np.abs(sim.virial - want.virial).max() <= 10 * rms * np.abs(want.virial).max()
    assert np.allclose(sim.get("energy"), want.energies, atol=10 * rms * depth / system.n * 30)
    assert abs(sim.get("energy").sum() - want.energy) <= 10 * rms * depth
    each = sim.get("virial").sum(axis=0)
    whole = sim.virial[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    assert np.allclose(each, whole, atol=30 * rms * np.abs(whole).max())
    return sim, want


def lj(**changes):
    return au.LennardJones(**(dict(epsilon=1.0, sigma=1.0, r_cut=2.5) | changes))


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("box", [ORTHO, TILTED], ids=["orthorhombic", "triclinic"])
def test_liquid(box, mode, precision):
    system = au.build.random(300, box=box, min_distance=0.9, seed=3)
    check(system, lj(**MODES[mode]), precision)


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("box", [ORTHO, TILTED], ids=["orthorhombic", "triclinic"])
def test_mixture_with_a_pair_left_out(box, precision):
    mix = au.build.mixture(300, {"A": 2, "B": 1, "C": 1}, seed=1)
    system = au.build.random(300, box=box, min_distance=0.8, seed=4, **mix)
    names = [("A", "A"), ("A", "B"), ("A", "C"), ("B", "B"), ("B", "C"), ("C", "C")]
    rng = np.random.default_rng(5)
    spec = lj(
        epsilon=dict(zip(names, rng.uniform(0.5, 2, 6), strict=True)),
        sigma=dict(zip(names, rng.uniform(0.7, 1.1, 6), strict=True)),
        r_cut=dict(zip(names, (2.5, 0, 1.2, 3.0, 2.0, 2.2), strict=True)),
        mode="shift",
    )
    check(system, spec, precision)


@pytest.mark.parametrize("precision", TOLERANCE)
def test_wca_and_lattice(precision):
    rng = np.random.default_rng(6)
    start = au.build.lattice("fcc", n=500, density=1.0)
    system = start.replace(position=start.position + rng.normal(scale=0.05, size=(500, 3)))
    check(system, au.WCA(epsilon=1.5, sigma=1.05), precision, neighbors=au.NeighborList())


@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("n", [1, 2, 3, 17, 64])
def test_few_particles(n, precision):
    system = au.build.random(n, box=(6.0, 6.0, 6.0), min_distance=0.9, seed=n)
    sim, want = check(system, lj(), precision)
    if n == 1:
        assert want.energy == sim.energy.potential == 0


@pytest.mark.parametrize("box", [(5.02, 5.03, 5.01), (5.9, 5.9, 5.7, 0.2, 0.3, 0.1)])
def test_box_just_above_twice_the_cut_off(box):
    system = au.build.random(60, box=box, min_distance=0.9, seed=8)
    check(system, lj(), "double")


def test_open_axes():
    box = au.Box(9, 9, 9, periodic=(True, False, False))
    system = au.build.random(200, box=box, min_distance=0.9, seed=9)
    check(system, lj(), "double")


def test_two_forces_add_up():
    system = au.build.random(200, box=(8, 8, 8), min_distance=0.9, seed=10)
    one, two = lj(), au.WCA(epsilon=2.0, sigma=1.0)
    sim = au.Simulation(system, [one, two], precision="double", threads=1)
    a, b = reference.forces(system, one), reference.forces(system, two)
    assert np.allclose(sim.get("force"), a.force + b.force, rtol=0, atol=1e-9)
    assert np.isclose(sim.energy.of("LennardJones"), a.energy, rtol=1e-11)
    assert np.isclose(sim.energy.of("WCA") + a.energy, sim.energy.potential, rtol=1e-11)


def test_two_particles_by_hand():
    # U = 4 (2^-12 - 2^-6) and F = 24 (2 2^-12 - 2^-6) / 2 at r = 2, on paper.
    system = au.System(au.Box(10, 10, 10), [[-1, 0, 0], [1, 0, 0]])
    sim = au.Simulation(system, [lj()], precision="double", threads=1)
    assert np.isclose(sim.energy.potential, 4 * (2**-12 - 2**-6), rtol=1e-14)
    push = 24 * (2 * 2**-12 - 2**-6) / 2
    assert np.allclose(sim.get("force"), [[-push, 0, 0], [push, 0, 0]], rtol=1e-13)
    assert np.isclose(sim.virial[0, 0], push * 2, rtol=1e-13)


@pytest.mark.parametrize("types", [{"A": 1}, {"A": 2, "B": 1}])
def test_tail_corrections(types):
    mix = au.build.mixture(500, types, seed=2)
    system = au.build.lattice("fcc", n=500, density=0.8, **mix)
    plain = lj(r_cut=3.0)
    sims = [
        au.Simulation(system, [spec], precision="double", threads=1)
        for spec in (plain, dataclasses.replace(plain, tail_correction=True))
    ]
    rho, cut = system.density, 3.0
    # Allen and Tildesley, Computer Simulation of Liquids, section 2.8.
    energy = 8 / 3 * np.pi * rho * (cut**-9 / 3 - cut**-3)
    pressure = 16 / 9 * np.pi * rho**2 * (2 * cut**-9 - 3 * cut**-3)
    differences = [sims[1].energy.potential - sims[0].energy.potential]
    differences.append(sims[1].pressure - sims[0].pressure)
    assert np.allclose(differences, [500 * energy, pressure], rtol=1e-10)
    assert np.array_equal(sims[0].get("force"), sims[1].get("force"))


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_tail_corrections_act_on_the_box(algorithm):
    """As a pressure less by theirs does: at the first strain of the box, and about so at the next,
    as their pressure changes with the volume.
    """
    plain = lj(r_cut=2.5)
    tail = untailed = 0.0
    volumes: list[list[float]] = []
    for spec in (plain, dataclasses.replace(plain, tail_correction=True), plain):
        system = au.build.lattice("fcc", n=500, density=0.75)
        shift = tail if len(volumes) == 2 else 0.0
        barostat = au.BerendsenBarostat(P=0.5 - shift, tau=2.0, compressibility=0.05, every=10)
        sim = au.Simulation(
            system,
            [spec],
            au.LeapFrog(dt=0.004, barostat=barostat),
            precision="double",
            threads=1,
            device=au.Device(algorithm=algorithm),
            seed=1,
        )
        sim.thermalize(kT=1.3)
        if len(volumes) == 1:
            tail = sim.pressure - untailed
        untailed = sim.pressure
        strained = []
        for steps in (5, 10):
            sim.run(steps)
            strained.append(sim.box.volume)
        volumes.append(strained)
    assert tail < -0.5
    for at, rtol in (0, 1e-6), (1, 0.02):
        without, corrected, shifted = (strained[at] for strained in volumes)
        assert corrected < without * (1 - 1e-6)
        assert np.isclose(corrected - without, shifted - without, rtol=rtol)


def test_pressure_is_kinetic_plus_virial():
    system = au.build.random(200, box=TILTED, min_distance=0.9, seed=11)
    sim = au.Simulation(system, [lj()], precision="double", threads=1)
    sim.thermalize(kT=1.3)
    v, m = sim.get("velocity"), sim.get("mass")
    tensor = (np.einsum("i,ij,ik->jk", m, v, v) + sim.virial) / system.box.volume
    assert np.allclose(sim.pressure_tensor, tensor, rtol=1e-12, atol=1e-13)
    assert np.isclose(sim.pressure, np.trace(tensor) / 3, rtol=1e-12)
    assert np.isclose(sim.energy.kinetic, 0.5 * (m[:, None] * v**2).sum(), rtol=1e-12)
    assert np.isclose(sim.temperature, 2 * sim.energy.kinetic / sim.dof, rtol=1e-14)
    assert np.isclose(sim.temperature, 1.3, rtol=1e-12)
    assert np.allclose(sim.momentum, 0, atol=1e-10)


def test_virial_is_the_strain_derivative_of_the_energy():
    """Another way to the virial: W = -dU/d(strain) of the whole box."""
    system = au.build.random(150, box=(8, 8, 8), min_distance=0.9, seed=12)
    spec = lj(mode="xplor", r_switch=1.9)
    h = 1e-5

    def energy(axis, sign):
        stretch = np.ones(3)
        stretch[axis] += sign * h
        box = au.Box(*(8 * stretch))
        strained = au.System(box, system.position * stretch)
        return au.Simulation(strained, [spec], precision="double", threads=1).energy.potential

    sim = au.Simulation(system, [spec], precision="double", threads=1)
    for axis in range(3):
        slope = (energy(axis, 1) - energy(axis, -1)) / (2 * h)
        assert np.isclose(sim.virial[axis, axis], -slope, rtol=1e-6)


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_several_potentials_on_flat_lists(precision):
    """One pass for all is the sum of a pass for each, with cut-offs by types and columns read."""
    n = 1000
    system = au.build.random(n=n, density=0.6, seed=2)
    types = (np.arange(n) % 2).astype(np.int32)
    system = system.replace(type=types, type_names=("A", "B"))
    system.columns["diameter"] = 0.9 + 0.3 * np.random.default_rng(4).random(n)
    cuts = {("A", "A"): 2.5, ("A", "B"): 1.7, ("B", "B"): 0.0}
    forces = [
        au.LennardJones(epsilon=1.0, sigma=0.9, r_cut=cuts),
        au.SoftSpheres(epsilon=5.0, r_cut=1.5),
        au.WCA(epsilon=2.0, sigma={("A", "A"): 1.0, ("A", "B"): 0.9, ("B", "B"): 1.1}),
        au.LennardJones(epsilon=0.3, sigma=1.0, r_cut=2.2, r_switch=1.8, mode="xplor"),
        au.WCA(epsilon=0.1, sigma=0.9, mode="force-shift"),
    ]
    device = au.Device(name="host", threads=1, precision=precision, algorithm="flat")
    of_each = [au.Simulation(system, [force], device=device).get("force") for force in forces]
    assert all(force.any() for force in of_each)
    error = au.Simulation(system, forces, device=device).get("force") - sum(of_each)
    # Each potential alone has another order of particles, and so of sums.
    rounding = {"mixed": 1e-6, "double": 1e-14}[precision]
    assert np.abs(error).max() <= rounding * np.abs(of_each).max()
