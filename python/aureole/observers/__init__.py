# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: F403, F405
"""Observers: what happens during a run besides the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .kinds import *

__all__ = ["Callback", "Checkpoint", "Energies", "Frames", "Log", "Observer", "Progress"]
__all__ += ["Recorder", "RunLog", "TimeLimit", "TimedCheckpoint", "Trajectory", "Writer"]
__all__ += ["write_frame"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    from . import kinds  # makes all classes, which takes time

    return getattr(kinds, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
