# SPDX-License-Identifier: Apache-2.0
"""Masses with which a simulation can go on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.engine_schema import LIMITS
from aureole.base.errors import InputError, bad_input


def check_masses(core: Any, mass: NDArray[np.float64], order: str, who: str = "particle") -> None:
    """Raise InputError for a mass that no system may have.

    Virtual sites and frozen particles may have none.

    Args:
        core: the engine's simulation
        mass: (n,) masses [mass]
        order: of these, "tag" or "local"
        who: what a row is, in errors
    """
    wrong = ~((mass > 0) & (mass <= LIMITS["mass"]))
    none = mass == 0
    if none.any():
        wrong[none] = _moving(core, order)[none]
    if wrong.any():
        row = int(wrong.argmax())
        raise bad_input(
            f"mass of {who} {row} is {mass[row]:g}",
            f"it must be positive and at most {LIMITS['mass']:g}",
            "Correct it; to fix a particle in place, freeze it",
        )


def _moving(core: Any, order: str) -> NDArray[np.bool_]:
    """(n,) which particles forces move, at least along one axis."""
    try:
        return np.asarray(core.get("moves", order=order)) != 0
    except InputError:  # there is no such column where all do
        return np.ones(int(core.n), dtype=bool)
