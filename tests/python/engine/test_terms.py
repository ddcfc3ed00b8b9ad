# SPDX-License-Identifier: Apache-2.0
"""Constraints, virtual sites and restraints by hand are those that a topology brings."""

from __future__ import annotations

import warnings

import aureole as au
import numpy as np
import pytest
from aureole.system import topology


def by_hand(built, **changes):
    """The same system, with the terms of its topology given one by one."""
    terms = {
        kind: (t.particles, t.parameters[t.row])
        for kind, t in built.topology.expand_terms().items()
    }
    nonbonded = built.topology.nonbonded
    sigma6 = np.divide(
        nonbonded.c12, nonbonded.c6, out=np.zeros_like(nonbonded.c6), where=nonbonded.c6 > 0
    )
    epsilon = np.divide(nonbonded.c6, 4 * sigma6, out=np.zeros_like(sigma6), where=sigma6 > 0)
    system = au.System(
        built.box,
        built.position,
        mass=built.mass,
        type=built.type,
        type_names=built.type_names,
        charge=built.charge,
        units="molecular",
        terms=terms | changes.pop("terms", {}),
        **changes,
    )
    pairs = [(i, j) for i in range(len(sigma6)) for j in range(i, len(sigma6))]
    name = built.type_names
    return system, au.LennardJones(
        epsilon={(name[i], name[j]): epsilon[i, j] for i, j in pairs},
        sigma={(name[i], name[j]): sigma6[i, j] ** (1 / 6) for i, j in pairs},
        r_cut="0.8 nm",
        mode="shift",
    )


def run(system, attraction, steps=20, **options):
    sim = au.Simulation(
        system,
        [attraction, au.PME(r_cut="0.8 nm", spacing="0.1 nm")],
        au.LeapFrog(dt="2 fs", thermostat=au.VRescale(T="300 K", tau="0.5 ps")),
        precision="double",
        threads=1,
        seed=7,
        **options,
    )
    sim.thermalize("300 K")
    sim.run(steps)
    return sim


@pytest.mark.parametrize("model", ["spce", "tip4p"])
def test_water_by_hand_is_water_of_a_force_field(model):
    built = au.build.water(216, model).system()
    given = au.LennardJones(r_cut="0.8 nm", mode="shift")
    with run(built, given) as theirs, run(*by_hand(built)) as ours:
        assert ours.dof == theirs.dof
        assert np.isclose(ours.energy.potential, theirs.energy.potential, rtol=1e-9)
        assert np.allclose(ours.get("position"), theirs.get("position"), atol=1e-9)
        assert np.isclose(ours.pressure, theirs.pressure, rtol=1e-6)


def test_constraints_are_those_of_rigid_water():
    """Three distances are a rigid water: solved in two ways."""
    built = au.build.water(216, "spce").system()
    system, attraction = by_hand(built)
    waters = system.terms["settle"]
    d_oh, d_hh = waters.parameters[0]
    o, h1, h2 = waters.particles.T
    pairs = np.concatenate([np.stack(two, axis=1) for two in ((o, h1), (o, h2), (h1, h2))])
    lengths = np.repeat([d_oh, d_oh, d_hh], len(o))
    other = system.replace(terms={"constraint": (pairs, lengths)})
    shake = au.SHAKE(tolerance=1e-10)
    with run(system, attraction) as exact, run(other, attraction, constraints=[shake]) as found:
        assert found.dof == exact.dof
        assert np.allclose(found.get("position"), exact.get("position"), atol=1e-7)


