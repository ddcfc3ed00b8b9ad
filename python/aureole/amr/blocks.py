# SPDX-License-Identifier: Apache-2.0
"""The sub-grids of a mesh, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.values import choice

from .cells import Array, CellsOfLeaves
from .fields import field_of
from .mesh import AXES


class Blocks:
    """The sub-grids of a simulation in their order, from one corner of the box along a Morton
    curve; ``len(sim.blocks)`` is how many there are.

    `levels`, (n,): 0 for roots, one more for cells half as long. `boxes`, (n, dims, 2): where each
    begins and ends along x, y and z [length].
    """

    def __init__(self, sim: Any) -> None:
        self._sim = sim
        self._where = CellsOfLeaves(sim.mesh, np.asarray(sim._core.leaves()))
        self.levels: NDArray[np.int64] = self._where.leaves[:, 0].astype(np.int64)
        self.boxes: Array = self._where.boxes()

    def __len__(self) -> int:
        return len(self.levels)

    def centers(self, axis: str) -> Array:
        """(n, 8, 8, 8) coordinates of the centres of the cells along an axis [length]; (n, 8, 8)
        in two dimensions, (n, 8) in one. The last axis is x.

        Args:
            axis: "x", "y" or "z"
        """
        return self._where.along(AXES.index(choice(axis, "axis", tuple(AXES[: self._where.dims]))))

    def cells(self, name: str) -> Array:
        """A copy of a field of all cells, of the shape of `centers`; vectors have one more axis.

        Args:
            name: as in `Simulation.get`
        """
        sim = self._sim
        sim._check_is_set()
        if not np.array_equal(np.asarray(sim._core.leaves()), self._where.leaves):
            raise bad_input(
                "the mesh has changed since these sub-grids were asked for",
                "their cells are gone",
                "Ask for sim.blocks again",
            )
        conserved = np.moveaxis(np.asarray(sim._core.conserved_of_leaves()), 1, 0)
        return field_of(name, conserved, sim.gas.gamma, self._where.dims, self._where.shape)
