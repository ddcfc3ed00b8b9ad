# SPDX-License-Identifier: Apache-2.0
"""Signals during a run: stop at a step boundary, save, then leave."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from aureole.base.errors import Terminated
from aureole.base.stop_signals import CAUGHT, YIELDING, words_of


class Stop(BaseException):
    """Raised inside the engine's loop by a signal; never leaves `Simulation.run`."""


def leave(caught: int, where: str, advice: str = "") -> NoReturn:
    """Raise the exception for a caught signal: KeyboardInterrupt, or Terminated with its exit code.

    Args:
        caught: the signal
        where: it stopped the run, such as "at step 5"
        advice: how to go on
    """
    text = "; ".join(filter(None, [f"stopped {where} by {words_of(caught)}", advice]))
    if caught == signal.SIGINT:
        raise KeyboardInterrupt(text)
    raise Terminated(text, 128 + caught)


class Signals:
    """A block in which signals of `CAUGHT` are noted, and end only what `run` runs."""

    def __init__(self) -> None:
        self.caught: int | None = None
        self._inside = False
        self._old: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in CAUGHT:
                old = signal.getsignal(number)
                # A handler set by other means than Python, or an ignored signal, stays in place.
                if old is None or old == signal.SIG_IGN:
                    continue
                if old == signal.SIG_DFL or number not in YIELDING:
                    self._old[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, old in self._old.items():
            signal.signal(number, old)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.caught = number
        if self._inside:
            self._inside = False
            raise Stop

    def run(self, advance: Callable[[], None]) -> None:
        """Let the engine make steps; returns early, between two of them, on a signal."""
        try:
            try:
                self._inside = True
                if self.caught is None:
                    advance()
            finally:
                self._inside = False
        except (Stop, KeyboardInterrupt):
            if self.caught is None:
                self.caught = signal.SIGINT
