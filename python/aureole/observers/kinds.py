# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: F401
"""All observers: importing this makes their classes, so that `from_dict` finds them."""

from __future__ import annotations

from typing import Any

from aureole.live.observer import Observer, Recorder
from aureole.live.writer_thread import Writer
from aureole.specs.spec import KINDS

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


def is_data(kind: Any) -> bool:
    """Whether a file can describe an observer of this kind completely."""
    return getattr(KINDS["observer"].get(str(kind)), "is_data", True)
