# SPDX-License-Identifier: Apache-2.0
"""A small system for each preset, at places that formulas give, and its energies by GROMACS.

Run as a program, this file makes ../data/presets/energies.json anew with the gmx_d beside gmx.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import aureole as au
import numpy as np
from aureole.build.published_models import model
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import write_gro
from aureole.gromacs.presets.preset import NAMES
from aureole.gromacs.top.read import read_top
from aureole_bench.gmx import Gmx, Point, installed, settings_of

STORED = Path(__file__).parents[2] / "data" / "presets" / "energies.json"
SIDE, SPACING = 8, 0.45  # molecules along an edge, nm
SITES = SIDE**3

#: Molecules of each system, in the order of the particles.
SYSTEMS = {
    "amber": {"tip3p": SITES - 12, "Na+": 6, "Cl-": 6},
    "charmm36m": {"ethanol": 40, "tip3p": SITES - 40},
    "opls": {"ethanol": 55, "spce": SITES - 55},
    "gromos": {"ethanol": 20, "spc": SITES - 20},
    "stmv": {"ethanol": 10, "tip3p": SITES - 18, "Na+": 4, "Cl-": 4},
    "grappa": {"ethanol": 51, "spce": SITES - 51},
    "grappa-rf": {"ethanol": 51, "spce": SITES - 51},
}

#: Beads as coarse-grained force fields have them: parameters of pairs, a charged chain, water.
BEADS = f"""\
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
Q 72.0 0.0 A 0.47 3.5
C 72.0 0.0 A 0.47 3.5
W 72.0 0.0 A 0.47 4.65
[ nonbond_params ]
Q W 1 0.47 5.0
C W 1 0.47 2.0
Q C 1 0.62 2.0
[ moleculetype ]
CHN 1
[ atoms ]
1 Q 1 CHN QP 1  1.0
2 Q 1 CHN QM 2 -1.0
3 C 1 CHN C1 3  0.0
4 C 1 CHN C2 4  0.0
[ bonds ]
1 2 1 0.45 1250
2 3 1 0.47 1250
3 4 1 0.47 1250
[ angles ]
1 2 3 2 120 25
2 3 4 10 160 25
[ moleculetype ]
W 1
[ atoms ]
1 W 1 W W 1 0.0
[ system ]
beads
[ molecules ]
CHN 32
W {SITES - 128}
"""


def write(name: str, folder: Path) -> None:
    """conf.gro, topol.top and grompp.mdp of a preset."""
    if name == "martini":
        top, position = BEADS, _beads()
    else:
        counts = SYSTEMS[name]
        top, position = au.build.solution(counts).top, _molecules(counts)
    (folder / "topol.top").write_text(top)
    atoms = read_top(folder / "topol.top").expand_atoms()
    edge = (SIDE * (SPACING if name != "martini" else 0.5)) * np.eye(3)
    conf = Coordinates(name, atoms.residue, atoms.residue_name, atoms.name, position, box=edge)
    write_gro(folder / "conf.gro", conf, 6)
    (folder / "grompp.mdp").write_text(au.preset(name))


def sequence(n: int, width: int) -> np.ndarray:
    """(n, width) numbers in (−1, 1), evenly spread: multiples of irrational numbers, wrapped."""
    steps = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0]))[:width]
    return 2.0 * np.mod(np.arange(1, n + 1)[:, None] * steps, 1.0) - 1.0


def _lattice(spacing: float) -> np.ndarray:
    return (np.indices((SIDE,) * 3).reshape(3, -1).T + 0.5) * spacing


def _molecules(counts: dict[str, int]) -> np.ndarray:
    """Molecules spread over the lattice, each turned, its atoms a little off their places."""
    order = np.argsort(np.mod(np.arange(SITES) * np.sqrt(5.0), 1.0))
    centres, parts, first = _lattice(SPACING)[order], [], 0
    for name, count in counts.items():
        shape = model(name, "tip3p").position
        shape = shape - shape.mean(axis=0)
        q = np.column_stack([np.ones(count), 0.6 * sequence(count, 3)])
        w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        atoms = np.einsum("ijm,aj->mai", turn, shape) + centres[first : first + count, None, :]
        parts.append(atoms.reshape(-1, 3))
        first += count
    position = np.concatenate(parts)
    return position + 0.002 * sequence(len(position), 3)


def _beads() -> np.ndarray:
    """Chains that zigzag along z fill the first planes, water the others."""
    position = _lattice(0.5)
    position[:128:2, 1] += 0.12
    return position + 0.04 * sequence(len(position), 3)


def point(name: str, gmx: Gmx) -> Point:
    """Energies and forces by gmx in its folder."""
    files = Path("conf.gro"), Path("topol.top")
    return gmx.point("point", *files, settings_of(au.preset(name)))


def main() -> None:
    """Write the energies of all systems."""
    found = {}
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            double = installed(Path(folder), double=True)
            write(name, Path(folder))
            found[name] = dict(point(name, double).energy)
            version = double.version
    made = f"gmx_d {version}; single points with nsteps = 0, continuation = yes, rlist = cut-off"
    text = json.dumps({"made by": made, "energies [kJ/mol]": found}, indent=1)
    STORED.parent.mkdir(parents=True, exist_ok=True)
    STORED.write_text(text + "\n")


if __name__ == "__main__":
    main()
