# SPDX-License-Identifier: Apache-2.0
"""Run parameters as typed groups: what an .mdp file asks for, in the engine's own words.

Lengths are in nm, times in ps, energies in kJ/mol, pressures in bar, temperatures in K.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aureole.gromacs.notes import Note

Six = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Minimization:
    """Steepest descent: done when no force exceeds `tolerance` [kJ/mol/nm].

    `step` [nm] is the largest displacement of the first step.
    """

    tolerance: float
    step: float


@dataclass(frozen=True)
class Output:
    """Intervals of output [steps], 0 for never; `precision` [1/nm] of compressed positions.

    `compressed_groups` is empty for all particles.
    """

    positions: int
    velocities: int
    forces: int
    log: int
    averages: int
    energies: int
    compressed: int
    precision: float
    compressed_groups: tuple[str, ...]
    energy_groups: tuple[str, ...]


@dataclass(frozen=True)
class Neighbours:
    """Pair lists: made anew every `every` steps at the most.

    Args:
        every: interval [steps]
        tolerance: energy drift per particle that sets the buffer [kJ/mol/ps]; None for `r_list`
        pressure_tolerance: error of the pressure that sets it too [bar]; None for any
        r_list: radius [nm]; None where the tolerances set it
    """

    every: int
    tolerance: float | None
    pressure_tolerance: float | None
    r_list: float | None


@dataclass(frozen=True)
class Electrostatics:
    """Forces between charges.

    Args:
        kind: "cut-off", "pme" or "reaction-field"
        r_cut: cut-off of direct forces [nm]; 0 for none (without periodicity)
        shifted: the potential is 0 at the cut-off
        epsilon_r: relative permittivity between charges; 0 for infinite
        epsilon_rf: that of the reaction field; 0 for infinite
        spacing: largest spacing of the grid [nm]
        grid: its points in x, y and z; zeros where the spacing gives them
        order: of the splines
        tolerance: relative strength of the direct potential at the cut-off
    """

    kind: str
    r_cut: float
    shifted: bool
    epsilon_r: float
    epsilon_rf: float
    spacing: float
    grid: tuple[int, int, int]
    order: int
    tolerance: float


@dataclass(frozen=True)
class VanDerWaals:
    """Lennard-Jones forces.

    Args:
        kind: "cut-off"
        modifier: "none", "potential-shift", "force-switch" or "potential-switch"
        r_cut: cut-off [nm]; 0 for none (without periodicity)
        r_switch: where switching begins [nm]; used by the two switches
        correction: for the tail: "no", "energy", "energy and pressure", or the last two with "all"
            before them, where the repulsion is corrected too
    """

    kind: str
    modifier: str
    r_cut: float
    r_switch: float
    correction: str


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
class Thermostat:
    """Temperature coupling.

    Args:
        kind: "no", "v-rescale", "nose-hoover" or "berendsen"
        every: interval [steps]
        chain: length of Nose-Hoover chains
        groups: all groups with temperatures, those of `sd` too
    """

    kind: str
    every: int
    chain: int
    groups: tuple[TemperatureGroup, ...]


@dataclass(frozen=True)
class Barostat:
    """Pressure coupling; six numbers are the components xx, yy, zz, xy, xz, yz.

    Args:
        kind: "no", "c-rescale", "parrinello-rahman" or "berendsen"
        shape: "isotropic", "semiisotropic" or "anisotropic"
        every: interval [steps]
        tau: time constant [ps]
        compressibility: [1/bar]
        pressure: wanted [bar]
        references: how reference positions of restraints follow: "no", "all" or "com"
    """

    kind: str
    shape: str
    every: int
    tau: float
    compressibility: Six
    pressure: Six
    references: str


@dataclass(frozen=True)
class Velocities:
    """Velocities at the start: drawn at `temperature` [K] with `seed` (−1: any), or taken."""

    generate: bool
    temperature: float
    seed: int


@dataclass(frozen=True)
class Constraints:
    """Rigid bonds.

    Args:
        which: "none", "h-bonds" or "all-bonds"
        algorithm: "lincs" or "shake"
        continuation: the first step corrects neither positions nor velocities
        tolerance: relative, of SHAKE
        order, iterations: of LINCS
        warn_angle: turn of a bond in one step that is reported [degrees]
    """

    which: str
    algorithm: str
    continuation: bool
    tolerance: float
    order: int
    iterations: int
    warn_angle: float


@dataclass(frozen=True)
class Motion:
    """What is taken out of the motion of the whole, or of `groups`, every `every` steps.

    `remove` is "no", "linear" or "angular".
    """

    remove: str
    every: int
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Frozen:
    """A group that stays where it is along the axes that are true."""

    name: str
    axes: tuple[bool, bool, bool]


@dataclass(frozen=True)
class ElectricField:
    """E(t) = strength cos(omega (t − centre)) exp(−(t − centre)² / (2 width²)).

    With width 0 there is no pulse and no centre: strength cos(omega t).

    Args:
        strength: [V/nm]
        omega: [1/ps]
        centre: t0 [ps]
        width: sigma [ps]
    """

    strength: float
    omega: float
    centre: float
    width: float


@dataclass(frozen=True)
class RunParameters:
    """All that an .mdp file says.

    Args:
        path: the file
        integrator: "md", "md-vv", "sd" or "steep"
        dt: time step [ps]
        n_steps: −1 for without end
        t_start: time of step 0 [ps]
        first_step: number of the first step
        first_part: number of the first piece of the run
        defines: macros for the topology, "NAME" or "NAME=value"
        includes: folders of included files
        periodic: which axes repeat
        periodic_molecules: molecules bind to their own images
        mass_repartition: light atoms get this many times the lowest mass
        seed: of noise; −1 for any
        fields: electric fields along x, y and z; None for none
        values: every option that is read, by its .mdp name, as it is used
        lines: line of every option that the file sets
        notes: what reading has to tell
    """

    path: str
    integrator: str
    dt: float
    n_steps: int
    t_start: float
    first_step: int
    first_part: int
    defines: tuple[str, ...]
    includes: tuple[str, ...]
    periodic: tuple[bool, bool, bool]
    periodic_molecules: bool
    mass_repartition: float
    seed: int
    minimization: Minimization
    output: Output
    neighbours: Neighbours
    electrostatics: Electrostatics
    van_der_waals: VanDerWaals
    thermostat: Thermostat
    barostat: Barostat
    velocities: Velocities
    constraints: Constraints
    motion: Motion
    frozen: tuple[Frozen, ...]
    fields: tuple[ElectricField | None, ElectricField | None, ElectricField | None]
    values: Mapping[str, Any] = field(repr=False)
    lines: Mapping[str, int] = field(repr=False)
    notes: tuple[Note, ...] = field(default=(), repr=False)

    @property
    def dynamics(self) -> bool:
        """Time advances; the opposite is minimisation."""
        return self.integrator != "steep"

    @property
    def r_cut(self) -> float:
        """The longest cut-off of direct forces [nm]."""
        return max(self.electrostatics.r_cut, self.van_der_waals.r_cut)

    def where(self, key: str) -> str:
        """The place of an option: "file:line", or the file alone where it has its default."""
        return f"{self.path}:{self.lines[key]}" if key in self.lines else self.path
