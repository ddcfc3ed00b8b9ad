# SPDX-License-Identifier: Apache-2.0
"""A job that begins where another run ended, in full precision: option -t of mdrun."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.base.errors import FileError, bad_input, file_error
from aureole.checkpoint.record import read_extra
from aureole.checkpoint.restart_common import existing
from aureole.checkpoint.restart_of_system import static_of
from aureole.formats.frame import Frame
from aureole.formats.read_trajectory import Given, frames_of
from aureole.formats.registry import ending_of
from aureole.gromacs.job import Job, Name, job_of
from aureole.observers.frame_of_simulation import frame_of
from aureole.system.box import Box

_ADVICE = "Give a checkpoint (.cpt) of aureole mdrun, or a .trr file with positions and velocities"


def with_state(job: Job, path: Name) -> Job:
    """The job with the positions, velocities and box of a state, checked anew.

    Args:
        job: as its files describe it
        path: a checkpoint of an earlier stage, or a .trr file, of which the last frame with
            positions is taken

    Raises FileError for other files, InputError for another number of particles, and for a
    checkpoint in reduced units or with other types of particles.
    """
    name = os.fspath(path)
    state = _last_frame(name) if ending_of(name) == ".trr" else _of_checkpoint(name, job)
    assert state.position is not None, "frames without are passed over"
    if len(state.position) != job.topology.n:
        raise bad_input(
            f"{name} has {len(state.position):,} particles, the topology {job.topology.n:,}",
            "a run begins with all of them",
            "Give the state of a stage of the same system",
        )
    coordinates = replace(
        job.coordinates, position=state.position, velocity=state.velocity, box=state.box
    )
    draws = job.parameters.dynamics and job.parameters["gen-vel"]
    more = "; it has no velocities" if state.velocity is None else ""
    more = "; gen-vel = yes generates velocities" if draws else more
    used = f"positions{'' if more else ', velocities'} and box of step {state.step:,} are used"
    when = f"{name}: {used}{more}"
    return job_of(
        *(job.topology, coordinates, job.parameters, job.groups),
        job.references if "references" in job.files else None,
        remarks=(*job.remarks, when),
        files=job.files,
    )


def _of_checkpoint(path: str, job: Job) -> Frame:
    """The particles of a checkpoint for a job, placed as in files."""
    path = existing(path)
    try:
        data = read_extra(path, _core.read_extra(path))
        core = _core.Simulation.read_checkpoint(path, device="host", threads=1)[0]
    except FileError as error:
        if os.path.isfile(path) and not _is_ours(path):
            raise file_error(
                path, "is not a checkpoint of Aureole", "the run starts from it", _ADVICE
            ) from None
        raise error
    _check_particles(path, data, core.get("type", order="tag"), job)
    box = Box(
        *core.box, periodic=tuple(data["periodic"]), corner=tuple(data.get("corner", (0, 0, 0)))
    )
    columns = {name: core.get(name, order="tag") for name in ("position", "velocity")}
    start = data.get("integrator") or {}
    return frame_of(core.step, float(start.get("start", 0.0)), box, columns)


def _check_particles(path: str, data: dict[str, Any], types: NDArray[Any], job: Job) -> None:
    """Raise InputError for a checkpoint in other units, or of other particles of a job."""
    if "job" not in data:
        units = static_of(path, data)[0]["units"]
        if units != "molecular":
            raise bad_input(f"{path} uses {units} units", "GROMACS input uses nm and ps", _ADVICE)
        return
    topology = job.topology
    before = np.array(data["type_names"])[types]
    now = np.array(topology.nonbonded.type_names)[topology.expand_atoms().type]
    differ = np.flatnonzero(before != now) if len(before) == len(now) else []
    if len(differ):
        k = differ[0]
        raise bad_input(
            f"{path} has other particles than the topology",
            f"particle {k + 1} has type {before[k]} there, {now[k]} in the topology",
            "Give the state of a stage of the same system",
        )


def _is_ours(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x89AUR"


def _last_frame(path: str) -> Given:
    """The last frame with positions."""
    last = None
    for frame in frames_of(path):
        last = frame or last
    if last is None:
        raise file_error(path, "holds no frame with positions", "the run starts from one", _ADVICE)
    return last
