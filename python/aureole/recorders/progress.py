# SPDX-License-Identifier: Apache-2.0
"""Progress: one line on the terminal or in a notebook that shows the progress of a run."""

from __future__ import annotations

import math
import os
import sys
import time
from typing import IO, Any

from aureole.base.terminal import Talk
from aureole.base.text import duration, rate
from aureole.base.values import flag, number
from aureole.live.live import Live
from aureole.live.observer import Observer, Recorder
from aureole.live.writer_thread import Writer
from aureole.specs.spec import checked, spec

from .busy_processors import BusyProcessors
from .notebook_line import notebook_line


@spec(kw_only=False)
class Progress(Observer):
    """Show percentage, steps per second, simulated time per day and time left.

    A terminal and a cell of a notebook show one line, which changes. Anything else that standard
    error may be, such as a pipe or the log of a batch job, gets lines of text: at the beginning,
    after ten seconds, then each time that a run has become a quarter longer, and at the end. Runs
    within ten seconds of such a line have none of their own.

    Args:
        seconds: time between two updates of the line
        lines: if the output is not a terminal: True for a line every ten seconds, False for
            nothing, None for the behaviour described above
    """

    seconds: float = checked(number, 0.5, low=0.05)
    lines: bool | None = checked(flag, None, or_none=True)

    def recorder(self) -> ProgressRecorder:
        return ProgressRecorder(self)

    def minimization_line(self, spec: Any) -> ProgressOfMinimization:
        return ProgressOfMinimization(self.recorder(), spec)


CLEAR = "\r\033[2K"  # the line on which the cursor stands
BETWEEN_LINES = 10.0  # seconds
ENDLESS = 2**61  # steps; longer runs end by a signal or a limit of time


class ProgressRecorder(Recorder):
    """Draws the line. `chunk` steps of the engine take about the time between two updates."""

    spec: Progress

    def __init__(self, spec: Progress, stream: IO[str] | None = None) -> None:
        super().__init__(spec)
        self.stream = Talk(stream if stream is not None else sys.stderr)
        self.terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.notebook = notebook_line() if stream is None else None
        #: Whether one line changes, instead of more being written.
        self.changes = self.terminal or self.notebook is not None
        self.shown = self.changes or spec.lines is not False
        self.seconds = spec.seconds if self.changes else max(BETWEEN_LINES, spec.seconds)
        self.chunk = 16
        self._few = not self.changes and spec.lines is None
        self._said = -math.inf  # when the last line was
        self._marks: list[tuple[float, int, float]] = []  # when, step, how far the run had come
        self._busy = BusyProcessors()

    def open(self, sim: Live, writer: Writer, state: dict[str, Any] | None) -> None:
        """Nothing of a progress line outlives a run."""

    def start(self, sim: Live, target: int) -> None:
        self.first, self.target = sim.step, target
        self.began = time.perf_counter()
        self._by_time = sim.target_time < math.inf
        self._start, self._end = self._reached(sim), sim.target_time if self._by_time else target
        self._marks = [(self.began, sim.step, self._start)]
        if self._few and self.began - self._said >= BETWEEN_LINES and self.shown:
            self.seconds = max(BETWEEN_LINES, self.spec.seconds)
            to = f", to step {target:,}" if self._end - self._start < ENDLESS else ""
            if self._by_time:
                to = f", to time {self._end:g}"
            self.say(f"{sim._place()}{to}")

    def next_step(self, step: int) -> int:
        return step + self.chunk if self.shown else self.target

    def is_due(self, step: int) -> bool:
        return self.shown

    def observe(self, sim: Live, step: int) -> None:
        now = time.perf_counter()
        then, before, _ = self._marks[-1]
        reached = self._reached(sim)
        if now - then < self.seconds and reached < self._end:
            if now > then and step > before:
                speed = (step - before) / (now - then)
                self.chunk = min(4 * self.chunk, max(1, int(speed * self.seconds)))
            return
        # The rate of the last ten updates: recent, yet steady.
        self._marks = [*self._marks[-9:], (now, step, reached)]
        t0, s0, r0 = self._marks[0]
        passed = now - t0 if now > t0 else math.inf
        speed, gain = (step - s0) / passed, (reached - r0) / passed
        self.chunk = max(1, int(speed * self.seconds))
        if news := self._busy.news(sim):
            self.stream.write(f"{CLEAR if self.terminal else ''}note  {news}\n")
        if self._few:
            self.seconds = max(self.seconds, (now - self.began) / 4)
        if reached < self._end:
            self._draw(sim, speed, gain)

    def _reached(self, sim: Live) -> float:
        """The progress of the run: in time if a time ends it, otherwise in steps."""
        return sim.time if self._by_time else sim.step

    def _draw(self, sim: Live, speed: float, gain: float, last: bool = False) -> None:
        reached, total = self._reached(sim), (self._end - self._start) or 1
        share = (reached - self._start) / total
        parts = [sim._place(), f"{rate(speed)} steps/s", sim.pace(speed)]
        if last:
            parts.append(duration(time.perf_counter() - self.began))
        elif total < ENDLESS and gain > 0:
            parts.append(f"{duration((self._end - reached) / gain)} left")
        if total < ENDLESS:
            cells = round(24 * share)
            bar = [f"{'━' * cells}{'╌' * (24 - cells)}"] if self.changes else []
            parts[:0] = [f"{100 * share:5.1f} %", *bar]
        self.say("  ".join(parts), last)

    def say(self, text: str, last: bool = False) -> None:
        """Write the line; the last one stays."""
        self._said = time.perf_counter()
        if self.notebook is not None:
            self.notebook.say(text)
            return
        ending = "\n" if last or not self.terminal else ""
        self.stream.write(f"{CLEAR if self.terminal else ''}{text}{ending}")
        self.stream.flush()

    def finish(self, sim: Live) -> None:
        if not self.shown or (self._few and self._said < self.began):
            return
        elapsed = time.perf_counter() - self.began
        speed = (sim.step - self.first) / elapsed if elapsed > 0 else 0.0
        self._draw(sim, speed, 0.0, last=True)


class ProgressOfMinimization:
    """Draws the progress line of a steepest descent, and the last line of any minimisation."""

    def __init__(self, drawn: ProgressRecorder, spec: Any) -> None:
        self._drawn, self._spec = drawn, spec
        self._next = 0.0

    def __call__(self, step: int, size: float, energy: float, force: float, who: int) -> None:
        now = time.monotonic()
        if self._drawn.shown and now >= self._next:
            self._next = now + self._drawn.seconds
            limit = self._spec.max_steps
            of = "" if limit is None else f" of at most {limit:,}"
            self._drawn.say(f"minimise  step {step:,}{of}  {self._reached(energy, force)}")

    def close(self, steps: int, energy: float, force: float) -> None:
        if self._drawn.shown:
            reached = self._reached(energy, force)
            self._drawn.say(f"minimise  {steps:,} steps  {reached}", last=True)

    def _reached(self, energy: float, force: float) -> str:
        tolerance = float(self._spec.force_tolerance)
        return f"energy {energy:,.6g}  largest force {force:.4g} (goal {tolerance:g})"
