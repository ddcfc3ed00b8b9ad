# SPDX-License-Identifier: Apache-2.0
"""Runs of one engine among those of others, repeated where other programs disturb them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from aureole_bench.engines import PeerFailed, Quality
from aureole_bench.quiet import Watch
from aureole_bench.stats import spread

DISTURBED = 0.1  # processors that other programs use; beyond, a run is repeated
REPEATS = 3
Say = Callable[[str], None]


class Size(Protocol):
    """A case with its number of particles."""

    @property
    def name(self) -> str: ...

    @property
    def n(self) -> int: ...


class Timed(Protocol):
    """An engine that can be timed."""

    engine: str
    style: str

    @property
    def label(self) -> str:
        """The engine's name in tables."""

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps."""


@dataclass
class Measured:
    """One engine and style on one case and thread count."""

    engine: Timed
    quality: Quality | None
    rounds: int  # that it takes part in
    steps: int = 0  # of a run
    rates: list[float] = field(default_factory=list)
    others: list[float | None] = field(default_factory=list)
    failures: int = 0  # runs that crashed or hung and were repeated

    def row(self, case: Size, threads: int) -> dict[str, Any]:
        """Results, for JSON and tables."""
        rate = spread(self.rates)
        return {
            "case": case.name,
            "n": case.n,
            "engine": self.engine.engine,
            "threads": threads,
            "matom_steps_per_s": rate.median,
            "quartiles": [rate.low, rate.high],
            "runs": self.rates,
            "processors_used_by_others": self.others,
            "failed_runs": self.failures,
            "steps": self.steps,
        }


def interleaved(entries: Sequence[Measured], case: Size, threads: int, say: Say) -> None:
    """Fill the rates of all entries, round by round."""
    pairs = max(entry.rounds for entry in entries)
    for k in range(pairs):
        for entry in entries:
            if k < entry.rounds:
                seconds, others = undisturbed(entry, threads, say)
                entry.rates.append(case.n * entry.steps / seconds / 1e6)
                entry.others.append(others)
        rates = ", ".join(f"{e.engine.label} {e.rates[-1]:.3f}" for e in entries if e.rates)
        say(f"  {case.name}, {threads} processor(s), {k + 1}/{pairs}: {rates} M/s")


def undisturbed(entry: Measured, threads: int, say: Say) -> tuple[float, float | None]:
    """Seconds of a run, and the processors that others used; repeated while they use many."""
    for attempt in range(REPEATS + 1):
        watch = Watch()
        try:
            seconds = entry.engine.seconds(threads, entry.steps)
        except PeerFailed as error:
            entry.failures += 1
            say(f"  {entry.engine.label}: {error}")
            if attempt == REPEATS:
                raise
            continue
        others = watch.others()
        if others is None or others < DISTURBED or attempt == REPEATS:
            break
        say(f"  {entry.engine.label}: others used {others:.2f} processors, so this run is repeated")
    return seconds, others
