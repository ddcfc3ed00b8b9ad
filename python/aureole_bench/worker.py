# SPDX-License-Identifier: Apache-2.0
"""Runs one job of our engine in its own process: a job as JSON on stdin, the answer on stdout."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np

from aureole_bench.cases import Case, case_named
from aureole_bench.snapshot import force
from aureole_bench.stats import slope

Job = dict[str, Any]


def simulation(job: Job, case: Case, system: au.System, **more: Any) -> au.Simulation:
    """The case with the job's list, device and threads."""
    tolerance = job.get("tolerance")
    neighbors = au.NeighborList()
    if tolerance is not None:
        neighbors = au.NeighborList(mode="tolerance", tolerance=tolerance)
    settings = {
        "integrator": au.Bussi(
            dt=case.dt, kT=case.kT, tau=case.tau, every=10, remove_com_every=100
        ),
        "device": au.Device(name=job.get("device", "host"), ranks=job.get("ranks", 1)),
        "threads": job["threads"],
        "neighbors": neighbors,
        "seed": 1,
    }
    return au.Simulation(system, [force(case)], **(settings | more))


def start(job: Job, case: Case) -> au.System:
    """The snapshot, `tiles` times along each axis."""
    tiles = np.array(job.get("tiles", (1, 1, 1)))
    with np.load(job["start"]) as data:
        position, velocity = data["position"], data["velocity"]
    edges = case.edge * tiles
    shifts = np.indices(tiles).reshape(3, -1).T * case.edge - (edges - case.edge) / 2
    position = (position[None, :, :] + shifts[:, None, :]).reshape(-1, 3)
    options = case.options(len(shifts))
    return au.System(
        tuple(edges), position, velocity=np.tile(velocity, (len(shifts), 1)), **options
    )


def state(job: Job, case: Case) -> dict[str, Any]:
    """Energy and pressure of the snapshot."""
    sim = simulation(job, case, start(job, case))
    return {"energy": sim.energy.potential, "pressure": sim.pressure}


def timed(job: Job, case: Case) -> dict[str, Any]:
    """Seconds of some steps, with a table of energies every 100, as the peers keep."""
    with tempfile.TemporaryDirectory() as folder:
        log = au.Log(str(Path(folder) / "log.csv"), every=100)
        sim = simulation(job, case, start(job, case), observers=[log])
        if "tiles" in job:
            sim.thermalize(case.kT)
        sim.run(job["warm"])
        if job.get("wait"):
            _wait_for_all(Path(job["wait"]), job["parties"])
        before, each_before = sim.profile(), sim.profiles()
        began, used = time.perf_counter(), time.process_time()
        sim.run(job["steps"])
        seconds, used = time.perf_counter() - began, time.process_time() - used
        after, each_after = sim.profile(), sim.profiles()
        sim.close()
    return {
        "seconds": seconds,
        "processor_seconds": used,
        "n": sim.n,
        "described": plain(sim.describe()),
        "profile": since(before, after),
        "profiles": [since(a, b) for a, b in zip(each_before, each_after, strict=True)],
    }


def since(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """Seconds by region that were spent between two profiles."""
    return {name: value - before.get(name, 0.0) for name, value in after.items()}


def _wait_for_all(folder: Path, parties: int) -> None:
    """Wait until as many processes are here, so that they run at the same time."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix="here-", delete=False):
        pass
    while len(list(folder.glob("here-*"))) < parties:
        time.sleep(0.001)


def quality(job: Job, case: Case) -> dict[str, Any]:
    """Drift of the energy at constant energy, and what the list misses at sampled steps."""
    steps: list[int] = []
    total: list[float] = []
    potential: list[float] = []
    places: list[Any] = []

    def sample(sim: au.Simulation) -> None:
        steps.append(sim.step)
        total.append(sim.energy.total)
        potential.append(sim.energy.potential)
        places.append(sim.get("position"))

    every = au.Callback(sample, every=job["every"])
    system = start(job, case)
    nve = au.NVE(dt=case.dt, remove_com_every=100)
    sim = simulation(job, case, system, integrator=nve, observers=[every])
    sim.run(job["steps"])
    described = plain(sim.describe())
    sim.close()
    exact = simulation({**job, "tolerance": None}, case, system, integrator=nve)
    lost = []
    for place, energy in zip(places, potential, strict=True):
        exact.set("position", place)
        lost.append(energy - exact.energy.potential)
    return {
        "drift": slope(np.array(steps) * case.dt, total) / case.n,
        "missed": float(np.mean(lost)) / -case.energy_at_cut_off / case.n,
        "note": list_note(described),
    }


def memory(job: Job, case: Case) -> dict[str, Any]:
    """Peak resident bytes of a melt from the lattice, and those before the first array."""
    before = peak_memory()
    system = au.build.lattice("fcc", n=case.n, density=case.density, **case.options())
    built = peak_memory()
    sim = simulation(job, case, system, integrator=au.NVE(dt=case.dt))
    sim.thermalize(case.melted_from or case.kT)
    sim.run(job["steps"])
    return {
        "before": before,
        "built": built,
        "peak": peak_memory(),
        "described": plain(sim.describe()),
    }


def peak_memory() -> int:
    """Most bytes of memory that this process has held (getrusage counts in its parent's)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024


def list_note(described: dict[str, Any]) -> str:
    """The engine's facts about its pair list."""
    words = ("list", "buffer", "inner", "outer", "life", "prune", "tile", "cluster")
    parts = [
        f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in described.items()
        if any(word in key for word in words)
    ]
    return ", ".join(parts)


def plain(value: Any) -> Any:
    """The value as JSON can hold it."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        return value.item()
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


TASKS = {"state": state, "time": timed, "quality": quality, "memory": memory}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    case = case_named(job["case"])
    print(json.dumps(TASKS[job["task"]](job, case)))


if __name__ == "__main__":
    main()
