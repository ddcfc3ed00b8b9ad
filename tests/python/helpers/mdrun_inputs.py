# SPDX-License-Identifier: Apache-2.0
"""Inputs for whole runs: a box of flexible water, and argon; the command, and what it wrote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import chemfiles
import commands
import numpy as np

SIDE = 5  # molecules along an edge
EDGE = 1.56  # nm
WATER = """\
[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
OW 8 15.9994 0.0 A 0.3166 0.65
HW 1  1.0080 0.0 A 0.0    0.0
#include "water.itp"
[ system ]
flexible water
[ molecules ]
SOL 125
"""
MOLECULE = """\
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1 -0.82
2 HW 1 SOL HW1 1  0.41
3 HW 1 SOL HW2 1  0.41
[ bonds ]
1 2 1 0.1012 443000
1 3 1 0.1012 443000
[ angles ]
2 1 3 1 113.24 317.5
"""
ARGON = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
Ar 18 39.948 0.0 A 0.3405 0.996
[ moleculetype ]
AR 1
[ atoms ]
1 Ar 1 AR Ar 1 0
[ system ]
argon
[ molecules ]
AR 216
"""
# A list without a buffer of its own misses no pair here: forces do not depend on when it was made.
MDP = """\
integrator = md-vv
dt = 0.0005
nsteps = 200
nstlog = 50
nstenergy = 20
nstxout = 40
nstvout = 40
nstxout-compressed = 20
coulombtype = reaction-field
epsilon-rf = 80
rcoulomb = 0.7
rvdw = 0.7
rlist = 0.7
verlet-buffer-tolerance = -1
constraints = none
gen-vel = yes
gen-temp = 300
gen-seed = 3
"""


def _gro(title, atoms, edge):
    lines = [title, str(len(atoms))]
    for i, (residue, kind, name, r) in enumerate(atoms, 1):
        place = "".join(f"{x:9.4f}" for x in r)
        lines.append(f"{residue:5d}{kind:<5}{name:>5}{i:5d}{place}")
    return "\n".join([*lines, f"{edge:10.5f}" * 3, ""])


def water(folder: Path, mdp: str = "") -> list[str]:
    """Files of 125 flexible waters, each turned at random; arguments that name them."""
    random = np.random.default_rng(7)
    half = np.deg2rad(113.24 / 2)
    shape = 0.1012 * np.array(
        [[0, 0, 0], [np.sin(half), np.cos(half), 0], [-np.sin(half), np.cos(half), 0]]
    )
    atoms = []
    for k, site in enumerate(np.ndindex(SIDE, SIDE, SIDE)):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        centre = (np.array(site) + 0.5) * EDGE / SIDE
        for name, r in zip(("OW", "HW1", "HW2"), shape @ turn + centre, strict=True):
            atoms.append((k + 1, "SOL", name, r))
    (folder / "conf.gro").write_text(_gro("flexible water", atoms, EDGE))
    (folder / "topol.top").write_text(WATER)
    (folder / "water.itp").write_text(MOLECULE)
    (folder / "grompp.mdp").write_text(MDP + mdp)
    return _named(folder)


RIGID = """\
[ settles ]
1 1 0.1 0.1633
[ exclusions ]
1 2 3
2 1 3
3 1 2
"""


def rigid(folder: Path, mdp: str = "") -> list[str]:
    """The same waters held rigid, at 2 fs, by leap-frog; `mdp` says how they are coupled."""
    files = water(folder)
    text = MOLECULE[: MOLECULE.index("[ bonds ]")] + RIGID
    (folder / "water.itp").write_text(text)
    head = MDP.replace("md-vv", "md").replace("0.0005", "0.002")
    (folder / "grompp.mdp").write_text(head + mdp)
    return files


def argon(folder: Path, mdp: str = "") -> list[str]:
    """Files of 216 atoms of argon near a lattice; arguments that name them."""
    random, edge = np.random.default_rng(8), 2.28
    atoms = [
        (k + 1, "AR", "Ar", (np.array(site) + 0.5) * edge / 6 + random.normal(0, 0.01, 3))
        for k, site in enumerate(np.ndindex(6, 6, 6))
    ]
    (folder / "conf.gro").write_text(_gro("argon", atoms, edge))
    (folder / "topol.top").write_text(ARGON)
    text = MDP.replace("dt = 0.0005", "dt = 0.002").replace("300", "90").replace("0.7", "0.9")
    (folder / "grompp.mdp").write_text(text + mdp)
    return _named(folder)


def _named(folder: Path) -> list[str]:
    return [str(folder / name) for name in ("conf.gro", "topol.top", "grompp.mdp")]


def command(*arguments: object) -> list[str]:
    """The words that start `aureole mdrun` on one thread of each rank."""
    words = [str(word) for word in arguments]
    threads = ["-ntomp" if "-ntmpi" in words else "-nt", "1"]
    return [sys.executable, "-m", "aureole", "mdrun", *threads, *words]


def mdrun(
    *arguments: object, code: int = 0, fresh: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run the command in the working folder; no error of a user may show a traceback."""
    done = commands.run(
        command(*arguments), fresh=fresh, capture_output=True, text=True, timeout=120
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    return done


def intervals(folder: Path, x: int, v: int, f: int) -> None:
    """Files of the water, with intervals of positions, velocities and forces."""
    water(folder, f"nstfout = {f}\n")
    text = (folder / "grompp.mdp").read_text()
    text = text.replace("nstxout = 40", f"nstxout = {x}").replace("nstvout = 40", f"nstvout = {v}")
    (folder / "grompp.mdp").write_text(text)


def frames(path):
    with chemfiles.Trajectory(str(path)) as file:
        return [file.read() for _ in range(file.nsteps)]


def steps(path):
    return [frame.step for frame in frames(path)]


def rows(path="ener.csv"):
    """Columns of a table of energies."""
    lines = [line for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    return dict(zip(names, table.T, strict=True))
