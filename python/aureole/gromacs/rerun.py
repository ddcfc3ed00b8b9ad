# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of the frames of a trajectory, without steps in between."""

from __future__ import annotations

import math
import os
import re
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import leading
from ..errors import BlowUpError, Error, FileError, bad_input, file_error
from ..formats.read import READ, Reader
from ..formats.scan import scan
from ..integrators import Device
from ..observers import Observer, Recorder, RunLog, Writer
from ..signals import Signals
from ..simulation import Simulation
from .coordinates import Coordinates
from .job import Job, read_coordinates
from .rerunlog import Course, RerunLog
from .start import simulation_of

_ANGSTROM = 0.1  # nm
_SAME_BOX = 1e-6  # relative; trajectories hold single precision


@dataclass(frozen=True, eq=False)
class Given:
    """One frame as a trajectory has it; lengths in nm, times in ps."""

    step: int
    time: float | None
    position: NDArray[np.float64]
    velocity: NDArray[np.float64] | None
    box: NDArray[np.float64] | None


def frames_of(path: str) -> Iterator[Given | None]:
    """The frames of .xtc, .trr, .dcd and what else chemfiles reads; .gro and .pdb have one.

    None stands for a frame of a .trr that has no positions.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending in (".gro", ".pdb", ".ent", ".tpr"):
        one = read_coordinates(path)
        yield Given(one.step or 0, one.time, one.position, one.velocity, one.box)
        return
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "there is no such file", "Check its name")
    if ending in READ:
        yield from _own_frames(path)
        return
    if ending == ".dcd":
        scan(path)  # chemfiles believes what a file says of itself
    import chemfiles

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with chemfiles.Trajectory(path) as file:
                for _ in range(file.nsteps):
                    yield _given(file.read())
    except chemfiles.ChemfilesError as error:
        raise file_error(
            path, "cannot be read", error, "Give an .xtc, .trr, .dcd, .gro or .pdb file"
        ) from None


def _own_frames(path: str) -> Iterator[Given | None]:
    reader = Reader(path)
    for frame in reader:
        box = frame.box if frame.box.any() else None
        yield (
            None
            if frame.position is None
            else Given(frame.step, frame.time, frame.position, frame.velocity, box)
        )
    if reader.rest:
        warnings.warn(
            f"{path}: {reader.rest:,} bytes after the last whole frame are left out", stacklevel=2
        )


def _given(frame: Any) -> Given:
    time = float(frame["time"]) if "time" in list(frame.list_properties()) else None
    box = np.array(frame.cell.matrix, dtype=float).T * _ANGSTROM
    return Given(
        step=int(frame.step),
        time=time if time is not None and math.isfinite(time) else None,
        position=np.array(frame.positions, dtype=float) * _ANGSTROM,
        velocity=np.array(frame.velocities) * _ANGSTROM if frame.has_velocities() else None,
        box=box if box.any() else None,
    )


def rerun(
    job: Job,
    path: str,
    observers: Sequence[Observer],
    device: Device,
    until: float = float("inf"),
) -> Course:
    """Have observers look at every frame of a trajectory that has positions.

    Args:
        job: topology and parameters; its coordinates are those of each frame in turn
        path: the trajectory
        observers: what is written; a `RunLog` becomes the log of a rerun
        device: where forces are computed
        until: time.monotonic() at which it is over

    Particles stay exactly where the frame has them, without constraints. A signal and the end of
    the time end it between two frames. Raises InputError for a frame that does not fit the
    topology, FileError for a trajectory without positions.
    """
    course = Course(path)
    recorders = [
        RerunLog(spec, course, observers) if isinstance(spec, RunLog) else spec.recorder()
        for spec in observers
    ]
    with (
        leading.keeping_ranks(device),
        Signals() as signals,
        _Recording(recorders) as recording,
    ):
        for frame in frames_of(path):
            if signals.caught is not None or time.monotonic() >= until:
                course.stopped, course.caught = True, signals.caught
                break
            if frame is None:
                course.bare += 1
                continue
            with _naming_frame(path, course.frames + course.bare + 1):
                _check(job, frame)
                sim = _placed(job, frame, recording.sim, device)
                sim.step = _step_of(job, frame, course.frames)
                course.add(sim.step, sim.time, frame.velocity is not None)
                recording.look(sim)
    if course.frames == 0 and not course.stopped:
        raise file_error(
            path,
            "holds no frame with positions",
            "forces need a place for every particle",
            "Give a trajectory that has some",
        )
    return course


class _Recording:
    """Recorders at work on one frame after the other; the files are whole when it is left."""

    def __init__(self, recorders: Sequence[Recorder]) -> None:
        self.sim: Simulation | None = None
        self._recorders = recorders
        self._writer = Writer()

    def look(self, sim: Simulation) -> None:
        """Have all recorders look at the particles."""
        for recorder in self._recorders:
            if self.sim is None:
                recorder.open(sim, self._writer, None)
                recorder.start(sim, sim.step)
            recorder.observe(sim, sim.step)
        self.sim = sim

    def __enter__(self) -> _Recording:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self.sim is not None:
                for recorder in self._recorders:
                    recorder.finish(self.sim)
                self._writer.drain()
        finally:
            self._writer.close()
            for recorder in self._recorders:
                recorder.close()


#: Advice of errors that helps where steps are made.
_OF_STEPS = re.compile(r" Minimise first,[^.]*\.")


@contextmanager
def _naming_frame(path: str, number: int) -> Iterator[None]:
    """Errors tell the frame, but those of files that are written."""
    try:
        yield
    except FileError:
        raise
    except Error as error:
        damaged = isinstance(error, BlowUpError)
        hint = " The frame may be damaged: look at it, or write the trajectory without it."
        text = _OF_STEPS.sub("", str(error)) + hint if damaged else str(error)
        error.args = (f"frame {number} of {path}: {text}",)
        raise


def _check(job: Job, frame: Given) -> None:
    problem = None
    if len(frame.position) != job.topology.n:
        problem = f"it has {len(frame.position)} particles, the topology {job.topology.n}"
    elif not np.isfinite(frame.position).all():
        problem = "it holds numbers that are not finite"
    if problem is not None:
        raise bad_input(
            problem,
            "forces need a place for every particle",
            "Give a trajectory of the whole system",
        )


def _step_of(job: Job, frame: Given, number: int) -> int:
    """The step whose time is that of the frame; else the frame's own, or its number."""
    if frame.time is not None:
        parameters = job.parameters
        return max(0, round((frame.time - parameters.t_start) / parameters.dt))
    return frame.step or number


