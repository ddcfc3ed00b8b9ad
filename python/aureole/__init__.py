# SPDX-License-Identifier: Apache-2.0
"""Aureole simulates particles, from a laptop core to a GPU.

Specs are pure data: `LennardJones`, `NVE`, `Langevin`, `Trajectory`, ... One live object,
`Simulation`, takes a `System` and specs and runs. Units are reduced ones: whatever unit of
length, energy and mass the parameters are given in. `from_gromacs` makes one of molecules from the
input files of GROMACS, in its units.
"""

from __future__ import annotations

from typing import Any

from . import _core, build, potentials
from .box import Box
from .errors import BlowUpError, DeviceError, Error, FileError, InputError, Terminated
from .filters import All, Difference, Filter, Intersection, Tags, Type, Union
from .gromacs.job import read_job
from .gromacs.start import from_gromacs
from .gsdfile import read, write
from .integrators import FIRE, NVE, Bussi, Device, Langevin, NeighborList
from .molecular import MolecularSimulation
from .observers import (
    Callback,
    Checkpoint,
    Energies,
    Frames,
    Log,
    Progress,
    RunLog,
    TimedCheckpoint,
    TimeLimit,
    Trajectory,
    write_frame,
)
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
    "Energies",
    "Energy",
    "Error",
    "FileError",
    "Filter",
    "Frames",
    "InputError",
    "Intersection",
    "Langevin",
    "Log",
    "Minimum",
    "MolecularSimulation",
    "NeighborList",
    "Progress",
    "RunLog",
    "Simulation",
    "System",
    "Tags",
    "Terminated",
    "TimeLimit",
    "TimedCheckpoint",
    "Trajectory",
    "Type",
    "Union",
    "__version__",
    "build",
    "from_gromacs",
    "preset",
    "read",
    "read_job",
    "write",
    "write_frame",
]
__all__ += list(potentials.CLASSES)
globals().update(potentials.CLASSES)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"aureole has no {name!r}. {_hint(name)}")


def _hint(name: str) -> str:
    from .errors import nearest

    return nearest(name, __all__)
