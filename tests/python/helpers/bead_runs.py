# SPDX-License-Identifier: Apache-2.0
"""Files of a small coarse-grained system, named as in Martini: lipids, water and ions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

NAMES = ("NC3", "PO4", "GL1", "GL2", "C1A", "D2A", "C1B", "C2B")
#: Bonds of a lipid, counted from 0.
BONDS = ((0, 1), (1, 2), (2, 3), (2, 4), (4, 5), (3, 6), (6, 7))
LIPIDS, WATERS, IONS = 9, 108, 3
SIGMA, OF_IONS = 0.47, 0.34
TOPOLOGY = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
Q1  72 0 A 0.47 3.5
N4  72 0 A 0.47 3.0
C1  72 0 A 0.47 3.4
W   72 0 A 0.47 4.6
TQ5 36 0 A 0.34 2.0
[ moleculetype ]
POPC 1
[ atoms ]
1 Q1 1 POPC NC3 1  1
2 Q1 1 POPC PO4 2 -1
3 N4 1 POPC GL1 3  0
4 N4 1 POPC GL2 4  0
5 C1 1 POPC C1A 5  0
6 C1 1 POPC D2A 6  0
7 C1 1 POPC C1B 7  0
8 C1 1 POPC C2B 8  0
[ bonds ]
1 2 1 0.40 7000
2 3 1 0.42 1350
3 4 1 0.31 2500
3 5 1 0.47 5000
5 6 1 0.47 3800
4 7 1 0.47 3600
7 8 1 0.47 3600
[ moleculetype ]
W 1
[ atoms ]
1 W 1 W W 1 0
[ moleculetype ]
ION 1
[ atoms ]
1 TQ5 1 ION NA 1 0
[ system ]
a bilayer
[ molecules ]
W 54
POPC 9
W 54
ION 3
"""
BOX = (3.3, 3.3, 5.4)
_LIPID = np.array(
    [
        *([0, 0, 2.4], [0, 0, 2.0], [0, 0, 1.6], [0.31, 0, 1.6], [0, 0, 1.1], [0, 0, 0.65]),
        *([0.4, 0, 1.1], [0.4, 0, 0.65]),
    ]
)
MINIMISE = "integrator = steep\nnsteps = {}\nemtol = {}\n"
COMMON = "coulombtype = reaction-field\nepsilon-r = 15\nrcoulomb = 1.1\nrvdw = 1.1\n"


def write(folder: Path, steps: int = 400, tolerance: float = 200.0) -> None:
    """conf.gro, topol.top, and em.mdp of a minimisation."""
    grid = np.stack(np.meshgrid(range(6), range(6), range(3), indexing="ij"), axis=-1)
    grid = grid.reshape(-1, 3) * [0.55, 0.55, 0.47] + [0.1, 0.1, 3.3]
    sites = np.stack(np.meshgrid(range(3), range(3), indexing="ij"), axis=-1).reshape(-1, 2) * 1.1
    rows = [("W", "W", place) for place in grid[:54]]
    for x, y in sites:
        shifted = _LIPID + np.array([x, y, 0])
        rows += [("POPC", name, at) for name, at in zip(NAMES, shifted, strict=True)]
    rows += [("W", "W", place) for place in grid[54:]]
    rows += [("ION", "NA", np.array([0.6 + k, 0.6, 5.1])) for k in range(IONS)]
    lines, residue, before = [], 0, None
    for number, (of, name, place) in enumerate(rows, 1):
        residue += of != "POPC" or name == NAMES[0] or before != of
        before = of
        at = "".join(f"{x:8.3f}" for x in place)
        lines.append(f"{residue:5d}{of:<5s}{name:>5s}{number:5d}{at}")
    box = "".join(f"{edge:10.5f}" for edge in BOX)
    text = "\n".join(["a bilayer", str(len(rows)), *lines, box, ""])
    (folder / "conf.gro").write_text(text)
    (folder / "topol.top").write_text(TOPOLOGY)
    (folder / "em.mdp").write_text(MINIMISE.format(steps, tolerance) + COMMON)