def _placed(job: Job, frame: Given, sim: Simulation | None, device: Device) -> Simulation:
    """A simulation of the frame: the one of the last frame where its box is the same."""
    box = job.coordinates.box if frame.box is None else frame.box
    still = _still(job, frame, box)
    if (
        sim is None
        or not all(sim.box.periodic)
        or not _same(sim, box)
        or _integrator_of(sim) != still.parameters.integrator
    ):
        sim = simulation_of(still, device=device)
    else:
        sim.set("position", frame.position - sim.box.origin)
    velocity = np.zeros_like(frame.position) if frame.velocity is None else frame.velocity
    sim.set("velocity", velocity)
    return sim


def _integrator_of(sim: Simulation) -> str:
    assert sim.parameters is not None, "it was made from a job"
    return sim.parameters.integrator


def _same(sim: Simulation, box: NDArray[np.float64] | None) -> bool:
    return box is not None and bool(
        np.allclose(sim.box.matrix.T, box, rtol=0, atol=_SAME_BOX * np.abs(box).max())
    )


def _still(job: Job, frame: Given, box: NDArray[np.float64] | None) -> Job:
    """The job with the frame as its coordinates, which nothing shall move at the start.

    Leap-frog and sd give the kinetic energy of the steps before and after, which is not 0 for
    particles at rest: frames without velocities get velocity Verlet.
    """
    near = job.coordinates.box
    if box is not None and near is not None and np.allclose(box, near, rtol=0, atol=_SAME_BOX * 10):
        box = near  # the same box, rounded
    coordinates: Coordinates = replace(
        job.coordinates, position=frame.position, velocity=frame.velocity, box=box
    )
    given = job.parameters
    bare = frame.velocity is None and given.dynamics
    parameters = replace(
        given,
        integrator="md-vv" if bare else given.integrator,
        velocities=replace(given.velocities, generate=False),
        constraints=replace(given.constraints, continuation=True),
    )
    return replace(job, coordinates=coordinates, parameters=parameters)
