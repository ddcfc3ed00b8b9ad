# SPDX-License-Identifier: Apache-2.0
"""The observers of a simulation, which may be changed between runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aureole.base.errors import bad_input
from aureole.observers.base import Observer


class ObserverList(Sequence[Any]):
    """The specs of what happens besides the steps: ``sim.observers.append(au.Progress())``.

    Files of new ones are begun by the next run, and those of the others go on. The next checkpoint
    names all of them.

    Args:
        sim: a `Simulation`, which takes others by its `observers`
        specs: those that it has
    """

    def __init__(self, sim: Any, specs: tuple[Observer, ...]) -> None:
        self._sim, self._specs = sim, specs

    def append(self, observer: Observer) -> None:
        """Add an observer, between runs. Raises InputError where it does not fit the others."""
        self._change([*self._sim.observers, observer])

    def remove(self, observer: Observer) -> None:
        """Take an observer out, between runs; its file is complete up to the present step.

        If an equal one is appended later, it continues that file.
        """
        if observer not in self._sim.observers:
            raise bad_input(
                f"{observer!r} is no observer of the simulation",
                "it cannot be taken out",
                "Use one of sim.observers",
            )
        rest = list(self._sim.observers)
        rest.remove(observer)
        self._change(rest)

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
