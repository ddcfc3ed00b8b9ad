# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -rerun`: energies and forces of the frames of a trajectory."""

from __future__ import annotations

import time

from aureole.base.text import duration, printable
from aureole.gromacs.job import Job
from aureole.jobs.output_files import files_of, rerun_observers
from aureole.jobs.rerun import rerun
from aureole.jobs.rerun_log import NOTE, Course
from aureole.live.signals import leave

from .output_names import refuse_names
from .run_job import Call


def act(call: Call, job: Job) -> int:
    """Energies of all frames into the table and the log, their forces into the .trr."""
    given = call.given
    path = given["rerun"]
    if given.checkpoint is not None:
        call.note("-cpi has no effect: a rerun has no state to continue from")
    if given["t"]:
        call.note("-t has no effect: positions and boxes are those of the trajectory")
    specs = rerun_observers(job, call.names(), path, (NOTE, *given.notes))
    files = files_of(specs)
    refuse_names(files, [path], "the trajectory of -rerun", "Give other names, with -deffnm")
    call.claims.take(files)
    call.back_up(files)
    call.note(NOTE)
    began = time.perf_counter()
    course = rerun(job, path, specs, call.device(), call.end)
    seconds = time.perf_counter() - began
    call.say(f"{course.text()}\n{duration(seconds)}: {printable(', '.join(files))}")
    _leave(call, course)
    return 0


def _leave(call: Call, course: Course) -> None:
    """Tell of an early end; raise what a caught signal asks for."""
    if not course.stopped:
        return
    where = f"after {course.frames:,} frames of {course.path}"
    if course.caught is None:
        call.say(f"time limit (-maxh) reached: stopped {printable(where)}")
    else:
        leave(course.caught, where)
