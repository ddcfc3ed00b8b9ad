# SPDX-License-Identifier: Apache-2.0
"""One run of our engine for some seconds: a job as JSON on stdin, the answer on stdout.

It names all that it imports in full, so that an engine of another build can run it, too.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import aureole as au
import numpy as np

from aureole_bench.cases import case_named
from aureole_bench.worker import simulation, start

Job = dict[str, Any]
PIECE = 0.02  # seconds between looks at the clock, about


def rate(sim: Any, seconds: float) -> float:
    """Steps per second over so many seconds, after a quarter of that untimed."""
    _run_for(sim, seconds / 4)
    began, before = time.perf_counter(), sim.step
    _run_for(sim, seconds)
    return float((sim.step - before) / (time.perf_counter() - began))


def _run_for(sim: Any, seconds: float) -> None:
    end, steps = time.perf_counter() + seconds, 8
    while (now := time.perf_counter()) < end:
        sim.run(steps)
        spent = time.perf_counter() - now
        # Multiples of a hundred would coincide with energy steps, single steps would measure
        # Python.
        steps = int(np.clip(steps * PIECE / max(spent, 1e-6), 8, 2 * steps))


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    if "case" in job:
        case = case_named(job["case"])
        sim: Any = simulation(job, case, start(job, case))
    else:
        files = job["conf"], job["top"], job["mdp"]
        sim = au.from_gromacs(*files, maxwarn=9, threads=job["threads"])
    found = rate(sim, job["seconds"])
    print(json.dumps({"rate": found}))


if __name__ == "__main__":
    main()
