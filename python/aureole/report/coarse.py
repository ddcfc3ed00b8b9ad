# SPDX-License-Identifier: Apache-2.0
"""Beads of coarse-grained molecules, such as those of Martini: told by the run, or by a frame in
which hardly any particle is as near to another as bonded atoms are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.neighbours import pairs
from aureole.formats.coordinates import Coordinates

from . import bonds, elements
from .beads import Beads, Molecules, named
from .files import number_of, section
from .frames import Frame
from .scene import residues

Index = NDArray[np.int64]
Array = NDArray[np.float64]

#: Largest distance of neighbours in most metals [nm]; beads are farther apart unless bonded.
_NEAR = 0.31
#: Number of particles from the start of a frame that show whether they are atoms.
_LOOKED_AT = 20_000


def of_run(summary: dict[str, Any], names: Coordinates, frame: Frame) -> Beads | None:
    """The beads of a run, known by their names; None for atoms.

    Args:
        summary: of the run, which may tell bonds and diameters
        names: of all particles of the frame
        frame: with positions of all of them
    """
    told = _told(summary, names.n)
    if told is not None:
        return of_molecules(names, frame, *told)
    return of_molecules(names, frame) if are_beads(names, frame) else None


def of_molecules(
    names: Coordinates, frame: Frame, bonded: Index | None = None, diameter: Array | None = None
) -> Beads:
    """Beads of molecules.

    Args:
        names: of all particles
        frame: with positions of all of them
        bonded: (m, 2) particles; None where nothing tells them
        diameter: (n,) [nm], NaN or None where nothing tells them
    """
    count = len(names.name.words)
    of_type = np.full(count, np.nan)
    if diameter is not None and np.isfinite(diameter).any():
        finite = np.isfinite(diameter)
        kinds = names.name.index[finite]
        sums = np.bincount(kinds, diameter[finite], count)
        with np.errstate(invalid="ignore"):
            of_type = sums / np.bincount(kinds, minlength=count)
    water = elements.is_water(names.residue_name, beads=True)
    molecules = Molecules(residues(names), water, of_type, bonded is not None)
    known = np.empty((0, 2), dtype=np.int64) if bonded is None else bonded
    return Beads(named(names.name, frame), frame, known, molecules=molecules)


def are_beads(names: Coordinates, frame: Frame) -> bool:
    """Whether most particles that would be bonded, if they were atoms, are not.

    Ions, rare gases and metals by their names are not bonded anyhow. A particle whose name is that
    of no element counts as bonded where another is as near as atoms of a metal are.
    """
    rows = slice(0, _LOOKED_AT)
    symbol = elements.symbols(names.name, names.residue_name)[rows]
    radius = np.array([elements.ELEMENTS[of].covalent if of else 0.0 for of in symbol])
    unknown = symbol == "X"
    asked = (unknown | (radius > 0)) & ~elements.are_ions(names.name, names.residue_name)[rows]
    if not asked.any():
        return False
    position = frame.position[rows]
    one_residue = np.zeros(len(symbol), dtype=np.int64)  # any two may be bonded, as in a crystal
    bonded = np.zeros(len(symbol), dtype=bool)
    bonded[bonds.find(frame.box, position, symbol, one_residue).ravel()] = True
    which = np.flatnonzero(unknown)
    r_max = min(_NEAR, 0.499 * float(frame.box.widths.min()))
    for i, _, r in pairs(frame.box, position[unknown], position, r_max):
        bonded[which[i[r > 0]]] = True
    return bool(2 * (bonded & asked).sum() < asked.sum())


def _told(summary: dict[str, Any], n: int) -> tuple[Index, Array] | None:
    """Bonds and diameters that the run tells of its beads, if it has `n` particles."""
    blocks = section(summary, "system").get("beads")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        return None
    start, bonded, diameters = 0, [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    for block in blocks:
        count, size = block.get("count"), block.get("particles")
        if not isinstance(count, int) or not isinstance(size, int) or count < 0 or size < 1:
            return None
        of_block = _block(block, size) if count * size <= n - start else None
        if of_block is None:
            return None
        shifts = start + size * np.arange(count, dtype=np.int64)
        bonded.append((of_block[0][None] + shifts[:, None, None]).reshape(-1, 2))
        diameters.append(np.tile(of_block[1], count))
        start += count * size
    return (np.concatenate(bonded), np.concatenate(diameters)) if start == n else None


def _block(block: dict[str, Any], size: int) -> tuple[Index, Array] | None:
    """Bonds and diameters of one molecule; None where they cannot be those of one."""
    sizes, listed = block.get("diameters"), block.get("bonds")
    if not isinstance(sizes, list) or not isinstance(listed, list) or len(sizes) != size:
        return None
    numbers = [np.nan if (found := number_of(one)) is None else found for one in sizes]
    try:
        bonded = np.array(listed, dtype=np.int64).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        return None
    if len(bonded) and (bonded.min() < 0 or bonded.max() >= size):
        return None
    return bonded, np.array(numbers, dtype=float)
