# SPDX-License-Identifier: Apache-2.0
"""The mesh: a box of sub-grids with 8 cells along each axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.text import counted
from aureole.base.values import choice, integer, number, put
from aureole.specs.spec import Spec, spec

from .names_elsewhere import BOUNDARIES as OF_OTHERS
from .names_elsewhere import OF_MESH

CELLS = 8  # of a sub-grid along each axis
MOST_SUBGRIDS = 2**31 - 1
BOUNDARIES = ("periodic", "outflow", "reflecting")
AXES = "xyz"


@spec
class Mesh(Spec, family="mesh"):
    """A box of equal sub-grids with 8 cells along each of one to three axes.

    Args:
        box: (low, high) of each axis [length]
        roots: number of sub-grids along each axis; there are 8 times as many cells
        boundary: "periodic", "outflow" (no gradient) or "reflecting" (a wall): one name for all
            faces, or a list with one name or one pair (low face, high face) for each axis
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_MESH

    box: tuple[tuple[float, float], ...]
    roots: tuple[int, ...]
    boundary: str | tuple[Any, ...] = "periodic"

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "box", _box(self.box))
        put(self, "roots", _roots(self.roots, self.dims))
        if not isinstance(self.boundary, str):
            put(self, "boundary", _listed(self.boundary, self.dims))
        self._check_faces()

    def _check_faces(self) -> None:
        for axis, faces in zip(AXES, self.faces, strict=False):
            for name in faces:
                choice(name, f"boundary of Mesh along {axis}", BOUNDARIES, OF_OTHERS)
            if "periodic" in faces and faces[0] != faces[1]:
                raise bad_input(
                    f"boundary of Mesh along {axis} is {faces!r}",
                    "an axis is periodic at both faces or at none",
                    "Give another name for both faces",
                )

    @property
    def dims(self) -> int:
        """Number of axes."""
        return len(self.box)

    @property
    def faces(self) -> tuple[tuple[str, str], ...]:
        """The boundaries of each axis, at its low and at its high face."""
        given = (self.boundary,) * self.dims if isinstance(self.boundary, str) else self.boundary
        return tuple((one, one) if isinstance(one, str) else one for one in given)

    @property
    def cells(self) -> tuple[int, ...]:
        """Number of cells along each axis."""
        return tuple(CELLS * n for n in self.roots)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the arrays of cells: (nz, ny, nx), (ny, nx) or (nx,)."""
        return self.cells[::-1]

    @property
    def spacing(self) -> tuple[float, ...]:
        """Length of a cell along each axis [length]."""
        pairs = zip(self.box, self.cells, strict=True)
        return tuple((high - low) / n for (low, high), n in pairs)

    def centers(self, axis: str) -> NDArray[np.float64]:
        """(n,) coordinates of the centres of the cells along an axis [length].

        Args:
            axis: "x", "y" or "z"
        """
        k = AXES.index(choice(axis, "axis", tuple(AXES[: self.dims])))
        (low, high), n = self.box[k], self.cells[k]
        odd = 2 * np.arange(n) + 1
        return (low * (2 * n - odd) + high * odd) / (2 * n)  # mirrored boxes: mirrored numbers


def _box(given: Any) -> tuple[tuple[float, float], ...]:
    example = "Write for example box=[(0, 1), (0, 1)]"
    if not isinstance(given, Sequence | np.ndarray) or not 1 <= len(given) <= len(AXES):
        raise bad_input(
            f"box of Mesh is {given!r}", "it needs (low, high) for one to three axes", example
        )
    box = []
    for axis, pair in zip(AXES, given, strict=False):
        if not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
            raise bad_input(
                f"box of Mesh along {axis} is {pair!r}", "it must be (low, high)", example
            )
        low, high = (number(value, f"box of Mesh along {axis}") for value in pair)
        if not low < high:
            raise bad_input(
                f"box of Mesh along {axis} is ({low:g}, {high:g})",
                "its low end must be below its high end",
                example,
            )
        box.append((low, high))
    return tuple(box)


def _roots(given: Any, dims: int) -> tuple[int, ...]:
    if not isinstance(given, Sequence | np.ndarray) or len(given) != dims:
        raise bad_input(
            f"roots of Mesh is {given!r}",
            f"the box has {counted(dims, 'axis', 'axes')}, and each needs a number",
            f"Write for example roots={(4,) * dims!r}",
        )
    roots = tuple(
        integer(n, f"roots of Mesh along {axis}", low=1)
        for axis, n in zip(AXES, given, strict=False)
    )
    if math.prod(roots) > MOST_SUBGRIDS:
        raise bad_input(
            f"roots of Mesh make {math.prod(roots):.3g} sub-grids",
            f"there may be {MOST_SUBGRIDS:,}",
            f"Each root has {CELLS} cells along each axis: lower roots",
        )
    return roots


def _listed(given: Any, dims: int) -> tuple[Any, ...]:
    """Boundaries by axis: names, or pairs of them."""
    example = f"Write for example boundary={[('reflecting', 'outflow')] * dims!r}"
    if not isinstance(given, Sequence) or len(given) != dims:
        items = "its axis" if dims == 1 else f"each of {dims} axes"
        raise bad_input(
            f"boundary of Mesh is {given!r}",
            f"it must be a name, or a list with one item for {items}",
            example,
        )
    for one in given:
        if not isinstance(one, str) and (not isinstance(one, Sequence) or len(one) != 2):
            raise bad_input(
                f"boundary of Mesh holds {one!r}", "it must be a name or a pair of names", example
            )
    return tuple(one if isinstance(one, str) else tuple(one) for one in given)
