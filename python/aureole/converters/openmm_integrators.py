# SPDX-License-Identifier: Apache-2.0
"""Integrators of OpenMM as run parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from aureole.base.errors import bad_input
from aureole.gromacs.mdp.options.table import normal

from .units import plain

_WRITE = (
    'Write integrator="sd", temperature=300, tau_t=1, dt="2 fs"; tau_t is one over the friction'
)
#: Options that say the same as others.
_ALIKE = {"temperature": ("ref-t",)}


def with_integrator(integrator: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Run parameters with those of an integrator where nothing else is given.

    Args:
        integrator: an integrator of OpenMM, a word of .mdp files, or None
        options: run parameters as given
    """
    if integrator is None:
        return dict(options)
    if isinstance(integrator, str):
        return {"integrator": integrator, **options}
    if not hasattr(integrator, "getStepSize"):
        raise bad_input(
            f"integrator is a {type(integrator).__name__}",
            "it must be a word or an integrator of OpenMM",
            f"{_WRITE}, or set sim.integrator to one of Aureole later",
        )
    name = type(integrator).__name__
    if name not in _KNOWN:
        raise bad_input(
            f"integrator is a {name}",
            f"of OpenMM's {', '.join(_KNOWN)} are taken over",
            _WRITE,
        )
    if set(range(32)) - _groups(integrator):
        raise bad_input(
            f"{name} takes some force groups alone",
            "the forces of all groups act here",
            "Call setIntegrationForceGroups with all of them, or remove the other forces",
        )
    found = {"dt": float(plain(integrator.getStepSize())), **_KNOWN[name](integrator)}
    taken = {normal(one) for one in options}
    for name in list(found):
        if taken & {normal(one) for one in (name, *_ALIKE.get(name, ()))}:
            del found[name]
    return {**found, **options}


def _groups(integrator: Any) -> set[int]:
    """The force groups that act on particles: bits of a number."""
    bits = int(integrator.getIntegrationForceGroups())
    return {k for k in range(32) if bits >> k & 1}


def _verlet(_: Any) -> dict[str, Any]:
    return {}


def _langevin(integrator: Any) -> dict[str, Any]:
    friction = float(plain(integrator.getFriction()))
    if friction == 0.0:
        return {}
    seed = int(integrator.getRandomNumberSeed())
    return {
        "integrator": "sd",
        "temperature": float(plain(integrator.getTemperature())),
        "tau_t": 1.0 / friction,
    } | ({"ld_seed": seed} if seed > 0 else {})


def _nose_hoover(integrator: Any) -> dict[str, Any]:
    count = integrator.getNumThermostats()
    if count == 0:
        return {"integrator": "md-vv"}
    if count > 1 or integrator.hasSubsystemThermostats():
        raise bad_input(
            f"NoseHooverIntegrator has thermostats of parts of the system ({count})",
            "thermostats of groups are chosen by tc_grps, tau_t and ref_t",
            'Write integrator="md-vv", tcoupl="nose-hoover" and those',
        )
    chain = integrator.getThermostat(0)
    return {
        "integrator": "md-vv",
        "tcoupl": "nose-hoover",
        "temperature": float(plain(chain.getTemperature())),
        # the period of a chain, whose mass is kT/frequency² in OpenMM and kT (tau/2π)² here
        "tau_t": 2.0 * math.pi / float(plain(chain.getCollisionFrequency())),
        "nh_chain_length": int(chain.getChainLength()),
    }


_KNOWN: dict[str, Callable[[Any], dict[str, Any]]] = {
    "VerletIntegrator": _verlet,
    "LangevinIntegrator": _langevin,
    "LangevinMiddleIntegrator": _langevin,
    "NoseHooverIntegrator": _nose_hoover,
}
