# SPDX-License-Identifier: Apache-2.0
"""Fluids on a mesh: Euler's equations of an ideal gas, in 1, 2 or 3 dimensions.

All numbers are in code units: any units of length, mass and time.
"""

from __future__ import annotations

from typing import NoReturn

from aureole.base.errors import nearest

from . import exact
from .blocks import Blocks
from .criterion import Gradient, SecondDerivative, Threshold
from .fixed import Fixed
from .flow import Flow
from .gas import IdealGas
from .mesh import Mesh
from .names_elsewhere import of_package
from .pictures import picture
from .problem import Problem
from .problems import implosion, kelvin_helmholtz, noh, sedov, sod, sound_wave, vortex
from .region import Region
from .schedules import Aggregate, Pack, Subgrids
from .scheme import Scheme
from .simulation import Simulation
from .snapshot import Snapshot

__all__ = [
    "Aggregate",
    "Blocks",
    "Fixed",
    "Flow",
    "Gradient",
    "IdealGas",
    "Mesh",
    "Pack",
    "Problem",
    "Region",
    "Scheme",
    "SecondDerivative",
    "Simulation",
    "Snapshot",
    "Subgrids",
    "Threshold",
    "exact",
    "implosion",
    "kelvin_helmholtz",
    "noh",
    "picture",
    "sedov",
    "sod",
    "sound_wave",
    "vortex",
]


def __getattr__(name: str) -> NoReturn:
    """Only called for names that are not there."""
    here = of_package(name)
    hint = f"{here}." if here else nearest(name, __all__)
    raise AttributeError(f"aureole.amr has no {name!r}. {hint}", name=name)
