# SPDX-License-Identifier: Apache-2.0
"""Boxes stacked from cubes: as many as a grid of ranks has cells, which then get one each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import aureole as au
import numpy as np
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import write_gro
from aureole.gromacs.top.read import read_top

Shape = tuple[int, int, int]
NAMES = ("conf.gro", "topol.top", "grompp.mdp")

#: Run parameters of all molecules, unless a case says otherwise.
COMMON = {
    "integrator": "md",
    "dt": "0.001",
    "rcoulomb": "0.7",
    "rvdw": "0.7",
    "coulombtype": "reaction-field",
    "epsilon-rf": "0",
    "constraints": "h-bonds",
    "gen-vel": "yes",
    "gen-temp": "250",
    "gen-seed": "3",
    "ld-seed": "7",
    # So tight that lists miss no pair: runs on other grids then differ by rounding alone.
    "verlet-buffer-tolerance": "1e-12",
}


def mdp(changes: Mapping[str, str]) -> str:
    """Text of run parameters."""
    return "".join(f"{key} = {value}\n" for key, value in (COMMON | dict(changes)).items())


@dataclass(frozen=True, eq=False)
class Block:
    """A topology with its molecules in a box that can be repeated.

    Args:
        top: its text, which ends with the lines of [ molecules ]
        position: (n, 3) molecules whole, a corner of the box is the origin [nm]
        box: (3, 3) its vectors as rows [nm]
    """

    top: str
    position: np.ndarray
    box: np.ndarray

    def write(
        self, folder: Path, shape: Shape = (1, 1, 1), settings: Mapping[str, str] | None = None
    ) -> list[Path]:
        """conf.gro, topol.top and grompp.mdp of a stack of this shape, in a folder; ref.gro too,
        with points to which restraints refer.
        """
        paths = [folder / name for name in NAMES]
        head, mark, counts = self.top.rpartition("[ molecules ]\n")
        paths[1].write_text(head + mark + counts * int(np.prod(shape)))
        paths[2].write_text(mdp(settings or {}))
        topology = read_top(paths[1])
        atoms, molecule = topology.expand_atoms(), topology.molecule_index()
        box = np.array(shape)[:, None] * self.box
        # Copies are not alike: molecules are moved a little; and some lie across faces of cells.
        moved = np.random.default_rng(11).normal(0, 0.003, (molecule[-1] + 1, 3))
        corners = [(np.array(place) + 0.23) @ self.box for place in np.ndindex(*shape)]
        position = np.concatenate([self.position + corner for corner in corners]) + moved[molecule]
        words = (atoms.residue, atoms.residue_name, atoms.name)
        write_gro(paths[0], Coordinates("stack", *words, position, box=box), 6)
        points = position + 0.01 * np.sin(np.arange(position.size)).reshape(-1, 3)
        write_gro(folder / "ref.gro", Coordinates("points", *words, points, box=box), 6)
        return paths

    def relaxed(
        self, folder: Path, settings: Mapping[str, str] | None = None, steps: int = 60
    ) -> Block:
        """The same after a steepest descent."""
        files = self.write(folder, settings=settings)
        points = folder / "ref.gro"
        sim = au.from_gromacs(*files, references=points, device=au.Device(threads=1), maxwarn=9)
        sim.minimize(au.SteepestDescent(max_steps=steps))
        vectors = sim.box.matrix
        position = sim.get("position") + sim.get("image") @ vectors.T + 0.5 * vectors.sum(axis=1)
        return Block(self.top, position - 0.23 * self.box.sum(axis=0), self.box)


def solution(counts: Mapping[str, int], more: str = "") -> Block:
    """A cube of molecules of published models; `more`: directives of the last of them."""
    made = au.build.solution(counts, seed=5)
    head, mark, rest = made.top.rpartition("[ system ]")
    return Block(head + more + mark + rest, made.coordinates.position, made.coordinates.box)
