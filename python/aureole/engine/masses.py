# SPDX-License-Identifier: Apache-2.0
"""Masses with which a simulation can go on, and with which its checkpoint can be read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import BlowUpError, InputError, bad_input

#: Products of masses must be finite: the limit of `src/md/check_particles.cpp`.
_HEAVIEST = 1e100


def check_masses(core: Any, mass: NDArray[np.float64], order: str, who: str = "particle") -> None:
    """Raise InputError for a mass that no system may have.

    Virtual sites and frozen particles may have none.

    Args:
        core: the engine's simulation
        mass: (n,) masses [mass]
        order: of these, "tag" or "local"
        who: what a row is, in errors
    """
    wrong = _wrong(core, mass, order)
    if wrong.any():
        row = int(wrong.argmax())
        raise bad_input(
            f"mass of {who} {row} is {mass[row]:g}",
            f"it must be positive and at most {_HEAVIEST:g}",
            "Correct it; to fix a particle in place, freeze it",
        )


def check_saved_masses(core: Any, mass: NDArray[np.float64]) -> None:
    """Raise BlowUpError before a checkpoint is written with such a one; (n,) masses by tag."""
    wrong = _wrong(core, mass, "tag")
    if wrong.any():
        row = int(wrong.argmax())
        error = BlowUpError(
            f"no checkpoint is written at step {core.step} (the run could not go on from its block "
            f"'mass': that of particle {row} is {mass[row]:g}). Look at the masses that were set."
        )
        error.step, error.particle, error.partner = int(core.step), row, None
        error.force, error.value, error.place = "mass", float(mass[row]), ""
        raise error


def _wrong(core: Any, mass: NDArray[np.float64], order: str) -> NDArray[np.bool_]:
    """(n,) which masses no system may have."""
    wrong = ~((mass > 0) & (mass <= _HEAVIEST))
    none = mass == 0
    if none.any():
        wrong[none] = _moving(core, order)[none]
    return wrong


def _moving(core: Any, order: str) -> NDArray[np.bool_]:
    """(n,) which particles forces move, at least along one axis."""
    try:
        return np.asarray(core.get("moves", order=order)) != 0
    except InputError:  # there is no such column where all do
        return np.ones(int(core.n), dtype=bool)
