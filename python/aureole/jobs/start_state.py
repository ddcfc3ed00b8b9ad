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
from aureole.checkpoint.restart_of_system import static_of
from aureole.formats.frame import Frame
from aureole.formats.registry import Given, ending_of
from aureole.formats.xtc_trr_reader import Reader
from aureole.gromacs.job import Job, Name, job_of
from aureole.observers.frame_of_simulation import frame_of
from aureole.records.restart import existing
from aureole.system.box import Box

_ADVICE = "Give a checkpoint (.cpt) of aureole mdrun, or a .trr file with positions and velocities"

#: Words for the columns that a start is made of.
_WORDS = {"position": "positions", "velocity": "velocities"}


def with_state(job: Job, path: Name) -> Job:
    """The job with the positions, velocities and box of a state, checked anew.

    Args:
        job: as its files describe it
        path: a checkpoint of an earlier stage, or a .trr file, whose last frame is taken that has
            positions and, if the run begins with velocities of the file, velocities

    A frame without a box gets that of the job. Raises FileError for other files and for a .trr file
    without such a frame, InputError for another number of particles, and for a checkpoint in
    reduced units or with other types of particles.
    """
    name = os.fspath(path)
    draws = job.parameters.dynamics and job.parameters["gen-vel"]
    moves = job.parameters.dynamics and not draws
    if ending_of(name) == ".trr":
        state, passed = _last_frame(name, tuple(_WORDS) if moves else ("position",))
    else:
        state, passed = _of_checkpoint(name, job), ""
    assert state.position is not None, "frames without are passed over"
    if len(state.position) != job.topology.n:
        raise bad_input(
            f"{name} has {len(state.position):,} particles, the topology {job.topology.n:,}",
            "a run begins with all of them",
            "Give the state of a stage of the same system",
        )
    box = job.coordinates.box if state.box is None else state.box
    coordinates = replace(
        job.coordinates, position=state.position, velocity=state.velocity, box=box
    )
    bare = draws or state.velocity is None
    parts = ["positions"] + ([] if bare else ["velocities"])
    used = " and ".join(parts) if state.box is None else f"{', '.join(parts)} and box"
    when = f"{name}: {used} of step {state.step:,} are used{passed}"
    when += "; gen-vel = yes generates velocities" if draws else ""
    if state.box is None and box is not None:
        when += f"; it has no box, so that of {job.files['conf']} is used"
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


def _last_frame(path: str, wanted: tuple[str, ...]) -> tuple[Given, str]:
    """The last frame with all the `wanted` columns, and a remark on those after it."""
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "no such file", "Check its name")
    reader = Reader(path)
    reader.warn_of_rest()
    numbers = [k for k, head in enumerate(reader.heads) if set(wanted) <= set(head.holds)]
    if not numbers and any("position" in head.holds for head in reader.heads):
        raise file_error(
            path,
            "holds no frame with positions and velocities",
            "with gen-vel = no the run starts from both",
            "Write velocities in the stage before (nstvout), set gen-vel = yes, or give a "
            "checkpoint (.cpt) of aureole mdrun",
        )
    if not numbers:
        raise file_error(path, "holds no frame with positions", "the run starts from one", _ADVICE)
    frame, last = reader.read(numbers[-1]), reader.heads[-1]
    assert frame.position is not None, "its head says that it has them"
    box = frame.box if frame.box.any() else None
    given = Given(frame.step, frame.time, frame.position, frame.velocity, box)
    missing = " and no ".join(_WORDS[name] for name in wanted if name not in last.holds)
    return given, f"; the last frame, of step {last.step:,}, has no {missing}" if missing else ""
