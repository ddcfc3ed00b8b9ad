# SPDX-License-Identifier: Apache-2.0
"""All observers: importing this makes their classes, so that `from_dict` finds them."""

from __future__ import annotations

from aureole.specs.spec import KINDS

from .base import Observer, Recorder
from .callback import Callback
from .checkpoint import Checkpoint
from .energies import Energies
from .frames import Frames
from .log_table import Log
from .progress import Progress
from .run_log import RunLog
from .trajectory import Trajectory
from .wall_time import TimedCheckpoint, TimeLimit
from .writer_thread import Writer

__all__ = [
    "KINDS",
    "Callback",
    "Checkpoint",
    "Energies",
    "Frames",
    "Log",
    "Observer",
    "Progress",
    "Recorder",
    "RunLog",
    "TimeLimit",
    "TimedCheckpoint",
    "Trajectory",
    "Writer",
]
