# SPDX-License-Identifier: Apache-2.0
"""Observers: what happens during a run besides the steps."""

from .base import Observer, Recorder
from .callback import Callback
from .checkpoint import Checkpoint
from .frames import Frames
from .log import Log
from .progress import Progress
from .timed import TimedCheckpoint, TimeLimit
from .trajectory import Trajectory
from .writer import Writer

__all__ = [
    "Callback",
    "Checkpoint",
    "Frames",
    "Log",
    "Observer",
    "Progress",
    "Recorder",
    "TimeLimit",
    "TimedCheckpoint",
    "Trajectory",
    "Writer",
]
