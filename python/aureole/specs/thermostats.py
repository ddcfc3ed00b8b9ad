# SPDX-License-Identifier: Apache-2.0
"""Specs of thermostats, which integrators take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.units import Units
from aureole.base.values import Table, flag, integer, number, put

from .spec import Spec, checked, from_dict, spec

ALL = "System"  # the group of all particles
#: Settings of the engine without a thermostat.
NO_THERMOSTAT: dict[str, Any] = {"thermostat": "no", "every": 1, "chain": 1}


def _points(value: Any, name: str, dimension: str) -> tuple[float, ...]:
    if not isinstance(value, (list, tuple)):
        raise bad_input(f"{name} is {value!r}", "it must be a list of points", "Give a list")
    return tuple(number(item, name, dimension=dimension) for item in value)


@spec
class Annealing(Spec, family="annealing"):
    """A temperature schedule, linear between points.

    Args:
        times: of the points [time]
        temperatures: at the points [temperature]
        periodic: repeat the schedule after its last point; otherwise the last value is kept
        T: temperature where a single number is needed, such as for the pair-list buffer; None:
            the first of the schedule
    """

    _of_others: ClassVar = {"steps": "Give times, which are steps times dt"}
    times: tuple[float, ...] = checked(_points, dimension="time")
    temperatures: tuple[float, ...] = checked(_points, dimension="temperature")
    periodic: bool = checked(flag, False)
    T: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.times) != len(self.temperatures) or len(self.times) < 2:
            raise bad_input(
                f"Annealing has {len(self.times)} times and {len(self.temperatures)} temperatures",
                "each point needs both, and a schedule needs at least two points",
                "Give as many of each",
            )
        if list(self.times) != sorted(self.times) or min(self.temperatures) < 0:
            raise bad_input(
                "Annealing has decreasing times, or a temperature below 0",
                "times must not decrease, and temperatures be at least 0",
                "Correct the points",
            )
        first = self.temperatures[0] if self.T is None else self.T
        put(self, "T", number(first, "T of Annealing", low=0.0, dimension="temperature"))


@spec
class Thermostat(Spec):
    """Base of the thermostats: temperatures of all particles or of groups."""

    key: ClassVar[str] = "no"

    T: float | Mapping[str, Any] | Annealing

    def __post_init__(self) -> None:
        super().__post_init__()
        check_groups(self, type(self).__name__)

    def settings(self) -> dict[str, Any]:
        """Settings of the engine besides the groups."""
        return NO_THERMOSTAT | {"thermostat": self.key}


@spec
class RelaxingThermostat(Thermostat):
    """Base of the thermostats that act, with a time constant."""

    tau: float | Mapping[str, float]
    every: int = checked(integer, DEFAULTS["VRescale"]["every"], low=1)

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"every": self.every}


def check_groups(spec: Any, name: str) -> None:
    """Check the field T, and tau if there is one: numbers, or both tables of the same groups."""
    put(spec, "T", _by_group(spec.T, f"T of {name}", _temperature))
    if not hasattr(spec, "tau"):
        return
    put(spec, "tau", _by_group(spec.tau, f"tau of {name}", _time))
    if isinstance(spec.tau, Table) and (
        not isinstance(spec.T, Table) or list(spec.T) != list(spec.tau)
    ):
        raise bad_input(
            f"T and tau of {name} name different groups",
            "each group needs both",
            "Use the same groups in the same order, or one number for tau",
        )


def group_settings(spec: Any, units: Units) -> list[tuple[str, dict[str, Any]]]:
    """Name and settings for the engine of each group of a spec with T and perhaps tau."""
    temperatures = spec.T if isinstance(spec.T, Table) else {ALL: spec.T}
    taus = getattr(spec, "tau", -1.0)  # below 0: no coupling
    found = []
    for name, T in temperatures.items():
        tau = taus[name] if isinstance(taus, Table) else taus
        course = T if isinstance(T, Annealing) else None
        kT = units.boltzmann * float(T if course is None else course.T)  # type: ignore[arg-type]
        settings: dict[str, Any] = {"kT": kT, "tau": float(tau)}
        if course is not None:
            settings |= {
                "times": [float(time) for time in course.times],
                "kTs": [units.boltzmann * float(T) for T in course.temperatures],
                "periodic": course.periodic,
            }
        found.append((name, settings))
    return found


def annealings(spec: Any) -> list[Annealing]:
    """The schedules of a spec with T."""
    given = getattr(spec, "T", None)
    return [
        T
        for T in (given.values() if isinstance(given, Table) else [given])
        if isinstance(T, Annealing)
    ]


def _temperature(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        value = from_dict("annealing", value, name)
    if isinstance(value, Annealing):
        return value
    return number(value, name, low=0.0, dimension="temperature")


def _time(value: Any, name: str) -> float:
    return number(value, name, dimension="time")


def _by_group(value: Any, name: str, check: Any) -> Any:
    if isinstance(value, Mapping) and "kind" not in value and "temperatures" in value:
        raise bad_input(
            f"{name} has temperatures and no kind",
            "a table without kind has a temperature for each group",
            'Add kind = "Annealing"',
        )
    if not isinstance(value, Mapping) or "kind" in value:
        return check(value, name)
    if not value:
        raise bad_input(f"{name} is an empty table", "no group has a value", "Name the groups")
    return Table({str(group): check(item, f"{name} of {group}") for group, item in value.items()})


@spec
class VRescale(RelaxingThermostat, family="thermostat"):
    """Stochastic velocity rescaling.

    Args:
        T: temperature: one number or `Annealing`, or a table of these by group
        tau: relaxation time of the kinetic energy [time], or a table by group; below 0: no coupling
        every: steps between rescalings

    Source: Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007).
    """

    key: ClassVar[str] = "v-rescale"


@spec
class Berendsen(RelaxingThermostat, family="thermostat"):
    """Weak coupling, for equilibration only: it samples no well-defined ensemble.

    Args:
        T: temperature: one number or `Annealing`, or a table of these by group
        tau: time constant [time], or a table by group; below 0: no coupling
        every: steps between rescalings

    Source: Berendsen et al., J. Chem. Phys. 81, 3684 (1984).
    """

    key: ClassVar[str] = "berendsen"


@spec
class NoseHoover(RelaxingThermostat, family="thermostat"):
    """Nosé-Hoover chains.

    Args:
        T: temperature: one number or `Annealing`, or a table of these by group
        tau: period of the oscillations [time], or a table by group; below 0: no coupling
        every: steps between thermostat updates
        length: number of thermostats in a chain

    Source: Martyna, Klein and Tuckerman, J. Chem. Phys. 97, 2635 (1992).
    """

    key: ClassVar[str] = "nose-hoover"

    length: int = checked(integer, DEFAULTS["NoseHoover"]["length"], low=1)

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"chain": self.length}


@spec
class Uncoupled(Thermostat, family="thermostat"):
    """No thermostat; T is the temperature for the barostat.

    Args:
        T: temperature: one number or `Annealing`, or a table of these by group
    """


OF_WATER = 4.5e-5  # [1/bar]
