# SPDX-License-Identifier: Apache-2.0
"""Our engine in the benchmarks: each run is a process of its own, like the peers' runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from aureole.base.errors import Error

from aureole_bench.engines import SAMPLE, WARM, Engine, Quality, State, cpus, run_program
from aureole_bench.snapshot import Snapshot


def work(job: dict[str, Any], on: Sequence[int], folder: Path) -> dict[str, Any]:
    """The worker's answer to a job; Error when it fails."""
    command = [sys.executable, "-m", "aureole_bench.worker"]
    text = run_program(command, on=on, folder=folder, text=json.dumps(job))
    answer: dict[str, Any] = json.loads(text.strip().splitlines()[-1])
    return answer


class Aureole(Engine):
    """Our engine with the exact list (`tolerance` None) or the tolerance list."""

    engine = "aureole"

    def __init__(self, tolerance: float | None = None, device: str = "host") -> None:
        self.tolerance = tolerance
        self.device = device
        self.style = "exact" if tolerance is None else f"tolerance {tolerance:g}"
        self.described: dict[str, Any] = {}

    def prepare(self, snapshot: Snapshot, folder: Path) -> None:
        self.case = snapshot.case
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.start = folder / "start.npz"
        np.savez(self.start, position=snapshot.position, velocity=snapshot.velocity)

    def work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        """One task of the worker on this snapshot, on `threads` processors.

        `cpus` is another number of them; 0: all.
        """
        allowed = cpus(more.pop("cpus", threads) or None)
        job = {
            "task": task,
            "case": self.case.name,
            "start": str(self.start),
            "tolerance": self.tolerance,
            "device": self.device,
            "threads": threads,
            **more,
        }
        return work(job, allowed, self.folder)

    def state(self) -> State:
        answer = self.work("state", 1)
        return State(answer["energy"], answer["pressure"], "mixed")

    def seconds(self, threads: int, steps: int) -> float:
        answer = self.work("time", threads, warm=WARM, steps=steps)
        self.described = answer["described"]
        return float(answer["seconds"])

    def timed(self, ranks: int, threads: int, steps: int) -> dict[str, Any]:
        """Seconds, profiles and more of a run of so many ranks, with so many threads each."""
        processors = ranks * threads
        return self.work("time", threads, cpus=processors, ranks=ranks, warm=WARM, steps=steps)

    def quality(self, steps: int) -> Quality:
        answer = self.work("quality", 1, steps=steps, every=SAMPLE)
        if not np.isfinite(answer["drift"]):
            raise Error(f"the energy of {self.label} is not finite. Run `aureole run` on the case.")
        return Quality(answer["drift"], answer["missed"], answer["note"])


class AureoleRanks(Aureole):
    """Our engine with a rank of one thread on each processor."""

    where = ", ranks"

    def seconds(self, threads: int, steps: int) -> float:
        return float(self.timed(threads, 1, steps)["seconds"])
