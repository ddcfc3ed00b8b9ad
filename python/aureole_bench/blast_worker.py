# SPDX-License-Identifier: Apache-2.0
"""One run of the blast: a job as JSON on stdin, the answer on stdout."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from typing import Any

import numpy as np
from aureole import amr
from aureole.base.errors import DeviceError, InputError

Job = dict[str, Any]


def simulation(job: Job) -> amr.Simulation:
    """The blast of a job, at time 0."""
    problem = amr.sedov(job["cells"], **job["problem"])
    where = {name: job[name] for name in ("device", "threads", "schedule")}
    sim = amr.Simulation(problem.mesh(), problem.gas(), amr.Scheme(**job["scheme"]), **where)
    return sim.set(problem)


def timed(job: Job) -> Job:
    """Seconds of some steps after others, and what the engine counted in them per step."""
    sim = simulation(job)
    sim.run(job["warm"])
    before = _counts(sim)
    began = time.perf_counter()
    sim.run(job["steps"])
    seconds = time.perf_counter() - began
    counts = {name: (n - before[name]) / job["steps"] for name, n in _counts(sim).items()}
    return {"seconds": seconds, "counts": counts}


def _counts(sim: amr.Simulation) -> dict[str, int]:
    """Launches, copies and so on since the start."""
    return dict(sim._core.counts())


def solved(job: Job) -> Job:
    """The state at a time; density and energy go into the file `out`."""
    sim = simulation(job).run(until=job["until"])
    fields = {name: sim.get(name) for name in ("density", "momentum", "energy")}
    bits = hashlib.sha256(b"".join(field.tobytes() for field in fields.values()))
    np.savez(job["out"], density=fields["density"], energy=fields["energy"])
    return {"steps": sim.step, "bits": bits.hexdigest()}


TASKS = {"time": timed, "solve": solved}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    try:
        answer = TASKS[job["task"]](job)
    except (InputError, DeviceError) as error:
        answer = {"refused": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
