# SPDX-License-Identifier: Apache-2.0
"""The columns of a `Log` of a fluid."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from aureole.base.errors import bad_input, nearest

from .names_elsewhere import QUANTITIES as OF_OTHERS

AXES = "xyz"


class Chosen:
    """Numbers of a fluid by name, in code units: integrals over the box.

    Raises InputError for a name that it does not have.
    """

    def __init__(self, sim: Any, names: Sequence[str] | None) -> None:
        momenta = tuple(f"momentum_{axis}" for axis in AXES[: sim.mesh.dims])
        standard = ("step", "time", "dt", "mass", *momenta, "energy")
        levels = tuple(f"subgrids_{k}" for k in range(sim.mesh.max_level + 1))
        more = ("kinetic", "internal", "subgrids", *levels, "repairs", "floors", "steps_per_second")
        known = standard + more
        self.names = standard if names is None else tuple(names)
        for name in self.names:
            if name not in known:
                raise bad_input(
                    f"unknown quantity {name!r} of Log",
                    "a fluid has none of that name",
                    nearest(OF_OTHERS.get(name, name), known),
                )

    def unit(self, name: str) -> str:
        return ""

    def state(self) -> dict[str, Any]:
        return {}

    def accept_forces(self, names: Iterable[str], path: str) -> None:
        """A fluid has no forces."""

    def values(self, sim: Any) -> list[float]:
        totals = sim.totals
        kinetic = _kinetic(sim) if {"kinetic", "internal"} & set(self.names) else 0.0
        of_level = sim.describe()["subgrids_of_level"] + [0] * (sim.mesh.max_level + 1)
        momenta = zip(AXES, totals["momentum"], strict=True)
        known = {
            "step": int(sim.step),
            "time": sim.time,
            "dt": sim.dt,
            "mass": totals["mass"],
            **{f"momentum_{axis}": float(value) for axis, value in momenta},
            "energy": totals["energy"],
            "kinetic": kinetic,
            "internal": totals["energy"] - kinetic,
            "subgrids": sum(of_level),
            **{f"subgrids_{k}": n for k, n in enumerate(of_level)},
            "repairs": sim.repairs["cells"],
            "floors": sim.repairs["floors"],
            "steps_per_second": sim.steps_per_second,
        }
        return [known[name] for name in self.names]


def _kinetic(sim: Any) -> float:
    """The integral of the kinetic energy of a unit of volume."""
    blocks = sim.blocks
    momentum, density = blocks.cells("momentum"), blocks.cells("density")
    lengths = [high - low for low, high in sim.mesh.box]
    root = math.prod(lengths) / math.prod(sim.mesh.cells)
    of_block = ((momentum**2).sum(axis=-1) / density).reshape(len(blocks), -1).sum(axis=1)
    return 0.5 * root * float((of_block * np.ldexp(1.0, -sim.mesh.dims * blocks.levels)).sum())
