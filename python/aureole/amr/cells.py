# SPDX-License-Identifier: Apache-2.0
"""Where the cells of a mesh are, in arrays of all of them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .mesh import AXES, CELLS, Mesh, centers_along

Array = NDArray[np.float64]


class Cells:
    """Cells of a mesh without levels, as one array of the shape of the mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh, self.dims, self.shape = mesh, mesh.dims, mesh.shape

    def coordinates(self) -> list[Array]:
        """Coordinates of the centres, x first, each array of the shape of all cells."""
        lines = [self.mesh.centers(axis) for axis in AXES[: self.dims]]
        return [array.copy() for array in np.meshgrid(*lines[::-1], indexing="ij")[::-1]]

    def name(self, at: tuple[int, ...]) -> str:
        """The cell at a place of the array, in words."""
        return f"cell {at[::-1]}"


class CellsOfLeaves(Cells):
    """Cells of sub-grids of several levels, in arrays whose first axis are the sub-grids.

    Args:
        leaves: (n, 4) of each sub-grid its level, and its place among those of the level
    """

    def __init__(self, mesh: Mesh, leaves: NDArray[np.int32]) -> None:
        super().__init__(mesh)
        self.leaves = leaves
        self.shape = (len(leaves), *(CELLS,) * mesh.dims)

    def coordinates(self) -> list[Array]:
        return [self.along(k) for k in range(self.dims)]

    def along(self, axis: int) -> Array:
        """Coordinates of the centres along an axis, from 0."""
        first = CELLS * self.leaves[:, 1 + axis].astype(np.int64)
        n = self.mesh.cells[axis] << self.leaves[:, 0].astype(np.int64)
        at = centers_along(self.mesh.box[axis], n[:, None], first[:, None] + np.arange(CELLS))
        shape = [1] * self.dims
        shape[self.dims - 1 - axis] = CELLS
        return np.array(np.broadcast_to(at.reshape(len(at), *shape), self.shape))

    def boxes(self) -> Array:
        """(n, dims, 2) low and high ends of the sub-grids [length]."""
        ends = np.empty((len(self.leaves), self.dims, 2))
        for axis, ((low, high), roots) in enumerate(
            zip(self.mesh.box, self.mesh.roots, strict=True)
        ):
            n = roots << self.leaves[:, 0].astype(np.int64)
            for side in (0, 1):
                at = self.leaves[:, 1 + axis].astype(np.int64) + side
                ends[:, axis, side] = (low * (n - at) + high * at) / n
        return ends

    def name(self, at: tuple[int, ...]) -> str:
        return f"cell {at[:0:-1]} of sub-grid {at[0]}"


def at_level(mesh: Mesh, leaves: NDArray[np.int32], conserved: Array, level: int) -> Array:
    """(k, nz, ny, nx) means in the cells that a uniform mesh of a level has, from those of leaves.

    Cells of lower levels are repeated, those of higher ones averaged.

    Args:
        mesh: whose leaves these are
        leaves: as in `CellsOfLeaves`
        conserved: (n, k, bz, by, bx) fields of which means are taken
        level: from 0
    """
    extent = conserved.shape[2:]
    axes = [2 - k for k in range(mesh.dims)]  # of (z, y, x): x first
    whole = np.zeros(
        (conserved.shape[1], *(n << level if n > 1 else 1 for n in _roots_cells(mesh)))
    )
    for (own, *place), cells in zip(leaves.tolist(), conserved, strict=True):
        corner = place[::-1]  # z first
        if own <= level:
            factor = 1 << (level - own)
            for axis in axes:
                cells = np.repeat(cells, factor, axis=1 + axis)
            ends = [
                slice(at * n * factor, (at + 1) * n * factor) if axis in axes else slice(None)
                for axis, (at, n) in enumerate(zip(corner, extent, strict=True))
            ]
            whole[(slice(None), *ends)] = cells
            continue
        factor = 1 << (own - level)
        lines = [
            (at * n + np.arange(n)) // factor if axis in axes else np.zeros(1, int)
            for axis, (at, n) in enumerate(zip(corner, extent, strict=True))
        ]
        part = math.ldexp(1.0, -(own - level) * mesh.dims)
        np.add.at(whole, (slice(None), *np.ix_(*lines)), cells * part)
    return whole


def _roots_cells(mesh: Mesh) -> tuple[int, ...]:
    return (1,) * (3 - mesh.dims) + mesh.shape
