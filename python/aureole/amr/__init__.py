# SPDX-License-Identifier: Apache-2.0
"""Fluids on a mesh: Euler's equations of an ideal gas, in 1, 2 or 3 dimensions.

All numbers are in code units: any units of length, mass and time.
"""

from __future__ import annotations

from . import exact
from .gas import IdealGas
from .mesh import Mesh
from .problem import Problem
from .problems import sedov, sod, sound_wave
from .schedules import Aggregate, Pack, Subgrids
from .scheme import Scheme
from .simulation import Simulation

__all__ = [
    "Aggregate",
    "IdealGas",
    "Mesh",
    "Pack",
    "Problem",
    "Scheme",
    "Simulation",
    "Subgrids",
    "exact",
    "sedov",
    "sod",
    "sound_wave",
]
