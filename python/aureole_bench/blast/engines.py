# SPDX-License-Identifier: Apache-2.0
"""Engines that run the blast: ours, and PyClaw in a Python that has it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from aureole.amr.problem import Problem
from aureole.amr.problems import sedov
from aureole.base.errors import Error, bad_input
from numpy.typing import NDArray

from aureole_bench.engines import Labelled, PeerFailed, cpus, last_lines, run_program

WARM = 2  # untimed steps before each measurement
LIMIT = 3600.0  # seconds that one run may take
#: PyClaw's solvers; see pyclaw_worker.py.
STYLES = ("split", "unsplit", "sharpclaw")


class Refused(Error):
    """The engine does not have this schedule on this device."""


@dataclass(frozen=True)
class Blast:
    """The problem: cells along each axis, and what differs from the defaults of `amr.sedov`."""

    cells: int
    folder: Path
    more: Mapping[str, float] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        """The problem for `amr.Simulation`."""
        return sedov(self.cells, **self.more)


@dataclass(frozen=True, eq=False)
class State:
    """Density and energy, [z][y][x], at the problem's time, after `steps`; ours with a digest."""

    density: NDArray[np.float64]
    energy: NDArray[np.float64]
    steps: int
    bits: str | None = None


class BlastEngine(Labelled):
    """One engine and style on a blast, in processes of their own."""

    def __init__(self, case: Blast, style: str) -> None:
        self.case, self.style = case, style

    def work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        """The answer of a worker."""
        raise NotImplementedError

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps after `WARM` others."""
        return float(self.work("time", threads, warm=WARM, steps=steps)["seconds"])

    def state(self, threads: int) -> State:
        """The state at the time at which the problem is compared."""
        out = self.case.folder / "state.npz"
        told = self.work("solve", threads, until=self.case.problem.until, out=str(out))
        with np.load(out) as found:
            return State(found["density"], found["energy"], told["steps"], told.get("bits"))

    def _run(self, command: list[str], job: dict[str, Any], on: list[int]) -> dict[str, Any]:
        text = run_program(
            command,
            on=on,
            folder=self.case.folder,
            text=json.dumps(job),
            environment={"OMP_NUM_THREADS": "1"},
            limit=LIMIT,
        )
        try:
            answer: dict[str, Any] = json.loads(text.strip().splitlines()[-1])
        except (ValueError, IndexError):
            raise PeerFailed(f"{self.label} gave no answer ({last_lines(text)}).", text) from None
        return answer


class Ours(BlastEngine):
    """Our engine, with a schedule for style.

    Args:
        case: the blast
        style: the schedule
        scheme: arguments of `amr.Scheme`
        device: its name, or "hostile": a host that delays its work, for tests; those other than
            the host have all processors
    """

    engine = "aureole"

    def __init__(
        self, case: Blast, style: str, scheme: Mapping[str, str], device: str = "host"
    ) -> None:
        super().__init__(case, style)
        self.scheme, self.device = dict(scheme), device
        #: Counts of the last timed run: launches and copies of a step; of schedules with tasks,
        #: the mean number of tasks that shared launches, and the part of the time that workers
        #: were idle.
        self.counts: dict[str, float] = {}

    def work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        job = {
            **{"task": task, "cells": self.case.cells, "problem": dict(self.case.more)},
            **{"scheme": self.scheme, "schedule": self.style},
            **{"device": self.device, "threads": threads, **more},
        }
        on = cpus(threads) if self.device == "host" else cpus()
        answer = self._run([sys.executable, "-m", "aureole_bench.blast.worker"], job, on)
        if "refused" in answer:
            raise Refused(answer["refused"])
        self.counts = answer.get("counts", {})
        return answer


@dataclass(frozen=True)
class PyClaw:
    """A Python with PyClaw, and its version."""

    python: str
    version: str


class PyClawRun(BlastEngine):
    """PyClaw, with a solver for style."""

    engine = "pyclaw"

    def __init__(self, case: Blast, style: str, peer: PyClaw) -> None:
        super().__init__(case, style)
        self.peer = peer

    def work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        start, problem = self.case.folder / "start.npz", self.case.problem
        if not start.exists():
            x = np.meshgrid(*[problem.mesh().centers(axis) for axis in "xyz"], indexing="ij")
            fields = problem.initial(*x)
            energy = fields["pressure"] / (problem.gamma - 1)
            np.savez(start, density=fields["density"], energy=energy)
        job = {"task": task, "cells": self.case.cells, "gamma": problem.gamma, **more}
        job |= {"style": self.style, "start": str(start)}
        worker = str(Path(__file__).with_name("pyclaw_worker.py"))
        return self._run([self.peer.python, worker], job, cpus(threads))


def find_pyclaw(named: str | None) -> PyClaw:
    """PyClaw of a Python: that named, of AUREOLE_PYCLAW, or this one.

    Raises PeerFailed, with what to do, where it has none, InputError where there is no such Python.
    """
    wanted = named or os.environ.get("AUREOLE_PYCLAW")
    python = shutil.which(wanted) if wanted else sys.executable
    if python is None:
        raise bad_input(
            f"{wanted} cannot be started",
            "it is missing or not executable",
            "Give --pyclaw the path of a Python that has the package clawpack",
        )
    install = "pip install clawpack, which needs a Fortran compiler"
    if not wanted and importlib.util.find_spec("clawpack") is None:
        raise PeerFailed(
            f"PyClaw is missing. Install it ({install}), or name a Python that has it with "
            "--pyclaw or AUREOLE_PYCLAW."
        )
    code = (
        "from importlib.metadata import version\nfrom clawpack import pyclaw, riemann\n"
        "pyclaw.ClawSolver3D(riemann.euler_3D)\nprint(version('clawpack'))"
    )
    # Absolute without following links, which would leave a virtual environment.
    python = os.path.abspath(python)
    try:
        said = run_program([python, "-c", code], on=cpus(), folder=Path(os.path.sep))
    except PeerFailed as error:
        reason = last_lines(error.said) or str(error)
        raise PeerFailed(f"PyClaw is skipped: {python} has none ({reason}). {install}.") from None
    return PyClaw(python, said.strip().splitlines()[-1])
