# SPDX-License-Identifier: Apache-2.0
"""Jobs shared among processes, of which any may crash or hang without harm to the others."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from properties import Outcome, examine, recipe_of_job

PATIENCE = 300.0  # seconds for one job on a machine that has other work


def run_jobs(numbers: Sequence[int], wanted: Sequence[str], processes: int) -> Iterator[Outcome]:
    """What came of each job, in the order in which they end."""
    left = list(reversed(numbers))
    workers = {}
    try:
        for _ in range(min(processes, len(left))):
            worker = _Worker(wanted)
            worker.give(left.pop())
            workers[worker.pipe] = worker
        while workers:
            ready = wait(list(workers), PATIENCE)
            for pipe in ready or list(workers):
                worker = workers.pop(pipe)
                outcome = worker.take(bool(ready))
                if not worker.alive:
                    worker.end()
                    worker = _Worker(wanted)
                if left:
                    worker.give(left.pop())
                    workers[worker.pipe] = worker
                else:
                    worker.end()
                yield outcome
    finally:
        for worker in workers.values():
            worker.end()


class _Worker:
    """One process that looks at one job after another."""

    def __init__(self, wanted: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, list(wanted)), daemon=True)
        self.process.start()
        other.close()
        self.job, self.alive = -1, True

    def give(self, number: int) -> None:
        """Begin with a job."""
        self.job = number
        self.pipe.send(number)

    def take(self, ready: bool) -> Outcome:
        """What came of it; of a process that died or hangs, that it did."""
        if ready:
            try:
                return self.pipe.recv()
            except EOFError:
                self.process.join(10)
                text = f"the process ended with {self.process.exitcode}"
        else:
            text = f"nothing came back within {PATIENCE:g} s"
        self.alive = False
        return Outcome(self.job, failures=[("process", text)])

    def end(self) -> None:
        """End the process."""
        self.pipe.close()
        if self.alive:
            self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(pipe: Connection[Any, Any], wanted: list[str]) -> None:
    while True:
        try:
            number = pipe.recv()
        except EOFError:
            return
        with tempfile.TemporaryDirectory(prefix="aureole-random-") as folder:
            outcome = examine(number, recipe_of_job(number), Path(folder), wanted)
        pipe.send(outcome)
