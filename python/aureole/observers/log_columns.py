# SPDX-License-Identifier: Apache-2.0
"""The columns of a `Log` of particles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from aureole.base.errors import bad_input, nearest
from aureole.base.names_elsewhere import QUANTITIES as OF_OTHERS
from aureole.engine.observed import Observed
from aureole.live.observer import Observer

STANDARD = ("step", "time", "potential", "kinetic", "temperature", "pressure")
_AXES = "xyz"
_TENSOR = {f"pressure_{_AXES[i]}{_AXES[j]}": (i, j) for i in range(3) for j in range(i, 3)}
_MOMENTUM = {f"momentum_{axis}": k for k, axis in enumerate(_AXES)}
QUANTITIES = (*STANDARD, "total", "volume", "density", "steps_per_second", *_TENSOR, *_MOMENTUM)


def check_names(names: Sequence[str] | None) -> None:
    """Raise InputError for a name that no simulation of particles has."""
    for name in names or ():
        if not name.startswith("energy_") and name not in QUANTITIES:
            raise bad_input(
                f"unknown quantity {name!r} of Log",
                "the table cannot show it",
                nearest(OF_OTHERS.get(name, name), QUANTITIES),
            )


def check(spec: Observer) -> None:
    """Raise InputError for an observer with a quantity that no simulation of particles has."""
    if spec.needs == "quantities":
        check_names(getattr(spec, "quantities", None))


class Chosen:
    """Numbers of a simulation by name, without units.

    Raises InputError for a name that it does not have.
    """

    def __init__(self, sim: Observed, names: Sequence[str] | None) -> None:
        self.names = STANDARD if names is None else tuple(names)
        check_names(self.names)
        for name in self.names:
            if name.startswith("energy_"):
                sim.energy.of(name.removeprefix("energy_"))
        self.mass = float(sim.get("mass").sum()) if "density" in self.names else 0.0

    def unit(self, name: str) -> str:
        return ""

    def state(self) -> dict[str, Any]:
        return {}

    def accept_forces(self, names: Iterable[str], path: str) -> None:
        for name in self.names:
            force = name.removeprefix("energy_")
            if force != name and force not in names:
                raise bad_input(
                    f"{path} has a column {name}",
                    "the simulation would have no force of that name",
                    "Keep that force, or continue with another simulation and another file",
                )

    def values(self, sim: Observed) -> list[float]:
        return [_value_of(sim, name, self.mass) for name in self.names]


def _value_of(sim: Observed, name: str, mass: float) -> float | int:
    """One quantity of the simulation at its present step."""
    if name in ("step", "time"):
        return getattr(sim, name)  # type: ignore[no-any-return]
    if name in ("potential", "kinetic", "total"):
        return float(getattr(sim.energy, name))
    if name in _TENSOR:
        return float(sim.pressure_tensor[_TENSOR[name]]) * sim.units.pressure
    if name in _MOMENTUM:
        return float(sim.momentum[_MOMENTUM[name]])
    if name.startswith("energy_"):
        return sim.energy.of(name.removeprefix("energy_"))
    if name == "volume":
        return sim.box.volume
    if name == "density":
        return sim.units.density_of(sim.n, mass, sim.box.volume)
    return float(getattr(sim, name))
