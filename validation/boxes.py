# SPDX-License-Identifier: Apache-2.0
"""Boxes of water, and of water and ethanol, for the long comparisons of molecules.

Each is built, minimised and brought to its state point once, and kept in a folder: `start.gro` with
six decimals and velocities, `topol.top`, and an .mdp file for every run from there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import aureole as au
from aureole.base.text_files import replace
from aureole.observers.last_frame import write_frame
from aureole_bench.gmx import Settings, mdp_text

#: Options of all runs; what a script gives beside them counts.
COMMON: Settings = {
    "integrator": "md",
    "dt": 0.002,
    "nsteps": -1,
    "cutoff-scheme": "Verlet",
    "verlet-buffer-tolerance": 0.005,
    "coulombtype": "PME",
    "pme-order": 4,
    "fourierspacing": 0.12,
    "ewald-rtol": 1e-5,
    "rcoulomb": 0.9,
    "rvdw": 0.9,
    "DispCorr": "EnerPres",
    "constraints": "h-bonds",
    "constraint-algorithm": "lincs",
    "lincs-order": 4,
    "lincs-iter": 1,
    "nstcalcenergy": 10,
    "nstenergy": 0,
    "nstxout-compressed": 0,
}


def thermostat(kind: str = "v-rescale", temperature: float = 300.0, tau: float = 0.1) -> Settings:
    """One group coupled to a thermostat, as .mdp options."""
    return {"tcoupl": kind, "tc-grps": "system", "tau-t": tau, "ref-t": temperature}


def barostat(kind: str = "C-rescale", pressure: float = 1.0, tau: float = 1.0) -> Settings:
    """An isotropic barostat as .mdp options."""
    return {
        "pcoupl": kind,
        "pcoupltype": "isotropic",
        "tau-p": tau,
        "ref-p": pressure,
        "compressibility": 4.5e-5,
    }


class Box:
    """The files of an equilibrated box.

    Args:
        folder: where they are, or will be
        counts: molecules by name, as `aureole.build.solution` takes them
        settings: options beside `COMMON`, cut-offs for example
        picoseconds: of equilibration at the pressure
    """

    def __init__(
        self,
        folder: Path,
        counts: Mapping[str, int],
        settings: Settings = {},  # noqa: B006
        picoseconds: float = 20.0,
        threads: int = 1,
    ) -> None:
        self.folder, self.settings, self.threads = folder, dict(settings), threads
        self.counts = dict(counts)
        if not (folder / "start.gro").exists():
            self._make(picoseconds)

    def simulation(
        self, name: str, *settings: Settings, conf: str = "start.gro", **options: Any
    ) -> Any:
        """A simulation from conf, whose run parameters are written to NAME.mdp."""
        path = self.folder / f"{name}.mdp"
        replace(path, [mdp_text(COMMON, self.settings, *settings).encode()])
        files = (self.folder / conf, self.folder / "topol.top", path)
        return au.from_gromacs(*files, **({"threads": self.threads, "maxwarn": 99} | options))

    def _make(self, picoseconds: float) -> None:
        built = au.build.solution(self.counts, seed=2026)
        built.write_gromacs(self.folder)
        coupling = thermostat(tau=0.1)
        drawn = {"gen-vel": "yes", "gen-temp": 300, "gen-seed": 2026, "dt": 0.001}
        down = {"integrator": "steep", "nsteps": 500, "emtol": 300, "constraints": "none"}
        stages: list[tuple[str, list[Settings], float]] = [
            ("warm", [coupling, drawn], 2.0),
            ("settle", [coupling, barostat(tau=1.0), {"continuation": "yes"}], picoseconds),
        ]
        with self.simulation("down", down, conf="conf.gro") as sim:
            sim.minimize()
            self._keep(sim, "down.gro", velocities=False)
        conf = "down.gro"
        for name, settings, duration in stages:
            with self.simulation(name, *settings, conf=conf) as sim:
                sim.run(f"{duration} ps")
                conf = f"{name}.gro"
                self._keep(sim, conf)
        (self.folder / conf).rename(self.folder / "start.gro")

    def _keep(self, sim: Any, name: str, velocities: bool = True) -> None:
        write_frame(self.folder / name, sim, precision=6, velocities=velocities)


class Results:
    """Lines of JSON, appended to a file as they come and printed.

    Args:
        path: the file
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed: list[str] = []
        path.parent.mkdir(parents=True, exist_ok=True)

    def tell(self, name: str, passed: bool | None = None, **figures: Any) -> None:
        """Keep one result; `passed` is None where there is no bar."""
        line = {"name": name, "passed": passed, "version": au.__version__} | figures
        if passed is False:
            self.failed.append(name)
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        word = {True: "passed", False: "FAILED", None: "noted"}[passed]
        print(f"{word}: {name}: {figures}", flush=True)

    def end(self) -> None:
        """End the program, with 1 and the names of what failed, if any did."""
        if self.failed:
            sys.exit(f"failed: {', '.join(self.failed)}")


def arguments(what: str | None, results: str) -> argparse.ArgumentParser:
    """What all the scripts take."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--work", type=Path, default=Path("build/validation"), help="kept files")
    parser.add_argument("--results", type=Path, default=Path(f"validation/results/{results}.jsonl"))
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the lengths of runs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="", help="names that contain this")
    return parser


def sampled(
    sim: Any, steps: int, every: int, note: Callable[[Any], Any]
) -> tuple[list[Any], float]:
    """What `note` says of the simulation every so many steps, and the seconds it took."""
    began = time.perf_counter()
    found = []
    for _ in range(steps // every):
        sim.run(every)
        found.append(note(sim))
    return found, time.perf_counter() - began
