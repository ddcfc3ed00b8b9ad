# SPDX-License-Identifier: Apache-2.0
"""Actions by wall time instead of by steps: checkpoints, and the end of a run."""

from __future__ import annotations

import math
import time
from typing import Any

from aureole.base.stop_signals import words_of
from aureole.base.user_warnings import warn
from aureole.base.values import number
from aureole.live.live import Live
from aureole.live.observer import Observer, Recorder
from aureole.live.writer_thread import Writer
from aureole.specs.spec import checked, spec

from .checkpoint import Checkpoint, CheckpointRecorder

LOOK = 1.0  # seconds between two looks at the clock


class Pace:
    """How many steps fit into a time, from the speed since the run began."""

    def __init__(self, step: int) -> None:
        self._first, self._began = step, time.monotonic()

    def steps_in(self, seconds: float, step: int) -> int:
        """At least 1, and never many more than were made so far, as the speed may deceive."""
        made, passed = step - self._first, time.monotonic() - self._began
        if made <= 0 or passed <= 0:
            return 1
        return max(1, min(int(made / passed * seconds), 4 * made))


@spec(kw_only=False)
class TimedCheckpoint(Checkpoint):
    """Write checkpoints by wall time, at the end of a run, and when it is interrupted.

    Args:
        path: the file; the previous one is kept as PATH.prev
        every: not used
        minutes: wall time between checkpoints; 0 for the last one only
    """

    minutes: float = checked(number, 15.0, low=0.0)

    def recorder(self) -> TimedCheckpointRecorder:
        return TimedCheckpointRecorder(self)


class TimedCheckpointRecorder(CheckpointRecorder):
    """Writes a checkpoint whenever its time has come."""

    spec: TimedCheckpoint

    def start(self, sim: Live, target: int) -> None:
        super().start(sim, target)
        self._pace = Pace(sim.step)
        self._due = time.monotonic() + self._seconds

    @property
    def _seconds(self) -> float:
        return 60 * self.spec.minutes if self.spec.minutes else math.inf

    def next_step(self, step: int) -> int:
        left = self._due - time.monotonic()
        return step + self._pace.steps_in(min(LOOK, max(left, 0.0)), step)

    def is_due(self, step: int) -> bool:
        return step != self.last and time.monotonic() >= self._due

    def observe(self, sim: Live, step: int) -> None:
        super().observe(sim, step)
        self._due = time.monotonic() + self._seconds


@spec(kw_only=False)
class TimeLimit(Observer):
    """End a run after a given wall time, in the same way as at its last step.

    A run that it ends before its first step gives a warning.

    Args:
        seconds: wall time from the beginning of the run
    """

    seconds: float = checked(number, low=0.0)

    def recorder(self) -> TimeLimitRecorder:
        return TimeLimitRecorder(self)


class TimeLimitRecorder(Recorder):
    """Looks at the clock, the more often the nearer the end."""

    spec: TimeLimit

    def open(self, sim: Live, writer: Writer, state: dict[str, Any] | None) -> None:
        """Nothing of a limit outlives a run."""

    def start(self, sim: Live, target: int) -> None:
        self._pace = Pace(sim.step)
        self._end = time.monotonic() + self.spec.seconds
        self._first, self._target = sim.step, target

    def next_step(self, step: int) -> int:
        left = max(self._end - time.monotonic(), 0.0)
        return step + self._pace.steps_in(min(LOOK, left / 2), step)

    def is_due(self, step: int) -> bool:
        return time.monotonic() >= self._end

    def observe(self, sim: Live, step: int) -> None:
        if getattr(getattr(sim, "origin", None), "command", None) is not None:
            sim.stop(words_of(None))  # the command says how many steps were made
            return
        sim.stop("the time limit (TimeLimit)")
        if step == self._first and step < self._target and sim.time < sim.target_time:
            warn(
                f"the run ended at step {step:,} without a step of its own (the time limit of "
                f"{self.spec.seconds:g} s was over). Give TimeLimit more seconds.",
            )
