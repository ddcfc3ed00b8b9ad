# SPDX-License-Identifier: Apache-2.0
"""Degrees of freedom of temperature groups of a job."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aureole.system import degrees_of_freedom as freedom

from .checked_job import Case, labels


def frozen_axes(case: Case) -> NDArray[np.bool_]:
    """(n, 3) whether each particle is frozen along each axis."""
    frozen = np.zeros((case.system.n, 3), dtype=bool)
    for group in case.parameters.frozen:
        rows = case.members(group.name)
        if rows is not None:
            frozen[rows[rows < len(frozen)]] |= np.array(group.axes)
    return frozen


def degrees_of_freedom(case: Case) -> NDArray[np.float64]:
    """Degrees of freedom of each group of the thermostat, and last of particles in no group."""
    p = case.parameters
    names = tuple(group.name for group in p.temperature_groups)
    axes = ~frozen_axes(case) & ~freedom.virtual_of(case.system)[:, None]
    drift = freedom.Drift(p.removes, labels(case, p["comm-grps"]), len(p["comm-grps"]))
    return freedom.degrees_of_freedom(case.system, axes, labels(case, names), len(names), drift)
