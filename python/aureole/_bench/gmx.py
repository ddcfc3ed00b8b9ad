# SPDX-License-Identifier: Apache-2.0
"""The gmx program: run parameters as text, grompp, mdrun, energies and forces."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import Error
from ..gromacs.textfile import replace
from .engines import MOST_SECONDS, cpus, run_program
from .trr import first_forces

Settings = Mapping[str, object]

#: A single point, with the energies and forces of the coordinates as they are.
POINT: Settings = {
    "integrator": "md",
    "nsteps": 0,
    "continuation": "yes",
    "gen-vel": "no",
    "nstxout": 1,
    "nstfout": 1,
    "nstenergy": 1,
    "nstcalcenergy": 1,
    "nstlist": 1,
    "verlet-buffer-tolerance": -1,
}


@dataclass(frozen=True, eq=False)
class Point:
    """Energies [kJ/mol] by GROMACS' names, and forces (n, 3) [kJ/mol/nm] of one configuration."""

    energy: Mapping[str, float]
    force: NDArray[np.float64] = field(repr=False)


def mdp_text(*settings: Settings) -> str:
    """Run parameters; of options that stand twice the last counts."""
    merged: dict[str, object] = {}
    for one in settings:
        merged |= {key.replace("_", "-").lower(): value for key, value in one.items()}
    return "".join(f"{key} = {value}\n" for key, value in merged.items())


def settings_of(text: str) -> dict[str, object]:
    """The options of run parameters in their text."""
    pairs = (line.partition(";")[0].partition("=") for line in text.splitlines())
    return {k.strip().replace("_", "-").lower(): v.strip() for k, eq, v in pairs if eq}


class Gmx:
    """A gmx program that works in one folder.

    Args:
        program: the path of gmx
        folder: where its files are
    """

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder

    def run(self, *words: object, threads: int = 1, text: str = "", limit: float = 0.0) -> str:
        """What a command says."""
        command = [self.program, "-quiet", "-nobackup", *map(str, words)]
        return run_program(
            command,
            on=cpus(threads),
            folder=self.folder,
            text=text,
            environment={"GMX_MAXBACKUP": "-1"},
            limit=limit or MOST_SECONDS,
        )

    @property
    def version(self) -> str:
        """For example 2022.5 (AVX_512)."""
        text = self.run("--version")
        found = re.search(r"GROMACS version:\s*(\S+)", text)
        simd = re.search(r"SIMD instructions:\s*(\S+)", text)
        return f"{found[1] if found else '?'} ({simd[1] if simd else '?'})"

    def double(self) -> Gmx | None:
        """The double-precision program of the same installation."""
        path = Path(shutil.which(self.program) or self.program)
        found = shutil.which(f"{path.name}_d", path=str(path.parent))
        return Gmx(found, self.folder) if found else None

    def grompp(self, name: str, conf: Path, top: Path, *settings: Settings) -> None:
        """Make NAME.tpr; paths are relative to the folder or absolute."""
        replace(self.folder / f"{name}.mdp", [mdp_text(*settings).encode()])
        self.run(
            *("grompp", "-f", f"{name}.mdp", "-c", conf, "-p", top, "-o", f"{name}.tpr"),
            *("-po", f"{name}.out.mdp", "-maxwarn", 9),
        )

    def mdrun(self, name: str, threads: int, *words: object, limit: float = 0.0) -> str:
        """Run NAME.tpr on the first `threads` processors; the log."""
        pin = ("-pin", "on", "-pinoffset", cpus(threads)[0], "-pinstride", 1)
        self.run(
            *("mdrun", "-s", f"{name}.tpr", "-deffnm", name, "-ntmpi", 1, "-ntomp", threads),
            *(*pin, *words),
            threads=threads,
            limit=limit,
        )
        return (self.folder / f"{name}.log").read_text()

    def energies(self, name: str, *terms: str) -> dict[str, list[float]]:
        """Columns of an energy file by name, with "time"; all that there are if none is named."""
        wanted = terms or self.terms(name)
        self.run(
            *("energy", "-f", f"{name}.edr", "-o", f"{name}.xvg", "-dp", "-xvg", "none"),
            text="\n".join(wanted) + "\n\n",
        )
        lines = (self.folder / f"{name}.xvg").read_text().split("\n")
        rows = [[float(word) for word in line.split()] for line in lines if line.strip()]
        columns = [list(column) for column in zip(*rows, strict=True)]
        return dict(zip(("time", *wanted), columns, strict=True))

    def terms(self, name: str) -> list[str]:
        """Names of the energies in NAME.edr, up to the potential."""
        said = self.run("energy", "-f", f"{name}.edr", "-o", f"{name}.xvg", text="Potential\n\n")
        listed = re.findall(r"(?<!\S)\d+\s+([A-Za-z#][^\s]*)", said.split("-----\n", 1)[-1])
        if "Potential" not in listed:
            raise Error(f"{self.folder}/{name}.edr has no potential. Look at {name}.log.")
        return listed[: listed.index("Potential") + 1]

    def point(self, name: str, conf: Path, top: Path, *settings: Settings) -> Point:
        """Energies and forces of the coordinates."""
        merged = settings_of(mdp_text(*settings))
        radii = (float(str(merged.get(key, 1.0))) for key in ("rcoulomb", "rvdw"))
        self.grompp(name, conf, top, merged, POINT, {"rlist": max(radii)})
        self.mdrun(name, 1, "-noconfout")
        found = self.energies(name)
        energy = {term: column[0] for term, column in found.items() if term != "time"}
        return Point(energy, first_forces(self.folder / f"{name}.trr"))


def find() -> str | None:
    """The gmx program: AUREOLE_GMX, or on PATH."""
    named = os.environ.get("AUREOLE_GMX")
    return shutil.which(named) if named else shutil.which("gmx")
