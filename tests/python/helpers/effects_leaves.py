# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of external forces and of stages."""

from __future__ import annotations

import aureole as au
import numpy as np
from aureole.specs import external as leaves
from effects import refuses, shows

N = 60
EXTERNALS = [entry["name"] for entry in leaves.EXTERNALS]
STAGES = [entry["name"] for entry in leaves.STAGES]
USUAL = {
    "HarmonicTrap": {"kx": 2.0, "ky": 1.0, "kz": 0.5},
    "LennardJonesWall": {"epsilon": 1.5, "sigma": 0.9, "offset": -4.0, "r_cut": 2.5},
    "UniformForce": {"fx": 0.3},
    "Gravity": {"gz": -0.4},
    "LinearDrag": {"gamma": 0.5},
    "SpeedLimit": {"v_max": 1.2},
    "Andersen": {"kT": 2.0, "rate": 3.0},
    "SteadyMotion": {"ux": 1.0},
}


def gas(seed=4):
    """Particles that do not feel each other, in a box that is open along z."""
    rng = np.random.default_rng(seed)
    return au.System(
        au.Box(8.0, 8.0, 8.0, periodic=(True, True, False)),
        rng.uniform(-3.5, 3.5, (N, 3)),
        velocity=rng.normal(size=(N, 3)),
        mass=rng.uniform(1, 3, N),
        type=np.arange(N) % 2,
        type_names=("A", "B"),
    )


def made(name, **changes):
    return getattr(au, name)(**(USUAL[name] | changes))


def forced(name, **changes):
    """Positions, forces and energy."""
    with au.Simulation(gas(), [made(name, **changes)], precision="double", threads=1) as sim:
        return sim.get("position"), sim.get("force"), sim.energy.per_force[name]


def nearest(d):
    return d - 8.0 * np.round(d / 8.0)


@shows(*(f"HarmonicTrap.{name}" for name in ("kx", "ky", "kz", "x0", "y0", "z0")))
def trap(_):
    for axis, letter in enumerate("xyz"):
        for k, centre in ((2.5, 0.0), (0.7, 1.5)):
            given = {"kx": 0.0, "ky": 0.0, "kz": 0.0, f"k{letter}": k, f"{letter}0": centre}
            r, force, energy = forced("HarmonicTrap", **given)
            d = r[:, axis] - centre
            d = d if letter == "z" else nearest(d)
            assert np.allclose(force[:, axis], -k * d, atol=1e-12)
            assert np.isclose(energy, 0.5 * k * (d * d).sum())
            assert not np.delete(force, axis, axis=1).any()


@shows(*(f"UniformForce.{name}" for name in ("fx", "fy", "fz")))
def push(_):
    for axis, letter in enumerate("xyz"):
        r, force, energy = forced("UniformForce", **({"fx": 0.0} | {f"f{letter}": 0.8}))
        assert np.allclose(force, 0.8 * np.eye(3)[axis])
        assert np.isclose(energy, -0.8 * r[:, axis].sum())


@shows(*(f"Gravity.{name}" for name in ("gx", "gy", "gz")))
def weight(_):
    for axis, letter in enumerate("xyz"):
        r, force, energy = forced("Gravity", **({"gz": 0.0} | {f"g{letter}": 0.8}))
        assert np.allclose(force, 0.8 * gas().mass[:, None] * np.eye(3)[axis])
        assert np.isclose(energy, -0.8 * (gas().mass * r[:, axis]).sum())


def wall_energy(d, epsilon, sigma, r_cut):
    def u(d):
        return epsilon * (2 / 15 * (sigma / d) ** 9 - (sigma / d) ** 3)

    return np.where(d < r_cut, u(d) - u(r_cut), 0.0).sum()


@shows(*(f"LennardJonesWall.{name}" for name in ("epsilon", "sigma", "offset", "r_cut", "nz")))
def wall(_):
    usual = USUAL["LennardJonesWall"]
    for change in ({}, {"epsilon": 3.0}, {"sigma": 0.6}, {"offset": -5.0}, {"r_cut": 4.0}):
        r, _, energy = forced("LennardJonesWall", **change)
        now = usual | change
        want = wall_energy(r[:, 2] - now["offset"], now["epsilon"], now["sigma"], now["r_cut"])
        assert np.isclose(energy, want) and abs(want) > 0.1
    r, _, energy = forced("LennardJonesWall", nz=-2.0)
    assert np.isclose(energy, wall_energy(4.0 - r[:, 2], 1.5, 0.9, 2.5))


