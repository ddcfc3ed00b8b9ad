# SPDX-License-Identifier: Apache-2.0
"""Where the sub-grids of a mesh are to be finer, and where they may be coarser."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.errors import bad_input
from aureole.base.values import choice, number, put
from aureole.specs.spec import Spec, checked, spec

from .mesh import AXES, Mesh
from .names_elsewhere import OF_CRITERION

#: Fields that a criterion looks at, in the order of the engine's primitive fields.
FIELDS = ("density", *(f"velocity_{axis}" for axis in AXES), "pressure")
POSITIVE = ("density", "pressure")


class Criterion(Spec):
    """A quantity of a cell, found from a field and the cell's neighbours along each axis.

    Sub-grids are to be finer where it is greater than `above` in a cell, and may be coarser where
    it is less than `below` in all cells.
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_CRITERION
    #: The name of the engine's leaf file.
    _leaf: ClassVar[str] = ""

    field: str
    above: float
    below: float | None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lower_bound > self.above:
            raise bad_input(
                f"below of {type(self).__name__} is {self.below:g}",
                f"above is {self.above:g}: sub-grids would be finer and coarser in turn",
                "Give below at most the value of above",
            )

    @property
    def lower_bound(self) -> float:
        """`below`, or `above` where that is None."""
        return self.above if self.below is None else self.below

    def check(self, mesh: Mesh) -> None:
        """Raise InputError for a mesh on which it cannot be used."""
        if mesh.max_level == 0:
            raise bad_input(
                f"refine has {self!r}",
                "max_level of the mesh is 0, so that nothing can be refined",
                "Write amr.Mesh(..., max_level=3)",
            )
        axis = self.field.removeprefix("velocity_")
        if axis in AXES[mesh.dims :]:
            raise bad_input(
                f"field of {type(self).__name__} is {self.field!r}",
                f"the mesh has the axes {', '.join(AXES[: mesh.dims])}",
                "Choose another field",
            )

    def _for_engine(self) -> tuple[str, int, float, float]:
        return self._leaf, FIELDS.index(self.field), self.above, self.lower_bound


def _field(value: object, name: str) -> str:
    return choice(value, name, FIELDS)


def _positive_field(value: object, name: str) -> str:
    if choice(value, name, FIELDS) not in POSITIVE:
        raise bad_input(
            f"{name} is {value!r}",
            "relative to a velocity of about 0, as in a gas at rest, any change is large",
            "Choose density or pressure, or use amr.SecondDerivative or amr.Threshold",
        )
    return str(value)


@spec(kw_only=False)
class SecondDerivative(Criterion, family="refine"):
    """How much a field bends: its second derivative over what its first ones would make of it.

    From 0 to 1 at any scale of the field: shocks, contacts and the edges of rarefactions. Löhner,
    Comput. Methods Appl. Mech. Eng. 61, 323 (1987), equation 4 without mixed derivatives, with a
    filter of 0.01 for small waves.

    Args:
        field: "density", "pressure", or a velocity such as "velocity_x"
        above: sub-grids with a cell above this are to be finer
        below: sub-grids all of whose cells are below this may be coarser
    """

    _leaf = "second_derivative"

    field: str = checked(_field)
    above: float = checked(number, 0.5, low=0.0, open_low=True, high=1.0)
    below: float = checked(number, 0.05, low=0.0)


@spec(kw_only=False)
class Gradient(Criterion, family="refine"):
    """How much a field changes from one cell to the next, relative to its value.

    The root of the sum over axes of the squares of half the difference of both neighbours, over the
    absolute value.

    Args:
        field: "density" or "pressure"
        above: sub-grids with a cell above this are to be finer
        below: sub-grids all of whose cells are below this may be coarser
    """

    _leaf = "gradient"

    field: str = checked(_positive_field)
    above: float = checked(number, 0.2, low=0.0, open_low=True)
    below: float = checked(number, 0.05, low=0.0)


@spec(kw_only=False)
class Threshold(Criterion, family="refine"):
    """The value of a field.

    Args:
        field: "density", "pressure", or a velocity such as "velocity_x"
        above: sub-grids with a cell above this are to be finer
        below: sub-grids all of whose cells are below this may be coarser; None for `above`
    """

    _leaf = "threshold"

    field: str = checked(_field)
    above: float = checked(number)
    below: float | None = None

    def __post_init__(self) -> None:
        if self.below is not None:
            put(self, "below", number(self.below, "below of Threshold"))
        super().__post_init__()
