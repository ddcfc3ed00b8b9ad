# SPDX-License-Identifier: Apache-2.0
"""A nearby minimum of the energy: the choice of the minimiser, and its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aureole.base.attributes import unchangeable
from aureole.base.errors import bad_input
from aureole.base.units import check
from aureole.base.user_warnings import warn
from aureole.engine.not_finite import explaining
from aureole.engine.observed import Observed
from aureole.specs.minimizers import FIRE, SteepestDescent
from aureole.system.topology import has_energy

Minimizer = FIRE | SteepestDescent
#: Forces that particles of a liquid at 300 K have anyhow [kJ/mol/nm].
_OF_LIQUIDS = 1000.0
Tell = Callable[[int, float, float, float, int], None]


@unchangeable
@dataclass(frozen=True)
class Minimum:
    """Result of a minimisation: whether it converged, steps, largest force, energy, why it ended.

    A descent ends early where, within the precision of the forces, no step lowers the energy.
    """

    converged: bool
    steps: int
    max_force: float
    energy: float
    reason: str = ""


def chosen(sim: Observed, spec: Minimizer | None, changes: Mapping[str, Any]) -> Minimizer:
    """The minimiser that `Simulation.minimize` was asked for."""
    if spec is not None and changes:
        raise bad_input(
            "minimize got a spec and single settings", "only one can apply", "Give one of them"
        )
    wanted = _suitable(sim) if spec is None else spec
    if not isinstance(wanted, Minimizer):
        steps = isinstance(wanted, int)
        hint = f"Write minimize(max_steps={wanted})" if steps else "Give FIRE or SteepestDescent"
        raise bad_input(f"minimize got {wanted!r}", "that is not a minimiser", hint)
    if changes:
        wanted = dataclasses.replace(wanted, **changes)
    check(wanted, sim.units)
    return wanted


def _suitable(sim: Observed) -> Minimizer:
    """The minimiser of the .mdp file if it asks for one, or one that suits the system."""
    if sim.origin is not None and sim.origin.minimizer is not None and sim.integrator is None:
        return sim.origin.minimizer
    kinds = () if sim.topology is None else sim.topology.kinds()
    if sim.units.physical:
        return SteepestDescent(force_tolerance=_OF_LIQUIDS)
    rigid = not all(map(has_energy, kinds))
    # FIRE may step beyond the length at which a FENE bond breaks.
    return SteepestDescent() if rigid or "fene_bond" in kinds else FIRE()


def minimum(
    sim: Observed, spec: Minimizer, tell: Tell | None, *, warns: bool, own_limit: bool
) -> Minimum:
    """Move the particles to a minimum; `tell` hears of each step of a descent.

    Args:
        warns: whether to warn where the minimisation does not converge
        own_limit: whether the user chose the limit of steps; an end there gives no warning
    """
    shown = [one.minimization_line(spec) for one in sim.observers]
    lines = [line for line in shown if line is not None]

    def hear(*row: Any) -> None:
        for listener in (*lines, *(() if tell is None else (tell,))):
            listener(*row)

    tolerance = float(spec.force_tolerance)
    with explaining(sim):
        if isinstance(spec, FIRE):
            result = sim._core.minimize(tolerance, spec.max_steps, float(spec.dt_start))
        else:
            steps = _ENDLESS if spec.max_steps is None else spec.max_steps
            result = sim._core.descend(tolerance, float(spec.step), steps, hear if lines else tell)
    found = Minimum(
        bool(result["converged"]),
        int(result["steps"]),
        float(result["max_force"]),
        float(result["energy"]),
        _reason(result, spec),
    )
    for line in lines:
        line.close(found.steps, found.energy, found.max_force)
    at_limit = found.steps == spec.max_steps
    if warns and not found.converged and not (at_limit and own_limit):
        hint = "Call minimize() again, or give max_steps"
        if not at_limit:
            hint = "Give a larger force_tolerance"
            hint += ', or use precision="double"' * (sim.device.precision != "double")
        warn(
            f"the minimisation ended at {found.reason}: the largest force is "
            f"{found.max_force:.4g}, above {tolerance:g}. {hint}",
        )
    return found


def _reason(result: Mapping[str, Any], spec: Minimizer) -> str:
    """Why a minimisation ended."""
    if result["converged"]:
        return "its force tolerance"
    if result["steps"] == spec.max_steps:
        return f"its limit of {spec.max_steps:,} steps"
    return "the precision of the forces"


_ENDLESS = 2**62
