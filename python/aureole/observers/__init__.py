# SPDX-License-Identifier: Apache-2.0
"""Observers: what happens during a run besides the steps."""

from .base import Observer, Recorder
from .callback import Callback
from .checkpoint import Checkpoint
from .energies import Energies
from .frames import Frames
from .lastframe import write_frame
from .log import Log
from .progress import Progress
from .runlog import RunLog
from .timed import TimedCheckpoint, TimeLimit
from .trajectory import Trajectory
from .writer import Writer

__all__ = [
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
    "write_frame",
]
