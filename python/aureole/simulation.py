# SPDX-License-Identifier: Apache-2.0
"""The one live object: particles, forces and an integrator on a device."""

from __future__ import annotations

import base64
import dataclasses
import math
import os
import shlex
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import engine, motion, restart
from .confine import outside
from .coupling import group_settings
from .driver import Driver
from .dynamics import Dynamics
from .errors import bad_input
from .integrators import (
    FIRE,
    Bussi,
    Device,
    FreeIntegrator,
    Integrator,
    Langevin,
    NeighborList,
    SteepestDescent,
)
from .leaves import Stage, add_stages, check_stages
from .observers import Observer
from .parts import Parts, check_constraints, check_forces, check_integrator
from .readout import COLUMNS, SETTABLE, Energy, Readout
from .spec import Spec, integer, number
from .system import System
from .systemfile import STATIC, static_part
from .units import TABLE, Measured, Units, check

if TYPE_CHECKING:
    from .gromacs.job import Job
    from .gromacs.mdp_notes import Note
    from .gromacs.mdp_parameters import RunParameters
    from .gromacs.origin import Origin

STEPS_LEFT = "STEPS_LEFT"  # placeholder for a number in a command that continues a run

__all__ = ["COLUMNS", "SETTABLE", "Energy", "Minimum", "Simulation"]


@dataclass(frozen=True)
class Minimum:
    """Result of a minimisation: whether it converged, steps, largest force, energy."""

    converged: bool
    steps: int
    max_force: float
    energy: float


