# SPDX-License-Identifier: Apache-2.0
"""Runs of one engine among those of others, repeated where other programs disturb them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from .engines import PeerFailed, Quality
from .quiet import Watch

DISTURBED = 0.1  # processors that other programs use; beyond, a run is repeated
REPEATS = 3
Say = Callable[[str], None]


class Timed(Protocol):
    """An engine that can be timed."""

    engine: str
    style: str

    @property
    def label(self) -> str:
        """Its name in tables."""

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps."""


@dataclass
class Measured:
    """One engine and style on one case and thread count."""

    engine: Timed
    quality: Quality | None
    rates: list[float] = field(default_factory=list)
    others: list[float | None] = field(default_factory=list)
    failures: int = 0  # runs that crashed or hung and were repeated


def undisturbed(entry: Measured, threads: int, steps: int, say: Say) -> tuple[float, float | None]:
    """Seconds of a run, and the processors that others used; repeated while they use many."""
    for attempt in range(REPEATS + 1):
        watch = Watch()
        try:
            seconds = entry.engine.seconds(threads, steps)
        except PeerFailed as error:
            entry.failures += 1
            say(f"  {entry.engine.label}: {error}")
            if attempt == REPEATS:
                raise
            continue
        others = watch.others()
        if others is None or others < DISTURBED or attempt == REPEATS:
            break
        say(f"  {entry.engine.label}: others used {others:.2f} processors, again")
    return seconds, others
