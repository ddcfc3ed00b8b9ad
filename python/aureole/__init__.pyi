# SPDX-License-Identifier: Apache-2.0
"""The public names and their modules, a line each: for `__init__.py`, and for type checkers."""

from typing import Any

from . import amr as amr
from . import build as build
from . import ranks as ranks
from .base.errors import BlowUpError as BlowUpError
from .base.errors import DeviceError as DeviceError
from .base.errors import Error as Error
from .base.errors import FileError as FileError
from .base.errors import FormatError as FormatError
from .base.errors import InputError as InputError
from .base.errors import RankError as RankError
from .base.errors import Terminated as Terminated
from .engine.observed import Energy as Energy
from .formats.system_files import read as read
from .formats.system_files import write as write
from .gromacs.job import read_job as read_job
from .gromacs.presets.preset import preset as preset
from .jobs.from_converters import from_openmm as from_openmm
from .jobs.from_converters import from_parmed as from_parmed
from .jobs.from_converters import system_from_openmm as system_from_openmm
from .jobs.from_converters import system_from_parmed as system_from_parmed
from .jobs.from_gromacs import from_gromacs as from_gromacs
from .observers.energies import Energies as Energies
from .observers.frames import Frames as Frames
from .observers.last_frame import write_frame as write_frame
from .observers.run_log import RunLog as RunLog
from .observers.trajectory import Trajectory as Trajectory
from .recorders.callback import Callback as Callback
from .recorders.checkpoint import Checkpoint as Checkpoint
from .recorders.log import Log as Log
from .recorders.progress import Progress as Progress
from .recorders.wall_time import TimedCheckpoint as TimedCheckpoint
from .recorders.wall_time import TimeLimit as TimeLimit
from .report.view import view as view
from .simulation.minimization import Minimum as Minimum
from .simulation.simulation import Simulation as Simulation
from .specs.barostats import BerendsenBarostat as BerendsenBarostat
from .specs.barostats import CRescale as CRescale
from .specs.barostats import ParrinelloRahman as ParrinelloRahman
from .specs.constraints import LINCS as LINCS
from .specs.constraints import SHAKE as SHAKE
from .specs.constraints import Freeze as Freeze
from .specs.coupled_integrators import LeapFrog as LeapFrog
from .specs.coupled_integrators import StochasticDynamics as StochasticDynamics
from .specs.coupled_integrators import VelocityVerlet as VelocityVerlet
from .specs.device import Device as Device
from .specs.electric_field import ElectricField as ElectricField
from .specs.electrostatics import PME as PME
from .specs.electrostatics import Coulomb as Coulomb
from .specs.electrostatics import ReactionField as ReactionField
from .specs.filters import All as All
from .specs.filters import Difference as Difference
from .specs.filters import Filter as Filter
from .specs.filters import Intersection as Intersection
from .specs.filters import Tags as Tags
from .specs.filters import Type as Type
from .specs.filters import Union as Union
from .specs.integrators import NVE as NVE
from .specs.integrators import Bussi as Bussi
from .specs.integrators import Langevin as Langevin
from .specs.minimizers import FIRE as FIRE
from .specs.minimizers import SteepestDescent as SteepestDescent
from .specs.neighbor_list import NeighborList as NeighborList
from .specs.thermostats import Annealing as Annealing
from .specs.thermostats import Berendsen as Berendsen
from .specs.thermostats import NoseHoover as NoseHoover
from .specs.thermostats import Uncoupled as Uncoupled
from .specs.thermostats import VRescale as VRescale
from .system.box import Box as Box
from .system.references import References as References
from .system.system import System as System

__version__: str
__all__: list[str]

def __getattr__(name: str) -> Any: ...  # classes of leaf files
