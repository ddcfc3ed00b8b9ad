# SPDX-License-Identifier: Apache-2.0
"""The simulations that a rank has parts of."""

from __future__ import annotations

from typing import Any

from aureole import _core

simulations: dict[int, Any] = {}  # of this rank, by number


# On every rank


def forget(_: _core.Ranks, number: int) -> None:
    """Forget a simulation that the leader needs no more."""
    simulations.pop(number, None)
