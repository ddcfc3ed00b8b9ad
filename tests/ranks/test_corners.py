# SPDX-License-Identifier: Apache-2.0
"""Particles on faces, where rounding decides which side they are on; members of terms that come
from afar; wide rigid groups: energies of one rank."""

from __future__ import annotations

from typing import Any

import aureole as au
import numpy as np
import pytest
from stacks import Shape
from systems import on, words
from teams import Teams

GRIDS: list[Shape] = [(2, 1, 1), (1, 2, 1), (3, 1, 1), (2, 2, 1)]


def energies(
    teams: Teams, system: au.System, forces: list[Any], grid: Shape, **how: str
) -> dict[str, float]:
    device = on(grid, "double", **how)
    with teams.of(device.ranks):
        sim = au.Simulation(system, forces, au.NVE(dt=0.001), device=device)
    with sim:
        return dict(sim.energy.per_force)


def assert_same(
    teams: Teams, system: au.System, forces: list[Any], grid: Shape, **how: str
) -> None:
    one = energies(teams, system, forces, (1, 1, 1), **how)
    many = energies(teams, system, forces, grid, **how)
    size = max(map(abs, one.values()))
    assert many == pytest.approx(one, rel=1e-10, abs=1e-12 * size)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize("tilts", [(0.0, 0.0, 0.0), (3**-0.5, 0, 0), (1 / 3, 1 / 3, -1 / 3)])
@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_crystals_with_particles_on_faces(
    grid: Shape, tilts: tuple[float, ...], algorithm: str, teams: Teams
) -> None:
    """In a skew box, wrapping may move a particle from the lower face onto the upper one."""
    edges = np.array([11.0, 11.0, 11.0])
    box = au.Box(*edges, *tilts)
    along = [np.arange(10) / 10 - 0.5] * 3
    lattice = np.stack(np.meshgrid(*along, indexing="ij"), -1).reshape(-1, 3)
    system = au.System(box=box, position=lattice @ box.matrix.T)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    assert_same(teams, system, [force], grid, algorithm=algorithm)


def test_a_pair_across_a_skew_face(teams: Teams) -> None:
    box = au.Box(10, 10, 10, 0.442, -0.135, -0.395)
    system = au.System(box=box, position=[[-3.0184, 4.537, -0.6], [-4.1184, 4.537, -0.6]])
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    assert energies(teams, system, [force], (1, 1, 1))["LennardJones"] < -0.9
    assert_same(teams, system, [force], (2, 1, 1))


@pytest.mark.parametrize("field_between", [True, False])
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_an_excluded_pair_of_which_a_dihedral_links_one(
    algorithm: str, field_between: bool, teams: Teams
) -> None:
    """The pair is in a list of one rank; another rank has one of the two for the dihedral alone."""
    system = au.System(
        box=au.Box(9.3, 6, 6),
        position=[[1.9, 0, 0], [0.6, 0, 0], [-3, 1, 0], [-3, 0, 2], [4, 3, 3], [-1.5, -3, -3]],
        charge=[1, -1, 0.3, -0.3, 0.2, -0.2],
        exclusions=[[0, 1]],
        dihedrals={"far": [[0, 2, 3, 1]]},
    )
    field = au.ReactionField(r_cut=1.5, excluded_pairs=field_between)
    forces = [field, au.PeriodicDihedral(phi0=0.0, k=1.0, n=1)]
    assert_same(teams, system, forces, (3, 1, 1), algorithm=algorithm)


@pytest.mark.parametrize("grid", [(1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 2, 1)], ids=words)
def test_far_excluded_pairs_with_a_mesh(grid: Shape, teams: Teams) -> None:
    edges = np.array([8.0, 12.0, 8.0])
    for seed in range(12):
        dice = np.random.default_rng(seed)
        position = (dice.random((8, 3)) - 0.5) * edges
        system = au.System(
            box=au.Box(*edges),
            position=position,
            charge=[1, -1, 0.5, -0.5] * 2,
            exclusions=[[0, 1], [2, 5], [4, 7]],
        )
        assert_same(teams, system, [au.PME(r_cut=2.5, spacing=0.6)], grid)


@pytest.mark.parametrize("ranks", [2, 3, 6])
def test_grids_have_room_for_wide_rigid_groups(ranks: int) -> None:
    """Rods of three particles along x, longer than what a narrow part has beside its halo."""
    edge, along = 6.5, [(np.arange(k) + 0.5) / k - 0.5 for k in (2, 5, 5)]
    centres = np.stack(np.meshgrid(*along, indexing="ij"), -1).reshape(-1, 3) * edge + [0.3, 0, 0]
    rod = np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0]])
    position = (centres[:, None] + rod).reshape(-1, 3)
    first = np.arange(0, len(position), 3)
    bonds = np.concatenate([np.stack([first + k, first + k + 1], 1) for k in (0, 1)])
    system = au.System(
        box=au.Box(edge, edge, edge),
        position=position,
        velocity=np.random.default_rng(1).normal(0, 0.5, position.shape),
        terms={"constraint": (bonds, (1.0,))},
    )
    device = au.Device(ranks=ranks, threads=1)
    force, lincs = au.WCA(epsilon=1.0, sigma=1.0), au.LINCS()
    motion = au.LeapFrog(dt=0.001)
    with au.Simulation(system, [force], motion, constraints=[lincs], device=device) as sim:
        sim.run(100)
        assert sim.describe()["grid"][0] == 1
        ends = sim.get("position")[bonds]
    apart = np.linalg.norm(system.box.minimum_image(ends[:, 1] - ends[:, 0]), axis=1)
    np.testing.assert_allclose(apart, 1.0, atol=1e-5)
