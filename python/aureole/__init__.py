# SPDX-License-Identifier: Apache-2.0
"""Aureole simulates particles, from a laptop core to a GPU.

Specs are pure data: `LennardJones`, `NVE`, `Langevin`, `Trajectory`, ... One live object,
`Simulation`, takes a `System` and specs and runs. Units are reduced ones: whatever unit of
length, energy and mass the parameters are given in.
"""

from __future__ import annotations

from typing import Any

from . import _core, build, potentials
from .box import Box
from .errors import BlowUpError, DeviceError, Error, FileError, InputError, Terminated
from .filters import All, Difference, Filter, Intersection, Tags, Type, Union
from .gsdfile import read, write
from .integrators import FIRE, NVE, Bussi, Device, Langevin, NeighborList
from .observers import Callback, Checkpoint, Log, Progress, Trajectory
from .presets import preset
from .simulation import Energy, Minimum, Simulation
from .system import System

__version__: str = _core.build_info()["version"]

__all__ = [
    "FIRE",
    "NVE",
    "All",
    "BlowUpError",
    "Box",
    "Bussi",
    "Callback",
    "Checkpoint",
    "Device",
    "DeviceError",
    "Difference",
    "Energy",
    "Error",
    "FileError",
    "Filter",
    "InputError",
    "Intersection",
    "Langevin",
    "Log",
    "Minimum",
    "NeighborList",
    "Progress",
    "Simulation",
    "System",
    "Tags",
    "Terminated",
    "Trajectory",
    "Type",
    "Union",
    "__version__",
    "build",
    "preset",
    "read",
    "write",
]
__all__ += list(potentials.CLASSES)
globals().update(potentials.CLASSES)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"aureole has no {name!r}. {_hint(name)}")


def _hint(name: str) -> str:
    from .errors import nearest

    return nearest(name, __all__)
