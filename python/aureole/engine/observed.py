# SPDX-License-Identifier: Apache-2.0
"""The interface of a simulation for observers, logs and checkpoints."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.attributes import named, unchangeable
from aureole.base.errors import Error, bad_input, nearest
from aureole.base.quantities import of_system
from aureole.base.text import rate
from aureole.base.units import REDUCED, Units
from aureole.live.live import Live
from aureole.ranks.collective import of_rank_0
from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.integrators import Integrator
from aureole.specs.neighbor_list import NeighborList
from aureole.specs.thermostats import group_settings
from aureole.system.box import Box
from aureole.system.particle_names import naming
from aureole.system.system import System
from aureole.system.topology import Topology
from aureole.system.user_columns import Columns, checked
from aureole.system.whole_molecules import Whole, in_box

from .array_views import Arrays
from .description import Description, describe
from .masses import check_masses
from .model import Model
from .not_finite import explaining
from .provenance import Origin
from .start import start
from .tables import table_of_energy, table_of_simulation

COLUMNS = ("position", "velocity", "force", "mass", "type", "image", "tag", "energy", "virial")
SETTABLE = ("position", "velocity", "mass", "image")
NS_PER_DAY = 86.4  # of steps of 1 ps, one a second


@unchangeable
@dataclass(frozen=True)
class Energy:
    """Energies of the whole system at one step [energy]; `unit` is "" in reduced units."""

    potential: float
    kinetic: float
    per_force: dict[str, float]
    unit: str = field(default="", repr=False)

    @property
    def total(self) -> float:
        """Potential plus kinetic energy [energy]."""
        return self.potential + self.kinetic

    def of(self, force: str) -> float:
        """Potential energy of one force, by its name [energy]."""
        if force not in self.per_force:
            raise bad_input(
                f"no force {force!r}",
                "the simulation has no force of that name",
                nearest(force, self.per_force),
            )
        return self.per_force[force]

    def _repr_html_(self) -> str:
        return table_of_energy(self)


class Observed(Live):
    """The half of `Simulation` that changes nothing, but for `set` and `step`."""

    _integrator: Integrator | None = None
    _box: Box
    type_names: tuple[str, ...]
    forces: tuple[Any, ...]
    constraints: tuple[Any, ...]
    neighbors: NeighborList
    units: Units = REDUCED
    topology: Topology | None = None
    origin: Origin | None = None
    _static: dict[str, Any]
    _views = 0
    _changes = 0
    _thermo: tuple[tuple[int, int], dict[str, Any]] | None = None

    @property
    def periodic_molecules(self) -> bool:
        """Whether molecules are bonded to their own images and never made whole."""
        return bool(self._static["periodic_molecules"])

    @property
    def static_fields(self) -> dict[str, Any]:
        """The fields of the system that no run changes, as it was given them.

        `archive.STATIC` names them: topology, bonds, ..., exclusions, terms, groups, units.
        """
        return dict(self._static)

    # Sums

    def thermo(self) -> dict[str, Any]:
        """All global sums at this step, computed once per step; a copy."""
        return deepcopy(self._sums())

    @partial(of_rank_0, name="thermo")
    def _sums(self) -> dict[str, Any]:
        key = (self._core.step, self._changes)
        if self._thermo is None or self._thermo[0] != key:
            with explaining(self):
                self._thermo = (key, self._core.thermo())
            self._keep_views_open()
        return self._thermo[1]

    def _sums_without_steps(self, error: Error) -> dict[str, Any]:
        """Sums of a copy without an integrator, where the kinetic energy overflows."""
        if "energy is not finite" not in str(error) or self.device.ranks > 1 or self._views:
            raise error
        model = Model(self.snapshot(), self.forces, self.constraints, self.neighbors)
        with naming(self._static["topology"]):
            return dict(start(model, self.device, 0).thermo()) | {"kinetic": math.inf}

    def _keep_views_open(self) -> None:
        """The engine takes its memory back to compute; give it to the views again."""
        if self._views:
            self._core.view("tag")

    def _check_no_views(self, what: str) -> None:
        if self._views:
            raise bad_input(
                f"cannot {what} inside `with sim.arrays`",
                "the arrays are the engine's own memory",
                "Leave the with block first",
            )

    @property
    def box(self) -> Box:
        """The current box."""
        core = getattr(self, "_core", None)
        if core is not None and tuple(core.box) != self._box.six:
            self._box = self._box.resized(core.box)
        return self._box

    @property
    def n(self) -> int:
        """Number of particles."""
        return int(self._core.n)

    @property
    def dt(self) -> float:
        """Time step [time]; 0 without an integrator."""
        if self._integrator is not None:
            return float(self._integrator.dt)
        return self.origin.dt if self.origin is not None else 0.0

    @property
    def start(self) -> float:
        """Time of step 0 [time]."""
        if self._integrator is not None:
            return float(self._core.start)
        return self.origin.start if self.origin is not None else 0.0

    @property
    def time(self) -> float:
        """Simulated time: that of step 0 plus step times dt [time]."""
        return self.start + int(self._core.step) * self.dt

    @property
    def energy(self) -> Energy:
        """Energies of the whole system.

        The kinetic energy is infinite where it overflows, as that of the half step after a start
        with overlaps may.
        """
        try:
            data = self._sums()
        except Error as error:
            data = self._sums_without_steps(error)
        forces: dict[str, float] = {}
        unit = self.units.symbol("energy")
        for entry in data["per_force"]:
            forces[entry["name"]] = forces.get(entry["name"], 0.0) + float(entry["energy"])
        return Energy(float(data["potential"]), float(data["kinetic"]), forces, unit)

    @property
    def has_conserved(self) -> bool:
        """Whether the dynamics have a conserved energy."""
        return isinstance(self._integrator, Dynamics) or self.origin is not None

    @property
    def conserved(self) -> float | None:
        """Conserved energy: total energy minus that from thermostats and barostats [energy].

        None if the integrator does not track it.
        """
        if not self.has_conserved:
            return None
        return self.energy.total - float(self._sums()["given"])

    @property
    def group_temperatures(self) -> dict[str, float]:
        """Temperature of each group of the thermostat [temperature]; empty without groups."""
        thermal = self._integrator.thermal if isinstance(self._integrator, Dynamics) else None
        if thermal is None:
            return {}
        values = np.asarray(self._sums()["group_temperatures"]) / self.units.boltzmann
        names = [name for name, _ in group_settings(thermal, self.units)]
        return dict(zip(names, values.tolist(), strict=False))

    @property
    def temperature(self) -> float:
        """Kinetic temperature [K; in reduced units energy]."""
        return float(self._sums()["temperature"]) / self.units.boltzmann

    @property
    def pressure(self) -> float:
        """Pressure, a third of the trace of the tensor [bar; in reduced units energy/length^3].

        External forces add nothing to it. The volume is that of the box, so where an axis is open
        it depends on the length chosen.
        """
        return float(self._sums()["pressure"]) * self.units.pressure

    @property
    def pressure_tensor(self) -> NDArray[np.float64]:
        """(3, 3) pressure tensor [energy/length^3]."""
        return np.asarray(self._sums()["pressure_tensor"], dtype=float).reshape(3, 3)

    @property
    def virial(self) -> NDArray[np.float64]:
        """(3, 3) virial, sum of r F [energy], of all forces but external ones."""
        return np.asarray(self._sums()["virial"], dtype=float).reshape(3, 3)

    @property
    def momentum(self) -> NDArray[np.float64]:
        """(3,) total momentum [mass velocity]."""
        return np.asarray(self._sums()["momentum"], dtype=float)

    @property
    def dof(self) -> float:
        """Degrees of freedom of the kinetic temperature."""
        return float(self._sums()["dof"])

    # Speed

    @property
    def ns_per_day(self) -> float:
        """Speed of the last run [ns/day]. Raises InputError in reduced units."""
        if not self.units.physical:
            raise bad_input(
                "ns_per_day is not defined",
                "the system has reduced units, without nanoseconds",
                "Use steps_per_second",
            )
        return self.steps_per_second * self.dt * NS_PER_DAY

    def pace(self, steps_per_second: float) -> str:
        """A speed in simulated time per day, with its unit."""
        if self.units.physical:
            return f"{rate(steps_per_second * self.dt * NS_PER_DAY)} ns/day"
        return f"{rate(steps_per_second * self.dt * 86400)} τ/day"

    # Columns

    @property
    def arrays(self) -> Arrays:
        """The engine's arrays without a copy: ``with sim.arrays as a: a.position``."""
        return Arrays(self)  # type: ignore[arg-type]

    @of_rank_0
    def get(self, name: str, order: str = "tag") -> NDArray[Any]:
        """A copy of one column.

        Positions are those of particles in the box, relative to its centre. Other programs need
        `positions`: whole molecules, relative to a corner of the box.

        Args:
            name: position, velocity, force, image (n, 3), mass, type, tag, energy (n,),
                virial (n, 6: xx, yy, zz, xy, xz, yz), charge (n,) if there are charges, or a
                user column
            order: "tag" or "local"
        """
        charge = ("charge",) if self._has_charges() else ()
        _check_name(name, (*COLUMNS, *charge, *self._added()), "column")
        _check_name(order, ("tag", "local"), "order")
        data = np.asarray(self._core.get(name, order=order))
        self._keep_views_open()
        return data

    @of_rank_0
    def positions(self, *, whole: bool = True) -> NDArray[np.float64]:
        """(n, 3) positions relative to a corner of the box, as OpenMM and files have them [length].

        `set_positions` takes them back.

        Args:
            whole: whether molecules are made whole, with their centres in the box
        """
        bound = self.topology if whole and not self.periodic_molecules else None
        place = in_box if bound is None else Whole(bound).place
        return place(self.box, self.get("position")) + self.box.origin

    @of_rank_0
    def set_positions(self, values: Any) -> None:
        """Replace all positions by (n, 3) ones relative to a corner of the box [length].

        Those of `positions` and of OpenMM are such ones. Particles may be outside of the box, as
        parts of whole molecules are. They are wrapped into it, and `image` counts from there.
        """
        rows = of_system(values, "position", self.units)
        array = checked("position", rows, ((self.n, 3),), False)
        wrapped, turns = self.box.wrap(array - self.box.origin)
        self.set("position", wrapped)
        self.set("image", turns)

    @named(
        **{one: f'Write sim.set("{one}", values)' for one in SETTABLE},
        **dict.fromkeys(("charge", "type"), "Make a System with it, and a simulation of that"),
    )
    @of_rank_0
    def set(self, name: str, values: Any, order: str = "tag") -> None:
        """Replace one column: position, velocity, mass, image or a user column.

        Positions are relative to the centre of the box, as those of `get`. `set_positions` takes
        those of `positions` and of other programs. Quantities are converted in molecular units.
        Masses are positive, but for those of virtual sites and frozen particles, which may be 0.
        """
        added = self._added()
        _check_name(name, (*SETTABLE, *added), "column to set")
        _check_name(order, ("tag", "local"), "order")
        self._check_no_views("set an array")
        integers, width = added.get(name, (name == "image", 0 if name == "mass" else 3))
        shape = (self.n, width) if width else (self.n,)
        who = "particle" if order == "tag" else "the particle at local index"
        array = checked(name, of_system(values, name, self.units), (shape,), integers, who)
        if name == "mass":
            check_masses(self._core, array, order, who)
        self._core.set(name, array, order=order)
        self._changes += 1

    def snapshot(self) -> System:
        """The current particles and their bonded terms, as a System."""
        data = {name: self.get(name) for name in (*SETTABLE, "type")}
        columns = Columns(self.n)
        for name, unit, *_, of_user in self._core.columns():
            if of_user:
                columns.add(name, self.get(name), unit)
        charge = self.get("charge") if self._has_charges() else None
        return System(
            self.box,
            type_names=self.type_names,
            columns=columns,
            charge=charge,
            **data,
            **self._static,
        )

    def _has_charges(self) -> bool:
        return any(name == "charge" for name, *_ in self._core.columns())

    @property
    def user_columns(self) -> tuple[str, ...]:
        """Names of the columns that users have added."""
        return tuple(self._added())

    def _added(self) -> dict[str, tuple[bool, int]]:
        """User columns by name: whether they are integers, and their width (0: one number each)."""
        return {
            name: (dtype == "<i4", width)
            for name, _, dtype, width, of_user in self._core.columns()
            if of_user
        }

    # Itself

    @of_rank_0
    def describe(self) -> Description:
        """Device, precision, isa, threads, list, ...: a dictionary that prints itself as the
        forces, the steps and the observers in their order."""
        return describe(self)  # type: ignore[arg-type]

    def profile(self) -> dict[str, float]:
        """Seconds spent in each region of the engine, on rank 0."""
        return dict(self._core.profile())

    def profiles(self) -> list[dict[str, float]]:
        """Seconds spent in each region of the engine, on each rank."""
        return list(self._core.profiles())

    # What observers may do besides

    def write_checkpoint(self, path: str) -> None:
        """Write a checkpoint for an exact restart."""
        raise NotImplementedError

    def recent_notes(self) -> list[str]:
        """Notes since the last call, for logs."""
        return []

    def recent_warnings(self) -> list[str]:
        """Warnings since the last call, for logs."""
        return []

    def __repr__(self) -> str:
        forces = ", ".join(type(force).__name__ for force in self.forces) or "no forces"
        step = int(self._core.step)
        return f"Simulation({self.n} particles, {forces}, {self._integrator!r}, step {step})"

    def _repr_html_(self) -> str:
        return table_of_simulation(self)


def _check_name(name: str, known: tuple[str, ...], what: str) -> None:
    if name not in known:
        raise bad_input(f"unknown {what} {name!r}", "no such name", nearest(str(name), known))
