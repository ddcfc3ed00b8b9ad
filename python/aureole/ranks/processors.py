# SPDX-License-Identifier: Apache-2.0
"""The processors that ranks may use, and how they share them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar


class Processors:
    """Processors of this process: its own share while it leads a team, or all that it may use."""

    allowed: ClassVar[list[int]] = []
    _teams: ClassVar[int] = 0

    @classmethod
    def now(cls) -> list[int]:
        """The processors of all ranks together."""
        return cls.allowed if cls._teams > 0 else sorted(os.sched_getaffinity(0))

    @classmethod
    def take(cls, processors: list[int] | None = None) -> None:
        """Take processors for a team; `processors`: those of all ranks that a launcher started."""
        cls.allowed = cls.now() if processors is None else processors
        cls._teams += 1

    @classmethod
    def give_all_back(cls) -> None:
        """Give all processors back, in a forked child, which leads no team."""
        if cls._teams > 0:
            os.sched_setaffinity(0, cls.allowed)
        cls._teams = 0

    @classmethod
    def give_back(cls) -> None:
        cls._teams -= 1
        if cls._teams == 0:
            os.sched_setaffinity(0, cls.allowed)


def divided(
    processors: Sequence[int], size: int, threads: int | None
) -> list[Sequence[int]] | None:
    """The processors of each rank: equal shares side by side; None if there are too few."""
    share = threads or len(processors) // size
    if share < 1 or share * size > len(processors):
        return None
    return [processors[share * r : share * (r + 1)] for r in range(size)]
