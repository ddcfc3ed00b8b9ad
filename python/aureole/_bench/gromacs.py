# SPDX-License-Identifier: Apache-2.0
"""GROMACS as a peer: sigma = 1 nm, epsilon = 1 kJ/mol, mass 1, so that its units are reduced."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from ..errors import Error
from .cases import Case
from .engines import SAMPLE, WARM, Engine, Quality, State, cpus, run_program
from .snapshot import Snapshot
from .stats import slope

BOLTZMANN = 0.00831446261815324  # kJ/mol/K, exact in the SI of 2019
BAR = 16.6053906717384  # bar in one kJ/mol/nm^3
INSTALL = (
    "apt install gromacs (generic), or a build for this processor; then put gmx on PATH or set "
    "AUREOLE_GMX to it"
)


def find() -> str | None:
    """The gmx program: AUREOLE_GMX, or on PATH."""
    named = os.environ.get("AUREOLE_GMX")
    return shutil.which(named) if named else shutil.which("gmx")


class Gromacs(Engine):
    """GROMACS with the dual pair list that its drift tolerance leads to."""

    engine = "gromacs"

    def __init__(self, program: str, tolerance: float) -> None:
        self.program = program
        self.tolerance = tolerance
        self.style = f"tolerance {tolerance:g}"

    @property
    def version(self) -> str:
        """For example 2022.5."""
        text = run_program([self.program, "--version"], on=cpus(1), folder=Path.cwd())
        found = re.search(r"GROMACS version:\s*(\S+)", text)
        simd = re.search(r"SIMD instructions:\s*(\S+)", text)
        return f"{found[1] if found else '?'} ({simd[1] if simd else '?'})"

    def prepare(self, snapshot: Snapshot, folder: Path) -> None:
        self.case = snapshot.case
        self.folder = folder / f"gromacs-{self.tolerance:g}"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "start.g96").write_text(_coordinates(snapshot))
        (self.folder / "lj.top").write_text(_topology(self.case))

    def _gmx(self, *words: str, threads: int = 1, text: str = "", program: str = "") -> str:
        command = [program or self.program, "-quiet", "-nobackup", *words]
        return run_program(command, on=cpus(threads), folder=self.folder, text=text)

    def _compile(self, name: str, **settings: object) -> None:
        lines = _settings(self.case, self.tolerance) | settings
        text = "".join(f"{key.replace('_', '-')} = {value}\n" for key, value in lines.items())
        (self.folder / f"{name}.mdp").write_text(text)
        self._gmx(
            *("grompp", "-f", f"{name}.mdp", "-c", "start.g96", "-p", "lj.top"),
            *("-o", f"{name}.tpr", "-po", f"{name}.out.mdp", "-maxwarn", "9"),
        )

    def _mdrun(self, name: str, threads: int, *words: str, program: str = "") -> str:
        pin = ["-pin", "on", "-pinoffset", str(cpus(threads)[0]), "-pinstride", "1"]
        self._gmx(
            *("mdrun", "-s", f"{name}.tpr", "-deffnm", name, "-noconfout"),
            *("-ntmpi", "1", "-ntomp", str(threads), *pin, *words),
            threads=threads,
            program=program,
        )
        return (self.folder / f"{name}.log").read_text()

    def _energies(self, name: str, *terms: str) -> list[list[float]]:
        """Rows of time and the terms."""
        self._gmx(
            *("energy", "-f", f"{name}.edr", "-o", f"{name}.xvg", "-dp", "-xvg", "none"),
            text="\n".join(terms) + "\n\n",
        )
        lines = (self.folder / f"{name}.xvg").read_text().splitlines()
        return [[float(word) for word in line.split()] for line in lines if line.strip()]

    def state(self) -> State:
        # Velocity Verlet has the kinetic energy of the given velocities at step 0.
        self._compile("zero", integrator="md-vv", nsteps=0, tcoupl="no", nstcalcenergy=1)
        double = self.double_twin()
        self._mdrun("zero", 1, program=double or "")
        row = self._energies("zero", "LJ-(SR)", "Pressure")[0]
        note = "gmx_d" if double else "single-precision sums"
        return State(row[1], row[2] / BAR, note)

    def double_twin(self) -> str | None:
        """The double-precision program of the same installation, whose sums are exact enough."""
        path = Path(self.program)
        return shutil.which(f"{path.name}_d", path=str(path.parent))

    def seconds(self, threads: int, steps: int) -> float:
        self._compile("time", nsteps=steps + WARM)
        log = self._mdrun("time", threads, "-resetstep", str(WARM))
        found = re.search(r"^\s*Time:\s+\S+\s+(\S+)", log, re.MULTILINE)
        if not found:
            raise Error(
                f"{self.folder}/time.log has no time (the run did not end). Look at its end."
            )
        return float(found[1])

    def quality(self, steps: int) -> Quality:
        every = {"nstxout": SAMPLE, "nstenergy": SAMPLE, "nstcalcenergy": SAMPLE}
        self._compile("quality", nsteps=steps, **every)
        log = self._mdrun("quality", 1)
        run = self._energies("quality", "LJ-(SR)", "Conserved-En.")
        shutil.copyfile(self.folder / "quality.tpr", self.folder / "again.tpr")
        self._mdrun("again", 1, "-rerun", "quality.trr")
        again = self._energies("again", "LJ-(SR)")
        fresh = {round(row[0], 4): row[1] for row in again}
        lost = [row[1] - fresh[round(row[0], 4)] for row in run if round(row[0], 4) in fresh]
        missed = sum(lost) / len(lost) / -self.case.energy_at_cut_off / self.case.n
        drift = slope([row[0] for row in run], [row[2] for row in run]) / self.case.n
        return Quality(drift, missed, _list_note(log))


def _list_note(log: str) -> str:
    """The lists in use: life in steps and reach."""
    found = re.findall(r"(outer|inner) list: updated every\s+(\d+) steps.*rlist (\S+) nm", log)
    return ", ".join(f"{name} {reach}/{life}" for name, life, reach in found[:2])


def _settings(case: Case, tolerance: float) -> dict[str, object]:
    """The run's parameters; a thermostat and a tolerance above 0 keep dynamic pruning on."""
    return {
        "integrator": "md",
        "dt": case.dt,
        "cutoff_scheme": "Verlet",
        "verlet_buffer_tolerance": tolerance,
        "coulombtype": "cut-off",
        "rcoulomb": case.r_cut,
        "rvdw": case.r_cut,
        "vdw_modifier": "none",
        "DispCorr": "no",
        "tcoupl": "v-rescale",
        "tc_grps": "system",
        "tau_t": case.tau,
        "ref_t": f"{case.kT / BOLTZMANN:.8f}",
        "gen_vel": "no",
        "nstcalcenergy": 100,
        "nstenergy": 100,
        "nstlog": 1000,
        "nstxout_compressed": 0,
    }


