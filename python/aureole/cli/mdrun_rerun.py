# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -rerun`: what the forces say about frames that are there already."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..gromacs.job import Job
from ..gromacs.outputs import files_of, rerun_observers
from ..gromacs.rerun import rerun
from ..observers.progress import duration

if TYPE_CHECKING:
    from .mdrun import Call


def act(call: Call, job: Job) -> int:
    """Energies of all frames into the table, their forces into the .trr."""
    given = call.given
    if given.checkpoint is not None:
        call.note("-cpi has no effect: a rerun has no state to go on from")
    names = call.names()
    specs = rerun_observers(names)
    call.back_up(files_of(specs))
    call.note(
        "particles stay where the frames have them, without constraints; where frames hold no "
        "velocities, kinetic energies are 0 and pressures are those of the virial alone"
    )
    began = time.perf_counter()
    count = rerun(job, given["rerun"], specs, call.device())
    seconds = time.perf_counter() - began
    call.say(
        f"{count:,} frames of {given['rerun']} in {duration(seconds)}: {', '.join(files_of(specs))}"
    )
    return 0
