# SPDX-License-Identifier: Apache-2.0
"""The interface of a simulation of any application for its run loop and its observers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, NoReturn

from aureole.base.attributes import Called, Guarded
from aureole.base.errors import FileError, InputError, bad_input
from aureole.base.text import rate
from aureole.base.units import Measured
from aureole.specs.device import Device

from .step_number import StepNumber

WITHOUT_END = 2**62  # steps


class NotCopiedError(InputError, TypeError):
    """A simulation, which is no data, was copied or pickled."""


class Live(Guarded, metaclass=Called):
    """An engine on a device that makes steps, and observers that act between them.

    An application has a subclass with `time` and `run`, which makes the engine and a `RunLoop`.
    It may replace the methods from `_advance` on for the loop.
    """

    #: Needs of observers that simulations fulfil: see `Observer.needs`.
    _offers: ClassVar[frozenset[str]] = frozenset()
    #: Examples for errors: an observer, and specs.
    _observer: ClassVar[str] = "au.Progress()"
    _such_as: ClassVar[str] = "au.Progress() and au.Callback(...)"
    #: Advice of errors about copied or pickled simulations.
    _copying: ClassVar[str] = "Make another one of the same parts."
    _core: Any
    _loop: Any
    device: Device
    time: Any

    @property
    def observers(self) -> Sequence[Any]:
        """The specs of what happens besides the steps."""
        return self._loop.specs

    @property
    def step(self) -> int:
        """The current step."""
        return StepNumber(self._core.step)

    @property
    def target(self) -> int | None:
        """The target step of the present, last or interrupted run; None before any, and
        where a time alone ends it."""
        target = self._loop.target
        return None if target is None or target >= WITHOUT_END else target

    @property
    def target_time(self) -> float:
        """The time that ends the same run unless its steps do before; infinite for steps alone."""
        return self._loop.target_time

    @property
    def steps_per_second(self) -> float:
        """Speed of this run so far, or of the last one, output included [1/s]; 0 before any."""
        return self._loop.steps_per_second

    def pace(self, steps_per_second: float) -> str:
        """A speed in the unit that people compare, in words."""
        return f"{rate(steps_per_second)} steps/s"

    def describe(self) -> dict[str, Any]:
        """Device, threads, ... as a dictionary."""
        return dict(self._core.describe())

    def stop(self, why: str = "sim.stop()") -> bool:
        """End the present run, as at its last step; for callbacks, observers and other threads.

        In a callback it ends after this step. From another thread it ends at the next look for
        signals, within a few tenths of a second, and `stop` does not wait for that. Where a script
        runs on several ranks, rank 0 runs.

        Args:
            why: a few words, for logs

        Returns:
            whether a run was in progress; without one nothing happens
        """
        return self._loop.stop(why)

    def close(self) -> None:
        """Finish and close all output files; what was simulated stays available."""
        self._loop.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse `copy.copy`, `copy.deepcopy` and `pickle`."""
        error = bad_input(
            f"a {type(self).__name__} cannot be copied or pickled",
            "it holds memory of a device, threads and open files",
            self._copying,
        )
        raise NotCopiedError(str(error))

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # For the run loop

    def _advance(self, steps: int, until: float) -> None:
        """Make `steps` steps, fewer if the time `until` is reached before.

        The last step is shortened to end at `until`.
        """
        self._core.run(steps, until)

    def _steps_before(self, time: float) -> int:
        """Steps that certainly do not pass the first step boundary at or after `time`."""
        return 1

    def _place(self) -> str:
        """The place in the run, in words."""
        return f"step {self.step:,}"

    def _explaining(self) -> AbstractContextManager[Any]:
        """Tell errors of the engine in the words of the application, within the block."""
        return nullcontext()

    def _in_steps(self, spec: Any) -> Any:
        """An observer whose interval is a number of steps, whatever it was given as."""
        for name, instead in (("every", "a number of steps"), ("every_time", "a number")):
            given = getattr(spec, name, None)
            if isinstance(given, Measured):
                raise bad_input(
                    f"{name} of {type(spec).__name__} is {given.text!r}",
                    "the simulation has no physical units",
                    f"Give {instead}",
                )
        return spec

    def _quantities(self, names: Sequence[str] | None) -> Any:
        """Columns of a `Log`, those of the names or the usual ones of the application: an object
        with `names`, `values(sim)` and `accept_forces(names, path)`. Raises InputError for names
        that it does not have.
        """
        raise NotImplementedError

    def _save(self, path: str) -> None:
        """Write a checkpoint to `path`."""
        raise FileError(f"{path}: simulations of this kind have no checkpoints.")

    def _step_saved(self, path: str, step: int) -> int:
        """The step of a checkpoint that was written at `step`, unless it was cut short."""
        return step

    def _continuing(self, path: str, step: int | None = None) -> str:
        """The command that continues from a checkpoint, which was written at `step`."""
        return ""

    def _with_other_files(self, path: str) -> str:
        """A sentence on how the run goes on from a checkpoint with other output files."""
        return ""
