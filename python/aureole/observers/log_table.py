# SPDX-License-Identifier: Apache-2.0
"""Log: a table of sums over the system, as comma-separated text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aureole.base.errors import bad_input, nearest
from aureole.base.names_elsewhere import QUANTITIES as OF_OTHERS
from aureole.base.values import words
from aureole.engine.observed import Observed
from aureole.live.observer import text_path
from aureole.specs.spec import checked, spec

from .energies import Energies
from .energy_columns import Quantities

STANDARD = ("step", "time", "potential", "kinetic", "temperature", "pressure")
_AXES = "xyz"
_TENSOR = {f"pressure_{_AXES[i]}{_AXES[j]}": (i, j) for i in range(3) for j in range(i, 3)}
_MOMENTUM = {f"momentum_{axis}": k for k, axis in enumerate(_AXES)}
QUANTITIES = (*STANDARD, "total", "volume", "density", "steps_per_second", *_TENSOR, *_MOMENTUM)


@spec(kw_only=False)
class Log(Energies):
    """Write a table of numbers, one row per `every` steps.

    Args:
        path: the file; an existing one is replaced; a restart continues it
        every: steps between rows; rows are at steps divisible by it
        quantities: columns; known are step, time, potential, kinetic, total, temperature,
            pressure, pressure_xx ... pressure_zz, momentum_x ..., volume, density,
            steps_per_second (of the present run), and energy_NAME for the energy of one force

    Units are those of `Energies`; in reduced units the density is that of particles.
    """

    path: str = checked(text_path, "log.csv")
    every: int = 100
    quantities: tuple[str, ...] = checked(words, STANDARD)
    holds = ""
    written = (".csv",)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.quantities:
            if name not in QUANTITIES and not str(name).startswith("energy_"):
                raise bad_input(
                    f"unknown quantity {name!r} of Log",
                    "the table cannot show it",
                    nearest(OF_OTHERS.get(name, str(name)), QUANTITIES),
                )
        if not self.quantities:
            raise bad_input("Log has no quantities", "its rows would be empty", "Name some")

    @property
    def is_table(self) -> bool:
        return False

    @property
    def is_edr(self) -> bool:
        return False

    def recognises(self, path: str, head: bytes) -> bool:
        return head.startswith((",".join(self.quantities) + "\n").encode())

    def columns(self, sim: Observed, state: dict[str, Any] | None) -> Quantities:
        return Chosen(sim, self.quantities)

    def head(self, columns: Quantities) -> str:
        return ",".join(columns.names) + "\n"

    def row(self, values: list[float]) -> str:
        return ",".join(str(v) if isinstance(v, int) else f"{v:.12g}" for v in values)


class Chosen(Quantities):
    """The columns of a `Log`, without units."""

    def __init__(self, sim: Observed, names: tuple[str, ...]) -> None:
        self.names = names
        self.mass = float(sim.get("mass").sum()) if "density" in names else 0.0
        for name in names:
            if name.startswith("energy_"):
                sim.energy.of(name.removeprefix("energy_"))

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
