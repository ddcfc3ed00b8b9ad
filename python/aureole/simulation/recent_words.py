# SPDX-License-Identifier: Apache-2.0
"""Notes and warnings about pair lists and constraints during a run."""

from __future__ import annotations

import math


def of_outrun_lists(step: int, outrun: int) -> str:
    """A note about lists that particles outran."""
    return (
        f"step {step:,}: particles had moved farther than the pair list's buffer; "
        + ("the list was rebuilt" if outrun == 1 else f"{outrun:,} lists were rebuilt")
        + " (harmless unless it repeats often; the end of the log counts these lists)"
    )


def of_rotation(turn: tuple[int, int, float, int] | None, limit: float) -> list[str]:
    """A warning about the constraint that rotated most in one step, if beyond `limit` degrees.

    Args:
        turn: its two atoms from 0, the angle [rad] and the step
        limit: `warn_angle`
    """
    if turn is None or math.degrees(turn[2]) <= limit:
        return []
    a, b, angle, step = turn
    return [
        f"at step {step:,} the constraint between atoms {a + 1} and {b + 1} rotated by "
        f"{math.degrees(angle):.0f} degrees in one step (lincs-warnangle = {limit:g}). "
        "The time step may be too long, or the start not relaxed."
    ]
