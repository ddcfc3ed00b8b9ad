# SPDX-License-Identifier: Apache-2.0
"""Energies and forces on every grid of ranks: those of one rank, term by term."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest
from aureole.gromacs.gro import read_gro
from aureole.gromacs.top import read_top
from resigned import blocks_of
from stacks import Shape
from systems import CASES, FLUIDS, QUICK, Library, on, words

#: In order of their number of ranks, as these are started anew where it changes.
GRIDS: list[Shape] = [
    *((2, 1, 1), (1, 2, 1), (1, 1, 2)),
    *((3, 1, 1), (1, 3, 1), (1, 1, 3)),
    *((4, 1, 1), (1, 4, 1), (1, 1, 4), (2, 2, 1)),
    (3, 2, 1),
    (2, 2, 2),
    (3, 3, 3),
]
#: Of energies and of the root mean square of forces.
TOLERANCES = {"double": 1e-12, "mixed": 5e-6}
TOLERANCE_OF_MESHES = {"double": 1e-10, "mixed": 5e-6}


@dataclass(frozen=True)
class Sums:
    """What a simulation has at its present step."""

    energy: dict[str, float]
    virial: np.ndarray
    force: np.ndarray
    of_particles: np.ndarray  #: energies and virials, [n, 7]

    @classmethod
    def of(cls, sim: au.Simulation) -> Sums:
        found = sim.thermo()
        energy = {one["name"]: one["energy"] for one in found["per_force"]}
        of_particles = np.column_stack([sim.get("energy"), sim.get("virial")])
        return cls(energy, np.array(found["virial"]), np.array(sim.get("force")), of_particles)

    def assert_near(self, other: Sums, tolerance: float) -> None:
        """Each energy alone, and the forces of all particles."""
        assert self.energy.keys() == other.energy.keys()
        for name, energy in other.energy.items():
            assert self.energy[name] == pytest.approx(energy, rel=tolerance, abs=0), name
        assert rms(self.force - other.force) <= tolerance * rms(other.force)
        apart = self.of_particles - other.of_particles
        assert rms(apart) <= 4 * tolerance * rms(other.of_particles)
        # The virial's parts are larger than their sum.
        scale = max(abs(energy) for energy in other.energy.values())
        np.testing.assert_allclose(self.virial, other.virial, atol=10 * tolerance * scale)


def rms(rows: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(rows**2, axis=1))))


@pytest.fixture(scope="module")
def on_one(library: Library) -> Any:
    """Sums on one rank, by name, shape of the box, precision and kind of lists."""
    known: dict[tuple[Any, ...], Sums] = {}

    def sums(name: str, grid: Shape, precision: str, algorithm: str) -> Sums:
        shape = CASES[name].shape(grid) if name in CASES else grid
        if name == "protein":
            shape = (1, 1, 1)
        key = (name, shape, precision, algorithm)
        if key not in known:
            one = on((1, 1, 1), precision, algorithm=algorithm)
            known[key] = Sums.of(library.simulation(name, grid, one))
        return known[key]

    return sums


def check(
    name: str, grid: Shape, library: Library, on_one: Any, algorithm: str = "clusters"
) -> None:
    mesh = name == "protein" or (name in CASES and CASES[name].mesh)
    settings = [("double", 1), ("mixed", 2), ("double", 2), ("mixed", 1)]
    few = np.prod(grid) > 4 or algorithm == "flat"
    for precision, threads in settings[:2] if few else settings:
        tolerance = (TOLERANCE_OF_MESHES if mesh else TOLERANCES)[precision]
        with library.simulation(name, grid, on(grid, precision, threads, algorithm)) as sim:
            Sums.of(sim).assert_near(on_one(name, grid, precision, algorithm), tolerance)


@pytest.mark.parametrize("name", Library.names)
@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_sums_are_those_of_one_rank(grid: Shape, name: str, library: Library, on_one: Any) -> None:
    check(name, grid, library, on_one)


@pytest.mark.parametrize(
    ("grid", "name"),
    [
        pytest.param(
            *(grid, name),
            id=f"{words(grid)}-{name}",
            marks=[pytest.mark.slow] if grid == (3, 3, 3) and name not in QUICK else [],
        )
        for grid in GRIDS
        for name in Library.without_mesh
    ],
)
def test_sums_of_flat_lists_are_those_of_one_rank(
    grid: Shape, name: str, library: Library, on_one: Any
) -> None:
    check(name, grid, library, on_one, "flat")


@pytest.mark.parametrize(
    "grid", [(2, 1, 1), pytest.param((2, 2, 2), marks=pytest.mark.slow)], ids=words
)
def test_sums_of_a_protein_are_those_of_one_rank(
    grid: Shape, library: Library, on_one: Any
) -> None:
    check("protein", grid, library, on_one)


def grid_of(checkpoint: Path) -> Shape:
    """The grid of the ranks that wrote a checkpoint."""
    x, y, z = np.frombuffer(blocks_of(checkpoint.read_bytes())["division"], np.int32)
    return int(x), int(y), int(z)


@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_boxes_are_divided_as_their_names_say(
    grid: Shape, library: Library, tmp_path: Path
) -> None:
    for name in ("melt", "mesh"):
        with library.simulation(name, grid, replace(on(grid, "mixed"), grid=None)) as sim:
            assert np.isfinite(sim.energy.potential)
            sim.write_checkpoint(tmp_path / "state.cpt")
        assert grid_of(tmp_path / "state.cpt") == grid


def cells(fraction: np.ndarray, grid: Shape) -> set[tuple[int, ...]]:
    """Of a grid, where particles are; fractions of the box count from its centre."""
    return set(map(tuple, np.floor((fraction + 0.5) % 1.0 * grid).astype(int)))


@pytest.mark.parametrize("grid", GRIDS, ids=words)
def test_polymers_pass_through_every_part_of_the_box(grid: Shape, library: Library) -> None:
    made = FLUIDS["ring"](grid)
    beads = np.unique(made.bonds["backbone"])
    assert cells(made.position[beads] / made.box.lengths, grid) == set(np.ndindex(*grid))
    folded = made.position[made.bonds["tie"]] / made.box.lengths
    assert any(len(cells(pair, grid)) == 2 for pair in folded)
    conf, top, _ = library.files("chain", grid)
    atoms, read = read_gro(conf), read_top(top)
    chain = atoms.position[read.molecule_index() == 0] @ np.linalg.inv(atoms.box)
    assert cells(chain - 0.5, grid) == set(np.ndindex(*grid))
