# SPDX-License-Identifier: Apache-2.0
"""The equation of state."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.values import number
from aureole.specs.spec import Spec, checked, spec

from .names_elsewhere import OF_GAS


@spec
class IdealGas(Spec, family="gas"):
    """An ideal gas: p = (γ − 1) ρ e with the internal energy e of a unit of mass.

    Args:
        gamma: ratio of specific heats γ, above 1
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_GAS

    gamma: float = checked(number, 1.4, low=1.0, open_low=True)
