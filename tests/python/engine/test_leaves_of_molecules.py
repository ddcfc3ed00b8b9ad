# SPDX-License-Identifier: Apache-2.0
"""External forces and stages beside rigid molecules, virtual sites and a barostat."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest

MODELS = {"spce": 3, "tip4p": 4}
DT = 0.002  # ps
BOTH_LISTS = pytest.mark.parametrize("algorithm", ["clusters", "flat"])
ALL_WATERS = pytest.mark.parametrize("model", MODELS)


def water(model="tip4p", algorithm="clusters", forces=(), stages=(), integrator=None, **options):
    """216 molecules at 300 K, in double precision."""
    sim = au.Simulation(
        au.build.water(216, model).system(),
        forces=[au.LennardJones(r_cut="0.8 nm"), au.PME(r_cut="0.8 nm"), *forces],
        stages=list(stages),
        integrator=integrator or au.LeapFrog(dt="2 fs", remove_com_every=0),
        device=au.Device(name="host", precision="double", algorithm=algorithm, threads=2),
        seed=5,
        **options,
    )
    sim.thermalize("300 K")
    return sim


def molecules(sim, name):
    """Values of the atoms of each molecule."""
    atoms = MODELS["tip4p" if sim.n == 4 * 216 else "spce"]
    return sim.get(name).reshape(216, atoms, 3)


def worst_bond(sim):
    """Relative error of the rigid lengths, nearest images."""
    r = molecules(sim, "position")[:, :3]
    edge = sim.box.volume ** (1 / 3)
    d = r - r[:, [1, 2, 0]]
    length = np.linalg.norm(d - edge * np.round(d / edge), axis=2)
    return np.abs(length / length.mean(axis=0) - 1).max()


def stretch(sim):
    """Largest velocity along a rigid length."""
    r, v = molecules(sim, "position")[:, :3], molecules(sim, "velocity")[:, :3]
    edge = sim.box.volume ** (1 / 3)
    d = r - r[:, [1, 2, 0]]
    d -= edge * np.round(d / edge)
    along = ((v - v[:, [1, 2, 0]]) * d).sum(axis=2) / np.linalg.norm(d, axis=2)
    return np.abs(along).max()


@ALL_WATERS
@BOTH_LISTS
def test_falling_water_moves_as_water_at_rest(model, algorithm):
    """Einstein's lift: in the frame that falls along, gravity changes nothing. The mesh does not
    fall, so that its error shows, but not in the mean."""
    g, steps = 50.0, 20
    with water(model, algorithm) as rest, water(model, algorithm, [au.Gravity(gz=g)]) as falling:
        for sim in (rest, falling):
            sim.run(steps)
        gained = molecules(falling, "velocity") - molecules(rest, "velocity")
        assert np.allclose(gained[:, :3], [0, 0, g * steps * DT], atol=0.2)
        assert np.allclose(gained[:, :3].mean(axis=(0, 1)), [0, 0, g * steps * DT], atol=0.002)
        edge = falling.box.volume ** (1 / 3)
        fell = molecules(falling, "position") - molecules(rest, "position")
        fell -= edge * np.round(fell / edge)
        assert np.allclose(fell[..., 2], g * (steps * DT) ** 2 / 2, atol=4e-3)
        assert worst_bond(falling) < 1e-6


@ALL_WATERS
@BOTH_LISTS
def test_drag_shrinks_the_velocities_of_rigid_water(model, algorithm):
    gamma = 5.0
    integrator = au.VelocityVerlet(dt="2 fs", remove_com_every=0)
    drag = au.LinearDrag(gamma=gamma)
    with (
        water(model, algorithm, integrator=integrator) as free,
        water(model, algorithm, stages=[drag], integrator=integrator) as dragged,
    ):
        free.run(1), dragged.run(1)
        assert (free.get("position") == dragged.get("position")).all()
        want = np.exp(-gamma * DT) * molecules(free, "velocity")[:, :3]
        assert np.allclose(molecules(dragged, "velocity")[:, :3], want, rtol=0, atol=1e-9)
        free.run(40), dragged.run(40)
        assert dragged.temperature < 0.8 * free.temperature
        assert worst_bond(dragged) < 1e-6 and stretch(dragged) < 1e-5


@BOTH_LISTS
def test_collisions_are_refused_for_what_constraints_hold(algorithm):
    """One atom's new velocity less its part along the bonds is no draw of the ensemble: water at
    350 K settled at 318 K."""
    collisions = au.Andersen(kT=2.9, rate=50.0)
    with pytest.raises(au.InputError, match="which is constrained"):
        water("spce", algorithm, stages=[collisions])


def borne_by_bonds(r, force, mass):
    """(3, 3) virial of the constraint forces that external ones on rigid molecules call forth.

    Args:
        r: (molecules, atoms, 3) whole molecules
        force: external, of the same shape
        mass: (atoms,)

    They are what each atom's share of the motion of the rigid body needs besides its own force.
    """
    r = r - np.average(r, axis=1, weights=mass)[:, None]
    square = np.einsum("a,mai,maj->mij", mass, r, r)
    inertia = np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(3) - square
    torque = np.cross(r, force).sum(axis=1)
    spin = np.linalg.solve(inertia, torque[..., None])[..., 0]
    acceleration = force.sum(axis=1) / mass.sum()
    needed = mass[:, None] * (acceleration[:, None] + np.cross(spin[:, None], r))
    return np.einsum("mai,maj->ij", r, needed - force)


@BOTH_LISTS
@pytest.mark.parametrize("model", MODELS)
def test_bonds_bear_what_pulls_at_atoms(model, algorithm):
    """External forces add nothing to the virial, but where they differ from atom to atom of a rigid
    molecule the constraints, which are inner forces, have to answer."""

    def made(*forces):
        return water(model, algorithm, forces, integrator=au.LeapFrog(dt="0.1 fs"))

    k = 20.0
    with made() as free, made(au.HarmonicTrap(kx=k, ky=2 * k, kz=k)) as held:
        r, mass = molecules(held, "position"), held.get("mass")[: MODELS[model]]
        # Sites too are in the trap; the atoms that place them bear their forces.
        force = molecules(held, "force") - molecules(free, "force")
        assert np.allclose(
            force.sum(axis=1), -k * np.multiply(r.sum(axis=1), [1, 2, 1]), rtol=0, atol=1e-6 * k
        )
        edge = held.box.volume ** (1 / 3)
        whole = r - edge * np.round((r - r[:, :1]) / edge)
        want = borne_by_bonds(whole[:, :3], force[:, :3], mass[:3])
        assert np.allclose(held.virial - free.virial, want, rtol=0, atol=2e-3 * np.abs(want).max())
        assert np.abs(want).max() > 10
