# SPDX-License-Identifier: Apache-2.0
"""The one live object: particles, forces and an integrator on a device."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from aureole.base.attributes import named
from aureole.base.errors import Error, bad_input
from aureole.base.names_elsewhere import OF_SIMULATION
from aureole.base.units import Units, check
from aureole.base.user_warnings import warn
from aureole.base.values import integer, put
from aureole.checkpoint.provenance_record import continuing
from aureole.checkpoint.record import extra_of
from aureole.engine import core_on_ranks
from aureole.engine.model import Model, solver_of
from aureole.engine.not_finite import explaining
from aureole.engine.observed import COLUMNS, SETTABLE, Energy, Observed
from aureole.engine.pass_forces import replace_forces
from aureole.engine.pass_motion import set_integrator
from aureole.engine.provenance import Provenance
from aureole.engine.start import start
from aureole.live.arguments import check_observers
from aureole.live.observer import Observer
from aureole.live.observer_list import HasObservers
from aureole.live.run_loop import RunLoop
from aureole.live.step_number import StepNumber
from aureole.observers import log_columns
from aureole.ranks.collective import of_rank_0
from aureole.records.record import step_in
from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.device import Device
from aureole.specs.external import Stage
from aureole.specs.integrators import Integrator
from aureole.specs.minimizers import FIRE, SteepestDescent
from aureole.specs.neighbor_list import NeighborList
from aureole.specs.spec import Spec
from aureole.system.archive import STATIC
from aureole.system.system import System

from . import durations, minimization, recent_words
from .arguments import SUCH_AS, check_integrator, check_parts, check_stages
from .durations import Duration
from .mesh_of_charges import warn_of_coarse_mesh, with_mesh
from .minimization import Minimum
from .start_temperature import kT_of

if TYPE_CHECKING:
    from aureole.checkpoint.restored import Restored
    from aureole.gromacs.job import Job
    from aureole.specs.constraints import Constraints
    from aureole.system.topology import Topology


__all__ = ["COLUMNS", "SETTABLE", "Energy", "Minimum", "Simulation"]


class Simulation(Provenance, HasObservers, Observed):
    """Particles, forces and an integrator on a device, running.

    Args:
        system: the initial particles and their topology
        forces: specs such as `LennardJones`, `PME`, `HarmonicBond` or `ElectricField`
        integrator: `NVE`, `Langevin`, `Bussi`, or `LeapFrog`, `VelocityVerlet` and
            `StochasticDynamics`, which take thermostats and barostats; may be set later
        observers: output and other actions during runs: `Trajectory`, `Energies`, `Checkpoint`, ...
        seed: seed of all random numbers
        device: "auto", "host", "gpu:0", or a `Device` spec
        precision: "mixed" or "double"; overrides the device spec
        threads: host threads, 0 for all available ones; overrides the device spec
        neighbors: how long a pair list lasts
        constraints: the constraint solver, `LINCS` or `SHAKE`, and immobile particles,
            `Freeze`; rigid waters are always solved exactly
        stages: further operations in each step: `LinearDrag`, `SteadyMotion`, ...
        step: number of the first step

    Attributes:
        type_names: names of the particle types
        topology: bonded terms, exclusions and names of molecules; None without any
        units: of all numbers
        solver: the constraint solver with its settings
        origin: further contents of the input files; None without any

    The same binary, input, seed and number of threads give a bitwise identical trajectory.
    Raises InputError when the parts do not fit together, DeviceError when the device is absent.
    """

    _advice = (
        "Make another simulation: au.Simulation(sim.snapshot(), sim.forces, sim.integrator, ...)."
    )
    _copying = (
        "Make another one of sim.snapshot(), or one that goes on exactly: "
        'sim.write_checkpoint("a.ckpt"), then au.Simulation.from_checkpoint("a.ckpt").'
    )
    _elsewhere: ClassVar = OF_SIMULATION
    _offers = frozenset({"particles", "checkpoints", "quantities"})
    _observer = 'au.Energies("energies.csv", every=100)'
    _such_as = SUCH_AS
    seed: int
    type_names: tuple[str, ...]
    constraints: tuple[Spec, ...]
    neighbors: NeighborList
    solver: Constraints
    units: Units
    topology: Topology | None
    stages: tuple[Stage, ...] = ()
    _forces: tuple[Spec, ...] = ()
    _told_of_lists = False
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
        check_parts(system, forces, constraints)
        check_observers(observers, type(self))
        check_stages(stages)
        wanted = Device.of(device, precision, threads)
        put(self, "seed", integer(seed, "seed", low=0))
        model = Model(system, tuple(forces), tuple(constraints), neighbors or NeighborList())
        for spec in (*model.forces, *model.constraints, model.neighbors, *stages):
            check(spec, model.units)
        if integrator is not None:
            check_integrator(integrator, system.box, model.units)
        first = integer(step, "step", low=0)
        model = with_mesh(model, wanted.precision)
        self._take(model)
        put(self, "stages", tuple(stages))
        self._core = start(
            model, wanted, self.seed, stages=self.stages, integrator=integrator, step=first
        )
        put(self, "device", core_on_ranks.of_launcher(wanted))
        warn_of_coarse_mesh(model)
        self._integrator = integrator
        self._loop = RunLoop(self, [self._in_steps(spec) for spec in observers])

    def _take(self, model: Model) -> None:
        """Take all of a model but the engine's own state."""
        self._box, self._forces = model.system.box, model.forces
        put(self, "type_names", model.system.type_names)
        for name in ("constraints", "neighbors", "solver", "units", "topology"):
            put(self, name, getattr(model, name))
        self._static = {name: getattr(model.system, name) for name in STATIC}

    @classmethod
    @named(temperature="Set sim.integrator afterwards, which has the temperature")
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
        """The simulation that wrote the checkpoint, at the step of the checkpoint.

        Args:
            path: the file; if it is missing, PATH.prev is used
            job: for a simulation of GROMACS input files: those files, read again;
                None reads the files that the checkpoint names
            callbacks: the `Callback` observers, in order (a checkpoint cannot hold functions)
            device: another device than before
            threads: another number of threads than before; sums then round differently
            observers: replace those of the interrupted run; one with the same kind and file
                continues that file; None keeps the observers of the interrupted run
            allow_write: files and folders outside of the checkpoint's own folder that the run may
                write, if the checkpoint names them

        Raises FileError, naming the damaged part, if the file was altered; InputError, naming
        the difference, if the files of the job have changed since.
        """
        # Few starts are restarts, and these take time to import.
        from aureole.checkpoint.restart_of_system import load
        from aureole.records.restart import Changes

        changes = Changes(
            callbacks=callbacks,
            device=device,
            threads=threads,
            observers=observers,
            allow_write=allow_write,
        )
        return restored_simulation(load(os.fspath(path), job, changes))

    # Running

    @property
    def forces(self) -> tuple[Spec, ...]:
        """The force specs; assign new ones to change them between runs.

        Positions, velocities, thermostat and barostat state and the step number are kept. Raises
        InputError, and keeps the old forces, if the new ones do not fit the system.
        """
        return self._forces

    @forces.setter
    def forces(self, value: Sequence[Spec]) -> None:
        self._check_no_views("set the forces")
        system = self.snapshot()
        check_parts(system, value, self.constraints)
        model = Model(system, tuple(value), self.constraints, self.neighbors)
        for spec in model.forces:
            check(spec, self.units)
        model = with_mesh(model, self.device.precision)
        try:
            replace_forces(self._core, model)
            found = self._core.thermo()  # refuses what the box has no room for
            self._loop.accept_forces({entry["name"] for entry in found["per_force"]})
        except Error:
            replace_forces(self._core, replace(model, forces=self._forces))
            raise
        warn_of_coarse_mesh(model)
        self._forces, self._packed = model.forces, None
        put(self, "topology", model.topology)
        self._changes += 1

    @property
    def integrator(self) -> Integrator | None:
        """The equations of motion; assign another spec to change them between runs."""
        return self._integrator

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        check_integrator(value, self.box, self.units)
        set_integrator(
            *(self._core, value, self._start_with(value), self.type_names),
            lambda: Model(self.snapshot(), self.forces, self.constraints, self.neighbors),
        )
        self._keep_views_open()
        self._integrator = value
        self._changes += 1

    def _start_with(self, value: Integrator) -> float:
        """The time of step 0, so that the time goes on unless the integrator brings another one."""
        before = self._integrator
        if before is None or value.start not in (0.0, before.start):
            return value.start
        return self.start if value.dt == self.dt else self.time - self.step * value.dt

    @property
    def step(self) -> int:
        """The current step; may be set between runs."""
        return StepNumber(self._core.step)

    @step.setter
    def step(self, value: int) -> None:
        self._core.step = integer(value, "step", low=0)

    @of_rank_0
    def run(self, steps: Duration | None = None, *, until: Duration | None = None) -> Simulation:
        """Make a number of steps, run until a step, or finish an interrupted run.

        Args:
            steps: how many, or in molecular units a time such as "20 ps"
                or ``20 * openmm.unit.picoseconds``
            until: the step to reach, or a time such as "1 ns"; nothing happens if it has passed
                already

        Without either, a simulation of GROMACS input runs as long as its .mdp file says.
        Ctrl-C, SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU end a run between two steps, after a
        checkpoint if there is a `Checkpoint` observer; then KeyboardInterrupt or Terminated is
        raised. A handler of Python's for one of the last two stays in place.
        Raises BlowUpError naming particle, partner, force and step; FileError when output fails.
        """
        self._check_can_run()
        self._loop.run(durations.target(self, steps, until))
        return self

    def _told(self) -> dict[str, Any]:
        """Facts about the last run for other ranks that run the same script."""
        loop = getattr(self, "_loop", None)  # not while the simulation is being made
        if loop is None:
            return {}
        return {"target": loop.target, "steps_per_second": loop.steps_per_second}

    def _hear(self, told: dict[str, Any]) -> None:
        for name, value in told.items():
            setattr(self._loop, name, value)

    def steps_of(self, duration: Duration) -> int:
        """Steps in a number of steps, or in a time such as "20 ps" or a quantity of openmm.unit."""
        return durations.steps_of(self, duration)

    def recent_notes(self) -> list[str]:
        """Notes since the last call, for logs: the first pair list that particles outran."""
        outrun = 0 if self._told_of_lists else int(self._core.describe()["lists_outrun"])
        if not outrun:
            return []
        self._told_of_lists = True
        return [recent_words.of_outrun_lists(self.step, outrun)]

    def recent_warnings(self) -> list[str]:
        """Warnings since the last call, for logs.

        They report the constraint that rotated most in one step, if beyond `warn_angle`. Rotations
        are checked when pair lists are rebuilt, about every fifty steps.
        """
        return recent_words.of_rotation(self._core.take_largest_turn(), self.solver.warn_angle)

    def _check_can_run(self) -> None:
        self._check_no_views("run")
        if self._integrator is not None:
            return
        if self.origin is not None:
            raise bad_input(
                f"{self.origin.where('integrator')}: this integrator makes no time steps",
                "it minimises the energy",
                "Call minimize(), or choose md",
            )
        raise bad_input(
            "the simulation has no integrator",
            "nothing says how particles move",
            "Set sim.integrator, for example to au.NVE(dt=0.005)",
        )

    @of_rank_0
    def minimize(
        self,
        spec: FIRE | SteepestDescent | None = None,
        *,
        tell: Callable[[int, float, float, float, int], None] | None = None,
        **changes: Any,
    ) -> Minimum:
        """Move the particles to a nearby minimum of the potential energy.

        Args:
            spec: `FIRE` or `SteepestDescent`; None uses the minimiser of the .mdp file if there
                is one; else in molecular units steepest descent until no force exceeds 1000
                kJ/mol/nm, as at the start of a run; else steepest descent for systems with rigid
                parts, and FIRE otherwise
            tell: called at each step of a steepest descent with the step, the displacement
                [length], the energy, the largest force [energy/length] and its particle
            changes: fields of the spec by name, such as max_steps

        A `Progress` observer shows the progress. Warns if the minimisation ends at the default
        limit of steps, or where no step lowers the energy further; `Minimum.reason` tells.
        """
        self._check_no_views("minimize")
        if callable(spec):
            warn("minimize(tell) is now minimize(tell=tell)", DeprecationWarning)
            spec, tell = None, spec
        chosen = minimization.chosen(self, spec, changes)
        self._changes += 1
        of_files = self.origin is not None and self._integrator is None
        own_limit = spec is not None or "max_steps" in changes
        warns = tell is None and not of_files
        return minimization.minimum(self, chosen, tell, warns=warns, own_limit=own_limit)

    @named(
        filter='Make velocities yourself, and use sim.set("velocity", ...)',
        temperature='Write sim.thermalize("300 K")',
    )
    @of_rank_0
    def thermalize(self, kT: float | str | None = None, *, seed: int | None = None) -> Simulation:
        """Draw velocities from the Maxwell-Boltzmann distribution.

        The total momentum is zero and the kinetic temperature exactly kT; rigid parts stay rigid.

        Args:
            kT: temperature [energy] in reduced units, text such as "300 K" or "2.5 kJ/mol" in
                molecular ones; None uses that of the integrator's thermostat
            seed: seed of the velocities; None uses that of the simulation
        """
        self._check_no_views("thermalize")
        wanted = None if seed is None else integer(seed, "seed", low=0)
        self._core.thermalize(kT_of(self, kT), wanted)
        if isinstance(self._integrator, Dynamics) and not self.solver.continuation:
            self._core.stop_whole()
        self._changes += 1
        return self

    def view(self) -> Any:
        """The particles as they are now, a picture that turns in a notebook: see `view`."""
        from aureole.report.view import view  # which few runs need

        return view(self)

    @of_rank_0
    def write_checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write everything that an exact restart needs, once other output is on the disk."""
        self._loop.write_checkpoint(os.fspath(path))

    def _advance(self, steps: int, until: float) -> None:
        self._core.run(steps)  # of runs that end by steps alone

    def _steps_before(self, time: float) -> int:
        return durations.steps_before(self, time)

    def _in_steps(self, spec: Observer) -> Observer:
        log_columns.check(spec)
        return durations.in_steps(self, spec)

    def _quantities(self, names: Sequence[str] | None) -> log_columns.Chosen:
        return log_columns.Chosen(self, names)

    def _explaining(self) -> AbstractContextManager[None]:
        return explaining(self)

    def _save(self, path: str) -> None:
        self._core.write_checkpoint(path, extra_of(self))

    def _step_saved(self, path: str, step: int) -> int:
        return step_in(path, step)

    def _continuing(self, path: str, step: int | None = None) -> str:
        return continuing(self, path, step)

    def _with_other_files(self, path: str) -> str:
        if self.origin is not None and self.origin.command is not None:
            return ""  # the command tells its options
        return (
            f"au.Simulation.from_checkpoint({path!r}, observers=[...]) continues with other files."
        )


def restored_simulation(restored: Restored) -> Simulation:
    """The simulation of the contents of a checkpoint."""
    sim = Simulation.__new__(Simulation)
    sim._core, sim._box, sim._forces = restored.core, restored.box, restored.forces
    sim._static, sim._integrator = dict(restored.static), restored.integrator
    for name in (
        *("device", "seed", "type_names", "constraints", "stages", "neighbors"),
        *("units", "topology", "origin"),
    ):
        put(sim, name, getattr(restored, name))
    put(sim, "solver", solver_of(restored.constraints))
    sim._loop = RunLoop(sim, restored.observers)
    sim._loop.states, sim._loop.target = restored.states, restored.target
    sim._loop.saved = restored.path, sim.step
    return sim
