# SPDX-License-Identifier: Apache-2.0
"""The live object: a gas on a mesh, on a device."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.base.attributes import named
from aureole.base.errors import bad_input
from aureole.base.text import rate
from aureole.base.values import integer, number, put
from aureole.live.arguments import check_device, check_observers
from aureole.live.live import WITHOUT_END
from aureole.live.observer import Observer
from aureole.live.observer_list import HasObservers
from aureole.live.run_loop import RunLoop
from aureole.ranks.team import standing
from aureole.records.record import step_in
from aureole.records.restart import Changes, naming_the_previous
from aureole.specs.device import Device

from . import restart, words
from .blocks import Blocks
from .cells import Cells, CellsOfLeaves, at_level
from .criterion import Criterion
from .engine_arguments import arguments_of, check_part, refining_of
from .fields import field_of
from .gas import IdealGas
from .initial_state import State, set_cells
from .log_columns import Chosen
from .mesh import Mesh
from .names_elsewhere import OF_ARGUMENTS, OF_RUN, OF_SIMULATION
from .problem import Problem
from .region import Region
from .schedules import Schedule
from .scheme import Scheme

_LACKS = {"algorithm": "it has no pair lists", "ranks": "it runs on one rank"}


class Simulation(HasObservers):
    """A gas on a mesh, running: Euler's equations in 1, 2 or 3 dimensions.

    Args:
        mesh: the box and its cells
        gas: the equation of state; None for an ideal gas with γ = 1.4
        scheme: the numerical scheme; None for that of the defaults
        observers: actions during runs: `Progress`, `Callback`, `TimeLimit`, `Log`, `Checkpoint`,
            `TimedCheckpoint`, `Snapshot`
        device: "auto", "host", "gpu:0", or a `Device` spec; always in double precision
        threads: host threads, 0 for all available ones; overrides the device spec
        schedule: how the work of a step is launched; results have the same bits: "pack",
            "subgrids" or "aggregate", or a `Pack`, `Subgrids` or `Aggregate` spec
        refine: where cells are finer: parts of the box, as `Region`, and criteria of the state, as
            `SecondDerivative`, `Gradient` and `Threshold`, which are looked at every 4 steps

    All numbers are in code units. Before it can run, `set` gives it a state.
    Raises InputError when the parts do not fit together, DeviceError when the device is absent.
    """

    _advice = (
        "Make another simulation, or write a checkpoint and give it to from_checkpoint() with "
        "refine=[...] or scheme=amr.Scheme(...). set() changes cells, time and step; run(until=...)"
        " sets the time to reach."
    )
    _elsewhere: ClassVar = OF_SIMULATION
    _of_others: ClassVar = OF_ARGUMENTS
    _copying = (
        'To have another one in the same state, write a checkpoint: sim.write_checkpoint("a.ckpt"),'
        ' then amr.Simulation.from_checkpoint("a.ckpt").'
    )
    _offers = frozenset({"checkpoints", "quantities", "sub-grids"})
    _is_set = False
    mesh: Mesh
    gas: IdealGas
    scheme: Scheme
    schedule: Schedule
    refine: tuple[Region | Criterion, ...]

    def __init__(
        self,
        mesh: Mesh,
        gas: IdealGas | None = None,
        scheme: Scheme | None = None,
        observers: Sequence[Observer] = (),
        *,
        device: str | Device = "auto",
        threads: int | None = None,
        schedule: str | Schedule = "pack",
        refine: Sequence[Region | Criterion] = (),
    ) -> None:
        parts = {
            "mesh": mesh,
            "gas": IdealGas() if gas is None else gas,
            "scheme": Scheme() if scheme is None else scheme,
        }
        for (name, part), kind in zip(parts.items(), (Mesh, IdealGas, Scheme), strict=True):
            check_part(name, part, kind)
            put(self, name, part)
        check_observers(observers, type(self))
        wanted = Device.of(device, None, threads)
        check_device(wanted, "amr.Simulation", _LACKS)
        if standing()[1] > 1:
            raise bad_input(
                f"amr.Simulation was made on {standing()[1]} ranks",
                "it runs on one rank",
                "Start the script without mpirun",
            )
        put(self, "schedule", Schedule.of(schedule))
        put(self, "refine", refining_of(refine, mesh))
        self._begin(replace(wanted, precision="double"), wanted.threads, observers)

    def _begin(self, device: Device, threads: int, observers: Sequence[Observer]) -> None:
        """Make the engine of the parts, with so many threads."""
        put(self, "device", device)
        parts = self.mesh, self.gas, self.scheme, self.schedule, self.refine
        arguments = arguments_of(device, *parts)
        self._core = _core.Fluid(**arguments | {"threads": threads})
        self._loop = RunLoop(self, [self._in_steps(spec) for spec in observers])

    @classmethod
    def from_checkpoint(
        cls,
        path: str | os.PathLike[str],
        *,
        callbacks: Sequence[Observer] = (),
        device: str | Device | None = None,
        threads: int | None = None,
        schedule: str | Schedule | None = None,
        scheme: Scheme | None = None,
        refine: Sequence[Region | Criterion] | None = None,
        observers: Sequence[Observer] | None = None,
        allow_write: Iterable[str | os.PathLike[str]] = (),
    ) -> Simulation:
        """The simulation that wrote the checkpoint, at its step and time.

        Args:
            path: the file; if it is missing, PATH.prev is used
            callbacks: the `Callback` observers, in order (a checkpoint cannot hold functions)
            device: another device than before
            threads: another number of threads than before
            schedule: another schedule than before
            scheme: another numerical scheme than before
            refine: other regions and criteria than before, of the same box and `max_level`
            observers: replace those of the interrupted run; one with the same kind and file
                continues that file; None keeps the observers of the interrupted run
            allow_write: files and folders outside of the checkpoint's own folder that the run may
                write, if the checkpoint names them

        ``sim.run()`` without arguments finishes the interrupted run. Results have the same bits as
        those of a run that was not interrupted, unless scheme or refine were changed.
        Raises FileError, naming the damaged part, if the file was altered, and InputError for a
        checkpoint of particles.
        """
        changes = Changes(
            callbacks=callbacks,
            device=device,
            threads=threads,
            observers=observers,
            allow_write=allow_write,
        )
        found = restart.load(os.fspath(path), changes)
        sim = cls.__new__(cls)
        for name, part in found.parts.items():
            put(sim, name, part)
        if schedule is not None:
            put(sim, "schedule", Schedule.of(schedule))
        if scheme is not None:
            check_part("scheme", scheme, Scheme)
            put(sim, "scheme", scheme)
        put(sim, "refine", refining_of(sim.refine if refine is None else refine, sim.mesh))
        check_observers(found.observers, cls)
        check_device(found.device, "amr.Simulation", _LACKS)
        sim._begin(found.device, found.threads, found.observers)
        with naming_the_previous(found.path):
            sim._core.read_checkpoint(found.path)
        sim._is_set = True
        loop = sim._loop
        loop.states, loop.target, loop.target_time = found.states, found.target, found.target_time
        loop.saved = found.path, sim.step
        return sim

    # The state

    def set(
        self,
        state: State | None = None,
        *,
        time: float | None = None,
        step: int | None = None,
        **fields: Any,
    ) -> Simulation:
        """Set the state of all cells, the time, the step, or several of these.

        Args:
            state: fields by name, or a function of the coordinates of the cells that returns them:
                of x, of x and y, or of x, y and z, arrays of the shape of all cells; or a
                `Problem`, which must be meant for this mesh and gas, and is the state of time 0
            time: the time that it is [time], from which the next run goes on; None leaves it as it
                is. Alone it changes the time only.
            step: the number of the present step; None leaves it as it is
            fields: the same by keyword as `state`

        Fields are density and pressure, and velocity, which is zero if it is not given: a tuple
        with a field for each axis or an array whose last axis they are, or velocity_x, velocity_y
        and velocity_z. Each is a number or an array of the shape of all cells; in one dimension
        `velocity` may be one as well. The shape is that of the mesh, `sim.mesh.shape`; of a mesh
        with levels, that of ``sim.blocks.centers("x")``. Cells have averages; the values are taken
        as such. Criteria refine the mesh for functions; later arrays are of the present mesh.

        Raises InputError for a field that is unknown, missing, of another shape, not finite or not
        positive, naming the first such cell and its position, and for a problem of another mesh,
        gas or time.
        """
        if state is not None and fields:
            raise bad_input(
                "set got a state and single fields", "only one can apply", "Give one of them"
            )
        if isinstance(time, np.ndarray) and time.ndim == 0:  # as .npz files have it
            time = time[()]
        now = None if time is None else number(time, "time")
        if isinstance(state, Problem):
            self._check_start(now)
        number_of_step = None if step is None else integer(step, "step", low=0, high=2**59)
        with self._loop._held():
            if state is not None or fields or (now is None and step is None):
                set_cells(self, state, fields)
                self._is_set = True
            if number_of_step is not None:
                self._core.set_step(number_of_step)
            if now is not None:
                self._core.set_time(now)
        return self

    def _check_start(self, time: float | None) -> None:
        """Refuse another time than that of the initial state of a problem."""
        if (self.time if time is None else time) != 0:
            problem = f"time is {self.time:g} and stays" if time is None else f"time is {time:g}"
            raise bad_input(
                problem,
                "the problem starts at time 0, and its exact solution counts from there",
                "Write sim.set(problem, time=0), or give set() a function of your own",
            )

    @property
    def _cells(self) -> Cells:
        """Where the cells are, in arrays of all of them."""
        leaves = np.asarray(self._core.leaves())
        return CellsOfLeaves(self.mesh, leaves) if leaves[:, 0].any() else Cells(self.mesh)

    def _coordinates(self) -> list[NDArray[np.float64]]:
        """Coordinates of the centres of all cells, x first, each array of their shape."""
        return self._cells.coordinates()

    def get(self, name: str, level: int | None = None) -> NDArray[np.float64]:
        """A copy of a field: (nz, ny, nx), in two dimensions (ny, nx), in one (nx,).

        Args:
            name: density, pressure, sound_speed, energy (kinetic and internal energy of a unit of
                volume), velocity or momentum (of a unit of volume), which have one more axis, the
                last, with a component for each axis of the mesh, or one component such as
                velocity_x or momentum_z
            level: from 0 to `max_level` of the mesh: the cells that a uniform mesh of this level
                has, of means and repeated cells. It may be left out where there are no levels.
        """
        self._check_is_set()
        dims, shape, gamma = self.mesh.dims, self.mesh.shape, self.gas.gamma
        most = len(self.describe()["subgrids_of_level"]) - 1
        if level is None and most > 0:
            raise bad_input(
                "the mesh has cells of several sizes",
                f"sub-grids have levels up to {most}",
                f"Write sim.get({name!r}, level={most}), or sim.blocks.cells({name!r})",
            )
        if level is None:
            return field_of(name, np.asarray(self._core.conserved()), gamma, dims, shape)
        level = integer(level, "level of get", low=0, high=max(most, self.mesh.max_level))
        leaves = np.asarray(self._core.leaves())
        whole = at_level(self.mesh, leaves, np.asarray(self._core.conserved_of_leaves()), level)
        return field_of(name, whole, gamma, dims, tuple(n << level for n in shape))

    @property
    def blocks(self) -> Blocks:
        """The sub-grids: `levels`, `boxes`, coordinates and cells of each."""
        return Blocks(self)

    @property
    def time(self) -> float:
        """Simulated time [time]."""
        return float(self._core.time)

    @property
    def dt(self) -> float:
        """Length of the last step [time]; 0 before any."""
        return float(self._core.dt)

    @property
    def totals(self) -> dict[str, Any]:
        """Integrals over the box: mass, momentum (3,) and energy, kinetic and internal."""
        self._check_is_set()
        found = self._core.totals()
        return {
            name: np.asarray(v) if name == "momentum" else float(v) for name, v in found.items()
        }

    @property
    def counts(self) -> dict[str, float]:
        """Work of the device since the start, as a dictionary of counts.

        Launches of kernels, copies and their bytes, events, allocations of device memory, and looks
        (times that the host waited for the device). Schedules with tasks add `tasks`, the batches
        that tasks shared, `workers`, and `idle_seconds`: time without work, summed over workers.
        """
        return dict(self._core.counts())

    @property
    def repairs(self) -> dict[str, int]:
        """What was recomputed since the state was set, also before a restart, as a dictionary.

        `steps` that were made again, `cells` with fluxes of first order and `floors`: cells that
        got a thousandth of the density or pressure that they had. A cell counts in each stage.
        """
        return dict(self._core.repairs())

    def profile(self) -> dict[str, float]:
        """Seconds spent since the start in steps, in checks and changes of the mesh, in copies of
        the state (`get`, `totals` and what observers read), and in checkpoints.
        """
        return dict(self._core.profile())

    # Running

    @named(**OF_RUN)
    def run(self, steps: int | None = None, *, until: float | None = None) -> Simulation:
        """Make a number of steps, run until a time, or finish an interrupted run.

        Args:
            steps: how many
            until: the time to reach; the last step is shortened to end exactly at it; nothing
                happens if it has passed already

        Ctrl-C, SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU end a run between two steps; then
        KeyboardInterrupt or Terminated is raised.
        Raises BlowUpError naming cell, position, field and step, also where the time stands still
        because a step is below the rounding of the time.
        """
        self._check_is_set()
        if steps is not None and until is not None:
            raise bad_input("both steps and until are given", "only one can apply", "Give one")
        if isinstance(steps, float) and not steps.is_integer():
            raise bad_input(
                f"steps is {steps:g}",
                "it is a number of steps",
                f"Write sim.run(until={steps:g}) for a time",
            )
        if steps is not None:
            self._loop.run(self.step + integer(steps, "steps", low=0))
        elif until is not None:
            self._loop.run(WITHOUT_END, number(until, "until"))
        elif self._loop.target is not None:
            self._loop.run(max(self.step, self._loop.target), self.target_time)
        else:
            raise bad_input(
                "run needs a number of steps or a time",
                "there is no interrupted run to finish",
                "Write sim.run(100), or sim.run(until=0.2)",
            )
        return self

    def _check_is_set(self) -> None:
        if not self._is_set:
            raise bad_input(
                "the gas has no state yet",
                "nothing says what the cells hold",
                "Call sim.set(density=..., pressure=...) first",
            )

    def write_checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write all that an exact restart needs, once other output is on the disk."""
        self._check_is_set()
        self._loop.write_checkpoint(os.fspath(path))

    def _save(self, path: str) -> None:
        self._core.write_checkpoint(path, restart.record_of(self))

    def _step_saved(self, path: str, step: int) -> int:
        return step_in(path, step)

    def _continuing(self, path: str, step: int | None = None) -> str:
        return restart.continuing(self, path)

    def _with_other_files(self, path: str) -> str:
        return (
            f"amr.Simulation.from_checkpoint({path!r}, observers=[...]) continues with other files."
        )

    def _in_steps(self, spec: Observer) -> Observer:
        if spec.needs == "quantities":
            self._quantities(getattr(spec, "quantities", None))
        checked: Observer = super()._in_steps(spec)
        return checked

    def _quantities(self, names: Sequence[str] | None) -> Chosen:
        return Chosen(self, names)

    def pace(self, steps_per_second: float) -> str:
        """A speed in cells per second."""
        return f"{rate(steps_per_second * int(self.describe()['cells']))} cells/s"

    def header_rows(self) -> list[tuple[str, str]]:
        """Mesh, device and threads in words, for the first lines of a run."""
        return words.header_rows(self)

    def _place(self) -> str:
        return f"step {self.step:,}  time {self.time:.6g}"

    def __repr__(self) -> str:
        cells = words.cells(self).partition(" in ")[0]
        where = f"step {self.step}, time {self.time:g}"
        return f"Simulation({cells} cells, {self.gas!r}, {self.scheme!r}, {where})"
