# SPDX-License-Identifier: Apache-2.0
"""A small system for tests of run parameters: 500 rigid waters and 12 molecules of two atoms.

As objects of ours, and as the files that GROMACS reads, so that both judge the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from aureole.system.topology import (
    Atoms,
    Exclusions,
    Labels,
    MoleculeType,
    Nonbonded,
    Terms,
    Topology,
)

EDGE = 3.6  # nm
SIDE = 8  # molecules along an edge
WATERS = SIDE**3 - 12
LIGANDS = 12
OH, HH = 0.1, 0.1633  # nm
CH, K_CH = 0.109, 284512.0  # nm, kJ/mol/nm²

TOP = f"""\
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 15.9994 0.0 A 0.3166 0.65
HW 1  1.0080 0.0 A 0.0    0.0
CX 6 12.0110 0.0 A 0.34   0.36
HX 1  1.0080 0.0 A 0.26   0.06
[ moleculetype ]
LIG 3
[ atoms ]
1 CX 1 LIG C1 1 -0.1 12.011
2 HX 1 LIG H1 1  0.1  1.008
[ bonds ]
1 2 1 {CH} {K_CH}
#ifdef POSRES
[ position_restraints ]
1 1 1000 1000 1000
#endif
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1 -0.8476 15.9994
2 HW 1 SOL HW1 1  0.4238  1.008
3 HW 1 SOL HW2 1  0.4238  1.008
[ settles ]
1 1 {OH} {HH}
[ exclusions ]
1 2 3
2 1 3
3 1 2
[ system ]
mini
[ molecules ]
LIG {LIGANDS}
SOL {WATERS}
"""

BEADS = f"""\
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
P4 72.0 0.0 A 0.47 5.0
[ moleculetype ]
W 1
[ atoms ]
1 P4 1 W W 1 0.0
[ system ]
beads
[ molecules ]
W {SIDE**3}
"""


@dataclass(frozen=True)
class Frame:
    """What the checks read of coordinates."""

    position: np.ndarray
    velocity: np.ndarray | None
    box: np.ndarray | None
    name: Labels

    @property
    def n(self) -> int:
        return len(self.position)


def frame() -> Frame:
    """Molecules on a simple cubic lattice, all the same way round, at rest."""
    ligand = np.array([[0.0, 0.0, 0.0], [CH, 0.0, 0.0]])
    height = np.sqrt(OH**2 - (0.5 * HH) ** 2)
    water = np.array([[0.0, 0.0, 0.0], [0.5 * HH, height, 0.0], [-0.5 * HH, height, 0.0]])
    sites = (np.indices((SIDE,) * 3).reshape(3, -1).T + 0.3) * EDGE / SIDE
    parts = [site + (ligand if k < LIGANDS else water) for k, site in enumerate(sites)]
    position = np.concatenate(parts)
    names = np.array([0, 1] * LIGANDS + [2, 3, 4] * WATERS, dtype=np.int32)
    labels = Labels(("C1", "H1", "OW", "HW1", "HW2"), names)
    return Frame(position, np.zeros_like(position), EDGE * np.eye(3), labels)


def groups() -> dict[str, np.ndarray]:
    """The groups that follow from the residues' names."""
    n = 2 * LIGANDS + 3 * WATERS
    ligands = np.arange(2 * LIGANDS)
    water = np.arange(2 * LIGANDS, n)
    return {
        "System": np.arange(n),
        "Other": ligands,
        "LIG": ligands,
        "Water": water,
        "SOL": water,
        "non-Water": ligands,
    }


