# SPDX-License-Identifier: Apache-2.0
"""What a child of the drill server does: one simulation, from anew or from its checkpoint."""

from __future__ import annotations

import json
import os
import signal
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np

CHECKPOINT = "run.ckpt"
TRAJECTORY = "run.gsd"
LOG = "run.csv"


def new_simulation(folder: Path, options: dict[str, Any], callback: au.Callback) -> au.Simulation:
    """A small liquid with a random thermostat that writes everything a run can write."""
    system = au.build.lattice("fcc", n=options["n"], density=0.8442)
    every = options["every"]
    sim = au.Simulation(
        system,
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.Langevin(dt=0.005, kT=1.2, gamma=0.5),
        observers=[
            au.Trajectory(str(folder / TRAJECTORY), every=every["trajectory"]),
            au.Log(str(folder / LOG), every=every["log"]),
            callback,
            au.Checkpoint(str(folder / CHECKPOINT), every=every["checkpoint"]),
        ],
        seed=7,
        device="host",
        threads=options.get("threads", 1),
    )
    sim.thermalize(kT=1.2)
    return sim


def simulate(request: dict[str, Any], started: Callable[[], None]) -> dict[str, Any]:
    """Run to the end, going on from a checkpoint if one is there; then note the final state.

    request: folder, options (n, steps, every), notes: a folder outside for what the parent reads.
    """
    folder, notes = Path(request["folder"]), Path(request["notes"])
    options = request["options"]
    progress = os.open(notes / "progress", os.O_RDWR | os.O_CREAT, 0o644)

    def note(sim: au.Simulation) -> None:
        os.pwrite(progress, struct.pack("<q", sim.step), 0)

    callback = au.Callback(note, every=options["every"]["log"])
    saved = Path(request.get("checkpoint") or folder / CHECKPOINT)
    if saved.exists() or Path(f"{saved}.prev").exists():
        sim = au.Simulation.from_checkpoint(saved, callbacks=[callback], allow_write=[folder])
    else:
        sim = new_simulation(folder, options, callback)
    first = sim.step
    (notes / "first").write_text(str(first))
    started()
    with sim:
        sim.run(until=options["steps"])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    columns = ("position", "velocity", "image", "force")
    state = {name: sim.get(name) for name in columns} | {"local": sim.get("tag", order="local")}
    np.savez(
        notes / "final.npz",
        **state,
        sums=[sim.energy.potential, sim.energy.kinetic, sim.pressure, float(sim.step)],
    )
    return {"first": first, "step": sim.step}


def read_inputs(request: dict[str, Any], started: Callable[[], None]) -> dict[str, Any]:
    """Let a reader loose on mutated files; see drill_mutations.py."""
    import drill_mutations

    started()
    return drill_mutations.judge(request)


def blow_up(request: dict[str, Any], started: Callable[[], None]) -> dict[str, Any]:
    """One injection; see drill_injections.py."""
    import drill_injections

    started()
    return drill_injections.inject(request)


JOBS = {"simulate": simulate, "read_inputs": read_inputs, "blow_up": blow_up}


def perform(request: dict[str, Any], started: Callable[[], None]) -> dict[str, Any]:
    """The outcome of a job; an error of ours becomes part of it."""
    try:
        return {"ok": True} | JOBS[request["job"]](request, started)
    except au.Error as error:
        return {"ok": False, "error": type(error).__name__, "text": str(error)}


if __name__ == "__main__":
    import sys

    print(json.dumps(perform(json.loads(sys.argv[1]), lambda: None)))
