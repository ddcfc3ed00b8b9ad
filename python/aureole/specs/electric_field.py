# SPDX-License-Identifier: Apache-2.0
"""Specs of external fields."""

from __future__ import annotations

from typing import Any

from aureole.base.errors import bad_input
from aureole.base.values import number

from .spec import Spec, checked, spec


def _three(value: Any, name: str, dimension: str | None = None) -> tuple[float, float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise bad_input(f"{name} is {value!r}", "each axis needs one", "Give three numbers")
    x, y, z = (number(item, name, dimension=dimension) for item in value)
    return x, y, z


@spec
class ElectricField(Spec, family="force"):
    """A uniform electric field, strength cos(omega (t - centre)), continuous or pulsed.

    A width above 0 multiplies it by exp(-(t - centre)^2 / (2 width^2)). With width 0 there is no
    pulse and `centre` is not used: strength cos(omega t).

    Args:
        strength: along x, y and z [V/nm; in reduced units energy/length/charge]
        omega: angular frequency along each axis [1/time]
        centre: time of the pulse's maximum, along each axis [time]
        width: standard deviation of the pulse in time, along each axis [time]
    """

    strength: tuple[float, float, float] = checked(_three, dimension="field")
    omega: tuple[float, float, float] = checked(_three, (0.0, 0.0, 0.0))
    centre: tuple[float, float, float] = checked(_three, (0.0, 0.0, 0.0), dimension="time")
    width: tuple[float, float, float] = checked(_three, (0.0, 0.0, 0.0), dimension="time")
