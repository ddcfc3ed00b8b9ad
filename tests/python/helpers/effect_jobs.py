# SPDX-License-Identifier: Apache-2.0
"""Small jobs that show what an option of an .mdp file changes within a few steps.

Each is small enough to run in some milliseconds, moves from its first step, and drifts and turns
as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

STEPS = 10
BOX = np.array([2.0, 2.0, 2.2])  # nm

#: Options of all jobs, unless a case says otherwise.
COMMON = {
    "integrator": "md",
    "dt": "0.001",
    "nsteps": str(STEPS),
    "coulombtype": "reaction-field",
    "epsilon-rf": "0",
    "rcoulomb": "0.8",
    "rvdw": "0.8",
    "rlist": "0.95",
    "verlet-buffer-tolerance": "-1",
    "constraints": "none",
    "continuation": "yes",
    "comm-mode": "none",
    "nstcalcenergy": "1",
}

FIELD = """\
[ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
A A 6 12.0 0.0 A 0.31 0.62
B B 6 12.0 0.0 A 0.24 0.44
C C 1 1.0  0.0 A 0.17 0.11
V V 0 0.0  0.0 V 0.0  0.0
"""

#: A chain of five whose ends are light; what STIFF, POSRES and so on ask for comes with -D.
CHAINS = """\
[ moleculetype ]
MOL 3
[ atoms ]
1 C 1 MOL H1 1  0.18  1.0
2 A 1 MOL C2 2 -0.31 12.0
3 B 1 MOL C3 3  0.27 14.0
4 A 1 MOL C4 4 -0.35 12.0
5 C 1 MOL H5 5  0.21  1.5
[ bonds ]
#ifdef STIFF
1 2 1 0.109 280000
#else
1 2 1 0.109 180000
#endif
2 3 1 0.152 190000
3 4 1 0.152 190000
4 5 1 0.109 180000
[ angles ]
1 2 3 1 109 320
2 3 4 1 112 410
3 4 5 1 109 320
[ dihedrals ]
1 2 3 4 9 0 1.9 3
2 3 4 5 3 2.1 -3.0 1.2 0.7 -0.4 0.3
[ pairs ]
1 4 1
2 5 1
#ifdef POSRES
[ position_restraints ]
2 1 900 700 500
4 1 300 400 800
#endif
#ifdef FLAT
[ position_restraints ]
1 2 1 0.03 2000
2 2 2 0.02 3000
2 2 3 0.01 4000
2 2 4 0.04 4000
3 2 5 0.005 5000
3 2 6 0.03 3000
4 2 7 -0.06 5000
4 2 8 -0.05 3000
5 2 1 -0.05 4000
#endif
#ifdef DIHRES
[ dihedral_restraints ]
1 2 3 4 1 -120 15 300
2 3 4 5 1 60 0 200 60 0 250
#endif
#ifdef ANGRES
[ angle_restraints ]
1 2 4 5 1 70 40 2
3 2 3 5 1 95 30 1
#endif
#ifdef ANGRESZ
[ angle_restraints_z ]
2 4 1 65 50 1
1 3 1 110 20 -2
#endif
#ifdef FENE
[ bonds ]
2 4 7 0.45 8000
1 5 7 0.7 500
#endif
#ifdef RANGE
[ bonds ]
1 3 10 0.25 0.3 0.4 4000
2 4 10 0.1 0.2 0.3 3000
3 5 10 0.1 0.12 0.15 1000
1 5 10 0.2 0.6 0.7 900 0.2 0.6 0.7 800
#endif
#ifdef QUARTIC
[ angles ]
1 2 3 6 109 1 20 200 -30 40
2 3 4 6 115 0 0 90 5 -60
#endif
"""
WATER = """\
[ moleculetype ]
SOL 2
[ atoms ]
1 A 1 SOL OW  1 -0.82 16.0
2 C 1 SOL HW1 1  0.41  1.0
3 C 1 SOL HW2 1  0.41  1.0
[ settles ]
1 1 0.1 0.1633
[ exclusions ]
1 2 3
2 1 3
3 1 2
"""
ATOMS = """\
[ moleculetype ]
ION 1
[ atoms ]
1 A 1 ION P 1 0.2 20.0
[ moleculetype ]
CAT 1
[ atoms ]
1 B 1 CAT M 1 -0.2 20.0
"""
SITES = """\
[ moleculetype ]
MOL 2
[ atoms ]
1 A 1 MOL O1 1  0.0  16.0
2 C 1 MOL H2 1  0.32  1.0
3 C 1 MOL H3 1  0.32  1.0
4 V 1 MOL M4 1 -0.64  0.0
[ bonds ]
1 2 1 0.1 300000
1 3 1 0.1 300000
[ angles ]
2 1 3 1 105 400
[ virtual_sites3 ]
4 1 2 3 1 0.13 0.13
[ exclusions ]
4 1 2 3
"""


@dataclass(frozen=True)
class Job:
    """One system, and the options that differ from `COMMON`.

    Args:
        molecules: topology of its molecule types
        count: molecules of each of them, in order
        position: (n, 3) [nm]
        velocity: (n, 3) [nm/ps]
        names: residue and atom name of each particle
        options: beside COMMON
        groups: particles, counted from 1, of index groups
    """

    molecules: str
    count: dict[str, int]
    position: Vectors
    velocity: Vectors
    names: tuple[tuple[str, str], ...]
    options: dict[str, str] = field(default_factory=dict)
    groups: dict[str, range] = field(default_factory=dict)

    def mdp(self, options: dict[str, str]) -> str:
        """Its run parameters, with other options."""
        chosen = COMMON | self.options | options
        return "".join(f"{key} = {value}\n" for key, value in chosen.items())

    def write(self, folder: Path, options: dict[str, str]) -> None:
        """conf.gro, ref.gro, topol.top, index.ndx and grompp.mdp in the folder."""
        (folder / "conf.gro").write_text(self.gro(self.position))
        (folder / "ref.gro").write_text(
            self.gro(np.round(self.position + np.array([0.02, -0.03, 0.01]), 9))
        )
        rows = "".join(f"{name} {n}\n" for name, n in self.count.items())
        (folder / "topol.top").write_text(
            f"{FIELD}{self.molecules}[ system ]\nsmall\n[ molecules ]\n{rows}"
        )
        groups = {"System": range(1, len(self.position) + 1)} | self.groups
        (folder / "index.ndx").write_text(
            "".join(f"[ {k} ]\n{' '.join(map(str, rows))}\n" for k, rows in groups.items())
        )
        (folder / "grompp.mdp").write_text(self.mdp(options))

    def gro(self, points: Vectors) -> str:
        """A .gro file of these points, exact to its ten digits."""
        rows = zip(self.names, points, self.velocity, strict=True)
        lines = [
            f"{1:5d}{residue:<5}{name:>5}{i:5d}"
            + "".join(f"{c:15.10f}" for c in x)
            + "".join(f"{c:15.11f}" for c in v)
            for i, ((residue, name), x, v) in enumerate(rows, 1)
        ]
        return "\n".join(["small", str(len(points)), *lines, " ".join(f"{e:.5f}" for e in BOX), ""])


def _placed(shape: Vectors, seed: int, shake: float = 0.0) -> Vectors:
    """(12, k, 3) copies of a molecule on a lattice, turned, and shaken in themselves."""
    random = np.random.default_rng(seed)
    parts = []
    for k in range(12):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        cell = (np.array([k % 2, k // 2 % 2, k // 4]) + 0.5) / [2, 2, 3]
        noise = shake * random.normal(size=shape.shape)
        parts.append((shape - shape.mean(axis=0)) @ turn + cell * BOX + noise)
    return np.array(parts)


def _moving(position: Vectors, mass: Vectors, seed: int, rigid: bool = False) -> Vectors:
    """Velocities of some 300 K, with drift and rotation of the whole; of rigid molecules too."""
    random = np.random.default_rng(seed)
    molecules, k, _ = position.shape
    heat = np.sqrt(2.494 / mass)[:, None] * random.normal(size=(molecules, k, 3))
    if rigid:
        arms = position - position.mean(axis=1, keepdims=True)
        heat = 0.4 * random.normal(size=(molecules, 1, 3))
        heat = heat + np.cross(9.0 * random.normal(size=(molecules, 1, 3)), arms)
    turning = np.cross([0.2, -0.3, 0.25], position - BOX / 2)
    return np.round((heat + np.array([0.3, -0.2, 0.1]) + turning).reshape(-1, 3), 11)


def _chains() -> Job:
    shape = np.array(
        [[0, 0, 0], [0.1, 0.04, 0.01], [0.18, -0.08, 0.05], [0.33, -0.06, 0], [0.37, 0.03, 0.06]]
    )
    position = np.round(_placed(shape, 11, 0.004), 10)
    mass = np.array([1.0, 12.0, 14.0, 12.0, 1.5])
    names = tuple(("MOL", name) for name in ("H1", "C2", "C3", "C4", "H5"))
    return Job(
        CHAINS,
        {"MOL": 12},
        position.reshape(-1, 3),
        _moving(position, mass, 12),
        names * 12,
        groups={"Left": range(1, 22), "Middle": range(22, 41), "Right": range(41, 61)},
    )


def _water() -> Job:
    height = np.sqrt(0.1**2 - 0.08165**2)
    shape = np.array([[0, 0, 0], [0.08165, height, 0], [-0.08165, height, 0]])
    position = np.round(_placed(shape, 21), 10)
    names = tuple(("SOL", name) for name in ("OW", "HW1", "HW2"))
    return Job(
        WATER,
        {"SOL": 12},
        position.reshape(-1, 3),
        _moving(position, np.array([16.0, 1.0, 1.0]), 22, rigid=True),
        names * 12,
        {"dt": "0.002"},
        {"Left": range(1, 13), "Middle": range(13, 25), "Right": range(25, 37)},
    )


def _atoms() -> Job:
    position = np.round(_placed(np.array([[-0.2, 0.05, 0.1], [0.2, -0.05, -0.1]]), 31, 0.02), 10)
    kinds = [("ION", "P")] * 12 + [("CAT", "M")] * 12
    return Job(
        ATOMS,
        {"ION": 12, "CAT": 12},
        position.swapaxes(0, 1).reshape(-1, 3),
        _moving(position, np.array([20.0, 20.0]), 32),
        tuple(kinds),
        {"dt": "0.002"},
        {"Left": range(1, 9), "Middle": range(9, 17), "Right": range(17, 25)},
    )


def _sites() -> Job:
    shape = np.array([[0, 0, 0], [0.08, 0.06, 0], [-0.08, 0.06, 0], [0.0, 0.03, 0.02]])
    position = np.round(_placed(shape, 41), 10)  # sites beside where they belong
    names = tuple(("MOL", name) for name in ("O1", "H2", "H3", "M4"))
    velocity = _moving(position, np.array([16.0, 1.0, 1.0, 16.0]), 42)
    return Job(SITES, {"MOL": 12}, position.reshape(-1, 3), velocity, names * 12)


JOBS = {"chains": _chains(), "water": _water(), "atoms": _atoms(), "sites": _sites()}
