# SPDX-License-Identifier: Apache-2.0
"""The observers of a simulation, which may be changed between runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from functools import partial
from typing import Any

from aureole.base.errors import bad_input
from aureole.ranks.collective import of_rank_0

from .arguments import check_observers
from .live import Live
from .observer import Observer


class ObserverList(MutableSequence[Any]):
    """The specs of what happens besides the steps: ``sim.observers.append(au.Progress())``.

    Files of new ones are begun by the next run, and those of the others go on. The next checkpoint
    names all of them.

    Args:
        sim: a `Simulation`, which takes others by its `observers`
        specs: those that it has
    """

    def __init__(self, sim: Any, specs: tuple[Observer, ...]) -> None:
        self._sim, self._specs = sim, specs

    def insert(self, index: int, observer: Observer) -> None:
        """Add an observer, between runs. Raises InputError where it does not fit the others."""
        specs = list(self._sim.observers)
        specs.insert(index, observer)
        self._change(specs)

    def remove(self, observer: Observer) -> None:
        """Take an observer out, between runs; its file is complete up to the present step.

        If an equal one is appended later, it continues that file.
        """
        check_observers([observer], type(self._sim))
        spec = self._sim._in_steps(observer)
        if spec not in self._sim.observers:
            raise bad_input(
                f"{observer!r} is no observer of the simulation",
                "it cannot be taken out",
                "Use one of sim.observers",
            )
        del self[self._sim.observers.index(spec)]

    def __setitem__(self, index: Any, value: Any) -> None:
        specs = list(self._sim.observers)
        specs[index] = value
        self._change(specs)

    def __delitem__(self, index: Any) -> None:
        specs = list(self._sim.observers)
        del specs[index]
        self._change(specs)

    def _change(self, specs: list[Observer]) -> None:
        self._sim.observers = specs
        self._specs = tuple(self._sim.observers)

    def __getitem__(self, index: Any) -> Any:
        return self._specs[index]

    def __len__(self) -> int:
        return len(self._specs)

    def __iter__(self) -> Iterator[Observer]:
        return iter(self._specs)

    def __add__(self, more: Iterable[Observer]) -> list[Observer]:
        return [*self._specs, *more]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._specs == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self._specs))

    def __reduce__(self) -> tuple[type, tuple[list[Observer]]]:
        """Copies are plain lists, of no simulation."""
        return list, (list(self._specs),)


class HasObservers(Live):
    """The part of simulations that has the observers."""

    @property
    def observers(self) -> Sequence[Observer]:
        """Observers of the steps, a list that may be changed between runs.

        ``sim.observers.append(...)``, ``sim.observers.remove(...)``, or assign others. The next
        run begins the files of new observers and continues those of the others. The next checkpoint
        names all observers.
        """
        return ObserverList(self, self._loop.specs)

    @observers.setter
    def observers(self, value: Sequence[Observer]) -> None:
        check_observers(value, type(self))
        specs = [self._in_steps(spec) for spec in value]
        self._set_observers(specs)
        self._loop.specs = tuple(specs)  # on ranks that run none of them

    @partial(of_rank_0, name="observers")
    def _set_observers(self, specs: list[Observer]) -> None:
        self._loop.change(specs)
