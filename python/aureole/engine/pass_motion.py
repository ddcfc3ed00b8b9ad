# SPDX-License-Identifier: Apache-2.0
"""Passes constraints, virtual sites, fields, couplings and an integrator to the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.electric_field import ElectricField
from aureole.specs.integrators import FreeIntegrator, Integrator
from aureole.specs.pair import PairPotential
from aureole.specs.thermostats import ALL, NO_THERMOSTAT, group_settings
from aureole.system import degrees_of_freedom as freedom
from aureole.system.topology import RIGID, Terms

from .model import Model

#: Number in place of a group, for particles whose centre-of-mass motion is kept.
NO_DRIFT_GROUP = 255
MOST_GROUPS = 255
_TAILS = {
    False: "no",
    True: "energy and pressure",
    "energy": "energy",
    "all": "all energy and pressure",
    "all energy": "all energy",
    "all pairs": "all energy and pressure of all pairs",
}


def set_bodies(core: Any, model: Model) -> None:
    """Fields, corrections, virtual sites, frozen axes and constraints."""
    set_field(core, model)
    set_tail(core, model)
    terms = model.topology.expand_terms() if model.topology is not None else {}
    sites = {kind: _columns(of) for kind, of in terms.items() if kind.startswith("vsite")}
    if sites:
        core.set_sites(sites)
    frozen = model.frozen()
    if frozen.any():
        free = ~frozen & ~_virtual(model)[:, None]
        core.set_free_axes(np.ascontiguousarray(free @ np.array([1, 2, 4]), dtype=np.uint8))
    if any(kind in terms for kind in RIGID):
        settle, constraint = _columns(terms.get("settle")), _columns(terms.get("constraint"))
        core.set_constraints(settle, constraint, *model.solver.solver)


def set_integrator(
    core: Any,
    integrator: Integrator,
    start: float,
    type_names: tuple[str, ...],
    model: Callable[[], Model],
) -> None:
    """Set how particles move from now on.

    Args:
        core: the engine's simulation
        integrator: with its thermostat and barostat
        start: time of step 0 [time]
        type_names: of the particles
        model: makes the model, which only `Dynamics` needs
    """
    if isinstance(integrator, Dynamics):
        _set_dynamics(core, model(), integrator)
    else:
        group = None
        if isinstance(integrator, FreeIntegrator) and integrator.filter is not None:
            types = np.asarray(core.get("type", order="tag"))
            group = integrator.filter.mask(types, type_names).astype(np.uint8)
        kind = type(integrator).__name__.lower()
        core.set_integrator(kind, integrator.parameters(), group)
    core.set_start(start)


def _set_dynamics(core: Any, model: Model, integrator: Dynamics) -> None:
    """An integrator, with its thermostat and barostat."""
    thermal, barostat = integrator.thermal, integrator.barostat
    groups = [] if thermal is None else group_settings(thermal, model.units)
    names = [name for name, _ in groups]
    of_group = _labels(model, names)
    of_drift = _labels(model, integrator.drift_groups)
    dof = _freedom(model, integrator, (of_group, len(names)), of_drift)
    coupled = barostat is not None or (thermal is not None and _acts(integrator))
    if coupled:
        _check_labels(of_group, names, model)
        settings: dict[str, Any] = {
            **(NO_THERMOSTAT if thermal is None else thermal.settings()),
            "groups": [
                of | {"dof": float(count)} for (_, of), count in zip(groups, dof, strict=False)
            ],
            "barostat": "no",
        }
        if barostat is not None:
            settings |= barostat.settings(model.units)
        core.set_coupling(settings, of_group.astype(np.uint8) if groups else None)
    if integrator.remove_com_every and of_drift.any():
        of_drift[of_drift == len(integrator.drift_groups)] = NO_DRIFT_GROUP
        core.set_drift_groups(of_drift.astype(np.uint8))
    core.set_motion(
        integrator.scheme,
        float(integrator.dt),
        integrator.remove_com_every,
        float(dof.sum()),
        coupled,
        integrator.remove_rotation,
    )


def _acts(integrator: Dynamics) -> bool:
    """Whether the groups of an integrator are kept at a temperature."""
    return integrator.thermal is integrator or integrator.thermal.key != "no"


def _freedom(
    model: Model, integrator: Dynamics, groups: tuple[NDArray[np.int64], int], of_drift: Any
) -> NDArray[np.float64]:
    """Degrees of freedom of each group, and of the particles in none."""
    axes = ~model.frozen() & ~_virtual(model)[:, None]
    remove = "angular" if integrator.remove_rotation else "linear"
    drift = freedom.Drift(
        remove if integrator.remove_com_every else "no", of_drift, len(integrator.drift_groups)
    )
    return freedom.degrees_of_freedom(model.topology, axes, *groups, drift)


def _labels(model: Model, names: Sequence[str]) -> NDArray[np.int64]:
    if len(names) >= MOST_GROUPS:
        raise bad_input(
            f"there are {len(names)} groups", f"at most {MOST_GROUPS - 1} are allowed", "Merge some"
        )
    return freedom.labels(model.system.n, [model.system.members(name) for name in names])


def _check_labels(label: NDArray[np.int64], names: Sequence[str], model: Model) -> None:
    outside = label == len(names)
    if names and outside.any():
        raise bad_input(
            f"particle {int(outside.argmax())} is in none of the groups {', '.join(names)}",
            f"{int(outside.sum())} of {model.system.n} particles would have no thermostat",
            f'Give groups that cover all particles, or one temperature for all ("{ALL}")',
        )


def _virtual(model: Model) -> NDArray[np.bool_]:
    if model.topology is None:
        return np.zeros(model.system.n, dtype=bool)
    return freedom.virtual_of(model.topology)


def set_field(core: Any, model: Model) -> None:
    """The electric field, where there is one."""
    field = model.one(ElectricField)
    if field is None:
        return
    columns = (field.strength, field.omega, field.centre, field.width)
    axes = np.array([[float(item) for item in column] for column in columns]).T
    axes[:, 0] = [float(item) * model.units.charge for item in field.strength]
    core.set_electric_field(np.ascontiguousarray(axes))


def set_tail(core: Any, model: Model) -> None:
    """The tail correction of the potential that has the parameters of types."""
    found = [force.tail_correction for force in model.of(PairPotential) if force.of_types]  # type: ignore[attr-defined]
    core.set_dispersion(_TAILS[found[0]] if found else "no")


def _columns(terms: Terms | None) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
    if terms is None or not terms.n:
        return None
    return (
        np.ascontiguousarray(terms.particles, dtype=np.int64),
        np.ascontiguousarray(terms.row, dtype=np.int32),
        np.ascontiguousarray(terms.parameters, dtype=np.float64),
    )
