# SPDX-License-Identifier: Apache-2.0
"""The fields of a flow, as exact solutions return them and simulations take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from aureole.base.attributes import unchangeable
from aureole.base.values import put

Array = npt.NDArray[np.float64]


@unchangeable
@dataclass(frozen=True, eq=False)
class Flow(Mapping[str, Array]):
    """Density, velocity and pressure of a flow: ``flow.density`` is ``flow["density"]``.

    What the functions of `amr.exact` and the solution of a `Problem` return; `sim.set` takes it.

    Args:
        density: any shape
        velocity: of that shape, along x or the radius; that of a `Problem` has one more axis, the
            last, with a component for each axis of the mesh
        pressure: of the shape of the density
    """

    density: Array
    velocity: Array
    pressure: Array

    def __post_init__(self) -> None:
        for name in self:
            put(self, name, np.asarray(getattr(self, name), float))

    def __getitem__(self, name: str) -> Array:
        if name not in list(self):
            raise KeyError(name)
        array: Array = getattr(self, name)
        return array

    def __iter__(self) -> Iterator[str]:
        return (field.name for field in fields(self))

    def __len__(self) -> int:
        return len(fields(self))
