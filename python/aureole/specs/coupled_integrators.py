# SPDX-License-Identifier: Apache-2.0
"""Specs of equations of motion that take constraints, thermostats and barostats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from aureole.base.errors import bad_input
from aureole.base.values import flag, integer, put, words

from .barostats import Barostat, CRescale
from .integrators import Integrator
from .spec import KINDS, checked, from_dict, spec
from .thermostats import NO_THERMOSTAT, Annealing, Thermostat, check_groups


@spec
class Dynamics(Integrator):
    """Base of the equations of motion with coupling."""

    scheme: ClassVar[str] = ""

    remove_com_every: int = checked(integer, 100, low=0)
    remove_rotation: bool = False
    drift_groups: tuple[str, ...] = ()
    barostat: Barostat | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        name = type(self).__name__
        flag(self.remove_rotation, f"remove_rotation of {name}")
        put(self, "drift_groups", words(self.drift_groups, f"drift_groups of {name}"))
        for field in ("remove_rotation", "drift_groups"):
            if getattr(self, field) and not self.remove_com_every:
                raise bad_input(
                    f"{field} of {name} is given, but remove_com_every is 0",
                    "drift is never removed",
                    "Set remove_com_every, for example to 100",
                )
        _put_spec(self, "barostat", Barostat)

    @property
    def thermal(self) -> Any:
        """The spec with fields T and tau; None for constant energy."""
        return None


def _put_spec(spec: Any, family: str, base: type) -> None:
    value = getattr(spec, family)
    if isinstance(value, Mapping):
        value = from_dict(family, value, family)
        put(spec, family, value)
    if value is not None and not isinstance(value, base):
        known = ", ".join(sorted(KINDS[family]))
        raise bad_input(
            f"{family} is {value!r}", f"it must be a {family} or None", f"Known: {known}"
        )


_COMMON = """
        barostat: such as `CRescale`; None for constant volume
        remove_com_every: steps between removals of centre-of-mass motion; 0: never
        remove_rotation: remove the overall rotation as well
        drift_groups: names of groups whose centre-of-mass motion is removed separately; () for the
            whole system
        start: time of step 0 [time]; by default 0, or that of the previous integrator"""


@spec
class _Thermostatted(Dynamics):
    """Base of the equations of motion that have a thermostat or none."""

    thermostat: Thermostat | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _put_spec(self, "thermostat", Thermostat)
        if isinstance(self.barostat, CRescale) and self.thermostat is None:
            raise bad_input(
                "au.CRescale is given without a thermostat",
                "the random force on the volume needs a temperature",
                "Give one, such as thermostat=au.VRescale(T=..., tau=...), or use "
                "au.ParrinelloRahman, which needs none",
            )

    @property
    def thermal(self) -> Any:
        return self.thermostat


@spec
class LeapFrog(_Thermostatted, family="integrator"):
    __doc__ = f"""Leap-frog: velocities half a step behind positions.

    Args:
        dt: time step [time]
        thermostat: such as `VRescale`; None for constant energy{_COMMON}

    Source: Hockney, Goel and Eastwood, J. Comput. Phys. 14, 148 (1974).
    """

    scheme: ClassVar[str] = "leap-frog"


@spec
class VelocityVerlet(_Thermostatted, family="integrator"):
    __doc__ = f"""Velocity Verlet with coupling; `NVE` is the same without constraints.

    Args:
        dt: time step [time]
        thermostat: such as `VRescale`; None for constant energy{_COMMON}

    Source: Swope et al., J. Chem. Phys. 76, 637 (1982).
    """

    scheme: ClassVar[str] = "verlet"


@spec
class StochasticDynamics(Dynamics, family="integrator"):
    __doc__ = f"""Leap-frog stochastic dynamics: friction and noise for each particle.

    Args:
        dt: time step [time]
        T: temperature: one number or `Annealing`, or a table of these by group
        tau: inverse friction rate [time], or a table by group{_COMMON}

    Source: Goga et al., J. Chem. Theory Comput. 8, 3637 (2012).
    """

    scheme: ClassVar[str] = "stochastic"

    T: float | Mapping[str, Any] | Annealing
    tau: float | Mapping[str, float]

    def __post_init__(self) -> None:
        super().__post_init__()
        check_groups(self, "StochasticDynamics")

    @property
    def thermal(self) -> Any:
        return self

    def settings(self) -> dict[str, Any]:
        """Settings of the engine besides the groups: no thermostat acts."""
        return dict(NO_THERMOSTAT)
