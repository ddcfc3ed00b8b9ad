# SPDX-License-Identifier: Apache-2.0
"""Tables that the checks print at the end."""

from __future__ import annotations

from collections.abc import Iterable

from .runner import Outcome
from .states import State


def of_times(outcomes: Iterable[Outcome], factor: float) -> str:
    """Seconds of processor at factor 1 beside the budgets."""
    lines = [f"{'':12}{'budget':>8}{'used':>8}{'clock':>8}   (seconds; factor {factor:.2f})"]
    budget = used = wall = 0.0
    for o in outcomes:
        how = "" if o.ok else "   FAILED"
        how = how or ("   over its budget" if o.remarks else "")
        lines.append(f"{o.name:12}{o.budget:8.0f}{o.seconds:8.0f}{o.wall:8.0f}{how}")
        budget, used, wall = budget + o.budget, used + o.seconds, wall + o.wall
    lines.append(f"{'all':12}{budget:8.0f}{used:8.0f}{wall:8.0f}")
    return "\n".join(f"[check] {line}" for line in lines)


def of_lanes(rows: Iterable[tuple[State, str]]) -> str:
    """For each lane what it is, or what it has come to now."""
    return "\n".join(f"[lanes] {state.lane.name:12} {now or state.text}" for state, now in rows)
