# SPDX-License-Identifier: Apache-2.0
"""RunLog: the log of a run for people, and the same data as JSON for programs."""

from __future__ import annotations

import json
import math
import os
import re
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, field
from typing import Any

from aureole.analysis.statistics import Averages
from aureole.base.errors import Error, FileError, bad_input
from aureole.base.text import printable
from aureole.base.text_files import replace
from aureole.base.values import Table, integer, put, words
from aureole.engine.observed import Observed
from aureole.live.observer import FileRecorder, Observer, text_path
from aureole.live.writer_thread import Writer
from aureole.recorders.busy_processors import BusyProcessors
from aureole.recorders.growing_file import Appended, encoded
from aureole.specs.spec import checked, spec

from . import run_log_text
from .energy_columns import Quantities
from .frame_of_simulation import check_topology
from .run_log_facts import (
    Profile,
    Tally,
    added,
    facts_of,
    outputs_of,
    ranks_of,
    shares,
    speed_of,
    spent,
)


@spec(kw_only=False)
class RunLog(Observer):
    """Write a log of the run, with one line per `every` steps.

    It begins with the command, the settings and the hardware, and ends with averages and their
    errors, the speed and a time breakdown. The same data are written as .json for programs, at
    checkpoints and at the end of a run.

    Args:
        path: the file; an existing one is replaced; a restart continues it
        every: steps between lines; lines are at steps divisible by it
        inputs: input files of the simulation, by role
        notes: further remarks
        outputs: files that no observer writes, such as {"last_frame": "confout.gro"}
        timed_from: step at which the timing starts, so that speed and breakdown leave out what was
            before; None for the start of the run

    Averages are over the steps at which the run's `Energies` write or, if there are none, over
    those of the log lines.
    """

    path: str = checked(text_path, "run.log")
    every: int = 1000
    _: KW_ONLY
    inputs: Mapping[str, str] = field(default_factory=Table)
    notes: tuple[str, ...] = checked(words, ())
    outputs: Mapping[str, str] = field(default_factory=Table)
    timed_from: int | None = checked(integer, None, or_none=True, low=0)
    needs = "particles"
    state_type = "OfRunLog"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.path.endswith(".json"):
            raise bad_input(
                f"path of RunLog is {self.path!r}",
                "the JSON file beside it needs that name",
                "Use a name that ends in .log",
            )
        for name in ("inputs", "outputs"):
            files = getattr(self, name) or {}
            if not isinstance(files, Mapping):
                raise bad_input(
                    f"{name} of RunLog is {files!r}",
                    "it must be a mapping from roles to files",
                    'Write {"topology": "topol.top"}',
                )
            plain = {str(key): str(os.fspath(value)) for key, value in files.items()}
            put(self, name, Table(plain))

    @property
    def twin(self) -> str:
        """The JSON file beside the log."""
        return os.path.splitext(self.path)[0] + ".json"

    @property
    def files(self) -> tuple[str, ...]:
        """The log and its twin."""
        return (self.path, self.twin)

    def recognises(self, path: str, head: bytes) -> bool:
        return head.startswith(b'{\n "version": ' if path == self.twin else b"Aureole ")

    def accepts(self, piece: bytes, first: bool) -> bool:
        try:
            text = piece.decode()
        except UnicodeDecodeError:
            return False
        return printable(text) == text and (not first or self.recognises(self.path, piece))

    def recorder(self) -> RunLogRecorder:
        return RunLogRecorder(self)


