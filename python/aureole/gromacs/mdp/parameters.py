# SPDX-License-Identifier: Apache-2.0
"""Run parameters: what an .mdp file asks for.

Options are had by their names in such files; what takes more than one of them is an attribute.
Lengths are in nm, times in ps, energies in kJ/mol, pressures in bar, temperatures in K.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aureole.base.text import place
from aureole.gromacs.notes import Note

Six = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Annealing:
    """A temperature schedule, linear between points; `periodic` or held at the end."""

    periodic: bool
    times: tuple[float, ...]
    temperatures: tuple[float, ...]


@dataclass(frozen=True)
class TemperatureGroup:
    """A group with a temperature of its own.

    Args:
        name: of the group
        tau: time constant [ps]; negative for no coupling; with `sd` one over the friction
        temperature: of the thermostat [K]
        annealing: its course, or None
    """

    name: str
    tau: float
    temperature: float
    annealing: Annealing | None = None


@dataclass(frozen=True)
class Frozen:
    """A group that stays where it is along the axes that are true."""

    name: str
    axes: tuple[bool, bool, bool]


@dataclass(frozen=True)
class RunParameters:
    """All that an .mdp file says; `parameters["rcoulomb"]` is the value of that option.

    Args:
        path: the file
        integrator: "md", "md-vv", "sd" or "steep"
        dt: time step [ps]
        n_steps: −1 for without end
        t_start: time of step 0 [ps]
        first_step: number of the first step
        defines: macros for the topology, "NAME" or "NAME=value"
        includes: folders of included files
        periodic: which axes repeat
        temperature_groups: all groups with temperatures, those of `sd` too
        compressibility, pressure: components xx, yy, zz, xy, xz, yz of the barostat [1/bar], [bar]
        frozen: groups that do not move along some axes
        fields: electric fields along x, y and z: strength [V/nm], angular frequency [1/ps], centre
            and width of the pulse [ps]
        values: every option that is read, by its .mdp name, as the file has it
        lines: line of every option that the file sets, or the words of its place
        notes: what reading has to tell
        changes: options that a caller has set to something else
    """

    path: str
    integrator: str
    dt: float
    n_steps: int
    t_start: float
    first_step: int
    defines: tuple[str, ...]
    includes: tuple[str, ...]
    periodic: tuple[bool, bool, bool]
    temperature_groups: tuple[TemperatureGroup, ...]
    compressibility: Six
    pressure: Six
    frozen: tuple[Frozen, ...]
    fields: tuple[tuple[float, ...], ...]
    values: Mapping[str, Any] = field(repr=False)
    lines: Mapping[str, int | str] = field(repr=False)
    notes: tuple[Note, ...] = field(default=(), repr=False)
    changes: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.changes[key] if key in self.changes else self.values[key]

    def changed(self, changes: Mapping[str, Any]) -> RunParameters:
        """The same with other values of options that have no attribute here."""
        return replace(self, changes={**self.changes, **changes})

    @property
    def dynamics(self) -> bool:
        """Time advances; the opposite is minimisation."""
        return self.integrator != "steep"

    @property
    def r_cut(self) -> float:
        """The longest cut-off of direct forces [nm]."""
        return max(self["rcoulomb"], self["rvdw"])

    @property
    def r_list(self) -> float | None:
        """The radius of pair lists [nm]; None where a tolerated drift sets it."""
        return self["rlist"] if self["verlet-buffer-tolerance"] < 0.0 else None

    @property
    def grid(self) -> tuple[int, int, int]:
        """Points of the mesh along x, y and z; zeros where its spacing gives them."""
        return self["fourier-nx"], self["fourier-ny"], self["fourier-nz"]

    @property
    def removes(self) -> str:
        """What is taken out of the motion of the whole: "no", "linear" or "angular"."""
        return {"None": "no"}.get(self["comm-mode"], self["comm-mode"].lower())

    def where(self, key: str) -> str:
        """The place of an option: "file:line", or the file alone where it has its default."""
        return place(self.path, self.lines[key]) if key in self.lines else self.path
