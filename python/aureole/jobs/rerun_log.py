# SPDX-License-Identifier: Apache-2.0
"""The log of a rerun and its JSON twin: the frames that were looked at, and their averages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from aureole.analysis.statistics import Averages
from aureole.base.stop_signals import words_of
from aureole.base.text import duration, rate
from aureole.gromacs.mdp.options.table import options
from aureole.live.observer import FileRecorder, Observer
from aureole.live.writer_thread import Writer
from aureole.observers import run_log_text
from aureole.observers.energy_columns import Quantities
from aureole.observers.run_log import RunLog, averages_of, write_twin
from aureole.observers.run_log_facts import (
    Profile,
    Tally,
    added,
    facts_of,
    outputs_of,
    shares,
    speed_of,
    spent,
)
from aureole.recorders.growing_file import Appended, encoded
from aureole.simulation.simulation import Simulation

NOTE = (
    "this is a rerun: energies and forces are computed for the frames of a trajectory, without "
    "time steps; positions are used as they are, without constraints; for frames without "
    "velocities, kinetic energies are 0 and pressures contain only the virial"
)
#: Sections of the .mdp options that say how particles move and what a run writes.
_IDLE = (
    *("Langevin dynamics", "Energy minimisation", "Output", "Ensemble temperature"),
    *("Temperature coupling", "Pressure coupling", "Simulated annealing", "Generated velocities"),
)
_IDLE_TOO = (
    *("nsteps", "init-step", "simulation-part", "continuation", "constraint-algorithm"),
    *("lincs-order", "lincs-iter", "lincs-warnangle", "shake-tol", "Shake-SOR"),
)
_USED = ("tc-grps", "refcoord-scaling")  # columns of the table; places of restraints


@dataclass
class Course:
    """The progress of a rerun.

    Args:
        path: the trajectory
        frames: number of frames that were looked at
        bare: number of frames without positions, which were left out
        velocities: number of frames with velocities
        first, last: step and time [ps] of the first and the last frame
        stopped: whether the rerun ended early
        caught: the signal that ended the rerun, or None
    """

    path: str
    frames: int = 0
    bare: int = 0
    velocities: int = 0
    first: tuple[int, float] | None = None
    last: tuple[int, float] | None = None
    stopped: bool = False
    caught: int | None = None

    def add(self, step: int, time: float, velocities: bool) -> None:
        """Count one more frame."""
        self.frames += 1
        self.velocities += velocities
        self.first = self.first or (step, time)
        self.last = (step, time)

    def text(self) -> str:
        """The progress in a sentence."""
        words = f"{self.frames:,} frame{'s' * (self.frames != 1)} of {self.path}"
        if self.first is not None and self.last is not None:
            (step, begin), (end, until) = self.first, self.last
            words += f", steps {step:,} to {end:,}, time {begin:g} to {until:g} ps"
            words += f", {self.velocities:,} with velocities"
        return words + (f"; {self.bare:,} more without positions skipped" if self.bare else "")

    def facts(self) -> dict[str, Any]:
        """The progress as the JSON file has it."""
        ends = {
            name: None if end is None else {"step": end[0], "time": end[1]}
            for name, end in (("first", self.first), ("last", self.last))
        }
        return {
            "trajectory": self.path,
            "frames": self.frames,
            "without_positions": self.bare,
            "with_velocities": self.velocities,
            **ends,
            "complete": not self.stopped,
        }


class RerunLog(FileRecorder):
    """Samples the numbers of each frame; text is written on the writer's thread.

    Args:
        spec: names of the files
        course: progress of the rerun
        observers: all observers of the rerun, whose files the log names
    """

    spec: RunLog

    def __init__(self, spec: RunLog, course: Course, observers: Sequence[Observer]) -> None:
        super().__init__(spec)
        self._course, self._observers = course, observers
        self.file = Appended(spec.path)
        self._began = time.perf_counter()
        self._parts: Profile = {}
        self._before: tuple[Simulation | None, Profile] = (None, {})

    def open(self, sim: Simulation, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        self._quantities = Quantities(sim)
        # Frames do not hold the energy that thermostats added.
        self._names = [name for name in self._quantities.names if name != "conserved"]
        self._averages = Averages(len(self._names) - 2)
        self._facts = facts_of(sim, self.spec, self._quantities)
        head = run_log_text.header(self._facts, sim, self.spec.path, idle())
        names, units = run_log_text.titles(self._names, self._quantities)
        head += (
            f"\nRerun of {self._course.path}, a line for each frame, begun {run_log_text.now()}\n"
        )
        self.file.open(writer, None, encoded(f"{head}\n{names}\n{units}\n"))

    def observe(self, sim: Simulation, step: int) -> None:
        self.last = step
        row = dict(zip(self._quantities.names, self._quantities.values(sim), strict=True))
        row = {name: row[name] for name in self._names}
        self._averages.add(row["time"], list(row.values())[2:])
        self.file.put_text(run_log_text.cells(row) + "\n")
        known, before = self._before  # each box has a simulation of its own
        now = Tally.of(sim).profile
        self._parts = added(self._parts, spent(now, before if sim is known else {}))
        self._before = (sim, now)

    def finish(self, sim: Simulation) -> None:
        summary = self.summary(sim)
        count = self._averages.samples
        self.file.put_text(
            self._ending(summary["speed"])
            + run_log_text.closing(summary, f"{count:,} frame{'s' * (count != 1)}")
        )
        write_twin(self.spec.twin, summary)

    def _ending(self, speed: dict[str, Any]) -> str:
        course = self._course
        word = f"Stopped by {words_of(course.caught)}" if course.stopped else "Done"
        pace = f"{duration(speed['wall_seconds'])}, {rate(speed['frames_per_second'])} frames/s"
        text = f"\n{word}: {course.text()}\n{pace}, {run_log_text.now()}\n\n"
        still = course.frames - course.velocities
        if still:
            text += (
                f"In these averages {still:,} frames count with zero kinetic energy, as they have\n"
                "no velocities. This affects kinetic, total, temperature and pressure.\n\n"
            )
        return text

    def summary(self, sim: Simulation) -> dict[str, Any]:
        """The contents of the JSON file."""
        seconds = time.perf_counter() - self._began
        speed = speed_of(sim, self._course.frames, seconds, False)
        speed["frames_per_second"] = speed["steps_per_second"]
        speed["steps_per_second"] = None
        return {
            **self._facts,
            "rerun": self._course.facts(),
            "step": sim.step,
            "time": sim.time,
            "speed": speed,
            "profile": shares(self._parts, seconds),
            "averages": averages_of(self._quantities, self._names[2:], self._averages),
            "outputs": outputs_of(self._observers, self.spec),
        }

    def close(self) -> None:
        self._before = (None, {})
        super().close()


@cache
def idle() -> frozenset[str]:
    """Options of an .mdp file that change nothing of what a rerun computes."""
    found = {name for name, option in options().items() if option.section in _IDLE}
    return frozenset(found.union(_IDLE_TOO).difference(_USED))
