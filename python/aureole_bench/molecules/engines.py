# SPDX-License-Identifier: Apache-2.0
"""Engines that run molecules: ours, GROMACS, and OpenMM's CPU platform."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole_bench.engines import Labelled, cpus, run_program
from aureole_bench.gmx import Gmx, Point
from aureole_bench.molecules.cases import MolecularCase
from aureole_bench.stats import slope

LIMIT = 3600.0  # seconds that one run may take


@dataclass(frozen=True, eq=False)
class Course:
    """The conserved energy over some steps.

    Args:
        time: [ps]
        energy: [kJ/mol]
    """

    time: NDArray[np.float64] = field(repr=False)
    energy: NDArray[np.float64] = field(repr=False)

    def drift(self, n: int) -> float:
        """Slope per particle [kJ/mol/ps]."""
        return slope(self.time, self.energy) / n


class MolecularEngine(Labelled):
    """One engine on one case."""

    def __init__(self, case: MolecularCase) -> None:
        self.case = case

    def point(self) -> Point:
        """Energies and forces of the start."""
        raise NotImplementedError

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps after the case's untimed ones."""
        raise NotImplementedError

    def course(self, threads: int, steps: int) -> Course | None:
        """The conserved energy; None where the engine has none."""
        raise NotImplementedError


class Peer(MolecularEngine):
    """GROMACS with what it chooses for these run parameters."""

    engine = "gromacs"

    def __init__(self, case: MolecularCase, program: str) -> None:
        super().__init__(case)
        self.gmx = Gmx(program, case.folder)
        self._compiled = False

    def _compile(self) -> None:
        if not self._compiled:
            conf, top, _ = self.case.files
            self.gmx.grompp("run", Path(conf.name), Path(top.name), self.case.settings)
            self._compiled = True

    def point(self) -> Point:
        conf, top, _ = self.case.files
        return self.gmx.point("point", Path(conf.name), Path(top.name), self.case.settings)

    def seconds(self, threads: int, steps: int) -> float:
        self._compile()
        words = ("-notunepme", "-nsteps", steps + self.case.warm)
        where = self._where(threads)
        return self.gmx.seconds("run", self.case.warm, *words, **where, limit=LIMIT)

    def course(self, threads: int, steps: int) -> Course:
        self._compile()
        words = ("-noconfout", "-notunepme", "-nsteps", steps)
        self.gmx.mdrun("run", *words, **self._where(threads), limit=LIMIT)
        found = self.gmx.energies("run", "Conserved-En.")
        return Course(np.array(found["time"]), np.array(found["Conserved-En."]))

    def _where(self, processors: int) -> dict[str, int]:
        return {"threads": processors}


class PeerRanks(Peer):
    """GROMACS with a thread-MPI rank on each processor."""

    where = ", ranks"

    def _where(self, processors: int) -> dict[str, int]:
        return {"threads": processors, "ranks": processors}


class _Worker(MolecularEngine):
    """An engine whose runs are processes of Python, of `module`."""

    module = ""

    def _work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        processors = more.get("ranks", 1) * threads
        conf, top, mdp = map(str, self.case.files)
        job = {"task": task, "conf": conf, "top": top, "mdp": mdp, "threads": threads, **more}
        text = run_program(
            [sys.executable, "-m", f"aureole_bench.{self.module}"],
            on=cpus(processors),
            folder=self.case.folder,
            text=json.dumps(job),
            environment={"OPENMM_CPU_THREADS": str(threads)},
            limit=LIMIT,
        )
        answer: dict[str, Any] = json.loads(text.strip().splitlines()[-1])
        return answer

    def point(self) -> Point:
        path = self.case.folder / f"{self.module}-{os.getpid()}.npy"
        try:
            energy = self._work("point", 1, force=str(path))["energy"]
            return Point(energy, np.load(path))
        finally:
            path.unlink(missing_ok=True)

    def seconds(self, threads: int, steps: int) -> float:
        return float(self._work("time", threads, warm=self.case.warm, steps=steps)["seconds"])


class Ours(_Worker):
    """Our engine."""

    engine = "aureole"
    module = "molecules.worker"

    def timed(self, ranks: int, threads: int, steps: int) -> dict[str, Any]:
        """Seconds, profiles and more of a run of so many ranks, with so many threads each."""
        return self._work("time", threads, ranks=ranks, warm=self.case.warm, steps=steps)

    def course(self, threads: int, steps: int) -> Course:
        return self._course(threads, steps)

    def _course(self, threads: int, steps: int, ranks: int = 1) -> Course:
        answer = self._work("course", threads, ranks=ranks, steps=steps, every=100)
        return Course(np.array(answer["time"]), np.array(answer["energy"]))


class OursRanks(Ours):
    """Our engine with a rank of one thread on each processor."""

    where = ", ranks"

    def seconds(self, threads: int, steps: int) -> float:
        return float(self.timed(threads, 1, steps)["seconds"])

    def course(self, threads: int, steps: int) -> Course:
        return self._course(1, steps, ranks=threads)


class OpenMM(_Worker):
    """OpenMM's CPU platform, with the mesh and the splitting that the run parameters give us."""

    engine = "openmm"
    module = "molecules.openmm_worker"

    def course(self, threads: int, steps: int) -> None:
        return None


def openmm_version() -> str | None:
    """The version of OpenMM in this Python, or None."""
    if importlib.util.find_spec("openmm") is None:
        return None
    from importlib import metadata

    try:
        return metadata.version("openmm")
    except metadata.PackageNotFoundError:
        return "?"
