# SPDX-License-Identifier: Apache-2.0
"""External forces add nothing to the virial and to the pressure: one frame with and without each.

The leaves are those of the registry, so that a new file is tested too. LAMMPS defines it so as well
(test_external_lammps.py).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.specs import external
from effects_leaves import USUAL

#: Particles that have crossed the box: external forces may use unwrapped positions.
CROSSED = np.array([[3, -2, 0]])
#: Leaves that need a box that is open along z.
OPEN = ("LennardJonesWall",)
#: Parameters in molecular units.
OF_WATER = {"LennardJonesWall": {"epsilon": 2.0, "sigma": 0.15, "offset": -0.75, "r_cut": 0.6}}


@cache
def chains(_):
    """Bonds, angles and Lennard-Jones pairs in a slit."""
    rng = np.random.default_rng(8)
    first = np.array([(x, y, z) for x in (-3, 0) for y in (-3, 0, 3) for z in (-3, -1, 1, 3)])
    position = (
        first[:, None] + np.arange(4)[:, None] * [0.9, 0, 0] + rng.uniform(-0.1, 0.1, (24, 4, 3))
    )
    tags = 4 * np.arange(24)[:, None]
    system = au.System(
        au.Box(8, 8, 8, periodic="ppf"),
        position.reshape(-1, 3),
        velocity=rng.normal(size=(96, 3)),
        mass=rng.uniform(1, 3, 96),
        image=np.repeat(CROSSED, 96, axis=0),
        bonds={"all": np.concatenate([np.add(tags, [k, k + 1]) for k in range(3)])},
        angles={"all": np.concatenate([np.add(tags, [k, k + 1, k + 2]) for k in range(2)])},
    )
    bonded = [au.HarmonicBond(r0=1.0, k=50.0), au.HarmonicAngle(theta0=2.5, k=5.0)]
    return system, [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5), *bonded]


@cache
def ions(is_open):
    """Charges with a mesh, or in a slit with a reaction field."""
    rng = np.random.default_rng(9)
    at = np.indices((4, 4, 4)).reshape(3, -1).T * 2.0 - 3.0 + rng.uniform(-0.2, 0.2, (64, 3))
    system = au.System(
        au.Box(8, 8, 8, periodic="ppf" if is_open else True),
        at,
        velocity=rng.normal(size=(64, 3)),
        mass=rng.uniform(1, 3, 64),
        image=np.repeat(CROSSED, 64, axis=0),
        charge=np.where(at.sum(axis=1) > 0, 1.5, -1.5),
    )
    electrostatics = au.ReactionField(r_cut=3.0) if is_open else au.PME(r_cut=3.0, spacing=0.5)
    return system, [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5), electrostatics]


@cache
def water(is_open):
    """Rigid molecules; one frame has no constraint forces, which are those of a step."""
    system = au.build.water(64).system()
    box = au.Box(*system.box.lengths, periodic="ppf" if is_open else True)
    system = system.replace(box=box, image=system.image + CROSSED)
    electrostatics = au.ReactionField if is_open else au.PME
    return system, [au.LennardJones(r_cut="0.6 nm"), electrostatics(r_cut="0.6 nm")]


def usual(name, frame):
    """The force; a leaf that is new here has numbers made up."""
    if name == "ElectricField":
        return au.ElectricField(strength=(0.7, 0.0, -0.4))
    kind = external.CLASSES[name]
    made_up = {one["name"]: 0.75 for one in kind.schema["parameters"] if one["default"] is None}
    of_frame = OF_WATER.get(name, {}) if frame is water else {}
    return kind(**(made_up | USUAL.get(name, {}) | of_frame))


def numbers(system, forces, algorithm, precision):
    """Forces, and what must not know of external ones."""
    device = au.Device(name="host", algorithm=algorithm, precision=precision, threads=1)
    with au.Simulation(system, forces, device=device, seed=1) as sim:
        sums = sim.pressure_tensor, sim.virial, sim.pressure, sim.get("virial")
        return sim.get("force"), sums


@cache
def without(frame, is_open, *device):
    return numbers(*frame(is_open), *device)


def with_columns(system, name):
    """The system with the users' columns that a leaf reads."""
    uses = () if name == "ElectricField" else external.CLASSES[name].schema["columns"]
    asked = {use["name"] for use in uses} - {"mass", "charge", "velocity"}
    return system.replace(columns=dict.fromkeys(asked, np.full(system.n, 0.8))) if asked else system


NAMES = (*(entry["name"] for entry in external.EXTERNALS), "ElectricField")
FRAMES = [(name, frame) for name in NAMES for frame in (chains, ions, water)]
FRAMES.remove(("ElectricField", chains))


@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize("name, frame", FRAMES, ids=[f"{n}-{f.__name__}" for n, f in FRAMES])
def test_virial_and_pressure_are_those_without(name, frame, algorithm, precision):
    system, forces = frame(name in OPEN)
    plain, sums = without(frame, name in OPEN, algorithm, precision)
    pushed, same = numbers(
        with_columns(system, name), [*forces, usual(name, frame)], algorithm, precision
    )
    assert np.abs(pushed - plain).max() > 0.1  # it acts
    for found, want in zip(same, sums, strict=True):
        assert np.abs(want).max() > 0.01
        assert np.abs(found - want).max() <= 1e-12 * np.abs(want).max()


def test_an_open_box_has_the_pressure_of_its_whole_volume():
    """Kinetic part and virial over the volume of the box; the page says both."""
    system, forces = chains(True)
    with au.Simulation(system, forces, precision="double") as sim:
        momentum = np.einsum("i,ij,ik->jk", sim.get("mass"), *(2 * [sim.get("velocity")]))
        assert not all(sim.box.periodic)
        assert np.allclose(sim.pressure_tensor, (momentum + sim.virial) / 8.0**3, rtol=1e-12)
    page = Path(__file__).parents[3] / "docs/theory/equations.md"
    words = " ".join(page.read_text().split())
    assert "add nothing to W" in words
    assert "V is the volume of the box, along open axes too" in words
