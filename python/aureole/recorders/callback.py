# SPDX-License-Identifier: Apache-2.0
"""Callback: the user's own function during a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aureole.base.errors import bad_input
from aureole.live.live import Live
from aureole.live.observer import Observer, Recorder
from aureole.specs.spec import spec


@spec(kw_only=False)
class Callback(Observer):
    """Call ``function(sim)`` at steps divisible by `every`.

    Args:
        function: takes the Simulation; may read and set its arrays, but not run it
        every: steps between calls
        every_time: time between calls, in place of `every`; each is after the first step that ends
            at or after a multiple of it

    A checkpoint cannot hold a function: pass it to `Simulation.from_checkpoint` again.
    """

    function: Callable[[Live], Any]
    every: int = 1000
    every_time: float | None = None
    is_data = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.function):
            raise bad_input(
                f"function of Callback is {self.function!r}",
                "it must be callable",
                "Give a function that takes the simulation",
            )

    def to_dict(self) -> dict[str, Any]:
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        known = super().to_dict()
        return {**known, "function": name}

    def recorder(self) -> CallbackRecorder:
        return CallbackRecorder(self)


class CallbackRecorder(Recorder):
    """Calls the function, and notes that it did so that a restart does not call it again."""

    spec: Callback

    def observe(self, sim: Live, step: int) -> None:
        self.last = step
        self.spec.function(sim)
