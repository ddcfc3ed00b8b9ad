# SPDX-License-Identifier: Apache-2.0
"""A nearby minimum of the energy: which way to it is taken, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import bad_input
from .integrators import FIRE, SteepestDescent
from .units import check

if TYPE_CHECKING:
    from .readout import Readout

Minimizer = FIRE | SteepestDescent
Tell = Callable[[int, float, float, float, int], None]


@dataclass(frozen=True)
class Minimum:
    """Result of a minimisation: whether it converged, steps, largest force, energy."""

    converged: bool
    steps: int
    max_force: float
    energy: float


def chosen(sim: Readout, spec: Minimizer | None, changes: Mapping[str, Any]) -> Minimizer:
    """The minimiser that `Simulation.minimize` was asked for."""
    if spec is not None and changes:
        raise bad_input(
            "minimize got a spec and single settings", "one decides", "Give one of them"
        )
    wanted = _suitable(sim) if spec is None else spec
    if not isinstance(wanted, Minimizer):
        raise bad_input(
            f"minimize got {wanted!r}", "that is no minimiser", "Give FIRE or SteepestDescent"
        )
    if changes:
        wanted = dataclasses.replace(wanted, **changes)
    check(wanted, sim.units)
    return wanted


def _suitable(sim: Readout) -> Minimizer:
    if sim.origin is not None:
        return sim.origin.minimizer
    return FIRE() if sim.topology is None else SteepestDescent()


def minimum(core: Any, spec: Minimizer, tell: Tell | None) -> Minimum:
    """Move the engine's particles to a minimum; `tell` hears of each step of a descent."""
    if isinstance(spec, FIRE):
        result = core.minimize(float(spec.force_tolerance), spec.max_steps, float(spec.dt_start))
    else:
        steps = 2**62 if spec.max_steps is None else spec.max_steps
        result = core.descend(float(spec.force_tolerance), float(spec.step), steps, tell)
    return Minimum(
        bool(result["converged"]),
        int(result["steps"]),
        float(result["max_force"]),
        float(result["energy"]),
    )
