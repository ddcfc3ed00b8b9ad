# SPDX-License-Identifier: Apache-2.0
"""Bonds seen in a frame, and molecules made whole along them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.neighbours import pairs
from aureole.system.box import Box

from .elements import ELEMENTS

Array = NDArray[np.float64]
Pairs = NDArray[np.int64]

#: Largest excess of a bond's length over the sum of covalent radii [nm].
_SLACK = 0.04


def find(box: Box, position: Array, symbol: NDArray[np.str_], residue: NDArray[np.int64]) -> Pairs:
    """(m, 2) pairs of atoms that are near enough to be bonded.

    Hydrogen binds once, to its nearest neighbour, and only atoms of the same residue or of two
    that follow each other in the file, or sulfur, are bonded: a dense frame has close contacts.
    """
    radius = np.array([ELEMENTS[s].covalent if s else 0.0 for s in symbol])
    able = np.flatnonzero(radius > 0)
    if len(able) < 2:
        return np.empty((0, 2), dtype=np.int64)
    r_max = min(2 * float(radius.max()) + _SLACK, 0.499 * float(box.widths.min()))
    some, found = position[able], []
    for i, j, r in pairs(box, some, some, r_max):
        a, b = able[i], able[j]
        near = (a < b) & (r < radius[a] + radius[b] + _SLACK) & (r > 0.04)
        near &= (np.abs(residue[a] - residue[b]) <= 1) | ((symbol[a] == "S") & (symbol[b] == "S"))
        found.append(np.column_stack([a[near], b[near], np.round(r[near] * 1e6)]).astype(np.int64))
    return _one_per_hydrogen(np.concatenate(found), symbol == "H")


def _one_per_hydrogen(bonds: Pairs, hydrogen: NDArray[np.bool_]) -> Pairs:
    """Bonds without those of a hydrogen that has a shorter one; third column the length."""
    bonds = bonds[np.lexsort((bonds[:, 1], bonds[:, 0], bonds[:, 2]))]
    light = hydrogen[bonds[:, :2]].sum(axis=1)
    keep = light == 0  # two hydrogens are only ever in contact here
    rows = np.flatnonzero(light == 1)
    atom = np.where(hydrogen[bonds[rows, 0]], bonds[rows, 0], bonds[rows, 1])
    keep[rows[np.unique(atom, return_index=True)[1]]] = True  # rows are sorted by length
    kept = bonds[keep][:, :2]
    return np.asarray(kept[np.lexsort((kept[:, 1], kept[:, 0]))])


def whole(box: Box, position: Array, bonds: Pairs, molecule: NDArray[np.int64]) -> Array:
    """(n, 3) positions with each molecule in one piece, its middle in the box.

    The walk goes along the bonds from the lowest particle of each molecule; a molecule that
    is bonded to its own image (a polymer through the box) stays cut there.
    """
    result = np.array(position)
    placed = molecule == np.arange(len(position))
    open_bonds = bonds
    while len(open_bonds):
        a, b = open_bonds.T
        forth, back = placed[a] & ~placed[b], placed[b] & ~placed[a]
        known = np.concatenate([a[forth], b[back]])
        new = np.concatenate([b[forth], a[back]])
        if not len(new):
            break
        new, first = np.unique(new, return_index=True)
        known = known[first]
        result[new] = result[known] + box.minimum_image(result[new] - result[known])
        placed[new] = True
        open_bonds = open_bonds[~(placed[a] & placed[b])]
    sizes = np.bincount(molecule, minlength=len(position))
    sums = [np.bincount(molecule, weights=result[:, k], minlength=len(position)) for k in range(3)]
    middle = np.column_stack(sums)[molecule] / sizes[molecule][:, None]
    return np.asarray(result + (box.wrap(middle)[0] - middle))
