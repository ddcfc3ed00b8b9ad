# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun` with integrator = steep: downhill, with a table of its own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from ..gromacs.job import Job
from ..gromacs.start import simulation_of
from ..observers.progress import duration
from ..report import table

if TYPE_CHECKING:
    from ..molecular import MolecularSimulation
    from .mdrun import Call


def act(call: Call, job: Job) -> int:
    """Minimise, tell how it went, and write the final frame."""
    given = call.given
    names = call.names()
    if given.checkpoint is not None:
        call.note("-cpi has no effect: a minimisation begins with the coordinates")
    sim = simulation_of(job, device=call.device())
    limit = job.parameters.minimization.tolerance
    call.say(f"steepest descent until no force exceeds {limit:g} kJ/mol/nm")
    began = time.perf_counter()
    call.say(_row("start", sim))
    result = sim.minimize()
    call.say(_row("end", sim))
    seconds = time.perf_counter() - began
    if names.final is not None:
        call.final(sim, names.final)
    words = "converged" if result.converged else "ended before the forces were small enough"
    rows = [
        ("done", f"{words}: {result.steps:,} steps in {duration(seconds)}"),
        ("state", f"potential {result.energy:.8g} kJ/mol, largest force {result.max_force:.5g}"
         " kJ/mol/nm"),
    ]  # fmt: skip
    call.say(table(rows, call.paint))
    return 0


def _row(name: str, sim: MolecularSimulation) -> str:
    size = np.sqrt((sim.get("force") ** 2).sum(axis=1))
    who = int(size.argmax())
    return (
        f"  {name:<6} potential {sim.energy.potential:.8g} kJ/mol, largest force "
        f"{size[who]:.5g} kJ/mol/nm on atom {who + 1}"
    )
