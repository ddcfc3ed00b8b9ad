# SPDX-License-Identifier: Apache-2.0
"""The gmx program: run parameters as text, grompp, mdrun, energies and forces."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from aureole.base.errors import Error
from aureole.base.text_files import replace
from numpy.typing import NDArray

from aureole_bench.engines import MOST_SECONDS, PeerFailed, cpus, last_lines, run_program
from aureole_bench.trr import first_forces

INSTALL = (
    "apt install gromacs (generic), or build it for this processor; then put gmx on PATH or set "
    "AUREOLE_GMX to it"
)
Settings = Mapping[str, object]

#: A single point, with the energies and forces of the coordinates as they are.
POINT: dict[str, object] = {
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
        environment: variables that it is run with, besides those of this process
    """

    def __init__(
        self, program: str, folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.program = program
        self.folder = folder
        self.environment = dict(environment or {})

    def run(
        self,
        *words: object,
        threads: int | None = None,
        text: str = "",
        limit: float = MOST_SECONDS,
    ) -> str:
        """Output of a command on the first `threads` processors or any; PeerFailed if it fails.

        `text` answers its questions.
        """
        command = [self.program, "-quiet", "-nobackup", *map(str, words)]
        try:
            return run_program(
                command,
                on=cpus(threads),
                folder=self.folder,
                text=text,
                environment=self.environment,
                limit=limit,
            )
        except PeerFailed as error:
            if not error.said:
                raise
            why = f"gmx {words[0]} failed ({_reason(error.said)}). Its files are in {self.folder}."
            raise PeerFailed(why, error.said) from None

    @property
    def version(self) -> str:
        """For example 2022.5 (AVX_512, mixed)."""
        text = self.run("--version")
        names = ("GROMACS version", "SIMD instructions", "Precision")
        found = (re.search(rf"{name}:\s*(\S+)", text) for name in names)
        return "{} ({}, {})".format(*(one[1] if one else "?" for one in found))

    @property
    def library(self) -> Path:
        """The folder of its force fields."""
        return Path(self.program).resolve().parents[1] / "share" / "gromacs" / "top"

    def double(self) -> Gmx | None:
        """The double-precision program of the same installation, to compare numbers with.

        Builds for old processors, as Debian's, would take Ewald forces from a table that errs by
        1e-5 of them.
        """
        path = Path(shutil.which(self.program) or self.program)
        found = shutil.which(f"{path.name}_d", path=str(path.parent))
        return Gmx(found, self.folder, {"GMX_NBNXN_EWALD_ANALYTICAL": "1"}) if found else None

    def grompp(self, name: str, conf: Path, top: Path, *settings: Settings) -> None:
        """Make NAME.tpr; paths are relative to the folder or absolute."""
        replace(self.folder / f"{name}.mdp", [mdp_text(*settings).encode()])
        self.run(
            *("grompp", "-f", f"{name}.mdp", "-c", conf, "-p", top, "-o", f"{name}.tpr"),
            *("-po", f"{name}.out.mdp", "-maxwarn", 9),
        )

    def mdrun(
        self,
        name: str,
        *words: object,
        threads: int | None = None,
        ranks: int = 1,
        limit: float = MOST_SECONDS,
    ) -> str:
        """Run NAME.tpr on the first `threads` processors, or by one thread on any; the log.

        They are divided among thread-MPI ranks.
        """
        pin = ("-pin", "on", "-pinoffset", cpus(threads)[0], "-pinstride", 1) if threads else ()
        self.run(
            *("mdrun", "-s", f"{name}.tpr", "-deffnm", name),
            *("-ntmpi", ranks, "-ntomp", (threads or 1) // ranks),
            *(*pin, *words),
            threads=threads,
            limit=limit,
        )
        return (self.folder / f"{name}.log").read_text()

    def seconds(self, name: str, warm: int, *words: object, **options: Any) -> float:
        """Wall time of a run of NAME.tpr, as `mdrun`, after `warm` steps."""
        log = self.mdrun(name, "-noconfout", "-resetstep", warm, *words, **options)
        found = re.search(r"^\s*Time:\s+\S+\s+(\S+)", log, re.MULTILINE)
        if not found:
            raise Error(f"{self.folder}/{name}.log has no time (cut off?). Look at its end.")
        return float(found[1])

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
        self._grompp_with_buffer(name, conf, top, settings_of(mdp_text(*settings)) | POINT)
        self.mdrun(name, "-noconfout")
        found = self.energies(name)
        energy = {term: column[0] for term, column in found.items() if term != "time"}
        return Point(energy, first_forces(self.folder / f"{name}.trr"))

    def _grompp_with_buffer(self, name: str, conf: Path, top: Path, settings: Settings) -> None:
        """As `grompp`, with a list that is longer than the cut-offs by as much as the box allows.

        With less than 0.07 nm it was seen to lack some pairs, which ones depends on the build.
        """
        cut_off = max(float(str(settings.get(key, 1.0))) for key in ("rcoulomb", "rvdw"))
        for buffer in (0.1, 0.04):
            try:
                return self.grompp(name, conf, top, settings, {"rlist": cut_off + buffer})
            except PeerFailed as error:
                if "decrease rlist" not in error.said:
                    raise
        return self.grompp(name, conf, top, settings, {"rlist": cut_off})


def find() -> str | None:
    """The gmx program: AUREOLE_GMX, or on PATH."""
    return shutil.which(os.environ.get("AUREOLE_GMX") or "gmx")


def installed(folder: Path, double: bool = False) -> Gmx:
    """The gmx program, or its twin in double precision; raises Error where there is none."""
    program = find()
    found = Gmx(program, folder) if program else None
    if found and double:
        found = found.double()
    if found is None:
        raise Error(f"no gmx{'_d beside gmx' if program else ''} was found. Install: {INSTALL}")
    return found


def _reason(said: str) -> str:
    """The part of a failed command's output that explains the failure."""
    errors = re.findall(r"\nERROR \d+ [^\n]*\n(.*?)\n\n", said, re.DOTALL)
    parts = re.split(r"\n-{10,}\n", said)
    found = errors or parts[-2:-1]
    return "; ".join(" ".join(one.split()) for one in found) or last_lines(said)
