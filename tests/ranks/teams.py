# SPDX-License-Identifier: Apache-2.0
"""Ranks that stay from one simulation to the next, as those of mpirun do.

A start takes 0.15 s of a processor for each rank, a small system's forces take less.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from aureole.ranks.team import StayingTeam, set_launched


class Teams:
    """One team at a time: that of the last number of ranks asked for."""

    def __init__(self) -> None:
        self._team: StayingTeam | None = None

    def __enter__(self) -> Teams:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: TracebackType | Any) -> None:
        self._close()

    def _close(self) -> None:
        if self._team is not None:
            self._team.close()
        self._team = None

    @contextlib.contextmanager
    def of(self, size: int) -> Iterator[None]:
        """Simulations that are made inside are on these ranks."""
        if size == 1:
            yield
            return
        if self._team is None or self._team._ended or self._team.size != size:
            self._close()
            self._team = StayingTeam(size)
        set_launched(self._team)
        try:
            yield
        finally:
            set_launched(None)
