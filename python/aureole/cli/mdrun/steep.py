# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun` with integrator = steep: minimisation, with its own table."""

from __future__ import annotations

import os
import time

from aureole.base.errors import FormatError
from aureole.base.files import is_saved
from aureole.base.text import duration
from aureole.checkpoint.restart_of_job import look_at
from aureole.cli.run_summary import table
from aureole.gromacs.job import Job
from aureole.gromacs.job_record import check_same
from aureole.jobs.from_gromacs import simulation_of
from aureole.jobs.steepest_descent import LOG_HEAD, LOG_UNITS, Row, descend, leave, words_on
from aureole.observers.run_log import RunLog
from aureole.simulation.simulation import Simulation

from .run_job import Call

BETWEEN = 1.0  # seconds between two rows on the terminal


def act(call: Call, job: Job) -> int:
    """Minimise, report progress, and write the final frame."""
    given = call.given
    if given.checkpoint is not None:
        if is_saved(given.checkpoint):  # of another run, whose files would be replaced
            check_same(given.checkpoint, look_at(given.checkpoint).job, job)
        call.note("-cpi has no effect: a minimisation starts from the coordinates")
    names = call.names()
    log = RunLog(
        names.log,
        inputs=job.files,
        notes=(*given.notes, *job.remarks),
        outputs={} if names.final is None else {"last_frame": names.final},
    )
    sim = simulation_of(job, device=call.device())
    call.check_room(sim, names.final)
    files = [*names.tables, *log.files]
    call.claims.take(files)
    call.back_up(files)
    call.clear(names.final)
    limit = job.parameters["emtol"]
    call.say(f"steepest descent until no force exceeds {limit:g} kJ/mol/nm\n")
    call.say((LOG_HEAD + LOG_UNITS).rstrip("\n"))
    rows = _Rows(call)
    began = time.perf_counter()
    done = descend(sim, names.tables, log, rows.add, call.end)
    rows.close(done.last)
    frame = names.final
    if frame is not None and done.stopped:  # its own name would say that nothing is left to do
        frame = "{}.stopped{}".format(*os.path.splitext(frame))
        call.clear(frame)
    if frame is not None:
        frame = _final(call, sim, frame)
    minimum = done.minimum
    state = (
        f"potential {minimum.energy:.8g} kJ/mol, largest force {minimum.max_force:.5g} kJ/mol/nm "
        f"on atom {done.last.atom}"
    )
    leave(done, frame)
    words = words_on(sim, minimum)
    if done.stopped:
        words = f"time limit (-maxh) reached at step {minimum.steps:,}"
        words += f"; {frame} holds the frame of lowest energy so far" if frame else ""
    spent = duration(time.perf_counter() - began)
    call.say("\n" + table([("done", f"{words}, {spent}"), ("state", state)], call.paint))
    return 0


def _final(call: Call, sim: Simulation, path: str) -> str:
    """Write the frame; where its format has no room for it, as .trr, for no checkpoint holds it."""
    try:
        call.final(sim, path)
    except FormatError as error:
        other = f"{os.path.splitext(path)[0]}.trr"
        call.clear(other)
        call.final(sim, other)
        call.note(f"{error} The frame is in {other} instead")
        return other
    return path


class _Rows:
    """Rows on the terminal: the first, one now and then (with -v all), and the last."""

    def __init__(self, call: Call) -> None:
        self._call, self._all = call, bool(call.given["v"])
        self._next, self._shown = 0.0, -1

    def add(self, row: Row) -> None:
        if self._all or time.monotonic() >= self._next:
            self._show(row)

    def close(self, row: Row) -> None:
        if row.step != self._shown:
            self._show(row)

    def _show(self, row: Row) -> None:
        self._call.say(row.text().rstrip("\n"))
        self._next, self._shown = time.monotonic() + BETWEEN, row.step
