# SPDX-License-Identifier: Apache-2.0
"""For type checkers, which do not see what is imported when it is used."""

from typing import Any

from . import build as build
from . import ranks as ranks
from .bindings import References as References
from .box import Box as Box
from .constraints import LINCS as LINCS
from .constraints import SHAKE as SHAKE
from .constraints import Freeze as Freeze
from .converters.start import from_openmm as from_openmm
from .converters.start import from_parmed as from_parmed
from .converters.start import system_from_openmm as system_from_openmm
from .converters.start import system_from_parmed as system_from_parmed
from .coupling import Annealing as Annealing
from .coupling import Berendsen as Berendsen
from .coupling import BerendsenBarostat as BerendsenBarostat
from .coupling import CRescale as CRescale
from .coupling import NoseHoover as NoseHoover
from .coupling import ParrinelloRahman as ParrinelloRahman
from .coupling import Uncoupled as Uncoupled
from .coupling import VRescale as VRescale
from .dynamics import LeapFrog as LeapFrog
from .dynamics import StochasticDynamics as StochasticDynamics
from .dynamics import VelocityVerlet as VelocityVerlet
from .electrostatics import PME as PME
from .electrostatics import Coulomb as Coulomb
from .electrostatics import ReactionField as ReactionField
from .errors import BlowUpError as BlowUpError
from .errors import DeviceError as DeviceError
from .errors import Error as Error
from .errors import FileError as FileError
from .errors import InputError as InputError
from .errors import RankError as RankError
from .errors import Terminated as Terminated
from .fields import ElectricField as ElectricField
from .filters import All as All
from .filters import Difference as Difference
from .filters import Filter as Filter
from .filters import Intersection as Intersection
from .filters import Tags as Tags
from .filters import Type as Type
from .filters import Union as Union
from .gromacs.job import read_job as read_job
from .gromacs.start import from_gromacs as from_gromacs
from .gsdfile import read as read
from .gsdfile import write as write
from .integrators import FIRE as FIRE
from .integrators import NVE as NVE
from .integrators import Bussi as Bussi
from .integrators import Device as Device
from .integrators import Langevin as Langevin
from .integrators import NeighborList as NeighborList
from .integrators import SteepestDescent as SteepestDescent
from .observers import Callback as Callback
from .observers import Checkpoint as Checkpoint
from .observers import Energies as Energies
from .observers import Frames as Frames
from .observers import Log as Log
from .observers import Progress as Progress
from .observers import RunLog as RunLog
from .observers import TimedCheckpoint as TimedCheckpoint
from .observers import TimeLimit as TimeLimit
from .observers import Trajectory as Trajectory
from .observers import write_frame as write_frame
from .presets import preset as preset
from .simulation import Energy as Energy
from .simulation import Minimum as Minimum
from .simulation import Simulation as Simulation
from .system import System as System

__version__: str
__all__: list[str]

def __getattr__(name: str) -> Any: ...  # classes of leaf files
