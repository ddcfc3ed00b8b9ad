# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: F401
"""Observers of all applications: importing this makes their classes."""

from .callback import Callback
from .checkpoint import Checkpoint
from .log import Log
from .progress import Progress
from .wall_time import TimedCheckpoint, TimeLimit
