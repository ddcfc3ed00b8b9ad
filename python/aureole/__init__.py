# SPDX-License-Identifier: Apache-2.0
"""Aureole simulates particles, from a laptop core to a GPU.

Specs are pure data: `LennardJones`, `NVE`, `Langevin`, `Trajectory`, ... One live object,
`Simulation`, takes a `System` and specs and runs. Units belong to the system: reduced ones,
whatever unit of length, energy and mass the parameters are given in, or nm, ps and kJ/mol.
`from_gromacs` makes a simulation from the input files of GROMACS.
"""

from __future__ import annotations

from typing import Any

from . import _core, bonded, build, deprecated, leaves, potentials, ranks
from .bindings import References
from .box import Box
from .constraints import LINCS, SHAKE, Freeze
from .converters.start import from_openmm, from_parmed
from .coupling import (
    Annealing,
    Berendsen,
    BerendsenBarostat,
    CRescale,
    NoseHoover,
    ParrinelloRahman,
    Uncoupled,
    VRescale,
)
from .dynamics import LeapFrog, StochasticDynamics, VelocityVerlet
from .electrostatics import PME, Coulomb, ReactionField
from .errors import BlowUpError, DeviceError, Error, FileError, InputError, RankError, Terminated
from .fields import ElectricField
from .filters import All, Difference, Filter, Intersection, Tags, Type, Union
from .gromacs.job import read_job
from .gromacs.start import from_gromacs
from .gsdfile import read, write
from .integrators import FIRE, NVE, Bussi, Device, Langevin, NeighborList, SteepestDescent
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
    "LINCS",
    "NVE",
    "PME",
    "SHAKE",
    "All",
    "Annealing",
    "Berendsen",
    "BerendsenBarostat",
    "BlowUpError",
    "Box",
    "Bussi",
    "CRescale",
    "Callback",
    "Checkpoint",
    "Coulomb",
    "Device",
    "DeviceError",
    "Difference",
    "ElectricField",
    "Energies",
    "Energy",
    "Error",
    "FileError",
    "Filter",
    "Frames",
    "Freeze",
    "InputError",
    "Intersection",
    "Langevin",
    "LeapFrog",
    "Log",
    "Minimum",
    "NeighborList",
    "NoseHoover",
    "ParrinelloRahman",
    "Progress",
    "RankError",
    "ReactionField",
    "References",
    "RunLog",
    "Simulation",
    "SteepestDescent",
    "StochasticDynamics",
    "System",
    "Tags",
    "Terminated",
    "TimeLimit",
    "TimedCheckpoint",
    "Trajectory",
    "Type",
    "Uncoupled",
    "Union",
    "VRescale",
    "VelocityVerlet",
    "__version__",
    "build",
    "from_gromacs",
    "from_openmm",
    "from_parmed",
    "preset",
    "ranks",
    "read",
    "read_job",
    "write",
    "write_frame",
]
__all__ += list(potentials.CLASSES)
__all__ += list(bonded.CLASSES)
__all__ += list(leaves.CLASSES)
globals().update(potentials.CLASSES | bonded.CLASSES | leaves.CLASSES)


def __getattr__(name: str) -> Any:
    if name in deprecated.NAMES:
        return deprecated.named(name)
    raise AttributeError(f"aureole has no {name!r}. {_hint(name)}")


def _hint(name: str) -> str:
    from .errors import nearest

    return nearest(name, __all__)