def test_restraints_by_hand_hold():
    built = au.build.water(216, "spce").system()
    oxygens = np.arange(0, built.n, 3)[:, None]
    held, attraction = by_hand(built, terms={"position_restraint": (oxygens, (2e4, 2e4, 2e4))})
    free, _ = by_hand(built)
    with run(held, attraction, 200) as with_them, run(free, attraction, 200) as without:
        moved = []
        for sim in (with_them, without):
            d = (sim.get("position") - built.position)[::3]
            d -= built.box.matrix[0, 0] * np.round(d / built.box.matrix[0, 0])
            moved.append(np.sqrt((d**2).sum(axis=1).mean()))
        # kT/k along each axis: 0.019 nm
        assert moved[0] < 0.03 < moved[1]


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_pairs_of_an_angle_may_share_a_particle(algorithm):
    """The angle between both pairs of three particles is the one of a bonded term."""
    at = np.array([[0.0, 0, 0], [1.0, 0.2, 0], [0.3, 1.1, 0.4]])
    theta0, k = 1.1, 9.0

    def forces(specs, **terms):
        system = au.System(20.0, at, **terms)
        device = au.Device(algorithm=algorithm)
        with au.Simulation(system, specs, device=device, precision="double", threads=1) as sim:
            return sim.energy.potential, sim.get("force")

    u, f = forces([], terms={"angle_restraint": ([[0, 1, 0, 2]], (theta0, k, 1))})
    theta = np.arccos(at[1] @ at[2] / np.linalg.norm(at[1]) / np.linalg.norm(at[2]))
    assert np.isclose(u, k * (1 - np.cos(theta - theta0)), rtol=1e-12)
    # A harmonic angle as stiff as that has the same dU/dθ.
    same = k * np.sin(theta - theta0) / (theta - theta0)
    angle = au.HarmonicAngle(theta0=theta0, k=same)
    assert np.allclose(f, forces([angle], angles=[[1, 0, 2]])[1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_a_fene_bond_that_is_too_long_ends_the_run(algorithm):
    system = au.System(20.0, [[0, 0, 0], [1.6, 0, 0]], bonds={"one": [[0, 1]]})
    bond = au.FeneBond(r_max=1.5, k=30.0)
    device = au.Device(algorithm=algorithm)
    with (
        au.Simulation(system, [bond], au.NVE(dt=0.001), device=device, threads=1) as sim,
        pytest.raises(au.BlowUpError, match=r"fene_bond with particle 1 .* force of inf"),
    ):
        sim.run(10)


def random_chains(**more):
    """20 chains of 30 beads, each a random walk with steps of 0.97 in a dense box."""
    random = np.random.default_rng(3)
    steps = random.normal(size=(20, 30, 3))
    steps *= 0.97 / np.linalg.norm(steps, axis=2, keepdims=True)
    steps[:, 0] = random.uniform(0, 8.9, size=(20, 3))
    bonds = np.stack([np.arange(599), np.arange(1, 600)], axis=1)
    bonds = bonds[bonds[:, 1] % 30 != 0]
    box = au.Box.of(8.9)
    inside, image = box.wrap(np.cumsum(steps, axis=1).reshape(-1, 3))
    return au.System(box, inside, image=image, bonds={"backbone": bonds}, **more), bonds


def test_random_chains_are_pushed_off_as_they_are():
    """Kremer and Grest (1990): the mean bond of the melt is 0.97."""
    system, bonds = random_chains(exclusions=[])
    forces = [au.WCA(epsilon=1.0, sigma=1.0), au.FeneBond(r_max=1.5, k=30.0)]
    with au.Simulation(system, forces, au.Langevin(dt=0.005, kT=1.0), seed=1) as sim:
        sim.minimize(force_tolerance=100.0)
        sim.thermalize(1.0)
        sim.run(500)
        position = sim.get("position") + sim.get("image") * 8.9
    lengths = np.linalg.norm(position[bonds[:, 1]] - position[bonds[:, 0]], axis=1)
    assert lengths.mean() == pytest.approx(0.97, abs=0.01) and lengths.max() < 1.5


def test_fene_bonds_without_repulsion_are_told():
    system, _ = random_chains()
    bond, wca = au.FeneBond(r_max=1.5, k=30.0), au.WCA(epsilon=1.0, sigma=1.0)
    with pytest.warns(UserWarning, match="the bonds will collapse.*exclusions="):
        au.Simulation(system, [wca, bond])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        au.Simulation(random_chains(exclusions=[])[0], [wca, bond])
        au.Simulation(system, [bond])  # nothing else is there to repel


def test_they_are_saved_and_in_checkpoints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    system, attraction = by_hand(au.build.water(216, "tip4p").system())
    system.save("water.npz")
    again = au.System.load("water.npz")
    assert again == system
    with run(again, attraction) as sim:
        sim.write_checkpoint("half.ckpt")
        sim.run(10)
        with au.Simulation.from_checkpoint("half.ckpt") as resumed:
            resumed.run(10)
            assert (resumed.get("position") == sim.get("position")).all()
            assert resumed.snapshot().terms.keys() == system.terms.keys()


BOX = au.Box(3.0, 3.0, 3.0)
R = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.0, 0.1, 0]])


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"constrain": ([[0, 1]], 0.1)}, "constraint"),
        ({"constraint": ([[0, 3]], 0.1)}, "3"),
        ({"constraint": ([[0, 0]], 0.1)}, "must differ"),
        ({"constraint": ([[0, 1, 2]], 0.1)}, "shape"),
        ({"constraint": ([[0, 1]], (0.1, 0.2))}, "length"),
        ({"constraint": ([[0, 1]], np.nan)}, "finite"),
        ({"constraint": [[0, 1]]}, "parameters"),
        ({"angle_restraint": ([[0, 1, 2, 2]], (1.0, 2.0, 1))}, "must differ"),
        ({"cmap": ([[0, 1, 2, 0, 1]], 0)}, "topology"),
        ([1], "table"),
    ],
)
def test_refusals(terms, words):
    with pytest.raises(au.InputError, match=words):
        au.System(BOX, R, terms=terms)


def test_rigid_parts_beside_a_topology_are_refused():
    built = au.build.water(216, "spce").system()
    with pytest.raises(au.InputError, match="in addition to a topology"):
        built.replace(terms={"constraint": ([[0, 3]], 0.3)})
    assert set(topology.TERMS) >= {"constraint", "settle", "vsite3"}
