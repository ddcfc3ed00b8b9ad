# SPDX-License-Identifier: Apache-2.0
"""Measurements of messages on one rank: of ours, called by `Team.call`, or of an MPI's."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
from aureole import _core
from aureole.ranks import find_launcher

SIZES = (8, 1024, 8192, 1 << 20)  # bytes
_BATCHES = 51  # short ones, of which the median is not one in which a process lost its processor
_WARM_UP = 100_000  # messages, until the system has found its places for both processes


def _median(times: list[float]) -> float:
    return float(np.median(times))


def messages(link: Any) -> dict[str, float]:
    """Seconds by what was measured: one way of each size, and a sum of eight numbers."""
    found = {}
    link.time_messages(8, 1, _WARM_UP)
    for size in SIZES:
        repeats = max(20, 4000 // (1 + size // 256))
        link.time_messages(size, 1, repeats)  # warms up
        found[f"{size} B"] = _median(link.time_messages(size, _BATCHES, repeats))
    return found | sums(link)


def sums(link: Any) -> dict[str, float]:
    """Seconds of a sum of eight numbers over all ranks."""
    repeats = 2000
    link.time_sums(1, _WARM_UP)
    return {f"sum on {link.size}": _median(link.time_sums(_BATCHES, repeats))}


def ring(link: Any, work: float) -> float:
    """Seconds of a step of so much work and a message to the next rank."""
    return _median(link.time_ring(work, 11, 20))


def main() -> None:
    """One rank under mpirun: its number is also that of its processor."""
    link = _core.load_mpi(find_launcher.library())
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, [processors[link.rank % len(processors)]])
    found = messages(link) if sys.argv[1] == "messages" else sums(link)
    if link.rank == 0:
        print(json.dumps({"version": link.version, "ranks": link.size, "times": found}))


if __name__ == "__main__":
    main()