@shows("LennardJonesWall.nx", "LennardJonesWall.ny")
def other_walls(_):
    system = gas()
    for axis in (0, 1):
        open_along = tuple(k != axis for k in range(3))
        box = au.Box(8.0, 8.0, 8.0, periodic=open_along)
        normal = {"nz": 0.0, "nx": float(axis == 0), "ny": float(axis == 1)}
        with au.Simulation(
            au.System(box, system.position),
            [made("LennardJonesWall", **normal)],
            precision="double",
            threads=1,
        ) as sim:
            want = wall_energy(system.position[:, axis] + 4.0, 1.5, 0.9, 2.5)
            assert np.isclose(sim.energy.potential, want)
        refuses(
            "periodic along the normal", lambda given=normal: forced("LennardJonesWall", **given)
        )


@shows(*(f"{name}.group" for name in EXTERNALS))
def group_of_forces(name):
    _, whole, _ = forced(name)
    _, part, _ = forced(name, group=au.Type("B"))
    chosen = np.arange(N) % 2 == 1
    assert np.array_equal(part[chosen], whole[chosen]) and whole[chosen].any()
    assert not part[~chosen].any()


def moved(stage, steps=10, filter=None):
    """Velocities and positions before and after a run of free particles."""
    system = gas()
    integrator = au.NVE(dt=0.01, filter=filter)
    with au.Simulation(
        system, [], integrator, stages=[stage], precision="double", threads=1, seed=2
    ) as sim:
        box = sim.box.lengths
        sim.run(steps)
        unwrapped = sim.get("position") + sim.get("image") * box
        return system.velocity, sim.get("velocity"), system.position, unwrapped


@shows("LinearDrag.gamma")
def drag(_):
    for gamma in (0.5, 2.0):
        before, after, _, _ = moved(made("LinearDrag", gamma=gamma))
        assert np.allclose(after, np.exp(-gamma * 0.1) * before, rtol=1e-12)


@shows("SpeedLimit.v_max")
def limit(_):
    for v_max in (0.8, 1.5):
        before, after, _, _ = moved(made("SpeedLimit", v_max=v_max))
        speed = np.linalg.norm(before, axis=1)
        assert np.allclose(np.linalg.norm(after, axis=1), np.minimum(speed, v_max))


@shows("Andersen.kT", "Andersen.rate")
def collisions(_):
    for kT in (0.5, 4.0):
        _, after, _, _ = moved(made("Andersen", kT=kT, rate=1e4), steps=1)
        found = (gas().mass[:, None] * after**2).mean()
        assert abs(found / kT - 1) < 5 * np.sqrt(2 / (3 * N))  # five standard deviations
    collided = [
        (before != after).any(axis=1).sum()
        for before, after, *_ in (moved(made("Andersen", rate=rate)) for rate in (0.0, 3.0, 30.0))
    ]
    # Of 60 with probability 1 - exp(-rate 0.1): 0, 15.6 and 57.
    assert collided[0] == 0 and 5 < collided[1] < 30 and collided[2] > 50


@shows(*(f"SteadyMotion.{name}" for name in ("ux", "uy", "uz")))
def steady(_):
    for axis, letter in enumerate("xyz"):
        stage = made("SteadyMotion", **({"ux": 0.0} | {f"u{letter}": 2.5}))
        _, _, before, after = moved(stage, filter=au.Tags([]))
        assert np.allclose(after - before, 0.25 * np.eye(3)[axis])


@shows(*(f"{name}.group" for name in STAGES))
def group_of_stages(name):
    chosen = np.arange(N) % 2 == 0
    with_group = moved(made(name, group=au.Type("A")))
    without, nothing = moved(made(name)), moved(made("LinearDrag", gamma=0.0))
    for part, whole, none in zip(with_group[1::2], without[1::2], nothing[1::2], strict=True):
        assert np.array_equal(part[chosen], whole[chosen])
        assert np.array_equal(part[~chosen], none[~chosen])
    assert any((a != b).any() for a, b in zip(with_group, without, strict=True))


@shows(*(f"{name}.every" for name in STAGES))
def interval(name):
    given = {"rate": 1e4} if name == "Andersen" else {}
    rare, none = moved(made(name, every=11, **given)), moved(made("LinearDrag", gamma=0.0))
    assert all(np.array_equal(a, b) for a, b in zip(rare, none, strict=True))
    once = moved(made(name, every=10, **given))
    assert any((a != b).any() for a, b in zip(once, none, strict=True))
    if name == "SteadyMotion":
        assert np.allclose(once[3] - none[3], [0.1, 0, 0])


@shows("Simulation.stages")
def stages(_):
    with au.Simulation(
        gas(), [], au.NVE(dt=0.01), stages=[made("SpeedLimit"), made("LinearDrag")], threads=1
    ) as sim:
        assert [type(stage).__name__ for stage in sim.stages] == ["SpeedLimit", "LinearDrag"]
        sim.run(1)
        speed = np.linalg.norm(sim.get("velocity"), axis=1)
        assert np.isclose(speed.max(), 1.2 * np.exp(-0.005))
    refuses(
        "only stages belong there",
        lambda: au.Simulation(gas(), [], stages=[made("HarmonicTrap")]),  # type: ignore[list-item]
    )
