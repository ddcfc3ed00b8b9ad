# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of the frames of a trajectory, without steps in between."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import bad_input, file_error
from ..integrators import Device
from ..molecular import MolecularSimulation
from ..observers import Observer, Writer
from .coordinates import Coordinates
from .job import Job, read_coordinates
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


def frames_of(path: str) -> Iterator[Given]:
    """The frames of .xtc, .trr, .dcd and what else chemfiles reads; .gro and .pdb have one."""
    ending = os.path.splitext(path)[1].lower()
    if ending in (".gro", ".pdb", ".ent", ".tpr"):
        one = read_coordinates(path)
        yield Given(one.step or 0, one.time, one.position, one.velocity, one.box)
        return
    if not os.path.exists(path):
        raise file_error(path, "cannot be read", "no such file", "Check its name")
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


def _given(frame: Any) -> Given:
    time = frame["time"] if "time" in list(frame.list_properties()) else None
    box = np.array(frame.cell.matrix, dtype=float).T * _ANGSTROM
    return Given(
        step=int(frame.step),
        time=None if time is None else float(time),
        position=np.array(frame.positions, dtype=float) * _ANGSTROM,
        velocity=np.array(frame.velocities) * _ANGSTROM if frame.has_velocities() else None,
        box=box if box.any() else None,
    )


def rerun(
    job: Job,
    path: str,
    observers: Sequence[Observer],
    device: Device,
    told: Callable[[int, MolecularSimulation], None] = lambda step, sim: None,
) -> int:
    """Have observers look at every frame of a trajectory.

    Args:
        job: topology and parameters; its coordinates are those of each frame in turn
        path: the trajectory
        observers: what is written
        device: where forces are computed
        told: called after each frame

    Returns the number of frames. Particles stay exactly where the frame has them, without
    constraints. Raises InputError for a frame that does not fit the topology.
    """
    writer = Writer()
    recorders = [spec.recorder() for spec in observers]
    sim: MolecularSimulation | None = None
    count = 0
    try:
        for count, frame in enumerate(frames_of(path), 1):
            _check(job, path, frame, count)
            sim = _placed(job, frame, sim, device)
            sim.step = _step_of(job, frame, count - 1)
            for recorder in recorders:
                if count == 1:
                    recorder.open(sim, writer, None)
                    recorder.start(sim, sim.step)
                recorder.observe(sim, sim.step)
            told(sim.step, sim)
        if sim is not None:
            for recorder in recorders:
                recorder.finish(sim)
        writer.drain()
    finally:
        writer.close()
        for recorder in recorders:
            recorder.close()
    return count


def _check(job: Job, path: str, frame: Given, number: int) -> None:
    problem = None
    if len(frame.position) != job.topology.n:
        problem = f"has {len(frame.position)} particles, the topology {job.topology.n}"
    elif not np.isfinite(frame.position).all():
        problem = "holds numbers that are not finite"
    if problem is not None:
        raise bad_input(
            f"frame {number} of {path} {problem}",
            "forces need a place for every particle",
            "Give a trajectory of the whole system",
        )


def _step_of(job: Job, frame: Given, number: int) -> int:
    """The step whose time is that of the frame; else the frame's own, or its number."""
    if frame.time is not None:
        parameters = job.parameters
        return max(0, round((frame.time - parameters.t_start) / parameters.dt))
    return frame.step or number


def _placed(
    job: Job, frame: Given, sim: MolecularSimulation | None, device: Device
) -> MolecularSimulation:
    """A simulation of the frame: the one of the last frame where its box is the same."""
    box = job.coordinates.box if frame.box is None else frame.box
    if sim is None or not all(sim.box.periodic) or not _same(sim, box):
        sim = simulation_of(_still(job, frame, box), device=device)
    else:
        sim.set("position", frame.position - 0.5 * sim.box.matrix.sum(axis=1))
    velocity = np.zeros_like(frame.position) if frame.velocity is None else frame.velocity
    sim.set("velocity", velocity)
    return sim


def _same(sim: MolecularSimulation, box: NDArray[np.float64] | None) -> bool:
    return box is not None and bool(
        np.allclose(sim.box.matrix.T, box, rtol=0, atol=_SAME_BOX * np.abs(box).max())
    )


def _still(job: Job, frame: Given, box: NDArray[np.float64] | None) -> Job:
    """The job with the frame as its coordinates, which nothing shall move at the start."""
    near = job.coordinates.box
    if box is not None and near is not None and np.allclose(box, near, rtol=0, atol=_SAME_BOX * 10):
        box = near  # the same box, rounded
    coordinates: Coordinates = replace(
        job.coordinates, position=frame.position, velocity=frame.velocity, box=box
    )
    parameters = replace(
        job.parameters,
        velocities=replace(job.parameters.velocities, generate=False),
        constraints=replace(job.parameters.constraints, continuation=True),
    )
    return replace(job, coordinates=coordinates, parameters=parameters)
