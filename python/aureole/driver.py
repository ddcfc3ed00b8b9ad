# SPDX-License-Identifier: Apache-2.0
"""Drives a run: lets the engine make steps and the observers act between them."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import BlowUpError, Error, FileError, Terminated, bad_input, file_error
from .extra import extra_of
from .observers import Checkpoint, Observer, Recorder, Writer
from .signals import Signals

if TYPE_CHECKING:
    from .simulation import Simulation

# Called with each simulation when its first run starts; the command line prints from here.
STARTING: list[Callable[[Simulation], None]] = []


class Driver:
    """Owns the recorders of a simulation and the thread that writes their files."""

    def __init__(self, sim: Simulation, specs: Sequence[Observer]) -> None:
        # Weak, as the simulation owns its driver: a dropped one gives its memory back at once.
        self._sim = weakref.ref(sim)
        self.specs = tuple(specs)
        _check_paths(self.specs)
        self.target: int | None = None
        self.steps_per_second = 0.0
        self.states: list[dict[str, Any]] | None = None
        # Checkpoints come last, so that they know what the others did at their step.
        self.recorders: list[Recorder] = [spec.recorder() for spec in self.specs]
        self._ordered = sorted(self.recorders, key=lambda r: isinstance(r.spec, Checkpoint))
        self._writer: Writer | None = None
        self.stopping = False  # a recorder or a callback has seen enough
        self._running = False
        self._failed = False
        self._announced = False
        self._saved = ""  # the last checkpoint, for the report of a blow-up

    @property
    def sim(self) -> Simulation:
        """The simulation that is driven."""
        sim = self._sim()
        assert sim is not None, "a driver does not outlive its simulation"
        return sim

    def run(self, target: int) -> None:
        """Go on to step `target`."""
        if self._running:
            raise bad_input(
                "run was called during a run", "a callback must not", "Return from it first"
            )
        self._running, self.stopping = True, False
        try:
            self._open()
            self.target = target
            if not self._announced:
                self._announced = True
                for hook in STARTING:
                    hook(self.sim)
            with Signals() as signals:
                self._run(target, signals)
        finally:
            self._running = False

    def _run(self, target: int, signals: Signals) -> None:
        sim = self.sim
        first, began = sim.step, time.perf_counter()
        try:
            for recorder in self._ordered:
                recorder.start(sim, target)
            self._observe()
            while sim.step < target and signals.caught is None and not self.stopping:
                step = sim.step
                stop = min([target, *(r.next_step(step) for r in self.recorders)])
                signals.run(sim._core, stop - step)
                if sim.step == stop:
                    self._observe()
            for recorder in self._ordered:
                recorder.finish(sim)
            self._flush()
        except FileError as error:
            raise self._rescue(error) from None
        except BaseException as error:
            if isinstance(error, BlowUpError) and self._saved:
                error.args = (f"{error} The last checkpoint is {self._saved}.",)
            # The frames before a blow-up, or before a callback failed, belong to the user.
            with contextlib.suppress(Error):
                self._flush()
            raise
        finally:
            elapsed = time.perf_counter() - began
            self.steps_per_second = (sim.step - first) / elapsed if elapsed > 0 else 0.0
        if signals.caught is not None:
            self._leave(signals.caught)

    def _observe(self) -> None:
        step = self.sim.step
        for recorder in self._ordered:
            if recorder.is_due(step):
                recorder.observe(self.sim, step)

    def _open(self) -> None:
        if self._writer is not None:
            return
        writer = Writer()
        states = self.states or [None] * len(self.recorders)
        try:
            for recorder, state in zip(self.recorders, states, strict=True):
                recorder.open(self.sim, writer, state)
        except BaseException:
            writer.close()
            for recorder in self.recorders:
                with contextlib.suppress(OSError, RuntimeError):
                    recorder.close()
            raise
        self._writer = writer

    def _flush(self) -> None:
        if self._writer is not None:
            self._writer.drain()

    def write_checkpoint(self, path: str) -> None:
        """All other output to the disk, then the checkpoint."""
        self._flush()
        for recorder in self.recorders:
            try:
                recorder.sync()
            except (OSError, RuntimeError) as error:
                if isinstance(error, FileError):
                    raise
                raise FileError(
                    f"{getattr(recorder.spec, 'path', path)}: cannot be put on the disk "
                    f"({error}). Free space there."
                ) from None
        self.sim._core.write_checkpoint(path, extra_of(self.sim, self))
        self._saved = f"{path}, of step {self.sim.step}"

    def _rescue(self, error: FileError) -> FileError:
        """Save the state somewhere else when output fails, and say where."""
        self._failed = True
        folders = [Path.cwd(), Path.home(), Path(tempfile.gettempdir()), Path("/dev/shm")]
        name = f"aureole-rescue-{os.getpid()}.ckpt"
        for folder in folders:
            path = folder / name
            try:
                self.sim._core.write_checkpoint(str(path), extra_of(self.sim, self))
            except (Error, OSError):
                continue
            return FileError(
                f"{error} The state at step {self.sim.step} is saved in {path}: free space, "
                f"then continue with `{self.sim._continuing(str(path))}`."
            )
        return FileError(f"{error} The state at step {self.sim.step} could not be saved elsewhere.")

    def _leave(self, caught: int) -> None:
        """End a run that a signal stopped; everything is written."""
        saved = [spec.path for spec in self.specs if isinstance(spec, Checkpoint)]
        text = f"stopped at step {self.sim.step} of {self.target}"
        if saved:
            text += f"; continue with `{self.sim._continuing(saved[0])}`"
        if caught == signal.SIGTERM:
            raise Terminated(text)
        raise KeyboardInterrupt(text)

    def current_states(self) -> list[dict[str, Any]]:
        """What the observers have done so far, also where a restart has not run yet."""
        if self._writer is None and self.states is not None:
            return self.states
        return [recorder.state() for recorder in self.recorders]

    def close(self) -> None:
        """Close all files; a later run continues them."""
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        try:
            if not self._failed:  # otherwise the error was raised already
                writer.drain()
            self.states = [recorder.state() for recorder in self.recorders]
        finally:
            writer.close()
            problems = [error for error in map(_close, self.recorders) if error is not None]
        if problems and not self._failed:
            raise problems[0]


def _close(recorder: Recorder) -> FileError | None:
    """Close the files of a recorder; what the system said if it did not take the last bytes."""
    try:
        recorder.close()
    except (OSError, RuntimeError) as error:
        path = getattr(recorder.spec, "path", "output")
        return file_error(path, "cannot be closed", error, "Check its end, and free space there")
    return None


def _check_paths(specs: Sequence[Observer]) -> None:
    seen: set[str] = set()
    for spec in specs:
        path = getattr(spec, "path", None)
        if path is None:
            continue
        if os.path.abspath(path) in seen:
            raise bad_input(
                f"two observers write {path}", "they would overwrite each other", "Rename one"
            )
        seen.add(os.path.abspath(path))
