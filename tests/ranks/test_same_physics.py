# SPDX-License-Identifier: Apache-2.0
"""Energies and forces on every grid of ranks: those of one rank, term by term."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest
from aureole.formats.gro import read_gro
from aureole.gromacs.top.read import read_top
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
#: Precision and threads of each rank. Each grid has each system with one of them in turn, so that
#: each of them meets every grid and every system.
SETTINGS = [("double", 1), ("double", 2), ("mixed", 2), ("mixed", 1)]
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


#: A grid, a system, and precision and threads.
Run = tuple[Shape, str, tuple[str, int]]


def check(
    run: Run, library: Library, on_one: Any, algorithm: str = "clusters", written: Any = None
) -> None:
    """`written`: path of a checkpoint of ranks whose grid is not given."""
    grid, name, (precision, threads) = run
    mesh = name == "protein" or (name in CASES and CASES[name].mesh)
    tolerance = (TOLERANCE_OF_MESHES if mesh else TOLERANCES)[precision]
    device = on(grid, precision, threads, algorithm)
    if written is not None:
        device = replace(device, grid=None)
    with library.simulation(name, grid, device) as sim:
        Sums.of(sim).assert_near(on_one(name, grid, precision, algorithm), tolerance)
        if written is not None:
            sim.write_checkpoint(written)


def in_turn(names: tuple[str, ...], first: int) -> list[Run]:
    """Each grid with each system, and one of the settings, which go on by one with either."""
    return [
        (grid, name, SETTINGS[(first + row + column) % len(SETTINGS)])
        for row, grid in enumerate(GRIDS)
        for column, name in enumerate(names)
    ]


def parameters(runs: list[Run], slow: Any) -> Any:
    return pytest.mark.parametrize(
        ("grid", "name", "setting"),
        [
            pytest.param(
                *(grid, name, setting),
                id=f"{words(grid)}-{name}-{setting[0]}-{setting[1]}",
                marks=[pytest.mark.validate] if slow(grid, name) else [],
            )
            for grid, name, setting in runs
        ],
    )


def slow_flat(grid: Shape, name: str) -> bool:
    return grid == (3, 3, 3) and name not in QUICK


RUNS = in_turn(Library.names, 0)
FLAT_RUNS = in_turn(Library.without_mesh, 2)


def grid_of(checkpoint: Path) -> Shape:
    """The grid of the ranks that wrote a checkpoint."""
    x, y, z = np.frombuffer(blocks_of(checkpoint.read_bytes())["division"], np.int32)
    return int(x), int(y), int(z)


@parameters(RUNS, lambda *_: False)
def test_sums_are_those_of_one_rank(
    grid: Shape, name: str, setting: tuple[str, int], library: Library, on_one: Any, tmp_path: Path
) -> None:
    """Melts and meshes are divided as their boxes ask for: into the very grid."""
    written = tmp_path / "state.cpt" if name in ("melt", "mesh") else None
    check((grid, name, setting), library, on_one, written=written)
    if written is not None:
        assert grid_of(written) == grid


@parameters(FLAT_RUNS, slow_flat)
def test_sums_of_flat_lists_are_those_of_one_rank(
    grid: Shape, name: str, setting: tuple[str, int], library: Library, on_one: Any
) -> None:
    check((grid, name, setting), library, on_one, "flat")


@pytest.mark.parametrize("kind", ["clusters", "flat"])
def test_each_setting_meets_each_grid_and_each_system(kind: str) -> None:
    """Without those that `make validate` alone runs."""
    runs = RUNS if kind == "clusters" else [run for run in FLAT_RUNS if not slow_flat(*run[:2])]
    names = Library.names if kind == "clusters" else Library.without_mesh
    for grid in GRIDS:
        at = [(name, setting) for where, name, setting in runs if where == grid]
        assert len({name for name, _ in at}) == len(at)
        met = {setting for _, setting in at}
        if len(at) > 3:
            assert len(at) == len(names)
            assert met == set(SETTINGS), grid
        # Flat lists on 27 ranks, of three systems.
        assert {precision for precision, _ in met} == {"double", "mixed"}
        assert {threads for _, threads in met} == {1, 2}
    for name in names:
        met = {setting for _, what, setting in runs if what == name}
        assert met == set(SETTINGS), name


@pytest.mark.parametrize(
    ("grid", "setting"),
    [
        pytest.param(grid, setting, id=f"{words(grid)}-{setting[0]}-{setting[1]}", marks=marks)
        for grid, setting, marks in [
            ((2, 1, 1), ("double", 1), []),
            ((2, 1, 1), ("mixed", 2), [pytest.mark.validate]),
            ((2, 2, 2), ("double", 1), [pytest.mark.validate]),
            ((2, 2, 2), ("mixed", 2), [pytest.mark.validate]),
        ]
    ],
)
def test_sums_of_a_protein_are_those_of_one_rank(
    grid: Shape, setting: tuple[str, int], library: Library, on_one: Any
) -> None:
    check((grid, "protein", setting), library, on_one)


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
