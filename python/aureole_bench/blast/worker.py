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
from aureole.amr.schedules import BY_NAME
from aureole.base.errors import DeviceError, InputError
from aureole.specs.device import Device

Job = dict[str, Any]
REFUSALS = (InputError, DeviceError)


def simulation(job: Job) -> amr.Simulation:
    """The blast of a job, at time 0."""
    problem = amr.sedov(job["cells"], **job["problem"])
    where = {name: job[name] for name in ("device", "threads", "schedule")}
    if job["device"] == "hostile":
        where["device"] = Device(name="host", hostile=True)
    sim = amr.Simulation(problem.mesh(), problem.gas(), amr.Scheme(**job["scheme"]), **where)
    return sim.set(problem)


def timed(job: Job) -> Job:
    """Seconds of some steps after others, and what the engine counted in them."""
    return _timed(simulation(job), job)


def _timed(sim: amr.Simulation, job: Job) -> Job:
    sim.run(job["warm"])
    before = sim.counts
    began = time.perf_counter()
    sim.run(job["steps"])
    seconds = time.perf_counter() - began
    after = sim.counts
    found = {name: n - before[name] for name, n in after.items()}
    counts = {name: found[name] / job["steps"] for name in ("launches", "copies")}
    if found["batches"]:
        counts["mean_batch"] = found["tasks"] / found["batches"]
        counts["idle"] = found["idle_seconds"] / (after["workers"] * seconds)
    return {"seconds": seconds, "counts": counts}


def swept(job: Job) -> Job:
    """The result of `timed` for each of the settings of a schedule, and the bits at the end."""
    rows = []
    for settings in job["settings"]:
        try:
            sim = simulation({**job, "schedule": BY_NAME[job["schedule"]](**settings)})
            rows.append({**_timed(sim, job), "bits": _bits(sim)})
        except REFUSALS as error:
            rows.append({"refused": str(error)})
    return {"rows": rows}


def solved(job: Job) -> Job:
    """The state at a time; density and energy go into the file `out`."""
    sim = simulation(job).run(until=job["until"])
    np.savez(job["out"], density=sim.get("density"), energy=sim.get("energy"))
    return {"steps": sim.step, "bits": _bits(sim)}


def _bits(sim: amr.Simulation) -> str:
    """A digest of the state."""
    fields = [sim.get(name) for name in ("density", "momentum", "energy")]
    return hashlib.sha256(b"".join(field.tobytes() for field in fields)).hexdigest()


TASKS = {"time": timed, "sweep": swept, "solve": solved}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    try:
        answer = TASKS[job["task"]](job)
    except REFUSALS as error:
        answer = {"refused": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
