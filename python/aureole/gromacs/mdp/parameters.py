# SPDX-License-Identifier: Apache-2.0
"""Run parameters of an .mdp file.

Options are accessed by their .mdp names; what depends on several of them is an attribute.
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
        tau: time constant [ps]; negative for no coupling; with `sd` the inverse friction
        temperature: of the thermostat [K]
        annealing: its schedule, or None
    """

    name: str
    tau: float
    temperature: float
    annealing: Annealing | None = None


@dataclass(frozen=True)
class Frozen:
    """A group that is frozen along the axes that are true."""

    name: str
    axes: tuple[bool, bool, bool]


@dataclass(frozen=True)
class RunParameters:
    """The contents of an .mdp file; `parameters["rcoulomb"]` is the value of that option.

    Args:
        path: the file
        integrator: "md", "md-vv", "sd" or "steep"
        dt: time step [ps]
        n_steps: −1 for no limit
        t_start: time of step 0 [ps]
        first_step: number of the first step
        defines: macros for the topology, "NAME" or "NAME=value"
        includes: folders of included files
        periodic: which axes are periodic
        temperature_groups: all groups with temperatures, those of `sd` too
        compressibility, pressure: components xx, yy, zz, xy, xz, yz of the barostat [1/bar], [bar]
        frozen: groups that are frozen along some axes
        fields: electric fields along x, y and z: strength [V/nm], angular frequency [1/ps], centre
            and width of the pulse [ps]
        values: every option that is read, by its .mdp name, as the file has it
        lines: line of every option that the file sets, or its place in words
        notes: from reading the file
        changes: options that the caller has overridden
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
        """A copy with other values of options that have no attribute here."""
        return replace(self, changes={**self.changes, **changes})

    @property
    def dynamics(self) -> bool:
        """Whether this is dynamics, not minimisation."""
        return self.integrator != "steep"

    @property
    def r_cut(self) -> float:
        """The longest cut-off of direct forces [nm]."""
        return max(self["rcoulomb"], self["rvdw"])

    @property
    def r_list(self) -> float | None:
        """The radius of pair lists [nm]; None if the drift tolerance sets it."""
        return self["rlist"] if self["verlet-buffer-tolerance"] < 0.0 else None

    @property
    def grid(self) -> tuple[int, int, int]:
        """Points of the mesh along x, y and z; 0 if its spacing determines them."""
        return self["fourier-nx"], self["fourier-ny"], self["fourier-nz"]

    @property
    def removes(self) -> str:
        """The overall motion that is removed: "no", "linear" or "angular"."""
        return {"None": "no"}.get(self["comm-mode"], self["comm-mode"].lower())

    def where(self, key: str) -> str:
        """The place of an option: "file:line", or the file alone where it has its default."""
        return place(self.path, self.lines[key]) if key in self.lines else self.path
