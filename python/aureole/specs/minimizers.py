# SPDX-License-Identifier: Apache-2.0
"""Specs of how a minimum of the energy is looked for."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.values import integer, number

from .spec import Spec, checked, positive, spec


@spec
class FIRE(Spec, family="minimizer"):
    """Energy minimiser: fast inertial relaxation engine.

    Args:
        force_tolerance: stop when no force on a particle exceeds this [energy/length]
        max_steps: maximum number of steps
        dt_start: first time step [time]; adapted automatically

    Source: Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006).
    """

    _named: ClassVar[bool] = False

    force_tolerance: float = positive(DEFAULTS["FIRE"]["force_tolerance"], dimension="force")
    max_steps: int = checked(integer, DEFAULTS["FIRE"]["max_steps"], low=0)
    dt_start: float = positive(DEFAULTS["FIRE"]["dt_start"], dimension="time")


@spec
class SteepestDescent(Spec, family="minimizer"):
    """Energy minimiser: steepest descent, with constraints and virtual sites.

    Args:
        force_tolerance: stop when no force on a particle exceeds this [energy/length]
        step: largest displacement of the first step [length]; adapted automatically
        max_steps: maximum number of steps; None for no limit
    """

    _named: ClassVar[bool] = False

    force_tolerance: float = checked(
        *(number, DEFAULTS["SteepestDescent"]["force_tolerance"]), low=0.0, dimension="force"
    )
    step: float = positive(DEFAULTS["SteepestDescent"]["step"], dimension="length")
    max_steps: int | None = checked(integer, 10_000, or_none=True, low=0)
