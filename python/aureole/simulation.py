# SPDX-License-Identifier: Apache-2.0
"""The one live object: particles, forces and an integrator on a device."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, restart
from .arrays import Arrays
from .box import Box
from .columns import Columns, checked
from .confine import outside
from .driver import Driver
from .errors import bad_input, nearest
from .integrators import FIRE, Device, Integrator, NeighborList
from .observers import Observer
from .observers.progress import rate
from .potentials import PairPotential
from .spec import integer, number
from .system import System

COLUMNS = ("position", "velocity", "force", "mass", "type", "image", "tag", "energy", "virial")
SETTABLE = ("position", "velocity", "mass", "image")


@dataclass(frozen=True)
class Energy:
    """Energies of the whole system at one step [energy]."""

    potential: float
    kinetic: float
    per_force: dict[str, float]

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


@dataclass(frozen=True)
class Minimum:
    """What a minimisation came to: whether it converged, steps, largest force, energy."""

    converged: bool
    steps: int
    max_force: float
    energy: float


class Simulation:
    """Particles, forces and an integrator on a device, running.

    Args:
        system: the starting particles
        forces: specs such as `LennardJones`
        integrator: `NVE`, `Langevin` or `Bussi`; may be set later
        observers: what else happens during runs: `Trajectory`, `Log`, `Checkpoint`, ...
        seed: of all random numbers
        device: "auto", "host", "cuda:0", or a `Device` spec
        precision: "mixed" or "double"; overrides the device spec
        threads: host threads, 0 for all allowed; overrides the device spec
        neighbors: how long a pair list lives

    The same binary, input, seed and number of threads give bitwise the same trajectory. Raises
    InputError when the parts do not fit each other, DeviceError when the device is absent.
    """

    def __init__(
        self,
        system: System,
        forces: Sequence[PairPotential] = (),
        integrator: Integrator | None = None,
        observers: Sequence[Observer] = (),
        *,
        seed: int = 0,
        device: str | Device = "auto",
        precision: str | None = None,
        threads: int | None = None,
        neighbors: NeighborList | None = None,
    ) -> None:
        _check_parts(system, forces, integrator, observers)
        self.device = Device.of(device, precision, threads)
        self.seed = integer(seed, "seed", low=0)
        self.forces = tuple(forces)
        self.neighbors = neighbors or NeighborList()
        self._prepare(system.box, system.type_names)
        tables = [(force, force.tables(system.type_names)) for force in self.forces]
        for force, (_, r_cut, _) in tables:
            check_cut_off(force.kind, r_cut, system)
        self._core = self._make_core(system)
        for name, values in system.columns.items():
            self._core.add_column(name, system.columns.unit(name), values)
        for force, (parameters, r_cut, r_switch) in tables:
            self._core.add_pair(
                force.kind, parameters, r_cut, r_switch, force.mode, force.tail_correction
            )
        buffer = self.neighbors.buffer or 0.0
        self._core.set_list(self.neighbors.mode, self.neighbors.tolerance, buffer)
        self._integrator: Integrator | None = None
        if integrator is not None:
            self.integrator = integrator
        self._driver = Driver(self, observers)

    def _prepare(self, box: Box, type_names: tuple[str, ...]) -> None:
        self._box = box
        self.type_names = type_names
        self._views = 0
        self._changes = 0
        self._thermo: tuple[tuple[int, int], dict[str, Any]] | None = None

    def _make_core(self, system: System) -> Any:
        return _core.Simulation(**self._core_arguments(system))

    def _core_arguments(self, system: System) -> dict[str, Any]:
        d = self.device
        return dict(
            box=system.box.six,
            periodic=system.box.periodic,
            position=system.position,
            velocity=system.velocity,
            mass=system.mass,
            type=system.type,
            image=system.image,
            type_names=list(system.type_names),
            device=d.name,
            precision=d.precision,
            threads=d.threads,
            pin=d.pin,
            hostile=d.hostile,
            seed=self.seed,
            options={"algorithm": d.algorithm},
        )

    @classmethod
    def from_checkpoint(
        cls,
        path: str | os.PathLike[str],
        *,
        callbacks: Sequence[Observer] = (),
        device: str | Device | None = None,
        threads: int | None = None,
        allow_write: Iterable[str | os.PathLike[str]] = (),
    ) -> Simulation:
        """The simulation that wrote the checkpoint, at the step where it did.

        Args:
            path: the file; where it is missing, PATH.prev is taken
            callbacks: the `Callback` observers, in their order (files hold no functions)
            device: another device than before
            threads: another number of threads than before; sums then round differently
            allow_write: files and folders outside of the checkpoint's own folder that the run may
                write, if the checkpoint names them

        Raises FileError, naming the damaged part, when the file was altered.
        """
        return restart.load(cls, os.fspath(path), callbacks, device, threads, allow_write)

    # Running

    @property
    def integrator(self) -> Integrator | None:
        """The equations of motion; assign another spec to change them between runs."""
        return self._integrator

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        if not isinstance(value, Integrator):
            raise bad_input(
                f"integrator is {value!r}", "it must be a spec", "Use for example au.NVE(dt=0.005)"
            )
        group = None
        if value.filter is not None:
            group = value.filter.mask(self.get("type"), self.type_names).astype(np.uint8)
        self._core.set_integrator(type(value).__name__.lower(), value.parameters(), group)
        self._integrator = value
        self._changes += 1

    @property
    def target(self) -> int | None:
        """The step that the present, last or interrupted run was to reach; None before any."""
        return self._driver.target

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The specs of what happens besides the steps."""
        return self._driver.specs

    def run(self, steps: int | None = None, *, until: int | None = None) -> Simulation:
        """Make `steps` steps, or go on to step `until`, or finish an interrupted run.

        Args:
            steps: how many
            until: the step to reach; nothing happens when it lies behind

        Ctrl-C and SIGTERM end a run between two steps, after a checkpoint if there is a
        `Checkpoint` observer; then KeyboardInterrupt or Terminated is raised.
        Raises BlowUpError naming particle, partner, force and step; FileError when output fails.
        """
        self._check_can_run()
        self._driver.run(self._target(steps, until))
        return self

    def _target(self, steps: int | None, until: int | None) -> int:
        if steps is not None and until is not None:
            raise bad_input("both steps and until are given", "one decides", "Give one of them")
        if steps is not None:
            return self.step + integer(steps, "steps", low=0)
        if until is not None:
            return max(self.step, integer(until, "until", low=0))
        if self._driver.target is None:
            raise bad_input(
                "run needs a number of steps", "no interrupted run is to be finished", "Give steps"
            )
        return max(self.step, self._driver.target)

    def recent_warnings(self) -> list[str]:
        """What went by since the last call that a user should know, for logs."""
        return []

    def _check_can_run(self) -> None:
        if self._integrator is None:
            raise bad_input(
                "the simulation has no integrator",
                "nothing says how particles move",
                "Set sim.integrator, for example to au.NVE(dt=0.005)",
            )
        self._check_no_views("run")

    def _check_no_views(self, what: str) -> None:
        if self._views:
            raise bad_input(
                f"cannot {what} inside `with sim.arrays`",
                "the arrays are the engine's own memory",
                "Leave the with block first",
            )

    def _keep_views_open(self) -> None:
        """The engine takes its memory back to compute; give it to the views again."""
        if self._views:
            self._core.view("tag")

    def minimize(self, spec: FIRE | None = None, **changes: float) -> Minimum:
        """Move the particles to a nearby minimum of the potential energy.

        Args:
            spec: a `FIRE` spec, or its fields by name: force_tolerance, max_steps, dt_start
        """
        self._check_no_views("minimize")
        if spec is not None and changes:
            raise bad_input(
                "minimize got a spec and single settings", "one decides", "Give one of them"
            )
        fire = spec or FIRE(**changes)  # type: ignore[arg-type]
        self._changes += 1
        result = self._core.minimize(fire.force_tolerance, fire.max_steps, fire.dt_start)
        return Minimum(
            bool(result["converged"]),
            int(result["steps"]),
            float(result["max_force"]),
            float(result["energy"]),
        )

    def thermalize(self, kT: float) -> Simulation:
        """Draw velocities from the Maxwell-Boltzmann distribution.

        The total momentum is zero and the kinetic temperature exactly kT [energy].
        """
        self._check_no_views("thermalize")
        self._core.thermalize(number(kT, "kT", low=0.0))
        self._changes += 1
        return self

    def write_checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write all that an exact restart needs, after all other output is on the disk."""
        self._driver.write_checkpoint(os.fspath(path))

    def stop(self) -> None:
        """End the present run between two steps; for callbacks and observers, as at its end."""
        self._driver.stopping = True

    def close(self) -> None:
        """Finish and close all output files; the particles stay available."""
        self._driver.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    def thermo(self) -> dict[str, Any]:
        """All sums over the system at this step, computed once a step."""
        key = (self._core.step, self._changes)
        if self._thermo is None or self._thermo[0] != key:
            self._thermo = (key, self._core.thermo())
            self._keep_views_open()
        return self._thermo[1]

    @property
    def box(self) -> Box:
        """The box as it is now."""
        core = getattr(self, "_core", None)
        if core is not None and tuple(core.box) != self._box.six:
            self._box = Box(*core.box, periodic=self._box.periodic)
        return self._box

    @property
    def n(self) -> int:
        """Number of particles."""
        return int(self._core.n)

    @property
    def step(self) -> int:
        """Steps made so far; may be set between runs."""
        return int(self._core.step)

    @step.setter
    def step(self, value: int) -> None:
        self._core.step = integer(value, "step", low=0)

    @property
    def dt(self) -> float:
        """Time step [time]; 0 without an integrator."""
        return self._integrator.dt if self._integrator is not None else 0.0

    @property
    def time(self) -> float:
        """Simulated time, step times dt [time]."""
        return self.step * self.dt

    @property
    def energy(self) -> Energy:
        """Potential, kinetic and total energy [energy]."""
        data = self.thermo()
        forces: dict[str, float] = {}
        for entry in data["per_force"]:
            forces[entry["name"]] = forces.get(entry["name"], 0.0) + float(entry["energy"])
        return Energy(float(data["potential"]), float(data["kinetic"]), forces)

    @property
    def temperature(self) -> float:
        """Kinetic temperature [energy]."""
        return float(self.thermo()["temperature"])

    @property
    def pressure(self) -> float:
        """Pressure, a third of the trace of the tensor [energy/length^3]."""
        return float(self.thermo()["pressure"])

    @property
    def pressure_tensor(self) -> NDArray[np.float64]:
        """(3, 3) pressure tensor [energy/length^3]."""
        return np.asarray(self.thermo()["pressure_tensor"], dtype=float).reshape(3, 3)

    @property
    def virial(self) -> NDArray[np.float64]:
        """(3, 3) virial of all forces, sum of r F [energy]."""
        return np.asarray(self.thermo()["virial"], dtype=float).reshape(3, 3)

    @property
    def momentum(self) -> NDArray[np.float64]:
        """(3,) total momentum [mass velocity]."""
        return np.asarray(self.thermo()["momentum"], dtype=float)

    @property
    def dof(self) -> int:
        """Degrees of freedom of the kinetic temperature."""
        return int(self.thermo()["dof"])

    @property
    def steps_per_second(self) -> float:
        """Speed of the last run, output included [1/s]; 0 before the first."""
        return self._driver.steps_per_second

    def pace(self, steps_per_second: float) -> str:
        """A speed in simulated time per day, with its unit."""
        return f"{rate(steps_per_second * self.dt * 86400)} τ/day"

    def _remembered(self) -> dict[str, Any]:
        """What checkpoints hold of this kind of simulation besides the common things."""
        return {}

    def _continuing(self, checkpoint: str) -> str:
        """The command that goes on from a checkpoint."""
        listed = outside(checkpoint, self.observers)
        more = f" --allow-write {shlex.join(listed)}" if listed else ""
        return f"aureole run {shlex.quote(checkpoint)}{more}"

    @property
    def arrays(self) -> Arrays:
        """The engine's arrays without a copy: ``with sim.arrays as a: a.position``."""
        return Arrays(self)

    def get(self, name: str, order: str = "tag") -> NDArray[Any]:
        """A copy of one column.

        Args:
            name: position, velocity, force, image (n, 3), mass, type, tag, energy (n,),
                virial (n, 6: xx, yy, zz, xy, xz, yz), or a column of the user's
            order: "tag" or "local"
        """
        _check_name(name, (*COLUMNS, *self._added()), "column")
        _check_name(order, ("tag", "local"), "order")
        data = np.asarray(self._core.get(name, order=order))
        self._keep_views_open()
        return data

    def set(self, name: str, values: Any, order: str = "tag") -> None:
        """Replace one column: position, velocity, mass, image, or one of the user's."""
        added = self._added()
        _check_name(name, (*SETTABLE, *added), "column to set")
        _check_name(order, ("tag", "local"), "order")
        self._check_no_views("set an array")
        integers, width = added.get(name, (name == "image", 0 if name == "mass" else 3))
        shape = (self.n, width) if width else (self.n,)
        who = "particle" if order == "tag" else "the particle at local index"
        array = checked(name, values, (shape,), integers, who)
        self._core.set(name, array, order=order)
        self._changes += 1

    def snapshot(self) -> System:
        """The particles as they are now, as a System."""
        data = {name: self.get(name) for name in (*SETTABLE, "type")}
        columns = Columns(self.n)
        for name, unit, *_, of_user in self._core.columns():
            if of_user:
                columns.add(name, self.get(name), unit)
        return System(self.box, type_names=self.type_names, columns=columns, **data)

    def _added(self) -> dict[str, tuple[bool, int]]:
        """The user's columns: are they of whole numbers, and how many each (0: one)?"""
        return {
            name: (dtype == "<i4", width)
            for name, _, dtype, width, of_user in self._core.columns()
            if of_user
        }

    def describe(self) -> dict[str, Any]:
        """What runs where: device, precision, instruction set, threads, list, ..."""
        return dict(self._core.describe())

    def profile(self) -> dict[str, float]:
        """Seconds spent in each region of the engine."""
        return dict(self._core.profile())

    def __repr__(self) -> str:
        forces = ", ".join(force.kind for force in self.forces) or "no forces"
        return f"Simulation({self.n} particles, {forces}, {self.integrator!r}, step {self.step})"


