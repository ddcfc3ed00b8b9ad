# SPDX-License-Identifier: Apache-2.0
"""What an .mdp file says about motion, as settings of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..topology import Terms
from .mdp_case import Case, labels
from .mdp_freedom import degrees_of_freedom, frozen_axes, virtual
from .mdp_parameters import Barostat, Constraints, RunParameters, TemperatureGroup
from .units import BAR, BOLTZMANN, FARADAY

#: In the place of a group: of particles that keep their part of the drift.
NO_DRIFT_GROUP = 255
SCHEMES = {"md": "leap-frog", "md-vv": "verlet", "sd": "stochastic", "steep": "plain"}
Rigid = Mapping[str, Terms | None]


def set_motion(core: Any, case: Case, rigid: Rigid, sites: Mapping[str, Terms]) -> None:
    """Constraints, virtual sites, frozen axes, baths and the integrator.

    Args:
        core: the engine's simulation, whose forces are set
        case: run parameters, topology, coordinates and groups
        rigid: terms "settle" and "constraint", or None
        sites: terms of virtual sites by kind
    """
    p = case.parameters
    _set_field(core, p)
    core.set_dispersion(p.van_der_waals.correction)
    if sites:
        core.set_sites({kind: _columns(terms) for kind, terms in sites.items()})
    frozen = frozen_axes(case)
    if frozen.any():
        free = ~frozen & ~virtual(case)[:, None]
        core.set_free_axes(np.ascontiguousarray(free @ np.array([1, 2, 4]), dtype=np.uint8))
    if any(rigid.values()):
        core.set_constraints(
            _columns(rigid.get("settle")),
            _columns(rigid.get("constraint")),
            *_solver(p.constraints),
        )
    if not p.dynamics:
        return
    freedom = degrees_of_freedom(case)
    names = tuple(group.name for group in p.thermostat.groups)
    of_group = labels(case, names)
    coupled = p.thermostat.kind != "no" or p.barostat.kind != "no" or p.integrator == "sd"
    if coupled or p.t_start:  # the time is the coupling's, and fields follow it too
        core.set_coupling(*_coupling(p, freedom, of_group))
    remove = p.motion.every if p.motion.remove != "no" else 0
    of_drift = labels(case, p.motion.groups)
    if remove and of_drift.any():
        of_drift[of_drift == len(p.motion.groups)] = NO_DRIFT_GROUP
        core.set_drift_groups(of_drift.astype(np.uint8))
    core.set_motion(
        SCHEMES[p.integrator],
        p.dt,
        remove,
        float(freedom.sum()),
        coupled,
        p.motion.remove == "angular",
    )


def _solver(solver: Constraints) -> tuple[int, int, float]:
    """Order, iterations and tolerance of coupled constraints; 0 for the one pass of LINCS.

    SHAKE's result is the one that moves particles along the old directions of their constraints
    alone; it is found by repeating what LINCS does once.
    """
    if solver.algorithm == "shake":
        return 8, 2, solver.tolerance
    return solver.order, solver.iterations, 0.0


def _set_field(core: Any, p: RunParameters) -> None:
    if all(one is None for one in p.fields):
        return
    axes = np.zeros((3, 4))
    for axis, one in zip(axes, p.fields, strict=True):
        if one is not None:
            axis[:] = one.strength * FARADAY, one.omega, one.centre, one.width
    core.set_electric_field(axes)


def _columns(terms: Terms | None) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
    if terms is None or not terms.n:
        return None
    return (
        np.ascontiguousarray(terms.particles, dtype=np.int32),
        np.ascontiguousarray(terms.row, dtype=np.int32),
        np.ascontiguousarray(terms.parameters, dtype=np.float64),
    )


def _coupling(
    p: RunParameters, freedom: NDArray[np.float64], of_group: NDArray[np.integer]
) -> tuple[dict[str, Any], NDArray[np.uint8] | None]:
    """Settings of the baths, and the group of each particle."""
    groups = [_group(g, dof) for g, dof in zip(p.thermostat.groups, freedom, strict=False)]
    if groups and (of_group == len(groups)).any():
        # Particles in none of the groups move freely.
        groups.append({"kT": 0.0, "tau": -1.0, "dof": float(freedom[-1])})
    settings: dict[str, Any] = {
        "thermostat": p.thermostat.kind,
        "every": max(p.thermostat.every, 1),
        "chain": max(p.thermostat.chain, 1),
        "start": p.t_start,
        "groups": groups,
        "barostat": p.barostat.kind,
    }
    if p.barostat.kind != "no":
        settings |= _barostat(p.barostat)
    return settings, of_group.astype(np.uint8) if groups else None


def _group(group: TemperatureGroup, dof: float) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "kT": BOLTZMANN * group.temperature,
        "tau": group.tau,
        "dof": float(dof),
    }
    if group.annealing is not None:
        settings |= {
            "times": list(group.annealing.times),
            "kTs": [BOLTZMANN * t for t in group.annealing.temperatures],
            "periodic": group.annealing.periodic,
        }
    return settings


def _barostat(barostat: Barostat) -> dict[str, Any]:
    return {
        "shape": barostat.shape,
        "press_every": max(barostat.every, 1),
        "press_tau": barostat.tau,
        "compressibility": [c * BAR for c in barostat.compressibility],
        "pressure": [p / BAR for p in barostat.pressure],
    }
