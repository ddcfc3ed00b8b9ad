# SPDX-License-Identifier: Apache-2.0
"""Single points of GROMACS: energies per term and forces, to all digits that it computes."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

#: What makes single points of any input: two steps so short that only constraints move particles.
#: Steps 0 and 2 have energies; in the first, virtual sites are not yet where they belong. Step 1
#: has exact forces: in steps with energies those of 1-4 pairs come from tables, good to 1e-8.
SINGLE_POINT = {
    "integrator": "md",
    "dt": "1e-6",
    "nsteps": "2",
    "continuation": "yes",
    "gen-vel": "no",
    "tcoupl": "no",
    "pcoupl": "no",
    "nstlist": "1",
    "nstxout": "1",
    "nstfout": "1",
    "nstenergy": "2",
    "nstcalcenergy": "2",
}

#: Older names of these options.
_ALSO = ("unconstrained-start", "verlet-buffer-drift")

#: Our names of energies, and the names of the same in an energy file of GROMACS.
TERMS: dict[str, tuple[str, ...]] = {
    "harmonic_bond": ("Bond", "Harmonic Pot."),
    "g96_bond": ("G96Bond",),
    "morse_bond": ("Morse",),
    "cubic_bond": ("Cubic Bonds",),
    "harmonic_angle": ("Angle",),
    "g96_angle": ("G96Angle",),
    "restricted_angle": ("Restr. Angles",),
    "urey_bradley": ("U-B",),
    "periodic_dihedral": ("Proper Dih.", "Per. Imp. Dih."),
    "ryckaert_bellemans": ("Ryckaert-Bell.", "Fourier Dih."),
    "restricted_dihedral": ("Restr. Dih.",),
    "bending_torsion": ("CBT Dih.",),
    "harmonic_improper": ("Improper Dih.",),
    "cmap": ("CMAP Dih.",),
    "pair": ("LJ-14", "Coulomb-14", "LJC-14 q", "LJC Pairs NB"),
    "vdw": ("LJ (SR)",),
    "dispersion_correction": ("Disper. corr.",),
    "coulomb": ("Coulomb (SR)",),
    "mesh": ("Coul. recip.",),
    "position_restraint": ("Position Rest.",),
}


class PeerError(Exception):
    """A command of GROMACS failed; the message is the part of its output that says why."""


@dataclass(frozen=True)
class Point:
    """Two configurations as GROMACS sees them, one for energies and one for forces.

    Args:
        energy: [kJ/mol] by the names of GROMACS
        at_energy: (n, 3) positions [nm] that have it, virtual sites in their places
        force: (n, 3) [kJ/mol/nm]
        at_force: (n, 3) positions [nm] that have them
    """

    energy: dict[str, float]
    at_energy: NDArray[np.float64]
    force: NDArray[np.float64]
    at_force: NDArray[np.float64]

    def terms(self) -> dict[str, float]:
        """Energies [kJ/mol] by our names, "potential" among them."""
        known = {name for names in TERMS.values() for name in names} | {
            "Potential",
            "Connect Bonds",
        }
        if self.energy.keys() - known:
            raise PeerError(f"energies of unknown names: {sorted(self.energy.keys() - known)}")
        found = {"potential": self.energy["Potential"]}
        for ours, theirs in TERMS.items():
            values = [self.energy[name] for name in theirs if name in self.energy]
            if values:
                found[ours] = sum(values)
        return found


@dataclass(frozen=True)
class Files:
    """What grompp is given."""

    mdp: Path
    conf: Path
    top: Path
    index: Path | None = None
    references: Path | None = None


class Peer:
    """The gmx program, in mixed or double precision.

    `program` is a name or path; None takes AUREOLE_GMX, or gmx on PATH. The double-precision
    program is the one called the same with _d behind it.
    """

    def __init__(self, program: str | None = None, double: bool = False) -> None:
        name = program or os.environ.get("AUREOLE_GMX") or "gmx"
        found = shutil.which(f"{name}_d" if double and not name.endswith("_d") else name)
        if found is None:
            raise PeerError(f"there is no program {name}{'_d' * double}: set AUREOLE_GMX")
        self.program = found

    def library(self) -> Path:
        """The folder of its force fields."""
        return Path(self.program).resolve().parent.parent / "share" / "gromacs" / "top"

    def version(self) -> str:
        """Its version and precision."""
        text = self.run("--version")
        version = re.search(r"GROMACS version:\s*(\S+)", text)
        precision = re.search(r"Precision:\s*(\S+)", text)
        assert version and precision
        return f"GROMACS {version[1]} {precision[1]}"

    def run(self, *words: object, text: str = "", folder: Path | None = None) -> str:
        """The output of a command."""
        command = [self.program, "-nobackup", *map(str, words)]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=300, cwd=folder
            )
        except subprocess.TimeoutExpired:
            raise PeerError(f"{words[0]} did not end within 300 s") from None
        if done.returncode:
            raise PeerError(f"{words[0]}: {_why(done.stderr)}")
        return done.stdout + done.stderr

    def single_point(self, files: Files, folder: Path) -> Point:
        """Energies and forces of the configuration; `folder` takes what is written."""
        words: list[object] = ["-f", files.mdp, "-c", files.conf, "-p", files.top]
        if files.index:
            words += ["-n", files.index]
        words += ["-r", files.references or files.conf]
        self.run(
            *("grompp", *words, "-o", folder / "p.tpr", "-po", folder / "p.mdp"),
            *("-maxwarn", 99),
            folder=files.top.parent,
        )
        self.run("mdrun", "-deffnm", folder / "p", "-nt", 1, "-notunepme", "-g", folder / "p.log")
        _, (at_force, force), (at_energy, _) = read_trr(folder / "p.trr")
        return Point(self._energies(folder / "p.edr"), at_energy, force, at_force)

    def _energies(self, path: Path) -> dict[str, float]:
        """All energies up to the potential energy of the last frame."""
        table = path.with_suffix(".xvg")
        names = "\n".join(str(k) for k in range(1, 60))
        self.run("energy", "-f", path, "-o", table, "-dp", text=names + "\n\n")
        text = table.read_text()
        legends = re.findall(r'@ s\d+ legend "(.*)"', text)
        numbers = [float(word) for word in text.strip().splitlines()[-1].split()[1:]]
        found = dict(zip(legends, numbers, strict=True))
        return {name: found[name] for name in legends[: legends.index("Potential") + 1]}


def _why(text: str) -> str:
    """The part of a failed command's output that tells why."""
    errors = re.findall(r"\nERROR \d+ [^\n]*\n(.*?)\n\n", text, re.DOTALL)
    parts = re.split(r"\n-{10,}\n", text)
    found = errors or [parts[-2 if len(parts) > 2 else -1]]
    return "; ".join(" ".join(one.split()) for one in found)