def _molecule(name: str, rows: str, terms: dict[str, Terms]) -> MoleculeType:
    cells = [row.split() for row in rows.split(",")]
    names, masses, charges = zip(*cells, strict=True)
    n = len(names)
    index = np.arange(n, dtype=np.int32)
    atoms = Atoms(
        type=np.zeros(n, dtype=np.int32),
        mass=np.array(masses, dtype=float),
        charge=np.array(charges, dtype=float),
        name=Labels(tuple(names), index),
        residue_name=Labels((name,), np.zeros(n, dtype=np.int32)),
        residue=np.ones(n, dtype=np.int32),
        virtual=np.zeros(n, dtype=bool),
    )
    nothing = Exclusions(np.zeros(n + 1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    return MoleculeType(name, atoms, terms, nothing)


def write_beads(folder: Path) -> None:
    """`beads.top` and `beads.gro`: heavy single particles without charge, as Martini has them."""
    (folder / "beads.top").write_text(BEADS)
    sites = (np.indices((SIDE,) * 3).reshape(3, -1).T + 0.5) * EDGE / SIDE
    lines = ["beads", str(len(sites))]
    for i, (x, y, z) in enumerate(sites, 1):
        lines.append(f"{i:5d}{'W':<5s}{'W':>5s}{i:5d}{x:8.3f}{y:8.3f}{z:8.3f}")
    lines.append(f"{EDGE:10.5f}" * 3)
    (folder / "beads.gro").write_text("\n".join(lines) + "\n")


def beads() -> Topology:
    """The topology of these files."""
    zero = np.zeros((1, 1))
    nonbonded = Nonbonded(("P4",), zero, zero, "lorentz-berthelot")
    return Topology("beads", nonbonded, ((_molecule("W", "W 72 0", {}), SIDE**3),), 138.935458)


def one(*particles: int, parameters: tuple[float, ...]) -> Terms:
    """A single term."""
    return Terms(
        np.array([particles], dtype=np.int32), np.zeros(1, dtype=np.int32), np.array([parameters])
    )


def topology(constraints: str = "none", posres: bool = False, rigid: bool = True) -> Topology:
    """The topology of the files, after bonds have become constraints.

    Args:
        constraints: as in an .mdp file
        posres: with -DPOSRES
        rigid: water by SETTLE; otherwise nothing holds its atoms
    """
    bond = "harmonic_bond" if constraints == "none" else "constraint"
    values = (CH, K_CH) if constraints == "none" else (CH,)
    terms = {bond: one(0, 1, parameters=values)}
    if posres:
        terms["position_restraint"] = one(0, parameters=(1000.0, 1000.0, 1000.0))
    water = {"settle": one(0, 1, 2, parameters=(OH, HH))} if rigid else {}
    ligand = _molecule("LIG", "C1 12.011 -0.1, H1 1.008 0.1", terms)
    solvent = _molecule("SOL", "OW 15.9994 -0.8476, HW1 1.008 0.4238, HW2 1.008 0.4238", water)
    zero = np.zeros((1, 1))
    nonbonded = Nonbonded(("X",), zero, zero, "lorentz-berthelot")
    return Topology("mini", nonbonded, ((ligand, LIGANDS), (solvent, WATERS)), 138.935458)


def charged(system: Topology, charge: float) -> Topology:
    """The same with another charge of the first atom of each of the first molecules [e]."""
    (ligand, count), *rest = system.blocks
    charges = ligand.atoms.charge.copy()
    charges[0] += charge / count
    atoms = replace(ligand.atoms, charge=charges)
    return replace(system, blocks=((replace(ligand, atoms=atoms), count), *rest))


def write_files(folder: Path) -> None:
    """`mini.top` and `mini.gro`."""
    (folder / "mini.top").write_text(TOP)
    atoms = []
    for k in range(LIGANDS + WATERS):
        names = ("C1", "H1") if k < LIGANDS else ("OW", "HW1", "HW2")
        residue = "LIG" if k < LIGANDS else "SOL"
        atoms += [(k + 1, residue, name) for name in names]
    lines = ["mini", str(len(atoms))]
    for i, ((k, residue, name), r) in enumerate(zip(atoms, frame().position, strict=True)):
        x, y, z = r
        lines.append(f"{k:5d}{residue:<5s}{name:>5s}{i + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}")
        lines[-1] += f"{0:8.4f}" * 3
    lines.append(f"{EDGE:10.5f}" * 3)
    (folder / "mini.gro").write_text("\n".join(lines) + "\n")
