# SPDX-License-Identifier: Apache-2.0
"""A particle that is thrown out of its place on several ranks: named as on one, with its partner
and the force."""

from __future__ import annotations

import re

import aureole as au
import numpy as np
import pytest
from aureole.formats.gro import read_gro
from stacks import Shape
from systems import CASES, Library, on, words

GRIDS: list[Shape] = [(2, 1, 1), (2, 2, 1)]


def overlap(position: np.ndarray, molecule: np.ndarray, box: au.Box, victim: int) -> set[str]:
    """Moves a particle, with its molecule, next to one of another molecule that was near.

    Returns those that are near any particle of the molecule then.
    """
    apart = np.linalg.norm(box.minimum_image(position - position[victim]), axis=1)
    apart[molecule == molecule[victim]] = np.inf
    partner = int(apart.argmin())
    to = position[partner] + [0.004, 0.003, 0.002]
    moved = np.flatnonzero(molecule == molecule[victim])
    position[moved] += to - position[victim]
    apart = [np.linalg.norm(box.minimum_image(position - position[one]), axis=1) for one in moved]
    return set(map(str, np.flatnonzero(np.min(apart, axis=0) < 0.4)))


def molecules(library: Library, name: str, grid: Shape, n: int) -> np.ndarray:
    """The molecule of each particle."""
    if name not in CASES:
        return np.arange(n)
    residue = read_gro(library.files(name, grid)[0]).residue
    return np.cumsum(np.diff(residue, prepend=residue[0]) != 0)


def caught_on(
    library: Library, name: str, grid: Shape, ranks: Shape, victim: int
) -> tuple[str, set[str]]:
    """The error of some steps after an overlap, and the particles that may be named."""
    with library.simulation(name, grid, on(ranks, "double")) as sim:
        position, molecule = np.array(sim.get("position")), molecules(library, name, grid, sim.n)
        near = overlap(position, molecule, sim.box, victim % sim.n)
        sim.set("position", position)
        with pytest.raises(au.BlowUpError) as caught:
            sim.run(20)
    return str(caught.value), near


def parts(text: str) -> tuple[set[str], str]:
    """The two particles, of which either may be named first, and the rest."""
    found = re.match(
        r".* at step (\d+): particle (\d+) moved too far \((.*?)with particle (\d+) (.*)",
        text,
    )
    assert found, text
    return {found[2], found[4]}, f"{found[1]} {found[3]} {found[5]}"


@pytest.mark.parametrize("name", ["melt", "ring"])
@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_particles_and_force_are_those_of_one_rank(
    grid: Shape, name: str, library: Library
) -> None:
    for victim in (17, 1003, 20_011):
        one, many = (
            parts(caught_on(library, name, grid, ranks, victim)[0]) for ranks in ((1, 1, 1), grid)
        )
        assert many == one


@pytest.mark.parametrize("name", ["reaction field", "mesh", "chain"])
@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_molecules_that_overlap_are_named(grid: Shape, name: str, library: Library) -> None:
    """With constraints, several particles are thrown out in one step."""
    for victim in (17, 1003, 20_011):
        text, near = caught_on(library, name, grid, grid, victim)
        named, rest = parts(text)
        assert named <= near, text
        assert re.search("vdw|coulomb|settle|constraint", rest)


@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_an_energy_that_is_not_finite_names_the_particle(grid: Shape, library: Library) -> None:
    for algorithm in ("clusters", "flat"):
        for victim in (3, 100, 301):
            with library.simulation("melt", grid, on(grid, "mixed", algorithm=algorithm)) as sim:
                position = np.array(sim.get("position"))
                position[victim] = position[victim + 1] + 1e-9
                sim.set("position", position)
                with pytest.raises(au.BlowUpError, match="moved too far") as caught:
                    sim.thermo()
            named, _ = parts(str(caught.value))
            assert named == {str(victim), str(victim + 1)}


@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_a_huge_velocity_is_named(grid: Shape, library: Library) -> None:
    for victim in (5, 200):
        with library.simulation("melt", grid, on(grid, "mixed")) as sim:
            sim.run(3)
            velocity = np.array(sim.get("velocity"))
            velocity[victim] = [0, 1e9, 0]
            sim.set("velocity", velocity)
            with pytest.raises(au.BlowUpError, match=f"particle {victim} .*its velocity is 1e.09"):
                sim.run(20)


@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_a_bond_is_named(grid: Shape) -> None:
    """Also one whose particles belong to two ranks."""
    box = au.Box(24, 24, 24)
    for x in (0.0, 11.9, 5.0):
        position = [[x, 1, 1], [x + 0.3, 1, 1], [-8, -8, -8], [-8, -8, -6], [8, 8, 8], [8, 8, 6]]
        system = au.System(box=box, position=position, bonds={"all": [[0, 1], [2, 3], [4, 5]]})
        sim = au.Simulation(
            system,
            forces=[
                au.LennardJones(epsilon=1e-9, sigma=0.1, r_cut=2.5),
                au.HarmonicBond(r0={"all": 2.0}, k={"all": 1e7}),
            ],
            integrator=au.NVE(dt=0.01),
            device=on(grid, "double"),
        )
        with sim, pytest.raises(au.BlowUpError) as caught:
            sim.run(5)
        assert (caught.value.step, caught.value.force) == (1, "harmonic_bond")
        assert {caught.value.particle, caught.value.partner} == {0, 1}
        named, rest = parts(str(caught.value))
        assert named == {"0", "1"}
        assert "harmonic_bond" in rest
