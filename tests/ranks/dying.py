# SPDX-License-Identifier: Apache-2.0
"""What ranks do while one of them dies: a script for `aureole run`.

Words: the folder of the checkpoint, the number of ranks, the work ("steps", "gathering",
"checkpoint" or "callback") and what a rank does to itself, [rank, seconds, way] or null. Prints the
processes of the ranks, then works until the end.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import aureole as au


class Broken(Exception):
    """An error in a follower."""


def arm(world: Any, victim: int, seconds: float, way: str, folder: str) -> None:
    """On every rank: the victim will exit, raise an error, or find the disk full."""
    if world.rank != victim:
        return
    if way == "full disk":
        fault = {"FOLDER": folder, "KIND": "enospc", "AT": "2", "STICKY": "1"}
        os.environ.update({f"AUREOLE_FAULTS_{name}": value for name, value in fault.items()})
        ctypes.CDLL(None).aureole_faults_restart()
        return
    main_thread = threading.main_thread().ident or 0

    def act() -> None:
        if way == "exit":
            os._exit(3)
        raised = ctypes.c_ulong(main_thread), ctypes.py_object(Broken)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(*raised)

    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


def slow(sim: au.Simulation) -> None:
    """A callback that asks all ranks for something."""
    time.sleep(0.002)
    assert sim.energy.potential < 0


def main() -> None:
    folder, ranks, work, plan = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
    state = Path(folder) / "state.cpt"
    observers = [au.Callback(slow, every=1)] if work == "callback" else []
    device = au.Device(ranks=ranks, threads=1)
    sim = au.Simulation.from_checkpoint(state, device=device, observers=observers)
    team = sim._core._team
    if plan:
        import dying  # this file, as the others know it

        team.call(dying.arm, *plan, folder)
    print(*[team.world.process(r) for r in range(ranks)], flush=True)
    while True:
        sim.run(7)
        for _ in range(20 if work == "gathering" else 0):
            sim.get("velocity")
        for _ in range(4 if work == "checkpoint" else 0):
            sim.write_checkpoint(state)


if __name__ == "__main__":
    main()
