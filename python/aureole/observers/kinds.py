# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: F401
"""All observers: importing this makes their classes, so that `from_dict` finds them."""

from __future__ import annotations

from typing import Any

from aureole.live.observer import Observer, Recorder
from aureole.live.writer_thread import Writer
from aureole.recorders.callback import Callback
from aureole.recorders.checkpoint import Checkpoint
from aureole.recorders.log import Log
from aureole.recorders.progress import Progress
from aureole.recorders.wall_time import TimedCheckpoint, TimeLimit
from aureole.specs.spec import KINDS

from .energies import Energies
from .frames import Frames
from .last_frame import write_frame
from .run_log import RunLog
from .trajectory import Trajectory


def is_data(kind: Any) -> bool:
    """Whether a file can describe an observer of this kind completely."""
    return getattr(KINDS["observer"].get(str(kind)), "is_data", True)
