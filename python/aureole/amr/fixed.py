# SPDX-License-Identifier: Apache-2.0
"""A boundary with a state that does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from aureole.base.errors import bad_input
from aureole.base.values import number, put
from aureole.specs.spec import Spec, positive, spec

from .names_elsewhere import OF_FIXED


@spec
class Fixed(Spec, family="boundary"):
    """A boundary beyond which the gas has a state that does not change, as where it flows in.

    Args:
        density: [mass/volume]
        pressure: [force/area]
        velocity: a number for each axis of the mesh [length/time], in one dimension also one
            number; None for a gas at rest
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_FIXED

    density: float = positive()
    pressure: float = positive()
    velocity: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.velocity is not None:
            put(self, "velocity", _velocity(self.velocity))

    def check(self, dims: int, name: str) -> None:
        """Raise InputError for a mesh of so many axes that it is not made for."""
        if self.velocity is not None and len(self.velocity) != dims:
            raise bad_input(
                f"velocity of {name} is {self.velocity}",
                f"the mesh has {dims} {'axis' if dims == 1 else 'axes'}",
                "Give one number for each",
            )

    def primitive(self) -> list[float]:
        """Density, three components of the velocity, and pressure."""
        given = self.velocity or ()
        return [self.density, *given, *(0.0,) * (3 - len(given)), self.pressure]


def _velocity(given: Any) -> tuple[float, ...]:
    parts = list(given) if isinstance(given, Sequence | np.ndarray) else [given]
    if not 1 <= len(parts) <= 3:
        raise bad_input(
            f"velocity of Fixed is {given!r}", "it has one to three components", "Give so many"
        )
    return tuple(number(part, "velocity of Fixed") for part in parts)
