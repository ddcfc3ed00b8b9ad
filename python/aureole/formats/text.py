# SPDX-License-Identifier: Apache-2.0
"""Trajectories of text: .gro or .xyz files one behind the other, .pdb files of many models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gromacs import gro, pdb
from ..gromacs.coordinates import Coordinates
from ..topology import Labels
from .frame import Frame, Headless


@dataclass(frozen=True, eq=False)
class Names:
    """What particles are called; columns as those of `Coordinates`."""

    title: str
    residue: NDArray[np.int32]
    residue_name: Labels
    name: Labels

    def of(self, tags: NDArray[np.int64]) -> Names:
        """The names of chosen particles."""
        return Names(
            self.title,
            self.residue[tags],
            Labels(self.residue_name.words, self.residue_name.index[tags]),
            Labels(self.name.words, self.name.index[tags]),
        )

    def coordinates(self, frame: Frame) -> Coordinates:
        """One frame of these particles; its title ends with time and step, as GROMACS' do."""
        return Coordinates(
            f"{self.title} t= {frame.time:.5f} step= {frame.step}",
            self.residue,
            self.residue_name,
            self.name,
            frame.position,
            frame.velocity,
            frame.box,
        )


class GRO(Headless):
    """Frames as .gro files with `decimals` of positions [nm]."""

    def __init__(self, path: str, names: Names, decimals: int = 3) -> None:
        self.path, self.names, self.decimals = path, names, decimals

    def frame(self, frame: Frame) -> bytes:
        return b"".join(gro.parts(self.path, self.names.coordinates(frame), self.decimals))


class PDB(Headless):
    """Frames as the models of one .pdb file."""

    def __init__(self, path: str, names: Names) -> None:
        self.path, self.names = path, names

    def frame(self, frame: Frame) -> bytes:
        what = self.names.coordinates(frame)
        return b"".join(pdb.parts(self.path, what, model=frame.number + 1))


class XYZ(Headless):
    """Frames as extended .xyz files, which ASE, OVITO and VMD read: names and positions.

    Args:
        names: of the particles
        scale: lengths of the file in one of the frame's: 10 for angstroms from nanometres
    """

    def __init__(self, names: Names, scale: float) -> None:
        self.names, self.scale = names, scale

    def frame(self, frame: Frame) -> bytes:
        assert frame.position is not None, "it always holds them"
        words = [_one_word(name) for name in self.names.name.words]
        rows = zip(
            self.names.name.index.tolist(), (self.scale * frame.position).tolist(), strict=True
        )
        lattice = " ".join(f"{length:.10g}" for length in (self.scale * frame.box).ravel())
        head = (
            f'{len(frame.position)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3 '
            f"Time={frame.time:.10g} Step={frame.step}\n"
        )
        lines = [f"{words[name]} {x:.6f} {y:.6f} {z:.6f}\n" for name, (x, y, z) in rows]
        return (head + "".join(lines)).encode()


def _one_word(name: str) -> str:
    return "_".join(name.split()) or "X"
