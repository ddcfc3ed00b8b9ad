# SPDX-License-Identifier: Apache-2.0
"""Specs of how a minimum of the energy is looked for."""

from __future__ import annotations

from dataclasses import dataclass

from aureole.base.engine_schema import DEFAULTS
from aureole.base.values import integer, number, put

from .spec import Spec


@dataclass(frozen=True, kw_only=True)
class FIRE(Spec, family="minimizer"):
    """Energy minimiser: fast inertial relaxation engine.

    Args:
        force_tolerance: stop when the force on no particle is larger [energy/length]
        max_steps: maximum number of steps
        dt_start: first time step [time]; adapted automatically

    Source: Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006).
    """

    force_tolerance: float = DEFAULTS["FIRE"]["force_tolerance"]
    max_steps: int = DEFAULTS["FIRE"]["max_steps"]
    dt_start: float = DEFAULTS["FIRE"]["dt_start"]

    def __post_init__(self) -> None:
        tolerance = number(
            self.force_tolerance, "force_tolerance", low=0.0, open_low=True, dimension="force"
        )
        put(self, "force_tolerance", tolerance)
        put(self, "max_steps", integer(self.max_steps, "max_steps", low=0))
        start = number(self.dt_start, "dt_start", low=0.0, open_low=True, dimension="time")
        put(self, "dt_start", start)


@dataclass(frozen=True, kw_only=True)
class SteepestDescent(Spec, family="minimizer"):
    """Energy minimiser: steepest descent, with constraints and virtual sites.

    Args:
        force_tolerance: stop when the force on no particle is larger [energy/length]
        step: largest displacement of the first step [length]; adapted automatically
        max_steps: maximum number of steps; None for no limit
    """

    force_tolerance: float = DEFAULTS["SteepestDescent"]["force_tolerance"]
    step: float = DEFAULTS["SteepestDescent"]["step"]
    max_steps: int | None = 10_000

    def __post_init__(self) -> None:
        tolerance = number(self.force_tolerance, "force_tolerance", low=0.0, dimension="force")
        put(self, "force_tolerance", tolerance)
        put(self, "step", number(self.step, "step", low=0.0, open_low=True, dimension="length"))
        if self.max_steps is not None:
            put(self, "max_steps", integer(self.max_steps, "max_steps", low=0))
