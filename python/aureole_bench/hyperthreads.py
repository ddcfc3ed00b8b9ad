# SPDX-License-Identifier: Apache-2.0
"""The gain of more threads on this machine: cores do more work, hyperthreads hardly any."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from aureole import _core

from aureole_bench.engines import cpus
from aureole_bench.stats import ratios

ROUNDS = 9
SECONDS = 0.05


def gains(threads: Sequence[int]) -> list[dict[str, Any]]:
    """Throughput of a loop of multiply-adds on the processors that the engines run on.

    Relative to that of one thread: medians and quartiles of rounds in which the thread counts take
    turns.
    """
    counts = sorted({1, *threads})
    rates: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(ROUNDS if len(counts) > 1 else 0):
        for count in counts:
            rates[count].append(_rate(count))
    found = ((count, ratios(rates[count], rates[1])) for count in counts[1:])
    return [{"threads": count, **gain.of_ratios()} for count, gain in found if gain is not None]


def line(rows: Sequence[dict[str, Any]]) -> list[str]:
    """One line for a report, or none where there was one thread only."""
    if not rows:
        return []
    each = ", ".join(
        "{3} threads {0:.2f} ({1:.2f} – {2:.2f})".format(
            row["ratio"], *row["quartiles"], row["threads"]
        )
        for row in rows
    )
    return [
        f"Multiply-adds, one thread = 1: {each}. Hyperthreads of one core, or a busy machine, "
        "scale below the thread count."
    ]


def _rate(threads: int) -> float:
    """Multiply-adds per second."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus(threads))
    try:
        return _core.multiply_adds_per_second(threads, SECONDS)
    finally:
        os.sched_setaffinity(0, allowed)
