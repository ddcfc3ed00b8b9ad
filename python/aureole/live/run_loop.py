# SPDX-License-Identifier: Apache-2.0
"""Drives a run: lets the engine make steps and the observers act between them."""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from aureole.base.errors import (
    BlowUpError,
    Error,
    FileError,
    FormatError,
    RankError,
    bad_input,
    output_advice,
)
from aureole.base.file_locks import Claims, check_distinct
from aureole.base.files import refuse_place
from aureole.base.stop_signals import words_of
from aureole.base.user_warnings import warn
from aureole.ranks import script
from aureole.ranks.team import keep_for_ever

from .begin_files import begin, check_room, remember
from .closed import closed
from .file_owners import Owner
from .live import WITHOUT_END, Live
from .observer import ROUNDING, Observer, Recorder
from .recorder_states import keep_output
from .rescue import Reserve, keep, rescue
from .signals import Signals, leave
from .writer_thread import Writer

# Called with each simulation when its first run starts; the command line prints from here.
STARTING: list[Callable[[Live], None]] = []


# Loops that have claimed files.
_LIVE: weakref.WeakSet[RunLoop] = weakref.WeakSet()


class RunLoop:
    """Owns the recorders of a simulation, the thread that writes their files, and the claims."""

    _writer: Writer | None = None
    _has_claimed = False
    spares = True  # files of other simulations of this process, which get other names

    def __init__(self, sim: Live, specs: Sequence[Observer]) -> None:
        # Weak, as the simulation owns its loop: a dropped one gives its memory back at once.
        self._sim = weakref.ref(sim)
        self.target: int | None = None
        self.target_time = math.inf  # of the same run
        self._began: tuple[int, float] | None = None  # the present run: its first step, and when
        self._speed = 0.0  # of the last one
        self.states: Sequence[dict[str, Any] | None] | None = None
        self._take(specs, [spec.recorder() for spec in specs])
        self._left: list[tuple[Observer, Recorder, dict[str, Any] | None]] = []  # taken out
        self._claims = Claims(self._let_go)
        self._reserve = Reserve()
        self.stopping = False  # a recorder or a callback has seen enough
        self.why: str | None = None  # the last run was stopped, in words
        self._running = False
        self._failed = False
        self._announced = False
        self.saved: tuple[str, int] | None = None  # the last checkpoint: file and step
        self._named: Error | None = None  # the error that names it
        self._owner = Owner()

    def _take(self, specs: Sequence[Observer], recorders: list[Recorder]) -> None:
        check_distinct([path for spec in specs for path in spec.files])
        self.specs, self.recorders = tuple(specs), recorders
        # Checkpoints come last, so that they know what the others did at their step.
        self._ordered = sorted(recorders, key=lambda r: r.spec.holds == "checkpoint")
        self._timed = [
            r
            for r in recorders
            if r.spec.every_time is not None or type(r).next_time is not Recorder.next_time
        ]

    def change(self, specs: Sequence[Observer]) -> None:
        """Have other observers from the next run on; those that stay go on as they are."""
        if self._running:
            raise bad_input(
                "observers cannot be changed during a run",
                "their files are being written",
                "Change them between runs",
            )
        check_distinct([path for spec in specs for path in spec.files])
        self.close()
        states = self.states or [None] * len(self.specs)
        known = [*zip(self.specs, self.recorders, states, strict=True), *self._left]
        chosen: list[tuple[Observer, Recorder, dict[str, Any] | None]] = []
        for spec in specs:
            at = next((k for k, (other, _, _) in enumerate(known) if other == spec), None)
            chosen.append((spec, spec.recorder(), None) if at is None else known.pop(at))
        keep_output([spec for spec, _, state in chosen if state is None], known)
        self._take(specs, [recorder for _, recorder, _ in chosen])
        self._left, self.states = known, [state for _, _, state in chosen]

    @property
    def sim(self) -> Live:
        """The simulation that is driven."""
        sim = self._sim()
        assert sim is not None, "a loop does not outlive its simulation"
        return sim

    @property
    def steps_per_second(self) -> float:
        """Speed of the present run so far, or else of the last one [1/s]."""
        if self._began is None:
            return self._speed
        first, then = self._began
        elapsed = time.perf_counter() - then
        return (self.sim.step - first) / elapsed if elapsed > 0 else 0.0

    @steps_per_second.setter
    def steps_per_second(self, value: float) -> None:
        self._speed = value

    @property
    def files(self) -> list[str]:
        """The files that the observers write."""
        return [path for spec in self.specs for path in spec.files]

    def claim(self) -> None:
        """Keep other runs from writing the files, until they are closed."""
        self._has_claimed = True
        _LIVE.add(self)
        for path in self.files:
            refuse_place(path)
        self._claims.take(self.files)

    def check(self) -> None:
        """Raise InputError where a file of the observers has no room for the present state."""
        check_room(self.recorders, self.sim)

    def accept_forces(self, names: Iterable[str]) -> None:
        """Raise InputError where a file that was begun cannot tell of other forces."""
        for recorder in self.recorders:
            recorder.accept_forces(names)

    def _let_go(self) -> bool:
        """Close the files, as another simulation of this process begins to write them."""
        if self._running:
            return False
        self.close()
        return True

    def run(self, target: int, until: float = math.inf) -> None:
        """Go on to step `target`, or to the time `until` if that comes first."""
        with self._held(running=True):
            self._run_held(target, until)

    @contextlib.contextmanager
    def _held(self, running: bool = False) -> Iterator[None]:
        """Hold the simulation for this thread alone, between steps as well.

        Other threads wait, or are refused where it is `running`.
        """
        sim = self._sim()
        if sim is None:  # it is being collected
            yield
            return
        core = sim._core
        core.hold(running)
        try:
            yield
        finally:
            core.give_back()

    def _run_held(self, target: int, until: float) -> None:
        if self._running:
            raise bad_input(
                "run was called during a run", "a callback must not call it", "Return first"
            )
        self.sim._core.ask_to_stop(False)
        self._running, self.stopping, self.why = True, False, None
        try:
            with Signals() as signals:
                self._open()
                self.target, self.target_time = target, until
                if not self._announced:
                    self._announced = True
                    for hook in STARTING:
                        hook(self.sim)
                self._run(signals)
        except (BlowUpError, RankError) as error:
            self.name_the_checkpoint(error)
            raise
        finally:
            self._running = False

    def stop(self, why: str) -> bool:
        """End the present run, from any thread; whether there is one."""
        if not self._running:
            return False
        self.stopping, self.why = True, why
        self.sim._core.ask_to_stop(True)  # if it is making steps
        return True

    def _run(self, signals: Signals) -> None:
        sim, target = self.sim, self.target
        assert target is not None
        self._began = sim.step, time.perf_counter()
        try:
            for recorder in self._ordered:
                recorder.start(sim, target)
            self._observe(self._times_here())
            while not (self._has_arrived() or self.stopping or signals.caught is not None):
                step = sim.step
                stop = min([target, *(r.next_step(step) for r in self.recorders)])
                times = self._next_times()
                if times:
                    stop = min(stop, step + sim._steps_before(min(times.values())))
                with sim._explaining():
                    signals.run(partial(sim._advance, stop - step, self.target_time))
                if sim.step == stop or self._has_arrived():
                    self._observe(times)
            if signals.caught is not None:
                self.why = words_of(signals.caught)
            for recorder in self._ordered:
                recorder.finish(sim)
            self._flush()
        except FileError as error:
            told = self._keep(error) if isinstance(error, FormatError) else self._rescue(error)
            for recorder in self._ordered:
                with contextlib.suppress(Error):
                    recorder.fail(sim, told)
            raise told from None
        except BaseException as error:
            if isinstance(error, (BlowUpError, RankError)):
                self.name_the_checkpoint(error)
            # The frames before a blow-up, or before a callback failed, belong to the user.
            with contextlib.suppress(Error):
                if isinstance(error, Error):
                    for recorder in self._ordered:
                        recorder.fail(sim, error)
                self._flush()
            raise
        finally:
            self._speed = self.steps_per_second
            self._began = None
        if signals.caught is not None:
            self._leave(signals.caught)

    def _has_arrived(self) -> bool:
        sim, target = self.sim, self.target
        assert target is not None
        return sim.step >= target or (self.target_time < math.inf and sim.time >= self.target_time)

    def _times_here(self) -> dict[Recorder, float]:
        """The present time for recorders that are to act at it and have not done so."""
        step, now = self.sim.step, self.sim.time if self._timed else 0.0
        return {r: now for r in self._timed if r.last != step and r.is_at_time(now)}

    def _next_times(self) -> dict[Recorder, float]:
        """The next times of recorders that act at times, less what rounding may miss."""
        now = self.sim.time if self._timed else 0.0
        times = {recorder: recorder.next_time(now) for recorder in self._timed}
        return {r: t - ROUNDING * abs(t) for r, t in times.items() if t < math.inf}

    def _observe(self, times: Mapping[Recorder, float] = MappingProxyType({})) -> None:
        step, now = self.sim.step, self.sim.time if times else 0.0
        for recorder in self._ordered:
            if recorder.is_due(step) or now >= times.get(recorder, math.inf):
                recorder.observe(self.sim, step)
        if self._writer is not None:
            self._writer.check_formats()

    def _open(self) -> None:
        if self._writer is not None:
            return
        writer = Writer(files=self.files)
        states = self.states or [None] * len(self.recorders)
        try:
            self.claim()
            begin(self.recorders, states, self.sim, writer, self._owner if self.spares else None)
            self._reserve.fill()
        except BaseException:
            writer.close()
            for recorder in self.recorders:
                with contextlib.suppress(Exception):
                    recorder.close()
            self._claims.release()
            raise
        self._writer, self._failed = writer, False

    def _flush(self) -> None:
        if self._writer is not None:
            self._writer.drain()

    def write_checkpoint(self, path: str) -> None:
        """Write all other output to the disk, then the checkpoint."""
        with self._held():
            self._flush()
            for recorder in self.recorders:
                try:
                    recorder.sync()
                except Error:  # of a file, or of a rank that has died
                    raise
                except (OSError, RuntimeError) as error:
                    raise FileError(
                        f"{getattr(recorder.spec, 'path', path)}: cannot be flushed to disk "
                        f"({error}). {output_advice(error)}."
                    ) from None
            self.sim._save(path)
            self.saved = path, self.sim.step

    def name_the_checkpoint(self, error: BlowUpError | RankError) -> None:
        """Add the last checkpoint to an error, once; for a lost rank, also how to go on from it."""
        if error is self._named:
            return
        self._named = error
        if self.saved is not None:  # where it ended while it was saved, another may be there
            path, step = self.saved
            self.saved = path, self.sim._step_saved(path, step)
        text = self._how_to_go_on() if isinstance(error, RankError) else self._last_checkpoint()
        if text:
            before = str(error)
            error.args = (f"{before}{'' if before.endswith('.') else '.'} {text}",)

    def _last_checkpoint(self) -> str:
        if self.saved is None:
            return ""
        path, step = self.saved
        return f"The last checkpoint is {path}, written at step {step}."

    def _how_to_go_on(self) -> str:
        if self.saved is None:
            return "The run has no checkpoint yet: start it again."
        command = self.sim._continuing(*self.saved)
        return f"{self._last_checkpoint()} Continue with `{command}`."

    def _rescue(self, error: FileError) -> FileError:
        """Save the state somewhere else when output fails, and say where."""
        self._failed = True
        with contextlib.suppress(Error):
            self._flush()  # where another file has failed, the writer may still be at work
        self._reserve.give_back()
        path = rescue(self.sim._save)
        said = f"{error} The state at step {self.sim.step}"
        if path is None:
            return FileError(f"{said} could not be saved elsewhere.")
        more = f"Then continue with `{self.sim._continuing(path)}`."
        return FileError(f"{said} is saved in {path}. {more}")

    def _keep(self, error: FormatError) -> FormatError:
        """Save the state where a format has no room for a number; the other files are complete."""
        self._failed = True
        with contextlib.suppress(Error):
            self._flush()
        return keep(error, self.specs, self.sim, self._has_arrived())

    def _leave(self, caught: int) -> None:
        """End a run that a signal stopped; everything is written."""
        saved = [spec.files[0] for spec in self.specs if spec.holds == "checkpoint"]
        where = f"at step {self.sim.step}"
        if self.target_time < math.inf:
            where += f", time {self.sim.time:.6g} of {self.target_time:g}"
        elif (self.target or 0) < WITHOUT_END:
            where += f" of {self.target}"
        advice = f"continue with `{self.sim._continuing(saved[0])}`" if saved else ""
        leave(caught, where, advice)

    def current_states(self) -> list[dict[str, Any]]:
        """The states of the observers so far, also where a restart has not run yet."""
        before = self.states if self._writer is None else None
        pairs = zip(self.recorders, before or [None] * len(self.recorders), strict=True)
        return [recorder.state() if state is None else state for recorder, state in pairs]

    def close(self) -> None:
        """Close all files; a later run continues them."""
        if self._running:
            raise bad_input(
                "close was called during a run",
                "later output would be lost",
                "Call stop() in a callback, and close after the run",
            )
        self._reserve.give_back()
        if self._writer is None:
            self._claims.release()  # of a run that never began
            return
        with self._held():
            self._finish_files(self._writer)

    def _finish_files(self, writer: Writer) -> None:
        self._writer = None
        try:
            if not self._failed:  # otherwise the error was raised already
                writer.drain()
            self.states = [recorder.state() for recorder in self.recorders]
        finally:
            writer.close()
            problems = [error for error in map(closed, self.recorders) if error is not None]
            remember(self.recorders, self._owner)
            self._claims.release()
        if problems and not self._failed:
            raise problems[0]

    def __del__(self) -> None:
        """A simulation was dropped without `close`: its files are finished all the same."""
        if self._has_claimed:
            self._close_unasked()

    def _close_unasked(self) -> None:
        try:
            self._running = False
            self.close()
        except Error as error:
            warn(str(error))

    def disown(self) -> None:
        """Leave the files to the parent, in a forked child, without even closing them.

        Objects that could write when they are collected, such as GSD files, never are.
        """
        keep_for_ever(self.recorders)
        self._writer = None
        self._claims.release()
        self._reserve.give_back()


def _close_all() -> None:
    for loop in list(_LIVE):
        loop._close_unasked()


def _disown_all() -> None:
    for loop in list(_LIVE):
        loop.disown()


atexit.register(_close_all)
script.BEFORE_LEAVING.append(_close_all)
os.register_at_fork(after_in_child=_disown_all)
