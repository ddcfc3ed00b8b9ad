# SPDX-License-Identifier: Apache-2.0
"""The mesh: a box of sub-grids with 8 cells along each axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.text import counted
from aureole.base.values import choice, integer, number, put
from aureole.specs.spec import Spec, checked, from_dict, spec

from .fixed import Fixed
from .names_elsewhere import BOUNDARIES as OF_OTHERS
from .names_elsewhere import FIXED_BOUNDARIES as OF_FIXED_ONES
from .names_elsewhere import OF_MESH

CELLS = 8  # of a sub-grid along each axis
MOST_SUBGRIDS = 2**31 - 1
MOST_ALONG = 2**20  # sub-grids along an axis, of the finest level
BOUNDARIES = ("periodic", "outflow", "reflecting")
AXES = "xyz"


@spec
class Mesh(Spec, family="mesh"):
    """A box of sub-grids with 8 cells along each of one to three axes.

    Args:
        box: (low, high) of each axis [length]
        roots: number of sub-grids along each axis where nothing is refined; there are 8 times as
            many cells
        boundary: "periodic", "outflow" (no gradient), "reflecting" (a wall) or a `Fixed` state:
            one for all faces, or a list with an item for each axis, which is one for both of its
            faces or a pair (low face, high face)
        max_level: the highest level of refinement; cells of a level are half as long as those of
            the level below. `refine` of the `Simulation` says what is refined
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_MESH

    box: tuple[tuple[float, float], ...]
    roots: tuple[int, ...]
    boundary: str | Fixed | tuple[Any, ...] = "periodic"
    max_level: int = checked(integer, 0, low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "box", box_of(self.box, "Mesh"))
        put(self, "roots", _roots(self.roots, self.dims))
        put(self, "boundary", _boundary(self.boundary, self.dims))
        self._check_faces()
        self._check_levels()

    def _check_faces(self) -> None:
        for axis, faces in zip(AXES, self.faces, strict=False):
            where = f"boundary of Mesh along {axis}"
            for face in faces:
                if isinstance(face, Fixed):
                    face.check(self.dims, where)
                elif face in OF_FIXED_ONES:
                    raise bad_input(
                        f"{where} is {face!r}",
                        "the state beyond the face is needed",
                        "Give amr.Fixed(density=..., pressure=..., velocity=...)",
                    )
                else:
                    choice(face, where, BOUNDARIES, OF_OTHERS)
            if "periodic" in faces and faces[0] != faces[1]:
                raise bad_input(
                    f"boundary of Mesh along {axis} is {faces!r}",
                    "an axis is periodic at both faces or at none",
                    "Give another name for both faces",
                )

    def _check_levels(self) -> None:
        finest = max(self.roots) << min(self.max_level, 64)
        if self.max_level > 0 and finest > MOST_ALONG:
            most = (MOST_ALONG // max(self.roots)).bit_length() - 1
            raise bad_input(
                f"max_level of Mesh is {self.max_level}",
                f"an axis would have more than {MOST_ALONG:,} sub-grids of the finest level",
                f"With these roots it may be {most}",
            )

    @property
    def dims(self) -> int:
        """Number of axes."""
        return len(self.box)

    @property
    def faces(self) -> tuple[tuple[str | Fixed, str | Fixed], ...]:
        """The boundaries of each axis, at its low and at its high face."""
        given = self.boundary if isinstance(self.boundary, tuple) else (self.boundary,) * self.dims
        return tuple(one if isinstance(one, tuple) else (one, one) for one in given)

    @property
    def cells(self) -> tuple[int, ...]:
        """Number of cells along each axis, where nothing is refined."""
        return tuple(CELLS * n for n in self.roots)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the arrays of cells, without levels: (nz, ny, nx), (ny, nx) or (nx,)."""
        return self.cells[::-1]

    @property
    def spacing(self) -> tuple[float, ...]:
        """Length of a cell along each axis, where nothing is refined [length]."""
        pairs = zip(self.box, self.cells, strict=True)
        return tuple((high - low) / n for (low, high), n in pairs)

    def centers(self, axis: str) -> NDArray[np.float64]:
        """(n,) coordinates of the centres of the cells along an axis [length], without levels.

        Args:
            axis: "x", "y" or "z"
        """
        k = AXES.index(choice(axis, "axis", tuple(AXES[: self.dims])))
        return centers_along(self.box[k], self.cells[k], np.arange(self.cells[k]))


def centers_along(ends: tuple[float, float], n: Any, cells: Any) -> NDArray[np.float64]:
    """Coordinates of the centres of cells, by their numbers, of n along an axis with such ends."""
    low, high = ends
    odd = 2 * np.asarray(cells) + 1
    return (low * (2 * n - odd) + high * odd) / (2 * n)  # mirrored boxes: mirrored numbers


def box_of(given: Any, of: str) -> tuple[tuple[float, float], ...]:
    example = "Write for example box=[(0, 1), (0, 1)]"
    if not isinstance(given, Sequence | np.ndarray) or not 1 <= len(given) <= len(AXES):
        raise bad_input(
            f"box of {of} is {given!r}", "it needs (low, high) for one to three axes", example
        )
    box = []
    for axis, pair in zip(AXES, given, strict=False):
        if not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
            raise bad_input(
                f"box of {of} along {axis} is {pair!r}", "it must be (low, high)", example
            )
        low, high = (number(value, f"box of {of} along {axis}") for value in pair)
        if not low < high:
            raise bad_input(
                f"box of {of} along {axis} is ({low:g}, {high:g})",
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
    if max(roots) > MOST_ALONG:
        raise bad_input(
            f"roots of Mesh are {roots}",
            f"there may be {MOST_ALONG:,} sub-grids along an axis",
            f"Each root has {CELLS} cells along each axis: lower roots",
        )
    return roots


def _boundary(given: Any, dims: int) -> Any:
    """One boundary, or those by axis: single ones, or pairs of them."""
    if isinstance(given, str | Fixed):
        return given
    if isinstance(given, Mapping) and "kind" not in given:
        raise bad_input(
            f"boundary of Mesh is {given!r}",
            "it must be a name, or a list with one item for each axis",
            'Write for example boundary=["outflow", "periodic"]',
        )
    if isinstance(given, Mapping):  # as files have it
        return from_dict("boundary", given, "boundary of Mesh")
    example = f"Write for example boundary={[('reflecting', 'outflow')] * dims!r}"
    if not isinstance(given, Sequence) or len(given) != dims:
        items = "its axis" if dims == 1 else f"each of {dims} axes"
        raise bad_input(
            f"boundary of Mesh is {given!r}",
            f"it must be a name, or a list with one item for {items}",
            example,
        )
    for one in given:
        single = isinstance(one, str | Fixed | Mapping)
        if not single and (not isinstance(one, Sequence) or len(one) != 2):
            raise bad_input(
                f"boundary of Mesh holds {one!r}", "it must be a name or a pair of names", example
            )
    return tuple(
        _single(one) if isinstance(one, str | Fixed | Mapping) else tuple(map(_single, one))
        for one in given
    )


def _single(one: Any) -> Any:
    return from_dict("boundary", one, "boundary of Mesh") if isinstance(one, Mapping) else one
