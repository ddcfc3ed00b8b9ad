# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of the frames of a trajectory, without steps in between."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import BlowUpError, Error, FileError, bad_input, file_error
from aureole.engine import core_on_ranks
from aureole.formats.coordinates import Coordinates
from aureole.formats.read_trajectory import Given, frames_of
from aureole.gromacs.job import Job
from aureole.live.observer import Observer, Recorder
from aureole.live.signals import Signals
from aureole.live.writer_thread import Writer
from aureole.observers.run_log import RunLog
from aureole.simulation.simulation import Simulation
from aureole.specs.device import Device

from .from_gromacs import simulation_of
from .rerun_log import Course, RerunLog

_SAME_BOX = 1e-6  # relative; trajectories hold single precision


def rerun(
    job: Job, path: str, observers: Sequence[Observer], device: Device, until: float = float("inf")
) -> Course:
    """Have observers look at every frame of a trajectory that has positions.

    Args:
        job: topology and parameters; its coordinates are those of each frame in turn
        path: the trajectory
        observers: what is written; a `RunLog` becomes the log of a rerun
        device: where forces are computed
        until: time.monotonic() at which the rerun ends

    Particles stay exactly where the frame has them, without constraints. A signal and the end of
    the time end the rerun between two frames. Raises InputError for a frame that does not fit the
    topology, FileError for a trajectory without positions.
    """
    course = Course(path)
    recorders = [
        RerunLog(spec, course, observers) if isinstance(spec, RunLog) else spec.recorder()
        for spec in observers
    ]
    with (
        core_on_ranks.keeping_ranks(device),
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
            "forces need the position of every particle",
            "Give a trajectory with positions",
        )
    return course


class _Recording:
    """Recorders that look at one frame after the other; their files are whole after the block."""

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


#: Advice in errors that helps only runs with steps.
_OF_STEPS = re.compile(r" Minimise first,[^.]*\.")


@contextmanager
def _naming_frame(path: str, number: int) -> Iterator[None]:
    """Name the frame in errors, but not in those of files that are written."""
    try:
        yield
    except FileError:
        raise
    except Error as error:
        damaged = isinstance(error, BlowUpError)
        hint = " The frame may be damaged: inspect it, or remove it from the trajectory."
        text = _OF_STEPS.sub("", str(error)) + hint if damaged else str(error)
        error.args = (f"frame {number} of {path}: {text}",)
        raise


def _check(job: Job, frame: Given) -> None:
    problem = None
    if len(frame.position) != job.topology.n:
        problem = f"it has {len(frame.position)} particles, but the topology has {job.topology.n}"
    elif not np.isfinite(frame.position).all():
        problem = "some of its positions are not finite"
    if problem is not None:
        raise bad_input(
            problem,
            "forces need the position of every particle",
            "Give a trajectory of the whole system",
        )


def _step_of(job: Job, frame: Given, number: int) -> int:
    """The step at the time of the frame; without a time, the frame's own step or its number."""
    if frame.time is not None:
        parameters = job.parameters
        return max(0, round((frame.time - parameters.t_start) / parameters.dt))
    return frame.step or number


def _placed(job: Job, frame: Given, sim: Simulation | None, device: Device) -> Simulation:
    """A simulation of the frame; that of the last frame is reused if the box is the same."""
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
    """The job with the frame as its coordinates, which nothing moves at the start.

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
    parameters = replace(given, integrator="md-vv" if bare else given.integrator)
    parameters = parameters.changed({"gen-vel": False, "continuation": True})
    return replace(job, coordinates=coordinates, parameters=parameters)
