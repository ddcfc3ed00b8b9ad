# SPDX-License-Identifier: Apache-2.0
"""The spec of pair lists."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.values import choice, integer

from .spec import Spec, checked, positive, spec


@spec
class NeighborList(Spec, family="list"):
    """How pair lists are built and updated.

    Args:
        mode: "exact" (no pair within the cut-off is ever missed) or "tolerance"
        tolerance: mode "tolerance": allowed energy drift [energy/time per particle]
        buffer: mode "tolerance": distance added to the cut-off [length]; None: from the tolerance
        every: mode "tolerance": steps between list updates; needs `buffer`. None: automatic
    """

    _named: ClassVar[bool] = False

    mode: str = "exact"
    tolerance: float = positive(DEFAULTS["NeighborList"]["tolerance"])
    buffer: float | None = positive(None, or_none=True, dimension="length")
    every: int | None = checked(integer, None, or_none=True, low=1)

    def __post_init__(self) -> None:
        choice(self.mode, "mode of the list", ("exact", "tolerance"))
        super().__post_init__()
        if self.mode == "exact" and self.tolerance != DEFAULTS["NeighborList"]["tolerance"]:
            raise bad_input(
                "tolerance is given for an exact list",
                "an exact list misses no pairs",
                'Use mode="tolerance", or leave tolerance out',
            )
        if self.buffer is not None and self.mode == "exact":
            raise bad_input(
                "buffer is given for an exact list",
                "an exact list adapts its buffer to the particles' displacements",
                'Use mode="tolerance", or leave buffer out',
            )
        if self.every is not None and self.buffer is None:
            raise bad_input(
                "every is given for a list without a buffer",
                "without a fixed buffer the update interval is chosen automatically",
                "Give buffer too, or leave every out",
            )

    def settings(self) -> tuple[str, float, float, int, int]:
        """Mode, tolerance, buffer, and how many steps the inner and the outer list last."""
        inner, outer = (0, 0) if self.every is None else (_inner_lifetime(self.every), self.every)
        return self.mode, self.tolerance, self.buffer or 0.0, inner, outer


def _inner_lifetime(outer: int) -> int:
    """Steps between prunings of a list that lasts `outer` steps.

    Lists are renewed at prunings alone, so they divide its life: 5 or somewhat less is fast on
    processors, and a list that has no such divisor is not pruned in between.
    """
    return next((inner for inner in (5, 4, 3, 6, 7, 8, 9, 2) if outer % inner == 0), outer)
