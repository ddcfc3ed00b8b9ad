# SPDX-License-Identifier: Apache-2.0
"""A part of the box with finer cells."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.errors import bad_input
from aureole.base.values import integer, put
from aureole.specs.spec import Spec, checked, spec

from .mesh import AXES, Mesh, box_of
from .names_elsewhere import OF_REGION


@spec(kw_only=False)
class Region(Spec, family="refine"):
    """A part of the box in which sub-grids have at least a level.

    Args:
        box: (low, high) of each axis [length]; sub-grids that it touches are refined, and others
            around them so that levels of neighbours differ by one at most
        level: its cells are 2 to the power of `level` times as fine as those of the roots
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_REGION

    box: tuple[tuple[float, float], ...]
    level: int = checked(integer, 1, low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "box", box_of(self.box, "Region"))

    def check(self, mesh: Mesh) -> None:
        """Raise InputError for a mesh that has no such part."""
        if len(self.box) != mesh.dims:
            raise bad_input(
                f"box of Region is {self.box}",
                f"the box of the mesh is {mesh.box}",
                "Give (low, high) of the same axes",
            )
        for axis, (low, high), (first, last) in zip(AXES, self.box, mesh.box, strict=False):
            if low >= last or high <= first:
                raise bad_input(
                    f"box of Region along {axis} is ({low:g}, {high:g})",
                    f"the box of the mesh is ({first:g}, {last:g}) there",
                    "Give a part of it",
                )
        if self.level > mesh.max_level:
            raise bad_input(
                f"level of Region is {self.level}",
                f"max_level of the mesh is {mesh.max_level}",
                f"Write amr.Mesh(..., max_level={self.level}), or lower the level",
            )