def single_point_options(text: str, changes: Mapping[str, str]) -> str:
    """The text of an .mdp file with some options set anew."""
    keys = {_plain(key) for key in changes} | {_plain(key) for key in _ALSO}
    kept = [line for line in text.splitlines() if _plain(line.split("=")[0]) not in keys]
    return "\n".join([*kept, *(f"{key} = {value}" for key, value in changes.items())]) + "\n"


def _plain(key: str) -> str:
    return key.strip().lower().replace("_", "").replace("-", "")


def read_trr(path: Path) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Positions [nm] and forces [kJ/mol/nm] of all frames of a .trr file, (n, 3) each."""
    data, at, frames = path.read_bytes(), 0, []
    while at < len(data):
        magic, _, length = struct.unpack_from(">iii", data, at)
        if magic != 1993:
            raise PeerError(f"{path} is no .trr file")
        at += 12 + (length + 3) // 4 * 4
        sizes = struct.unpack_from(">13i", data, at)
        n = sizes[10]
        width = sizes[2] // 9 or sizes[7] // (3 * n)
        at += 52 + 2 * width  # time and lambda
        found = {}
        for name, size in zip(_BLOCKS, sizes, strict=False):
            if size:
                found[name] = np.frombuffer(data, f">f{width}", size // width, at).astype(float)
            at += size
        frames.append((found["x"].reshape(n, 3), found["f"].reshape(n, 3)))
    return frames


#: What a frame of a .trr file may hold, in this order.
_BLOCKS = ("ir", "e", "box", "vir", "pres", "top", "sym", "x", "v", "f")
