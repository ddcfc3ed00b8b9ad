# SPDX-License-Identifier: Apache-2.0
"""The temperature at which velocities are drawn."""

from __future__ import annotations

from aureole.base.errors import bad_input
from aureole.base.unit_advice import written
from aureole.base.units import Measured, Units, check
from aureole.base.values import number
from aureole.engine.observed import Observed
from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.integrators import Bussi, Integrator, Langevin
from aureole.specs.thermostats import group_settings


def kT_of(sim: Observed, given: float | str | None) -> float:
    """The temperature `given` to `Simulation.thermalize`, or else of the thermostat [energy]."""
    if given is None:
        return kT_of_thermostat(sim)
    value = number(given, "kT", low=0.0, dimension="energy")
    check_kT(value, sim.units)
    return float(value)


def check_temperature(integrator: Integrator, units: Units) -> None:
    """Raise InputError for an integrator whose kT could be another than was meant."""
    if isinstance(integrator, (Langevin, Bussi)):
        check_kT(integrator.kT, units)


def check_kT(value: float, units: Units) -> None:
    """Refuse an energy without a unit where a temperature may have been meant."""
    check({"kT": value}, units)
    if units.physical and not isinstance(value, Measured):
        raise bad_input(
            f"kT is {value:g} without a unit",
            f"as an energy it is {value / units.boltzmann:.4g} K, but a temperature may have been "
            "meant",
            f'Write "{written(value, "K")}", or "{written(value, "kJ/mol")}"',
        )


def kT_of_thermostat(sim: Observed) -> float:
    """The temperature of the thermostat [energy]."""
    spec = sim.integrator
    if isinstance(spec, (Langevin, Bussi)):
        return float(spec.kT)
    thermal = spec.thermal if isinstance(spec, Dynamics) else None
    found = [] if thermal is None else [of["kT"] for _, of in group_settings(thermal, sim.units)]
    if len(set(found)) != 1:
        why = "there is no thermostat" if not found else "groups have different temperatures"
        example = '"300 K"' if sim.units.physical else "kT=1.0"
        raise bad_input(
            "thermalize needs a temperature", why, f"Give it, as in sim.thermalize({example})"
        )
    return float(found[0])