def check_cut_off(kind: str, r_cut: NDArray[np.float64], system: System) -> None:
    """Refuse a cut-off for which a particle would meet two images of another."""
    widths = np.where(system.box.periodic, system.box.widths, np.inf)
    half = widths.min() / 2
    longest = float(r_cut.max(initial=0.0))
    if longest > half:
        raise bad_input(
            f"cut-off {longest:g} of {kind} exceeds half the box {half:g}",
            "a particle would meet two images of another",
            "Enlarge the box or shorten the cut-off",
        )


def _check_name(name: str, known: tuple[str, ...], what: str) -> None:
    if name not in known:
        raise bad_input(f"unknown {what} {name!r}", "it is not kept", nearest(str(name), known))


def _check_parts(system: Any, forces: Any, integrator: Any, observers: Any) -> None:
    if not isinstance(system, System):
        raise bad_input(
            f"system is {type(system).__name__}",
            "a System is needed",
            "Use au.build.lattice(...), au.read(...) or au.System(...)",
        )
    for value, kind, words in (
        (forces, PairPotential, "forces"),
        (observers, Observer, "observers"),
    ):
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise bad_input(f"{words} is {value!r}", "a list is needed", f"Write {words}=[...]")
        for item in value:
            if not isinstance(item, kind):
                raise bad_input(
                    f"{words} holds {item!r}", "only specs belong there", f"See help for {words}"
                )