class RunLogRecorder(FileRecorder):
    """Samples the numbers of the system; text is written on the writer's thread."""

    spec: RunLog

    def __init__(self, spec: RunLog) -> None:
        super().__init__(spec)
        self.file = Appended(spec.path)
        self._seconds = 0.0  # of runs that have ended, those before a restart included
        self._steps = 0
        self._earlier: Profile = {}  # of the parts before a restart
        self._began: float | None = None
        self.timed: tuple[int, float] | None = None  # step and time at which the timing restarted
        self.restart_at = math.inf  # time.monotonic() at which the timing restarts, if not yet
        self._averages = Averages(0)  # replaced at the beginning
        self._busy = BusyProcessors()

    def open(self, sim: Observed, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        state = state if state and "averages" in state else None  # of a run that never began
        check_topology(sim, state, self.spec.path)
        self._sim = weakref.ref(sim)
        self._quantities = Quantities(sim, state)
        self._names = self._quantities.names[2:]
        self._sampled = min(
            (o.every for o in sim.observers if o.holds == "energies"), default=self.spec.every
        )
        width = len(self._names)
        self._averages = (
            Averages(width) if state is None else Averages.from_state(width, state["averages"])
        )
        self._facts = facts_of(sim, self.spec, self._quantities)
        self._replaced: list[str] = (state or {}).get("replaced", [])
        self._parts = (sim.integrator, sim.forces)
        self._facts["notes"] += self._replaced
        #: Last tally. Ranks are asked while a run or a checkpoint is made, by all of them.
        self._last = self._before = Tally.of(sim)
        self._seconds, self._steps, self._earlier = _effort(state)
        head = run_log_text.header(self._facts, sim, self.spec.path)
        error = _error_after(self.spec.path, state)  # the file is cut there
        self.file.open(writer, state, encoded(head))
        if state:
            self.file.put_text(run_log_text.continued(sim, self._facts, error))

    def accept_forces(self, names: Iterable[str]) -> None:
        if hasattr(self, "_quantities"):  # opened
            self._quantities.accept_forces(names, self.spec.path)

    def next_step(self, step: int) -> int:
        due = [(step // every + 1) * every for every in (self.spec.every, self._sampled)]
        timed_from = self.spec.timed_from
        return min(due) if timed_from is None or timed_from <= step else min(*due, timed_from)

    def is_due(self, step: int) -> bool:
        due = 0 in (step % self.spec.every, step % self._sampled) or self._is_to_restart(step)
        return due and step != self.last

    def _is_to_restart(self, step: int) -> bool:
        """Whether the timing restarts, at the given step or time, whichever comes first."""
        due = step == self.spec.timed_from or time.monotonic() >= self.restart_at
        return due and self.timed is None

    def start(self, sim: Observed, target: int) -> None:
        self._began, self._first, self._target = time.perf_counter(), sim.step, target
        self._mark = (self._began, sim.step)
        self._tell_replaced(sim)
        if target > sim.step:
            self.file.put_text(run_log_text.table_head(sim, target, self._quantities))

    def _tell_replaced(self, sim: Observed) -> None:
        """Note parts that were replaced since the run before: averages are over both runs."""
        before, self._parts = self._parts, (sim.integrator, sim.forces)
        for name, then, now in zip(("integrator", "forces"), before, self._parts, strict=True):
            if then != now:
                words = f"new {name} since step {sim.step:,}: {now}"
                self._replaced.append(words)
                self._facts["notes"].append(words)
                self.file.put_text(f"\nNote: {words}\n")

    def observe(self, sim: Observed, step: int) -> None:
        self.last = step
        if self._is_to_restart(step):
            self._restart_timing(sim, step)
        values = self._quantities.values(sim)
        if step % self._sampled == 0:
            self._averages.add(values[1], values[2:])
        if step % self.spec.every == 0:
            speed = self._recent_speed(step)
            row = dict(zip(self._quantities.names, values, strict=True))
            self.file.put_text(run_log_text.line(sim, row, speed, self._target))
            for warning in sim.recent_warnings():
                self.file.put_text(f"Warning: {warning}\n")
            for note in [*sim.recent_notes(), *filter(None, [self._busy.news(sim)])]:
                self.file.put_text(f"Note: {note}\n")

    def _restart_timing(self, sim: Observed, step: int) -> None:
        self._began, self._first = time.perf_counter(), step
        self._seconds, self._steps, self._earlier = 0.0, 0, {}
        self._before = Tally.of(sim)
        self.timed = (step, self._began)

    def _recent_speed(self, step: int) -> float:
        """Steps per second since the line before [1/s]; 0 where that is unknown."""
        now = time.perf_counter()
        (then, before), self._mark = self._mark, (now, step)
        return (step - before) / (now - then) if step > before and now > then else 0.0

    def finish(self, sim: Observed) -> None:
        if self._began is None or sim.step == self._first:
            return
        self._seconds += time.perf_counter() - self._began
        self._steps += sim.step - self._first
        self._began = None
        summary = self.summary(sim)
        span, samples = (self._first, self._target), self._averages.samples
        self.file.put_text(run_log_text.end(sim, span, summary, samples))
        write_twin(self.spec.twin, summary)

    def _so_far(self, sim: Observed) -> tuple[float, int]:
        """Seconds and steps of all runs, the present one and those before a restart included."""
        if self._began is None:
            return self._seconds, self._steps
        now = time.perf_counter() - self._began
        return self._seconds + now, self._steps + sim.step - self._first

    def _spent(self, now: Tally) -> Profile:
        return added(self._earlier, spent(now.profile, self._before.profile))

    def fail(self, sim: Observed, error: Error) -> None:
        no_room = isinstance(error, FileError)  # which the last flush may find as well
        if self._began is None and not no_room:
            return
        self._began = None
        put = self.file.put_last_words if no_room else self.file.put_text
        put(f"\nEnded by an error after step {sim.step:,}, {run_log_text.now()}: {error}\n")
        outputs = outputs_of(sim.observers, self.spec)
        told = {"step": sim.step, "time": sim.time, "error": str(error), "outputs": outputs}
        write_twin(self.spec.twin, self._facts | told)

    def summary(self, sim: Observed) -> dict[str, Any]:
        """The contents of the JSON file."""
        seconds, steps = self._so_far(sim)
        self._last = now = Tally.of(sim)
        return {
            **self._facts,
            "step": sim.step,
            "time": sim.time,
            "stopped": sim._loop.why,
            "steps": steps,
            "speed": speed_of(sim, steps, seconds, self._quantities.units.physical)
            | {"from_step": self.timed and self.timed[0]},
            "profile": shares(self._spent(now), seconds),
            "ranks": ranks_of(sim, now, self._before),
            "lists": {"outrun": now.counts["lists_outrun"] - self._before.counts["lists_outrun"]},
            "samples": self._averages.samples,
            "averages": averages_of(self._quantities, self._names, self._averages),
            "outputs": outputs_of(sim.observers, self.spec),
        }

    def sync(self) -> None:
        super().sync()
        sim = self._sim() if self._averages.width else None
        if sim is not None:
            write_twin(self.spec.twin, self.summary(sim))

    def state(self) -> dict[str, Any]:
        if self._averages.width == 0:
            return super().state()
        more: dict[str, Any] = {"rows": self.file.pieces, "averages": self._averages.state()}
        more["replaced"] = self._replaced
        sim = self._sim()
        if sim is not None:
            seconds, steps = self._so_far(sim)
            profile = {name: list(entry) for name, entry in self._spent(self._last).items()}
            more["effort"] = {"seconds": seconds, "steps": steps, "profile": profile}
        return super().state() | self.file.state() | self._quantities.state() | more


def _error_after(path: str, state: dict[str, Any] | None) -> str:
    """The line behind the end that a checkpoint recorded, on how the part before ended."""
    text = ""
    if state and os.path.exists(path):
        with open(path, errors="replace") as file:
            file.seek(int(state.get("bytes", 0)))
            text = file.read()
    found = re.findall("^Ended by an error.*", text, re.MULTILINE)
    return found[-1] if found else ""


def _effort(state: dict[str, Any] | None) -> tuple[float, int, Profile]:
    """Seconds, steps and profile of the parts before a restart; older checkpoints lack them."""
    told = (state or {}).get("effort", {"seconds": 0.0, "steps": 0, "profile": {}})
    profile: Profile = {name: (entry[0], entry[1]) for name, entry in told["profile"].items()}
    return told["seconds"], told["steps"], profile


def write_twin(path: str, summary: dict[str, Any]) -> None:
    """Write a JSON file whole, with null for numbers that JSON does not have."""
    replace(path, [json.dumps(_finite(summary), indent=1).encode(), b"\n"])


def averages_of(
    quantities: Quantities, names: Sequence[str], averages: Averages
) -> dict[str, dict[str, Any]]:
    """Means with errors, drifts, spreads and units, by column."""
    return {
        name: {"unit": quantities.unit(name), **asdict(result)}
        for name, result in zip(names, averages.result(), strict=True)
    }


def _finite(value: Any) -> Any:
    """The value with null for numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