def _topology(case: Case) -> str:
    return (
        "[ defaults ]\n1 2 no 1.0 1.0\n"
        "[ atomtypes ]\nX 18 1.0 0.0 A 1.0 1.0\n"
        "[ moleculetype ]\nP 1\n[ atoms ]\n1 X 1 P X 1 0.0 1.0\n"
        f"[ system ]\n{case.name}\n[ molecules ]\nP {case.n}\n"
    )


def _coordinates(snapshot: Snapshot) -> str:
    """Nine decimals in GROMOS-96 form; the grids of the snapshot survive them."""
    edge = snapshot.case.edge
    blocks = [f"TITLE\n{snapshot.case.name}\nEND\n"]
    for name, array in (
        ("POSITION", snapshot.position + edge / 2),
        ("VELOCITY", snapshot.velocity),
    ):
        rows = (
            f"{k % 99999 + 1:5d} P     X    {k % 9999999 + 1:7d}{x:15.9f}{y:15.9f}{z:15.9f}\n"
            for k, (x, y, z) in enumerate(array.tolist())
        )
        blocks.append(f"{name}\n{''.join(rows)}END\n")
    blocks.append(f"BOX\n{edge:15.9f}{edge:15.9f}{edge:15.9f}\nEND\n")
    return "".join(blocks)
