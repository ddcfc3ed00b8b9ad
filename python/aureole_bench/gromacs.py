# SPDX-License-Identifier: Apache-2.0
"""GROMACS as a peer: sigma = 1 nm, epsilon = 1 kJ/mol, mass 1, so that its units are reduced."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from aureole_bench.cases import Case
from aureole_bench.engines import SAMPLE, WARM, Engine, Quality, State
from aureole_bench.gmx import Gmx
from aureole_bench.snapshot import Snapshot
from aureole_bench.stats import slope

BOLTZMANN = 0.00831446261815324  # kJ/mol/K, exact in the SI of 2019
BAR = 16.6053906717384  # bar in one kJ/mol/nm^3


class Gromacs(Engine):
    """GROMACS with the dual pair list that its drift tolerance leads to."""

    engine = "gromacs"

    def __init__(self, program: str, tolerance: float) -> None:
        self.program = program
        self.tolerance = tolerance
        self.style = f"tolerance {tolerance:g}"

    def prepare(self, snapshot: Snapshot, folder: Path) -> None:
        self.case = snapshot.case
        self.gmx = Gmx(self.program, folder / f"gromacs-{self.tolerance:g}")
        self.gmx.folder.mkdir(parents=True, exist_ok=True)
        (self.gmx.folder / "start.g96").write_text(_coordinates(snapshot))
        (self.gmx.folder / "lj.top").write_text(_topology(self.case))

    def _compile(self, name: str, **settings: object) -> None:
        given = _settings(self.case, self.tolerance)
        self.gmx.grompp(name, Path("start.g96"), Path("lj.top"), given, settings)

    def state(self) -> State:
        # Velocity Verlet has the kinetic energy of the given velocities at step 0.
        self._compile("zero", integrator="md-vv", nsteps=0, tcoupl="no", nstcalcenergy=1)
        double = self.gmx.double()  # its sums are exact enough
        program = double or self.gmx
        program.mdrun("zero", "-noconfout", threads=1)
        found = program.energies("zero", "LJ-(SR)", "Pressure")
        note = "gmx_d" if double else "single-precision sums"
        return State(found["LJ-(SR)"][0], found["Pressure"][0] / BAR, note)

    def seconds(self, threads: int, steps: int) -> float:
        return self._seconds(steps, threads=threads)

    def _seconds(self, steps: int, **processors: int) -> float:
        self._compile("time", nsteps=steps + WARM)
        return self.gmx.seconds("time", WARM, **processors)

    def quality(self, steps: int) -> Quality:
        every = {"nstxout": SAMPLE, "nstenergy": SAMPLE, "nstcalcenergy": SAMPLE}
        self._compile("quality", nsteps=steps, **every)
        log = self.gmx.mdrun("quality", "-noconfout", threads=1)
        run = self.gmx.energies("quality", "LJ-(SR)", "Conserved-En.")
        shutil.copyfile(self.gmx.folder / "quality.tpr", self.gmx.folder / "again.tpr")
        self.gmx.mdrun("again", "-noconfout", "-rerun", "quality.trr", threads=1)
        again = self.gmx.energies("again", "LJ-(SR)")
        fresh = {round(t, 4): u for t, u in zip(again["time"], again["LJ-(SR)"], strict=True)}
        seen = zip(run["time"], run["LJ-(SR)"], strict=True)
        lost = [u - fresh[round(t, 4)] for t, u in seen if round(t, 4) in fresh]
        missed = sum(lost) / len(lost) / -self.case.energy_at_cut_off / self.case.n
        drift = slope(run["time"], run["Conserved-En."]) / self.case.n
        return Quality(drift, missed, _list_note(log))


class GromacsRanks(Gromacs):
    """GROMACS with a thread-MPI rank on each processor."""

    where = ", ranks"

    def seconds(self, threads: int, steps: int) -> float:
        return self._seconds(steps, threads=threads, ranks=threads)


def _list_note(log: str) -> str:
    """The lists in use: radius and lifetime in steps."""
    found = re.findall(r"(outer|inner) list: updated every\s+(\d+) steps.*rlist (\S+) nm", log)
    return ", ".join(f"{name} {radius}/{steps}" for name, steps, radius in found[:2])


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
