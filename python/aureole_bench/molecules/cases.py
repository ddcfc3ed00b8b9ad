# SPDX-License-Identifier: Apache-2.0
"""Molecules to measure with: water and ethanol as the Grappa systems are, and a protein in water.

Every engine reads the same start.gro, topol.top and run.mdp, made once and kept.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import aureole as au
from aureole.base.errors import bad_input
from aureole.base.text_files import replace
from aureole.formats.gro import read_gro, write_gro

from aureole_bench.g96 import final_frame
from aureole_bench.gmx import Gmx, Settings, mdp_text

VERSION = 1
SIZES = ("1.5k", "12k", "48k", "192k")
Say = Callable[[str], None]

#: Settings of GROMACS in both cases; it chooses list lifetime and buffer from the tolerance.
_COMMON: Settings = {
    "integrator": "md",
    "dt": 0.002,
    "nsteps": 10000,
    "cutoff-scheme": "Verlet",
    "verlet-buffer-tolerance": 0.005,
    "constraints": "h-bonds",
    "constraint-algorithm": "lincs",
    "DispCorr": "no",
    "tcoupl": "v-rescale",
    "tc-grps": "system",
    "tau-t": 1.0,
    "ref-t": 300,
    "pcoupl": "no",
    "gen-vel": "no",
    "continuation": "yes",
    "nstcalcenergy": 100,
    "nstenergy": 100,
    "nstlog": 1000,
    "nstxout-compressed": 0,
}
_RF: Settings = {"coulombtype": "reaction-field", "epsilon-rf": 0}
_PME: Settings = {"coulombtype": "PME", "fourierspacing": 0.12, "pme-order": 4}
_MOST_SECONDS = 7200  # that equilibration may take


@dataclass(frozen=True)
class MolecularCase:
    """One system with its files.

    Args:
        name: such as "grappa-pme-12k"
        n: particles
        folder: where `start.gro`, `topol.top` and `run.mdp` are
        settings: the options of run.mdp
    """

    name: str
    n: int
    folder: Path
    settings: Settings

    @property
    def files(self) -> tuple[Path, Path, Path]:
        """Coordinates, topology and run parameters."""
        return self.folder / "start.gro", self.folder / "topol.top", self.folder / "run.mdp"

    @property
    def dt(self) -> float:
        """Time step [ps]."""
        return float(str(self.settings["dt"]))

    @property
    def pme(self) -> bool:
        """Has it a mesh?"""
        return str(self.settings["coulombtype"]).lower() == "pme"

    @property
    def warm(self) -> int:
        """Untimed steps before each measurement."""
        return min(200, max(40, 2_400_000 // self.n))

    def write(self) -> None:
        """Write run.mdp."""
        replace(self.folder / "run.mdp", [mdp_text(self.settings).encode()])


def count_of(size: str) -> int:
    """Particles of a size such as "12k"; raises InputError for what is none."""
    text = size.strip().lower()
    try:
        number = float(text[:-1]) * 1000 if text.endswith("k") else float(text)
    except ValueError:
        number = 0.0
    if not 1500 <= number <= 1e8:
        raise bad_input(
            f"{size!r} is no size", "at least 1500 particles are needed", "Write for example 12k"
        )
    return round(number)


def grappa_named(name: str) -> tuple[str, bool] | None:
    """Size of a case such as "grappa-pme-12k", and whether it has a mesh; None for other names."""
    found = re.fullmatch(r"grappa-(rf|pme)-(.+)", name)
    if found is None:
        return None
    count_of(found[2])
    return found[2], found[1] == "pme"


def composition(n: int) -> dict[str, int]:
    """One ethanol to nine waters, as close to `n` particles as whole molecules come."""
    ethanol = round(n / 36)
    return {"ethanol": ethanol, "spce": (n - 9 * ethanol) // 3}


def mixture(size: str, pme: bool, folder: Path, gmx: str, threads: int, say: Say) -> MolecularCase:
    """Water and ethanol of a size, equilibrated by gmx once; reaction field and PME share it."""
    n = count_of(size)
    counts = composition(n)
    home = folder / f"grappa-{size}-v{VERSION}"
    settings = {**_COMMON, "rcoulomb": 1.0, "rvdw": 1.0}

    def make(where: Path) -> None:
        say(f"grappa-{size}: building and equilibrating once, kept in {home}")
        au.build.solution(counts, seed=2026).write_gromacs(where, mdp_text(settings, _RF))
        _equilibrate(Gmx(gmx, where), n, {**settings, **_RF}, threads)

    _once(home, make)
    kind = "pme" if pme else "rf"
    return _case(f"grappa-{kind}-{size}", home, {**settings, **(_PME if pme else _RF)})


def protein(conf: Path, top: Path, folder: Path, gmx: str, threads: int, say: Say) -> MolecularCase:
    """A protein in water from its files, minimised and equilibrated by gmx once, PME to 0.9 nm."""
    name = conf.stem
    home = folder / f"{name}-v{VERSION}"
    settings = {**_COMMON, **_PME, "rcoulomb": 0.9, "rvdw": 0.9}

    def make(where: Path) -> None:
        say(f"{name}: minimising and equilibrating once, kept in {home}")
        shutil.copyfile(conf, where / "conf.gro")
        shutil.copyfile(top, where / "topol.top")
        _equilibrate(Gmx(gmx, where), _atoms(conf), settings, threads)

    _once(home, make)
    return _case(f"{name}-pme", home, settings)


def _case(name: str, home: Path, settings: Settings) -> MolecularCase:
    """The case in a folder of its own, beside the files that it shares."""
    folder = home / name
    folder.mkdir(exist_ok=True)
    for file in ("start.gro", "topol.top"):
        link = folder / file
        if not link.exists():
            os.symlink(os.path.join("..", file), link)
    case = MolecularCase(name, _atoms(home / "start.gro"), folder, settings)
    case.write()
    return case


def _once(home: Path, make: Callable[[Path], None]) -> None:
    """Fill `home` by `make` unless that was done; a try that was cut off leaves nothing there."""
    if (home / "start.gro").exists():
        return
    partial = home.with_name(f".{os.getpid()}-{home.name}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        make(partial)
        shutil.rmtree(home, ignore_errors=True)
        os.replace(partial, home)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _equilibrate(gmx: Gmx, n: int, settings: Settings, threads: int) -> None:
    """From conf.gro to start.gro: downhill, from 1 fs steps to the run's, at its temperature."""
    down = {"integrator": "steep", "nsteps": 300, "emtol": 500, "constraints": "none"}
    steps = min(10_000, max(1000, 120_000_000 // n))
    warm = {"gen-vel": "yes", "gen-temp": 300, "gen-seed": 2026, "tau-t": 0.1, "dt": 0.001}
    stages: list[tuple[str, Settings, Settings]] = [
        ("down", down, {}),
        ("warm", {"continuation": "no", "nsteps": 1000}, warm),
        ("settle", {"continuation": "yes", "nsteps": steps}, {"tau-t": 0.2}),
    ]
    conf = Path("conf.gro")
    for name, first, second in stages:
        gmx.grompp(
            name, conf, Path("topol.top"), settings, {"nstxout-compressed": 0}, first, second
        )
        gmx.mdrun(name, "-c", f"{name}.g96", threads=threads, limit=_MOST_SECONDS)
        conf = Path(f"{name}.g96")
    # Six decimals, so that the lengths of constraints survive.
    last = final_frame(gmx.folder / conf, read_gro(gmx.folder / "conf.gro"))
    write_gro(gmx.folder / "start.gro", last, 6)
    for path in gmx.folder.iterdir():
        if path.name not in ("start.gro", "topol.top", "settle.log"):
            path.unlink()


def _atoms(path: Path) -> int:
    """The count on the second line of a .gro file."""
    with path.open() as file:
        file.readline()
        return int(file.readline())
