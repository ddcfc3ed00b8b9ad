# SPDX-License-Identifier: Apache-2.0
"""One job of our engine on molecules: a job as JSON on stdin, the answer on stdout."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import aureole as au
import numpy as np
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import simulation_of

from aureole_bench.worker import plain, since

Job = dict[str, Any]


def point(job: Job) -> Job:
    """Energies by force of the start, whose forces go into the file `force`."""
    files = read_job(job["conf"], job["top"], job["mdp"])
    sim = simulation_of(files, threads=job["threads"], precision=job.get("precision", "mixed"))
    np.save(job["force"], sim.get("force"))
    return {"energy": sim.energy.per_force}


def timed(job: Job) -> Job:
    """Seconds of some steps after others."""
    sim = _simulation(job)
    sim.run(job["warm"])
    before, each_before = sim.profile(), sim.profiles()
    began = time.perf_counter()
    sim.run(job["steps"])
    seconds = time.perf_counter() - began
    after, each_after = sim.profile(), sim.profiles()
    return {
        "seconds": seconds,
        "ns_per_day": sim.ns_per_day,
        "profile": since(before, after),
        "profiles": [since(a, b) for a, b in zip(each_before, each_after, strict=True)],
        "described": plain(sim.describe()),
    }


def course(job: Job) -> Job:
    """The conserved energy every so many steps."""
    sim = _simulation(job)
    times, energies = [0.0], [sim.conserved]
    for _ in range(job["steps"] // job["every"]):
        sim.run(job["every"])
        times.append(sim.step * sim.parameters.dt)
        energies.append(sim.conserved)
    return {"time": times, "energy": energies}


def _simulation(job: Job) -> Any:
    # What grompp warns of was decided when the input was made.
    files = job["conf"], job["top"], job["mdp"]
    ranks = job.get("ranks", 1)
    more = {"device": au.Device(ranks=ranks)} if ranks > 1 else {}
    more |= {name: job[name] for name in ("index", "references") if name in job}
    return au.from_gromacs(*files, maxwarn=9, threads=job["threads"], **more)


def can_run() -> bool:
    """Are there dynamics of molecules in this build?"""
    return hasattr(au, "from_gromacs")


TASKS = {"point": point, "time": timed, "course": course}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    print(json.dumps(plain(TASKS[job["task"]](job))))


if __name__ == "__main__":
    main()
