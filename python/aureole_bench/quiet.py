# SPDX-License-Identifier: Apache-2.0
"""Whether other programs kept the processors busy during a measurement."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

_STAT = Path("/proc/stat")


class Watch:
    """Counts processor time that neither this process nor its children used."""

    def __init__(self) -> None:
        self._time, self._busy, self._own = time.monotonic(), _busy(), _own()

    def others(self) -> float | None:
        """Processors that others used since, on average; None if the system does not report it."""
        busy = _busy()
        if busy is None or self._busy is None:
            return None
        elapsed = max(time.monotonic() - self._time, 1e-9)
        return max(0.0, (busy - self._busy) - (_own() - self._own)) / elapsed


def _busy() -> float | None:
    """Seconds that all processors spent on something, stolen time included."""
    if not _STAT.exists():
        return None
    words = _STAT.read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, _idle, _wait, irq, soft, steal = (int(word) for word in words)
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    used = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        used += usage.ru_utime + usage.ru_stime
    return used
