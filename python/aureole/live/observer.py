# SPDX-License-Identifier: Apache-2.0
"""The interface of observers: a spec says what and how often, a recorder does it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

from aureole.base.errors import Error, bad_input
from aureole.base.quantities import is_quantity
from aureole.base.units import Measured
from aureole.base.values import integer, number, put
from aureole.specs.spec import Spec

from .live import WITHOUT_END, Live
from .writer_thread import Writer


class Observer(Spec):
    """Base class of observers: frozen dataclasses that act at steps divisible by `every`.

    The interval is a number of steps, or in molecular units a time such as "1 ps". Checkpoints and
    input files know a subclass by its name once its module is imported.
    """

    every: int | str
    #: Time between actions in place of `every`, for observers that have such a field.
    every_time: Any = None
    #: Kind of its file in logs of runs: "trajectory", "energies", "checkpoint" or another word.
    holds: ClassVar[str] = ""
    #: Part of a simulation that it needs, in a word such as "particles"; "" for a step and a time.
    needs: ClassVar[str] = ""
    #: Type in `state_types` of the state that its recorder keeps in a checkpoint.
    state_type: ClassVar[str] = "State"
    #: Whether a file can hold the whole spec. A function is given again at a restart.
    is_data: ClassVar[bool] = True

    def __init_subclass__(cls, family: str = "observer", **kwargs: Any) -> None:
        super().__init_subclass__(family=family, **kwargs)

    def __post_init__(self) -> None:
        super().__post_init__()
        if hasattr(self, "every"):
            put(self, "every", interval(self.every, f"every of {type(self).__name__}"))
        if self.every_time is not None:
            name = f"every_time of {type(self).__name__}"
            put(self, "every_time", _time_between(self.every_time, name))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it writes."""
        path = getattr(self, "path", None)
        return () if path is None else (path,)

    @property
    def previous(self) -> tuple[str, ...]:
        """Earlier generations of its files that it keeps."""
        return ()

    def recognises(self, path: str, head: bytes) -> bool:
        """Whether a file with these first bytes is of the kind that it writes to `path`.

        A run that continues from a checkpoint replaces and continues no other files.
        """
        return False

    def accepts(self, piece: bytes, first: bool) -> bool:
        """Whether it could have written a piece of its file, perhaps the `first` one.

        A checkpoint holds pieces that could not be written.
        """
        return False

    @classmethod
    def state_schema(cls) -> Any:
        """The type of what its recorder keeps in a checkpoint, by which msgspec checks one.

        A TypedDict will do. Keys that the type does not name may hold anything.
        """
        from . import state_types  # with msgspec, which only readers of checkpoints need

        return getattr(state_types, cls.state_type)

    def recorder(self) -> Recorder:
        """The recorder of this observer, made when a run begins."""
        raise NotImplementedError

    def minimization_line(self, spec: Spec) -> Any:
        """Display of the progress of a minimisation, as in a run; None for nothing.

        It is called at each step like `tell` of `Simulation.minimize`. At the end `close` gets the
        number of steps, the energy and the largest force.
        """
        return None


def interval(value: Any, name: str) -> Any:
    """A number of steps, or a time such as "1 ps" that a simulation makes steps of."""
    if not (isinstance(value, (str, Measured)) or is_quantity(value)):
        return integer(value, name, low=1)
    return number(value, name, low=0.0, open_low=True, dimension="time")


def _time_between(value: Any, name: str) -> Any:
    return number(value, name, low=0.0, open_low=True, dimension="time")


#: Relative amount by which a time may be missed: a few roundings. With more, observers would act
#: steps too early where steps are short compared with the time.
ROUNDING = 1e-15


class Recorder:
    """The live part of an observer. `last` is the step it last acted on."""

    def __init__(self, spec: Observer) -> None:
        self.spec = spec
        self.last = -1

    def next_step(self, step: int) -> int:
        """The next step after `step` at which to act."""
        if self.spec.every_time is not None:
            return WITHOUT_END
        return (step // self.spec.every + 1) * self.spec.every

    def next_time(self, time: float) -> float:
        """The next time after `time` at which to act, besides those steps.

        The recorder acts at the first step that ends at or after it. No step is shortened for that.
        """
        if self.spec.every_time is None:
            return math.inf
        between = float(self.spec.every_time)
        if abs(time) >= 2.0**53 * between:  # each step is longer
            return math.nextafter(time, math.inf)
        return (math.floor((time + 2 * ROUNDING * abs(time)) / between) + 1) * between

    def is_at_time(self, time: float) -> bool:
        """Whether to act at a time at which a run begins."""
        if self.spec.every_time is None:
            return False
        between = float(self.spec.every_time)
        if abs(time) >= 2.0**53 * between:
            return True
        return abs(time - round(time / between) * between) <= 2 * ROUNDING * abs(time)

    def is_due(self, step: int) -> bool:
        """Whether to act at `step`, whatever the time."""
        if self.spec.every_time is not None:
            return False
        return step % self.spec.every == 0 and step != self.last

    def recognise(self, state: dict[str, Any]) -> None:
        """Raise FileError if its file is not the one that `state` describes; change nothing.

        Called only at restarts, before any file is opened.
        """

    def check(self, sim: Live) -> None:
        """Raise FormatError where its file has no room for the present state; change nothing.

        Called before a run begins, and before any file is opened.
        """

    def open(self, sim: Live, writer: Writer, state: dict[str, Any] | None) -> None:
        """Start a new file, or continue after what `state` (of a checkpoint) says was written."""
        if state is not None:
            self.last = int(state.get("last", -1))

    def accept_forces(self, names: Iterable[str]) -> None:
        """Raise InputError if its file has no room for new forces with these names."""

    def start(self, sim: Live, target: int) -> None:
        """A run towards step `target` begins."""

    def observe(self, sim: Live, step: int) -> None:
        """Act at a step that is due."""
        raise NotImplementedError

    def finish(self, sim: Live) -> None:
        """A run has ended."""

    def fail(self, sim: Live, error: Error) -> None:
        """A run has ended by an error."""

    def sync(self) -> None:
        """Put on the disk what was written; called when the writer is idle."""

    def state(self) -> dict[str, Any]:
        """The progress so far, as plain data for a checkpoint.

        If output has failed, it also holds what remains to be written; `open` then writes it.
        """
        return {"last": self.last}

    def close(self) -> None:
        """Close files."""


class FileRecorder(Recorder):
    """A recorder that writes to one `file`, with methods to recognise, sync and close it."""

    file: Any

    def recognise(self, state: dict[str, Any]) -> None:
        self.file.recognise(state)

    def sync(self) -> None:
        self.file.sync()

    def close(self) -> None:
        self.file.close()


def text_path(value: Any, name: str) -> str:
    """A file name as text, or an InputError."""
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if value in ("/dev/stdout", "/dev/stderr"):
        raise bad_input(
            f"{name} is {value!r}",
            "in a file that output is redirected to, rows and printed text would overwrite each "
            "other",
            "Name a file; au.Progress() writes to the screen, au.Callback what you print",
        )
    if not isinstance(value, str) or not value or "\0" in value:
        hint = "Give a name; au.Progress() writes to the screen"
        raise bad_input(f"{name} is {value!r}", "it must be a file name", hint)
    return value
