# SPDX-License-Identifier: Apache-2.0
"""Observers: what happens during a run besides the steps."""

from __future__ import annotations

from .base import Observer, Recorder
from .callback import Callback
from .checkpoint import Checkpoint
from .energies import Energies
from .frames import Frames
from .last_frame import write_frame
from .log_table import Log
from .progress import Progress
from .run_log import RunLog
from .trajectory import Trajectory
from .wall_time import TimedCheckpoint, TimeLimit
from .writer_thread import Writer

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