class Simulation(Readout):
    """Particles, forces and an integrator on a device, running.

    Args:
        system: the starting particles, and what binds them
        forces: specs such as `LennardJones`, `PME`, `HarmonicBond` or `ElectricField`
        integrator: `NVE`, `Langevin`, `Bussi`, or `LeapFrog`, `VelocityVerlet` and
            `StochasticDynamics`, which take thermostats and barostats; may be set later
        observers: what else happens during runs: `Trajectory`, `Energies`, `Checkpoint`, ...
        seed: of all random numbers
        device: "auto", "host", "cuda:0", or a `Device` spec
        precision: "mixed" or "double"; overrides the device spec
        threads: host threads, 0 for all allowed; overrides the device spec
        neighbors: how long a pair list lasts
        constraints: how rigid parts are kept, `LINCS` or `SHAKE`, and what stays where it is,
            `Freeze`; waters are solved exactly in any case
        stages: what else each step does to particles: `LinearDrag`, `SteadyMotion`, ...
        step: number of the first step

    The same binary, input, seed and number of threads give bitwise the same trajectory. Raises
    InputError when the parts do not fit each other, DeviceError when the device is absent.
    """

    stages: tuple[Stage, ...] = ()
    _packed: bytes | None = None  # of what checkpoints hold of the system

    def __init__(
        self,
        system: System,
        forces: Sequence[Spec] = (),
        integrator: Integrator | None = None,
        observers: Sequence[Observer] = (),
        *,
        seed: int = 0,
        device: str | Device = "auto",
        precision: str | None = None,
        threads: int | None = None,
        neighbors: NeighborList | None = None,
        constraints: Sequence[Spec] = (),
        stages: Sequence[Stage] = (),
        step: int = 0,
    ) -> None:
        _check_parts(system, forces, observers, constraints)
        check_stages(stages)
        self.device = Device.of(device, precision, threads)
        self.seed = integer(seed, "seed", low=0)
        parts = Parts(system, tuple(forces), tuple(constraints), neighbors or NeighborList())
        for spec in (*parts.forces, *parts.constraints, parts.neighbors, *stages):
            check(spec, parts.units)
        self._take(parts)
        self.stages = tuple(stages)
        self._core = engine.make(parts, self.device, self.seed)
        add_stages(self._core, system, self.stages)
        if parts.interacts or parts.constraints:
            motion.set_bodies(self._core, parts)
        if integrator is not None:
            self._set_integrator(integrator, parts)
        if step:
            self._core.step = integer(step, "step", low=0)
        if self._corrects_start(parts):
            self._core.constrain_start()
            self._core.stop_whole()
        self._driver = Driver(self, [self._in_steps(spec) for spec in observers])

    def _take(self, parts: Parts) -> None:
        """All but the engine's own state."""
        self._box, self.type_names = parts.system.box, parts.system.type_names
        self.forces, self.constraints = parts.forces, parts.constraints
        self.neighbors, self.solver = parts.neighbors, parts.solver
        self.units: Units = parts.units
        self.topology = parts.topology
        self._static = {name: getattr(parts.system, name) for name in STATIC}

    def _corrects_start(self, parts: Parts) -> bool:
        """Whether the start is corrected, so that it satisfies the constraints."""
        moves = isinstance(self._integrator, Dynamics) or parts.interacts
        return moves and not self.solver.continuation

    @classmethod
    def from_checkpoint(
        cls,
        path: str | os.PathLike[str],
        job: Job | None = None,
        *,
        callbacks: Sequence[Observer] = (),
        device: str | Device | None = None,
        threads: int | None = None,
        observers: Sequence[Observer] | None = None,
        allow_write: Iterable[str | os.PathLike[str]] = (),
    ) -> Simulation:
        """The simulation that wrote the checkpoint, at the step where it did.

        Args:
            path: the file; where it is missing, PATH.prev is taken
            job: of a simulation that was made from files of GROMACS: these files, read again;
                None reads those that the checkpoint names
            callbacks: the `Callback` observers, in their order (files hold no functions)
            device: another device than before
            threads: another number of threads than before; sums then round differently
            observers: instead of those of the interrupted run; of one kind and file they continue
                it; None for those of the interrupted run
            allow_write: files and folders outside of the checkpoint's own folder that the run may
                write, if the checkpoint names them

        Raises FileError, naming the damaged part, when the file was altered; InputError, naming
        what differs, where the files of the job have changed since.
        """
        return restart.load(
            *(cls, os.fspath(path), job),
            callbacks=callbacks,
            device=device,
            threads=threads,
            observers=observers,
            allow_write=allow_write,
        )

    # Running

    @property
    def integrator(self) -> Integrator | None:
        """The equations of motion; assign another spec to change them between runs."""
        return self._integrator

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        self._set_integrator(value, None)

    def _set_integrator(self, value: Integrator, parts: Parts | None) -> None:
        check_integrator(value)
        check(value, self.units)
        if isinstance(value, Dynamics):
            if parts is None:
                parts = Parts(self.snapshot(), self.forces, self.constraints, self.neighbors)
            motion.set_dynamics(self._core, parts, value)
        else:
            group = None
            if isinstance(value, FreeIntegrator) and value.filter is not None:
                group = value.filter.mask(self.get("type"), self.type_names).astype(np.uint8)
            kind = type(value).__name__.lower()
            self._core.set_integrator(kind, value.parameters(), group)
        self._integrator = value
        self._changes += 1

    def _in_steps(self, spec: Observer) -> Observer:
        """An observer whose interval is a number of steps, whatever it was given as."""
        every = getattr(spec, "every", None)
        if not isinstance(every, Measured):
            return spec
        check(spec, self.units)
        if not self.dt:
            raise bad_input(
                f"every of {type(spec).__name__} is {every.text!r}",
                "there is no integrator to say how long a step is",
                "Give the simulation its integrator, or every as a number of steps",
            )
        steps = round(every / self.dt)
        if steps < 1 or abs(steps * self.dt - every) > 1e-6 * every:
            raise bad_input(
                f"every of {type(spec).__name__} is {every.text!r}",
                f"a step takes {self.dt:g} ps, and that is no whole number of them",
                "Give a multiple, or a number of steps",
            )
        return dataclasses.replace(spec, every=steps)  # type: ignore[type-var]

    @property
    def step(self) -> int:
        """Steps made so far; may be set between runs."""
        return int(self._core.step)

    @step.setter
    def step(self, value: int) -> None:
        self._core.step = integer(value, "step", low=0)

    @property
    def target(self) -> int | None:
        """The step that the present, last or interrupted run was to reach; None before any."""
        return self._driver.target

    def run(self, steps: int | str | None = None, *, until: int | str | None = None) -> Simulation:
        """Make a number of steps, run until a step, or finish an interrupted run.

        Args:
            steps: how many, or where units are not reduced a time such as "20 ps"
            until: the step to reach, or the time such as "1 ns"; nothing happens when it lies
                behind

        Without either a simulation from files of GROMACS runs as long as its .mdp file says.
        Ctrl-C and SIGTERM end a run between two steps, after a checkpoint if there is a
        `Checkpoint` observer; then KeyboardInterrupt or Terminated is raised.
        Raises BlowUpError naming particle, partner, force and step; FileError when output fails.
        """
        self._check_can_run()
        self._driver.run(self._target(steps, until))
        return self

    def _target(self, steps: int | str | None, until: int | str | None) -> int:
        if steps is not None and until is not None:
            raise bad_input("both steps and until are given", "one decides", "Give one of them")
        if steps is not None:
            return self.step + integer(self.steps_of(steps), "steps", low=0)
        if until is not None:
            wanted = self.steps_of(until)
            if isinstance(until, str):
                wanted -= round(self.start / self.dt)
            return max(self.step, integer(wanted, "until", low=0))
        if self._driver.target is not None:
            return max(self.step, self._driver.target)
        if self.origin is not None:
            return max(self.step, self.origin.end)
        raise bad_input(
            "run needs a number of steps", "no interrupted run is to be finished", "Give steps"
        )

    def steps_of(self, duration: int | str) -> int:
        """Steps in a number of steps or a time such as "20 ps"."""
        if not isinstance(duration, str):
            return duration
        try:
            time = float(Measured(duration, "time")) if self.units.physical else math.nan
        except ValueError:
            time = math.nan
        if not math.isfinite(time) or time < 0:
            why, hint = "a number and a unit are needed", 'Write "20 ps"'
            if not self.units.physical:
                why, hint = "the system has reduced units", "Give a number of steps"
            raise bad_input(f"{duration!r} is no duration", why, hint)
        self._check_can_run()
        steps = round(time / self.dt)
        if steps == 0 and time > 0:
            raise bad_input(
                f"{duration!r} makes no step",
                f"a step takes {self.dt:g} ps",
                "Give a longer time",
            )
        return steps

    def recent_warnings(self) -> list[str]:
        """Warnings since the last call, for logs.

        It is the bond that turned most in one step, where that is beyond `warn_angle` of the
        constraints. Bonds are looked at once in some fifty steps, when pair lists are renewed.
        """
        turn = self._core.take_largest_turn()
        limit = self.solver.warn_angle
        if turn is None or math.degrees(turn[2]) <= limit:
            return []
        a, b, angle, step = turn
        return [
            f"at step {step:,} the constraint between atoms {a + 1} and {b + 1} turned by "
            f"{math.degrees(angle):.0f} degrees in one step (lincs-warnangle = {limit:g}). "
            "The step may be too long, or the start not relaxed."
        ]

    def _check_can_run(self) -> None:
        self._check_no_views("run")
        if self._integrator is not None:
            return
        if self.origin is not None:
            raise bad_input(
                f"{self.origin.parameters.where('integrator')}: this integrator makes no steps in "
                "time",
                "it looks for a minimum of the energy",
                "Call minimize(), or choose md",
            )
        raise bad_input(
            "the simulation has no integrator",
            "nothing says how particles move",
            "Set sim.integrator, for example to au.NVE(dt=0.005)",
        )

    def minimize(
        self,
        spec: FIRE | SteepestDescent | None = None,
        *,
        tell: Callable[[int, float, float, float, int], None] | None = None,
        **changes: Any,
    ) -> Minimum:
        """Move the particles to a nearby minimum of the potential energy.

        Args:
            spec: `FIRE` or `SteepestDescent`; None for what the .mdp file says, where there is
                one, else the one that suits the system: steepest descent for molecules
            tell: called at each step of a steepest descent with its number, the displacement
                [length], the energy, the largest force [energy/length] and who feels it
            changes: fields of that spec by name, such as max_steps
        """
        self._check_no_views("minimize")
        if callable(spec):
            warnings.warn(
                "minimize(tell) is now minimize(tell=tell)", DeprecationWarning, stacklevel=2
            )
            spec, tell = None, spec
        if spec is not None and changes:
            raise bad_input(
                "minimize got a spec and single settings", "one decides", "Give one of them"
            )
        chosen = self._minimizer() if spec is None else spec
        if changes:
            fields = {f.name: getattr(chosen, f.name) for f in dataclasses.fields(chosen)}
            chosen = type(chosen)(**(fields | changes))
        check(chosen, self.units)
        self._changes += 1
        if isinstance(chosen, FIRE):
            result = self._core.minimize(
                float(chosen.force_tolerance), chosen.max_steps, float(chosen.dt_start)
            )
        else:
            steps = 2**62 if chosen.max_steps is None else chosen.max_steps
            result = self._core.descend(
                *(float(chosen.force_tolerance), float(chosen.step), steps, tell)
            )
        return Minimum(
            bool(result["converged"]),
            int(result["steps"]),
            float(result["max_force"]),
            float(result["energy"]),
        )

    def _minimizer(self) -> FIRE | SteepestDescent:
        if self.origin is not None:
            return self.origin.minimizer
        return FIRE() if self.topology is None else SteepestDescent()

    def thermalize(self, kT: float | str | None = None, *, seed: int | None = None) -> Simulation:
        """Draw velocities from the Maxwell-Boltzmann distribution.

        The total momentum is zero and the kinetic temperature exactly kT; what is rigid stays so.

        Args:
            kT: temperature [energy], or where units are not reduced text such as "300 K"; None for
                that of the integrator's thermostat
            seed: of these random numbers; None for that of the simulation
        """
        self._check_no_views("thermalize")
        wanted = None if seed is None else integer(seed, "seed", low=0)
        self._core.thermalize(self._kT(kT), wanted)
        if isinstance(self._integrator, Dynamics) and not self.solver.continuation:
            self._core.stop_whole()
        self._changes += 1
        return self

    def _kT(self, given: float | str | None) -> float:
        if given is None:
            return self._kT_kept()
        if not isinstance(given, str):
            return number(given, "kT", low=0.0)
        unit = given.split()[-1:]
        is_temperature = unit and unit[0] in TABLE["temperature"]
        dimension = "temperature" if is_temperature else "energy"
        value = number(given, "kT", low=0.0, dimension=dimension)
        check({"kT": value}, self.units)
        return value * (self.units.boltzmann if is_temperature else 1.0)

    def _kT_kept(self) -> float:
        """The temperature of the thermostat [energy]."""
        spec = self._integrator
        if isinstance(spec, (Langevin, Bussi)):
            return float(spec.kT)
        thermal = spec.thermal if isinstance(spec, Dynamics) else None
        found = (
            [] if thermal is None else [of["kT"] for _, of in group_settings(thermal, self.units)]
        )
        if len(set(found)) != 1:
            why = "there is no thermostat" if not found else "the groups of the thermostat differ"
            raise bad_input(
                "thermalize needs a temperature", why, 'Give it, as in sim.thermalize("300 K")'
            )
        return float(found[0])

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

    # Where it comes from

    origin: Origin | None = None

    @property
    def job(self) -> Job | None:
        """The files of GROMACS that it was made from; None where it was not."""
        return None if self.origin is None else self.origin.job

    @property
    def parameters(self) -> RunParameters | None:
        """Run parameters of the .mdp file; None without one."""
        return None if self.origin is None else self.origin.parameters

    @property
    def end(self) -> int | None:
        """The last step according to the .mdp file; None without one."""
        return None if self.origin is None else self.origin.end

    @property
    def part(self) -> int:
        """Counts the pieces in which a run was made, from 1."""
        return 1 if self.origin is None else self.origin.part

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes and warnings of the checks of these files."""
        return () if self.origin is None else self.origin.notes

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks of the readers of these files."""
        return () if self.origin is None else self.origin.remarks

    def _remembered(self) -> dict[str, Any]:
        """What checkpoints hold of the job or of the system besides particles and specs."""
        if self.origin is not None and self.origin.record is not None:
            return {
                "job": self.origin.record,
                "part": self.origin.part,
                "continue": self._continuing("CHECKPOINT"),
            }
        return {
            "constraints": [spec.to_dict() for spec in self.constraints],
            "stages": [spec.to_dict() for spec in self.stages],
            **self._system_record(),
        }

    def _system_record(self) -> dict[str, Any]:
        if self.topology is None and not self.units.physical and not self._static["groups"]:
            return {}
        if self._packed is None:
            self._packed = static_part(self._static, self.topology)
        return {"system": base64.b85encode(self._packed).decode()}

    def _continuing(self, checkpoint: str) -> str:
        """The command that continues from a checkpoint."""
        listed = outside(checkpoint, self.observers)
        origin = self.origin
        if origin is None or (origin.command is None and origin.record is None):
            more = f" --allow-write {shlex.join(listed)}" if listed else ""
            return f"aureole run {shlex.quote(checkpoint)}{more}"
        if origin.command is not None:
            left = max(0, (self.target or self.step) - self.step)
            return f"{origin.command.replace(STEPS_LEFT, str(left))} -cpi {checkpoint}"
        more = f", allow_write={listed!r}" if listed else ""
        return f"au.Simulation.from_checkpoint({checkpoint!r}{more}).run()"


def _check_parts(system: Any, forces: Any, observers: Any, constraints: Any) -> None:
    if not isinstance(system, System):
        raise bad_input(
            f"system is {type(system).__name__}",
            "a System is needed",
            "Use au.build.lattice(...), au.read(...) or au.System(...)",
        )
    for value, words in (
        (forces, "forces"),
        (observers, "observers"),
        (constraints, "constraints"),
    ):
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise bad_input(f"{words} is {value!r}", "a list is needed", f"Write {words}=[...]")
    check_forces(forces)
    check_constraints(constraints)
    for item in observers:
        if not isinstance(item, Observer):
            raise bad_input(
                f"observers holds {item!r}", "only specs belong there", "See help for observers"
            )
