# SPDX-License-Identifier: Apache-2.0
"""Tells, once, that fewer threads do the work as other programs need the processors."""

from __future__ import annotations

from aureole.live.live import Live


class BusyProcessors:
    """Tells one reader: a log or a terminal."""

    def __init__(self) -> None:
        self._told = False

    def news(self, sim: Live) -> str | None:
        """A sentence when fewer threads work for the first time, otherwise None."""
        if self._told:
            return None
        about = sim.describe()
        threads = int(about.get("threads", 1))
        active = int(about.get("fewest_active_threads", threads))
        self._told = active < threads
        if not self._told:
            return None
        return (
            f"step {sim.step:,}: other programs use some of the processors; "
            f"{active} of {threads} threads do the work until these are free "
            "(results stay bitwise identical)"
        )
