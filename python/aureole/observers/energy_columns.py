# SPDX-License-Identifier: Apache-2.0
"""The numbers of a whole system at one step, by name and with units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aureole.base.errors import bad_input, nearest
from aureole.engine.observed import Observed
from aureole.formats.box_vectors import from_box

#: Components of the pressure tensor and of the box vectors, and their indices.
_PARTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
_BOX_PARTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "yx": (1, 0), "zx": (2, 0), "zy": (2, 1)}
#: Dimensions of columns, by the first part of their names; all other columns are energies.
_DIMENSIONS = {
    name: name for name in ("step", "time", "temperature", "pressure", "volume", "density")
} | {"box": "length"}


class Quantities:
    """All numbers of a simulation in a fixed order; those it offers when this is made.

    A restart gives the `state` of a recorder, and gets the same columns.

    Columns: step, time, one energy for each term, potential, kinetic, total, conserved (where the
    simulation has it), temperature, pressure, volume, density, the box vectors, the pressure
    tensor, temperatures of groups. Units are those of the system.
    """

    def __init__(self, sim: Observed, state: dict[str, Any] | None = None) -> None:
        self.units = sim.units
        self.molecular = sim.topology is not None
        self.mass = float(sim.get("mass").sum())
        if state is None:
            self.terms = tuple(sim.energy.per_force)
            self.conserved = sim.has_conserved
            self.groups = tuple(sim.group_temperatures)
        else:
            self.terms, self.groups = tuple(state["terms"]), tuple(state["groups"])
            self.conserved = bool(state["conserved"])
            if self.conserved and not sim.has_conserved:
                raise ValueError("this simulation has no conserved quantity")
            # Forces that come with energies may differ from others in the last bit; the run that
            # goes on is to find the same ones as the run that was interrupted.
            if state["last"] == sim.step:
                sim.thermo()
        self.names: tuple[str, ...] = (
            *("step", "time", *self.terms, "potential", "kinetic", "total"),
            *(("conserved",) if self.conserved else ()),
            *("temperature", "pressure", "volume", "density"),
            *(f"box_{part}" for part in _BOX_PARTS),
            *(f"pressure_{part}" for part in _PARTS),
            *(f"temperature_{name}" for name in self.groups),
        )

    def state(self) -> dict[str, Any]:
        """The columns as plain data."""
        return {
            "terms": list(self.terms),
            "groups": list(self.groups),
            "conserved": self.conserved,
            "molecular": self.molecular,
        }

    def accept_forces(self, names: Iterable[str], path: str) -> None:
        """Raise InputError where forces have other names than the columns of a file."""
        others = sorted(set(names) ^ set(self.terms))
        if others:
            raise bad_input(
                f"{path} has no columns for these forces",
                f"it was started with {', '.join(self.terms) or 'none'}; added or removed since: "
                f"{', '.join(others)}",
                "Continue with another simulation and other files, as in "
                "au.Simulation(sim.snapshot(), forces, ...), or write au.Log with quantities that "
                "all forces have",
            )

    def unit(self, name: str) -> str:
        """The unit of a column; "" for none."""
        known = name if name in _DIMENSIONS else name.split("_")[0]
        dimension = "energy" if name in self.terms else _DIMENSIONS.get(known, "energy")
        return self.units.symbol(dimension)

    def values(self, sim: Observed) -> list[float]:
        """The numbers at the present step; the first is the step itself, an int."""
        energy, rows = sim.energy, from_box(sim.box)
        tensor = sim.pressure_tensor
        volume = sim.box.volume
        groups = dict(sim.group_temperatures)
        return [
            *(sim.step, float(sim.time), *(energy.of(name) for name in self.terms)),
            *(energy.potential, energy.kinetic, energy.total),
            *((float(sim.conserved),) if self.conserved else ()),  # type: ignore[arg-type]
            *(float(sim.temperature), float(sim.pressure), volume),
            self.mass / volume * self.units.density,
            *(float(rows[at]) for at in _BOX_PARTS.values()),
            *(float(tensor[at]) * self.units.pressure for at in _PARTS.values()),
            *(_of_group(groups, name) for name in self.groups),
        ]


def _of_group(groups: dict[str, float], name: str) -> float:
    if name not in groups:
        raise bad_input(
            f"no group {name!r}", "the simulation has none of that name", nearest(name, groups)
        )
    return float(groups[name])
