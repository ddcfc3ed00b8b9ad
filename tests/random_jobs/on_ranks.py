# SPDX-License-Identifier: Apache-2.0
"""Several ranks find the energies and forces of one: at the start, after some steps, and from the
checkpoint that they write there."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from aureole import Device, Simulation
from aureole.base.errors import InputError
from aureole.engine import core_on_ranks
from built import Built, Refused
from lists import DOUBLE, differences, point_of
from particles import Particles

#: In which a job is divided; the smaller ones more often, as boxes of jobs are small.
GRIDS = [
    *(3 * [(2, 1, 1), (1, 2, 1), (1, 1, 2)]),
    *((2, 2, 1), (2, 1, 2), (1, 2, 2), (2, 2, 2)),
    *((3, 1, 1), (1, 3, 1), (1, 1, 3)),
]
STEPS = 12


def check(job: Built | Particles) -> Iterator[str]:
    """What differs, in words; raises Refused where it cannot be divided so."""
    try:
        yield from _check(job)
    except InputError as error:
        # A later list may be wider than the first, and then its particles are not all near enough.
        if "the box is too small for" not in str(error):
            raise
        raise Refused(str(error)) from None


def _check(job: Built | Particles) -> Iterator[str]:
    grid = random.Random(job.recipe.seed).choice(GRIDS)
    how = {"threads": 1, "precision": "double", "algorithm": job.recipe.algorithm, "pin": False}
    one, many = Device(**how), Device(ranks=int(np.prod(grid)), grid=grid, **how)
    words = "x".join(map(str, grid)) + " ranks"
    with job.simulation(device=one) as sim:
        first = point_of(sim)
    path = job.folder / "ranks.ckpt"
    with core_on_ranks.keeping_ranks(many):
        with job.simulation(device=many) as sim:
            yield from differences(f"{words} beside one", point_of(sim), first, DOUBLE)
            if isinstance(job, Built) and not job.dynamics:
                return
            sim.run(STEPS)
            moved = point_of(sim)
            sim.write_checkpoint(path)
        with Simulation.from_checkpoint(path, device=one) as sim:
            wanted = point_of(sim)
        if isinstance(job, Particles) and not job.recipe.neighbors:  # then lists are exact
            yield from differences(f"{words} after steps", moved, wanted, DOUBLE)
        with Simulation.from_checkpoint(path, device=many) as sim:
            yield from differences(f"{words}, restarted", point_of(sim), wanted, DOUBLE)
