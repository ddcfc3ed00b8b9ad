# SPDX-License-Identifier: Apache-2.0
"""Specs of the equations of motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from aureole.base.attributes import Guarded
from aureole.base.engine_schema import DEFAULTS
from aureole.base.errors import bad_input
from aureole.base.names_elsewhere import OF_INTEGRATOR
from aureole.base.values import integer, number

from .filters import Filter
from .spec import Spec, checked, positive, spec
from .thermostats import Annealing


@spec
class Integrator(Spec):
    """Base of the integrators: time step and removal of drift."""

    _named: ClassVar[bool] = False
    _elsewhere: ClassVar = OF_INTEGRATOR
    __getattr__ = Guarded.__getattr__

    dt: float = positive(dimension="time")
    remove_com_every: int = checked(integer, 0, low=0)
    start: float = checked(number, 0.0, dimension="time")

    def parameters(self) -> dict[str, float]:
        """The numbers that the engine needs, by name."""
        return {"dt": self.dt, "remove_com_every": self.remove_com_every}


@spec
class FreeIntegrator(Integrator):
    """Base of the integrators of free particles, of which some may be chosen."""

    _of_others: ClassVar = dict.fromkeys(
        ("barostat", "thermostat"),
        "Give thermostats and barostats to LeapFrog, VelocityVerlet or StochasticDynamics",
    )
    filter: Filter | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.filter is not None and not isinstance(self.filter, Filter):
            raise bad_input(
                f"filter is {self.filter!r}",
                "it must be a filter or None",
                'Use for example au.Type("A")',
            )


@spec
class NVE(FreeIntegrator, family="integrator"):
    """Constant energy: velocity Verlet.

    Args:
        dt: time step [time]
        filter: the particles that move; None means all
        remove_com_every: steps between removals of centre-of-mass motion; 0: never
        start: time of step 0 [time]; by default 0, or that of the previous integrator

    Source: Swope et al., J. Chem. Phys. 76, 637 (1982).
    """


def _kT(value: Any, name: str, **bounds: Any) -> float:
    """One temperature [energy]."""
    if isinstance(value, (Annealing, Mapping)):
        raise bad_input(
            f"{name} is a schedule",
            "this integrator keeps one temperature",
            "Use StochasticDynamics(T=Annealing(...), tau=1/gamma), or "
            "VelocityVerlet(thermostat=VRescale(T=Annealing(...), tau=...))",
        )
    return number(value, name, dimension="energy", **bounds)


@spec
class Langevin(FreeIntegrator, family="integrator"):
    """Constant temperature: Langevin dynamics by the BAOAB splitting.

    Args:
        dt: time step [time]
        kT: temperature [energy]
        gamma: friction rate [1/time]; velocities decorrelate over a time 1/gamma
        filter: the particles that move; None means all
        remove_com_every: steps between removals of centre-of-mass motion; 0: never
        start: time of step 0 [time]; by default 0, or that of the previous integrator

    Source: Leimkuhler and Matthews, J. Chem. Phys. 138, 174102 (2013).
    """

    kT: float = checked(_kT, low=0.0)
    gamma: float = checked(number, 1.0, low=0.0, dimension="rate")

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"kT": self.kT, "gamma": self.gamma}


@spec
class Bussi(FreeIntegrator, family="integrator"):
    """Constant temperature: stochastic velocity rescaling.

    Args:
        dt: time step [time]
        kT: temperature [energy]
        tau: relaxation time of the kinetic energy [time]
        every: steps between rescalings; `every` times dt should be well below tau
        filter: the particles that move; None means all
        remove_com_every: steps between removals of centre-of-mass motion; 0: never
        start: time of step 0 [time]; by default 0, or that of the previous integrator

    Source: Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007).
    """

    kT: float = checked(_kT, low=0.0, open_low=True)
    tau: float = positive(0.5, dimension="time")
    every: int = checked(integer, DEFAULTS["Bussi"]["every"], low=1)

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"kT": self.kT, "tau": self.tau, "every": self.every}
