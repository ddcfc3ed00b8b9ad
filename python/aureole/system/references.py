# SPDX-License-Identifier: Apache-2.0
"""Places that position restraints refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import reals
from aureole.base.attributes import unchangeable
from aureole.base.errors import bad_input

from .box import Box


@unchangeable
@dataclass(frozen=True, eq=False)
class References:
    """Reference positions of position restraints.

    Args:
        points: (n, 3) fractions of the box vectors from the box centre, which scale with the box;
            or positions from `origin` [length], which do not
        with_box: whether `points` are fractions
        origin: origin of such positions, as fractions of the box vectors from the box centre
    """

    points: NDArray[np.float64]
    with_box: bool = False
    origin: tuple[float, float, float] = (-0.5, -0.5, -0.5)

    @classmethod
    def of(cls, value: Any, n: int, box: Box) -> References:
        """References, or those that (n, 3) positions in the box give [length]."""
        if isinstance(value, References):
            return value
        points = reals(value, "references")
        if points.shape != (n, 3) or not np.isfinite(points).all():
            raise bad_input(
                f"references has the shape {points.shape}, or numbers that are not finite",
                "each particle needs a reference position",
                f"Give it the shape ({n}, 3)",
            )
        return cls(points + 0.5 * box.matrix.T.sum(axis=0))
