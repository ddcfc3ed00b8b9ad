# SPDX-License-Identifier: Apache-2.0
"""Miniature systems: one for each function of a topology, rule, modifier and special case.

Their reference numbers stand in tests/data/miniatures.json, made by validation/make_miniatures.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

#: Options of all of them, unless a case says otherwise.
COMMON = {
    "integrator": "md",
    "nsteps": "0",
    "dt": "0.001",
    "coulombtype": "cut-off",
    "rcoulomb": "0.8",
    "rvdw": "0.8",
    "constraints": "none",
    "continuation": "yes",
    "verlet-buffer-tolerance": "-1",
    "rlist": "0.88",
}

FIELD = """\
[ defaults ]
1 {rule} {gen} {lj} {qq}
[ atomtypes ]
{types}
"""
#: V and W of three types as the combination rules want them.
TYPES = {
    1: (("A", "3.1e-3", "2.9e-6"), ("B", "4.7e-3", "5.1e-6"), ("C", "1.2e-3", "0.9e-6")),
    2: (("A", "0.31", "0.62"), ("B", "0.24", "0.44"), ("C", "0.0", "0.0")),
    3: (("A", "0.31", "0.62"), ("B", "0.24", "0.44"), ("C", "0.17", "0.11")),
}
#: A bent chain of five [nm], without any symmetry.
CHAIN = np.array(
    [
        [0.500, 0.500, 0.500],
        [0.612, 0.571, 0.523],
        [0.703, 0.487, 0.611],
        [0.834, 0.552, 0.579],
        [0.901, 0.428, 0.642],
    ]
)
BOX = (2.0, 2.0, 2.2)
TRICLINIC = (2.0, 1.9, 1.8, 0.0, 0.0, 0.5, 0.0, -0.6, 0.7)


@dataclass(frozen=True)
class Miniature:
    """One system.

    Args:
        name: what it shows
        top: its topology
        position: (n, 3) [nm]
        box: three or nine numbers [nm], in the order of .gro files
        options: of the run, beside COMMON; None removes one of those
        references: (n, 3) points of position restraints; None for `position`
        stand_in: a topology of the same meaning, for GROMACS where it errs with this one
    """

    name: str
    top: str
    position: Vectors
    box: tuple[float, ...] = BOX
    options: dict[str, str | None] = field(default_factory=dict)
    references: Vectors | None = None
    stand_in: str = ""

    def mdp(self) -> str:
        """Its run parameters."""
        chosen = {k: v for k, v in (COMMON | self.options).items() if v is not None}
        return "".join(f"{key} = {value}\n" for key, value in chosen.items())

    def write(self, folder: Path) -> tuple[Path, Path, Path, Path]:
        """conf.gro, topol.top, grompp.mdp and ref.gro in the folder."""
        paths = tuple(folder / n for n in ("conf.gro", "topol.top", "grompp.mdp", "ref.gro"))
        points = self.position if self.references is None else self.references
        texts = (self.gro(self.position), self.top, self.mdp(), self.gro(points))
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        return paths

    def gro(self, points: Vectors) -> str:
        """A .gro file of these points."""
        lines = [
            f"{1:5d}{'MOL':<5}{'X':>5}{i + 1:5d}" + "".join(f"{v:13.7f}" for v in x)
            for i, x in enumerate(points)
        ]
        box = " ".join(f"{v:.5f}" for v in self.box)
        return "\n".join([self.name, str(len(points)), *lines, box, ""])


def force_field(rule: int = 2, gen: str = "yes", lj: float = 0.5, qq: float = 0.8) -> str:
    """Lines of a force field."""
    rows = (f"{name} {name} 6 12.0 0.0 A {v} {w}" for name, v, w in TYPES[rule])
    return FIELD.format(rule=rule, gen=gen, lj=lj, qq=qq, types="\n".join(rows))


def atoms(kinds: str, charges: tuple[float, ...], masses: tuple[float, ...] = ()) -> str:
    """[ atoms ] of types named by one letter each."""
    masses = masses or (12.0,) * len(kinds)
    rows = (
        f"{i} {kind} 1 MOL X {i} {charge} {mass}"
        for i, (kind, charge, mass) in enumerate(zip(kinds, charges, masses, strict=True), 1)
    )
    return "[ atoms ]\n" + "\n".join(rows) + "\n"


def topology(molecule: str, count: int, field: str = "", nrexcl: int = 3, after: str = "") -> str:
    """A topology of `count` molecules of one type."""
    return (
        (field or force_field())
        + f"[ moleculetype ]\nMOL {nrexcl}\n{molecule}"
        + f"[ system ]\nmini\n[ molecules ]\nMOL {count}\n{after}"
    )


def two_chains(n: int) -> Vectors:
    """Two chains of n, the second turned about and across the edge of the box."""
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    other = (CHAIN[:n] - CHAIN[2]) @ turn.T + [0.05, 1.96, 2.12]
    return np.round(np.concatenate([CHAIN[:n], other]), 7)


#: Each function alone, of molecules of so many particles: directive, lines, particles.
FUNCTIONS: dict[str, tuple[str, str, int]] = {
    "bond harmonic": ("bonds", "1 2 1 0.12 250000\n2 3 1 0.15 180000", 3),
    "bond g96": ("bonds", "1 2 2 0.12 1.2e7\n2 3 2 0.15 0.9e7", 3),
    "bond morse": ("bonds", "1 2 3 0.12 320 19.5\n2 3 3 0.15 410 22", 3),
    "bond cubic": ("bonds", "1 2 4 0.12 130000 -22\n2 3 4 0.13 90000 12", 3),
    "bond restraint": ("bonds", "1 3 6 0.25 3000", 3),
    "bond FENE": ("bonds", "1 2 7 0.16 20000\n2 3 7 0.2 9000", 3),
    "bond range": (
        *("bonds", "1 2 10 0.15 0.17 0.2 3000\n2 3 10 0.05 0.1 0.2 2000\n1 3 10 0.1 0.12 0.15 900"),
        3,
    ),
    "angle harmonic": ("angles", "1 2 3 1 109.5 420\n2 3 4 1 121 350", 4),
    "angle g96": ("angles", "1 2 3 2 109.5 420\n2 3 4 2 121 350", 4),
    "angle Urey-Bradley": ("angles", "1 2 3 5 104 420 0.23 9000\n2 3 4 5 121 350 0.2 0", 4),
    "angle cross bonds": ("angles", "1 2 3 3 0.15 0.14 9000\n2 3 4 3 0.14 0.15 -700", 4),
    "angle cross bond-angle": (
        "angles",
        "1 2 3 4 0.15 0.14 0.24 -8000\n2 3 4 4 0.14 0.15 0.2 600",
        4,
    ),
    "angle quartic": ("angles", "1 2 3 6 109 1 20 200 -30 40\n2 3 4 6 121 0 0 90 5 -60", 4),
    "angle restraints": ("angle_restraints", "1 2 4 5 1 70 40 2\n3 2 3 5 1 95 30 1", 5),
    "angle restraints, z axis": ("angle_restraints_z", "1 3 1 65 50 1\n2 5 1 110 20 -2", 5),
    "angle restricted": ("angles", "1 2 3 10 109.5 42\n2 3 4 10 121 35", 4),
    "dihedral periodic": ("dihedrals", "1 2 3 4 1 25 3.1 3\n2 3 4 5 1 180 2.2 1", 5),
    "dihedral improper": ("dihedrals", "1 2 3 4 2 35.3 160\n2 3 5 4 2 179 120", 5),
    "dihedral Ryckaert-Bellemans": (
        *("dihedrals", "1 2 3 4 3 9.28 12.16 -13.12 -3.06 26.24 -31.5\n2 3 4 5 3 1 2 0 0 0 0"),
        5,
    ),
    "dihedral periodic improper": ("dihedrals", "1 2 3 4 4 180 4.6 2\n2 3 4 5 4 10 3 1", 5),
    "dihedral Fourier": ("dihedrals", "1 2 3 4 5 1.3 -0.5 2.1 -0.9\n2 3 4 5 5 2 0 0 1", 5),
    "dihedral multiple": (
        *("dihedrals", "1 2 3 4 9 0 1.1 1\n1 2 3 4 9 180 2.3 2\n1 2 3 4 9 60 0.7 3"),
        4,
    ),
    "dihedral restricted": ("dihedrals", "1 2 3 4 10 70 25\n2 3 4 5 10 120 12", 5),
    "dihedral restraints": (
        *("dihedral_restraints", "1 2 3 4 1 -120 15 300\n2 3 4 5 1 60 0 200\n2 3 4 5 1 170 180 9"),
        5,
    ),
    "dihedral bending-torsion": (
        *("dihedrals", "1 2 3 4 11 9.3 1.2 -0.7 0.4 2.2 -1.1\n2 3 4 5 11 1 1 0 0 0.5 0"),
        5,
    ),
    "pairs": ("pairs", "1 4 1\n2 5 1 0.29 0.55", 5),
    "pairs with charges": ("pairs", "1 4 2 0.7 0.3 -0.4 0.27 0.6", 4),
    "pairs of their own": ("pairs_nb", "1 4 1 0.3 -0.4 0.27 0.6", 4),
}
_CHARGES = (0.31, -0.42, 0.17, -0.23, 0.17)


def functions() -> Iterator[Miniature]:
    """Functions of bonded interactions; there are no other interactions."""
    for name, (section, lines, n) in FUNCTIONS.items():
        charges = _CHARGES[:n] if "pairs" in name else (0.0,) * n
        apart = "".join(
            f"{i} {' '.join(str(j) for j in range(1, n + 1) if j != i)}\n" for i in range(1, n + 1)
        )
        kinds = "AABBA"[:n] if "pairs" in name else "C" * n
        molecule = atoms(kinds, charges) + f"[ {section} ]\n{lines}\n"
        if section == "bonds":
            molecule += "[ exclusions ]\n" + apart
        else:
            bonds = "".join(f"{i} {i + 1} 5\n" for i in range(1, n))
            molecule += f"[ bonds ]\n{bonds}[ exclusions ]\n{apart}"
        yield Miniature(name, topology(molecule, 2), two_chains(n))


def more_terms() -> Iterator[Miniature]:
    """Terms that need more than a line."""
    grid = 12
    k = np.arange(grid) * 2 * np.pi / grid - np.pi
    values = 3 * np.cos(k[:, None]) - 2 * np.sin(2 * k[None, :]) + np.cos(k[:, None] + k[None, :])
    table = " ".join(f"{v:.6f}" for v in values.ravel())
    cmap = f"[ cmaptypes ]\nC C C C C 1 {grid} {grid} {table}\n"
    bonds = "[ bonds ]\n1 2 5\n2 3 5\n3 4 5\n4 5 5\n"
    chain = atoms("CCCCC", (0.0,) * 5) + bonds
    yield Miniature(
        *("cmap", topology(chain + "[ cmap ]\n1 2 3 4 5 1\n", 2, force_field() + cmap)),
        two_chains(5),
    )
    straight = CHAIN.copy()
    straight[:, 1:] = [0.5, 0.5]
    straight[:, 1] += [0, 1e-4, 0, 2e-4, 0]
    lines = "[ angles ]\n1 2 3 1 180 500\n2 3 4 2 180 300\n3 4 5 1 120 90\n"
    yield Miniature("angles nearly straight", topology(chain + lines, 1), straight)
    flat = CHAIN.copy()
    flat[:, 2] = 0.5 + np.array([0, 1e-3, 0, 0, 2e-3])
    lines = (
        "[ dihedrals ]\n1 2 3 4 2 179 90\n2 3 4 5 2 -178 110\n1 3 2 4 2 0 80\n1 2 3 4 1 180 5 2\n"
    )
    yield Miniature("dihedrals nearly flat", topology(chain + lines, 1), flat)
    restraints = "[ position_restraints ]\n1 1 1000 500 0\n3 1 200 300 400\n"
    points = two_chains(5) + np.array([0.03, -0.05, 0.04])
    points[3:] += [2.0, 0, -2.2]  # other images of the same points
    for scaling in ("no", "all", "com"):
        yield Miniature(
            f"position restraints, refcoord-scaling {scaling}",
            topology(chain + restraints, 2),
            two_chains(5),
            options={"refcoord-scaling": scaling},
            references=np.round(points, 7) if scaling == "no" else np.round(points - 0.01, 7),
        )
    flat = "".join(
        f"{particle} 2 {geometry} {radius} {1000 + 100 * geometry}\n"
        for geometry in range(1, 9)
        for particle, radius in ((1 + geometry % 5, 0.02), (1 + geometry % 3, -0.09))
    )
    for scaling in ("no", "all", "com"):
        yield Miniature(
            f"flat-bottomed restraints, refcoord-scaling {scaling}",
            topology(chain + restraints + flat, 2),
            two_chains(5),
            options={"refcoord-scaling": scaling},
            references=np.round(points, 7),
        )
    between = (
        "[ intermolecular_interactions ]\n[ bonds ]\n2 7 6 0.9 150\n3 8 10 0.1 0.2 0.3 50\n"
        "[ angles ]\n1 3 8 1 100 20\n[ angle_restraints ]\n1 2 6 7 1 30 20 1\n"
        "[ angle_restraints_z ]\n1 7 1 90 20 1\n[ dihedral_restraints ]\n2 3 7 8 1 60 10 20\n"
    )
    yield Miniature("terms between molecules", topology(chain, 2, after=between), two_chains(5))
    types = (
        "[ bondtypes ]\nC C 1 0.14 2e5\n[ angletypes ]\nC C C 1 110 400\n"
        "[ dihedraltypes ]\nX C C X 9 180 3.3 2\nC C C C 9 0 1.1 3\nC C C C 9 180 0.4 1\n"
    )
    lines = (
        "[ bonds ]\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n[ angles ]\n1 2 3 1\n2 3 4 1\n3 4 5 1\n"
        "[ dihedrals ]\n1 2 3 4 9\n2 3 4 5 9\n"
    )
    yield Miniature(
        "parameters from types",
        topology(atoms("CCCCC", (0.0,) * 5) + lines, 2, force_field() + types),
        two_chains(5),
    )


def soup(box: tuple[float, ...] = BOX, seed: int = 7) -> Vectors:
    """Twelve bent molecules of three [nm] on a lattice, turned and shaken."""
    random = np.random.default_rng(seed)
    shape = np.array([[-0.09, 0.02, 0.0], [0.0, 0.0, 0.0], [0.06, 0.128, 0.0]])
    vectors = np.diag(box[:3])
    if len(box) == 9:
        vectors[1, 0], vectors[2, 0], vectors[2, 1] = box[5], box[7], box[8]
    parts = []
    for k in range(12):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        cell = (np.array([k % 2, k // 2 % 2, k // 4]) + 0.45) / [2, 2, 3]
        parts.append(shape @ turn + cell @ vectors + random.normal(0, 0.06, 3))
    return np.round(np.concatenate(parts), 7)


def soup_topology(
    rule: int = 2, more: str = "", nrexcl: int = 2, charges: tuple[float, ...] = (0.42, -0.7, 0.28)
) -> str:
    """Its topology; bonds exclude and have no energy."""
    molecule = atoms("ABC", charges) + "[ bonds ]\n1 2 5\n2 3 5\n"
    return topology(molecule, 12, force_field(rule) + more, nrexcl)


RF = {"coulombtype": "reaction-field", "epsilon-rf": "0"}
PME = {"coulombtype": "pme", "fourierspacing": "0.1", "ewald-rtol": "1e-5"}

#: Non-bonded interactions: options beside COMMON.
METHODS: dict[str, dict[str, str | None]] = {
    "potential-shift": {},
    "no modifier": {"vdw-modifier": "none", "coulomb-modifier": "none"},
    "force-switch": {"vdw-modifier": "force-switch", "rvdw-switch": "0.6"},
    "potential-switch": {"vdw-modifier": "potential-switch", "rvdw-switch": "0.6"},
    "vdwtype shift": {"vdwtype": "shift", "rvdw-switch": "0.6", "coulomb-modifier": "none"},
    "reaction field": RF,
    "reaction field 1": RF | {"epsilon-rf": "1"},
    "reaction field 1, no modifier": RF | {"epsilon-rf": "1", "coulomb-modifier": "none"},
    "reaction field, epsilon-r 3 and 3, no modifier": RF
    | {"epsilon-r": "3", "epsilon-rf": "3", "coulomb-modifier": "none"},
    "reaction field 78": RF | {"epsilon-rf": "78"},
    "reaction field, epsilon-r 15": RF | {"epsilon-r": "15"},
    "reaction field, epsilon-r 2 and 54, no modifier": RF
    | {"epsilon-r": "2", "epsilon-rf": "54", "coulomb-modifier": "none", "vdw-modifier": "none"},
    "reaction field, force-switch": RF | {"vdw-modifier": "force-switch", "rvdw-switch": "0.6"},
    "epsilon-r 4": {"epsilon-r": "4"},
    "mesh": PME,
    "mesh of order 5": PME | {"pme-order": "5"},
    "mesh of order 6": PME | {"pme-order": "6"},
    "mesh of order 8": PME | {"pme-order": "8"},
    "mesh of order 8, wide spacing": PME | {"pme-order": "8", "fourierspacing": "0.3"},
    "mesh of one given number": PME | {"fourier-ny": "27"},
    "mesh of given points": PME | {"fourier-nx": "20", "fourier-ny": "18", "fourier-nz": "25"},
    "mesh, rtol 1e-6": PME | {"ewald-rtol": "1e-6", "fourierspacing": "0.08"},
    "mesh, rtol 1e-8": PME | {"ewald-rtol": "1e-8", "fourierspacing": "0.07"},
    # Below this the analytical kernels of GROMACS err: their polynomials end as well.
    "mesh, no modifier": PME | {"vdw-modifier": "none", "coulomb-modifier": "none"},
    "mesh, force-switch": PME | {"vdw-modifier": "force-switch", "rvdw-switch": "0.6"},
    "mesh, potential-switch": PME | {"vdw-modifier": "potential-switch", "rvdw-switch": "0.6"},
    "mesh, longer rcoulomb": PME | {"rvdw": "0.7"},
    "mesh, epsilon-r 2": PME | {"epsilon-r": "2"},
    "dispersion correction of energy": {"dispcorr": "ener"},
    "dispersion correction": PME | {"dispcorr": "enerpres"},
    "dispersion correction, force-switch": {
        "dispcorr": "enerpres",
        "vdw-modifier": "force-switch",
        "rvdw-switch": "0.6",
    },
    "dispersion correction, potential-switch": {
        "dispcorr": "enerpres",
        "vdw-modifier": "potential-switch",
        "rvdw-switch": "0.6",
    },
    "dispersion correction, no modifier": {"dispcorr": "enerpres", "vdw-modifier": "none"},
    "energy groups": {"energygrps": "System"},
}


def methods() -> Iterator[Miniature]:
    """Forces between molecules."""
    for name, options in METHODS.items():
        yield Miniature(name, soup_topology(), soup(), options=options)
    for rule in (1, 3):
        yield Miniature(f"combination rule {rule}", soup_topology(rule), soup())
    special = "[ nonbond_params ]\nA B 1 0.28 0.9\nC C 1 0.2 0.3\n"
    yield Miniature("pairs of types", soup_topology(2, special), soup())
    special = "[ nonbond_params ]\nA B 1 2.5e-3 3.3e-6\n"
    yield Miniature("pairs of types, rule 1", soup_topology(1, special), soup())
    negative = soup_topology().replace("B B 6 12.0 0.0 A 0.24", "B B 6 12.0 0.0 A -0.24")
    yield Miniature("negative sigma", negative, soup())
    short = {"rcoulomb": "0.7", "rvdw": "0.7", "rlist": "0.78"}
    coarse = {"fourier-nx": "12", "fourier-ny": "10", "fourier-nz": "14"}
    tilted = {"reaction field": RF, "mesh": PME | {"fourierspacing": "0.06"}}
    # Waves of half a mesh count here, and boxes that are tilted tell how.
    for name, options in (tilted | {"coarse mesh": PME | coarse}).items():
        yield Miniature(
            f"triclinic, {name}",
            soup_topology(),
            soup(TRICLINIC),
            TRICLINIC,
            options | short,
        )
    for name, options in {"reaction field": RF, "mesh": PME}.items():
        charges = (0.42, -0.7, 0.36)
        yield Miniature(
            f"net charge, {name}", soup_topology(charges=charges), soup(), options=options
        )
    for nrexcl in (0, 1):
        yield Miniature(f"nrexcl {nrexcl}, mesh", soup_topology(nrexcl=nrexcl), soup(), options=PME)
    far = "[ exclusions ]\n1 5 6 9\n5 1\n6 1\n9 1\n"
    molecule = atoms("ABC" * 4, (0.42, -0.7, 0.28) * 4) + "[ bonds ]\n1 2 5\n2 3 5\n" + far
    yield Miniature("exclusions apart", topology(molecule, 3, nrexcl=2), soup(), options=RF)
    yield Miniature(
        "molecules across edges",
        soup_topology(),
        np.round(np.mod(soup() + 0.4, BOX), 7),
        options=PME,
    )
    yield Miniature(
        "far from the box",
        soup_topology(),
        np.round(soup() + np.array([4.0, -6.0, 2.2]), 7),
        options=RF,
    )


#: Bonds, pairs and charges together, by rule and by the origin of pairs.
def pairs() -> Iterator[Miniature]:
    """1-4 pairs by rule, with reaction field and mesh, and permittivity."""
    bonds = "[ bonds ]\n1 2 1 0.12 25000\n2 3 1 0.13 25000\n3 4 1 0.14 25000\n4 5 1 0.14 25000\n"
    chain = atoms("ABCAB", _CHARGES) + bonds + "[ pairs ]\n1 4 1\n2 5 1\n"
    for rule in (1, 2, 3):
        yield Miniature(
            f"generated pairs, rule {rule}", topology(chain, 2, force_field(rule)), two_chains(5)
        )
    listed = {1: "A A 1 2.1e-3 1.8e-6\nB B 1 3e-3 2e-6\n", 2: "A A 1 0.28 0.4\nB B 1 0.22 0.3\n"}
    for rule, lines in listed.items():
        field = force_field(rule, gen="no") + "[ pairtypes ]\n" + lines
        yield Miniature(f"listed pairs, rule {rule}", topology(chain, 2, field), two_chains(5))
    for rule, values in {1: "2.5e-3 3.3e-6", 2: "0.28 0.9"}.items():
        field = force_field(rule) + f"[ nonbond_params ]\nA A 1 {values}\n"
        name = f"generated pairs of pairs of types, rule {rule}"
        yield Miniature(name, topology(chain, 2, field), two_chains(5))
    for name, options in {
        "reaction field": RF,
        "mesh": PME,
        "epsilon-r 3": {"epsilon-r": "3"},
    }.items():
        yield Miniature(f"pairs and {name}", topology(chain, 2), two_chains(5), options=options)


#: Rows of virtual sites of a molecule whose last particle is the site.
SITES = {
    "virtual site 1": ("virtual_sites1", "5 1 1"),
    "virtual site 2": ("virtual_sites2", "5 1 2 1 0.37"),
    "virtual site 2 at a distance": ("virtual_sites2", "5 1 2 2 0.09"),
    "virtual site 3": ("virtual_sites3", "5 1 2 3 1 0.31 0.22"),
    "virtual site 3 at a distance": ("virtual_sites3", "5 1 2 3 2 0.6 0.11"),
    "virtual site 3 at an angle": ("virtual_sites3", "5 1 2 3 3 118 0.1"),
    "virtual site 3 out of the plane": ("virtual_sites3", "5 1 2 3 4 -0.3 -0.25 2.1"),
    "virtual site 4": ("virtual_sites4", "5 1 2 3 4 2 1.1 0.8 -0.12"),
    "virtual site n, centre": ("virtual_sitesn", "5 1 1 2 3 4"),
    "virtual site n, centre of mass": ("virtual_sitesn", "5 2 1 2 4"),
    "virtual site n, weights": ("virtual_sitesn", "5 3 1 0.5 2 0.3 3 0.2"),
}


def sites() -> Iterator[Miniature]:
    """Virtual sites with charges, two molecules that interact."""
    bonds = "[ bonds ]\n1 2 1 0.13 25000\n2 3 1 0.13 25000\n3 4 1 0.14 25000\n"
    apart = "[ exclusions ]\n5 1 2 3 4\n"
    for name, (section, line) in SITES.items():
        first = force_field().replace("C C 6 12.0 0.0 A", "C C 6 0.0 0.0 V")
        molecule = atoms("ABABC", (0.31, 0.12, 0.0, 0.2, -0.63), (12.0, 3.0, 5.0, 12.0, 0.0))
        molecule += f"{bonds}[ {section} ]\n{line}\n{apart}"
        position = np.round(np.concatenate([CHAIN, CHAIN[:, [1, 2, 0]] + [0.05, 0.35, 0.2]]), 7)
        # GROMACS 2022 loses the forces on sites that stand upon one particle.
        same = molecule.replace("[ virtual_sites1 ]\n5 1 1", "[ virtual_sites2 ]\n5 1 2 1 0")
        yield Miniature(
            *(name, topology(molecule, 2, first), position),
            options=RF,
            stand_in=topology(same, 2, first) if same != molecule else "",
        )


def rigid() -> Iterator[Miniature]:
    """Constraints: they have no energy, and exclude like bonds."""
    chain = atoms("ABABC", _CHARGES)
    lines = "[ constraints ]\n1 2 1 0.135\n2 3 1 0.152\n4 5 2 0.155\n[ bonds ]\n3 4 1 0.15 20000\n"
    yield Miniature("constraints", topology(chain + lines, 2, nrexcl=1), two_chains(5), options=RF)
    light = atoms("ABABC", _CHARGES, (12.0, 12.0, 12.0, 12.0, 1.0)).replace(
        "1 MOL X 5", "1 MOL H 5"
    )
    lines = "[ bonds ]\n1 2 1 0.135 20000\n2 3 1 0.152 20000\n3 4 1 0.15 20000\n4 5 1 0.155 20000\n"
    for which in ("h-bonds", "all-bonds"):
        yield Miniature(
            f"constraints {which}",
            topology(light + lines, 2),
            two_chains(5),
            options=RF | {"constraints": which},
        )
    water = atoms("ABB", (-0.8, 0.4, 0.4), (16.0, 1.0, 1.0)).replace("B 1 MOL X", "B 1 MOL H")
    water += "[ settles ]\n1 1 0.1 0.1633\n[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n"
    height = np.sqrt(0.1**2 - 0.08165**2)
    shape = np.array([[0.0, 0.0, 0.0], [0.08165, height, 0.0], [-0.08165, height, 0.0]])
    random = np.random.default_rng(3)
    places = [[0.4, 0.5, 0.6], [0.75, 0.6, 0.5], [0.5, 0.85, 0.62], [1.95, 0.5, 0.8]]
    waters = np.concatenate(
        [shape @ np.linalg.qr(random.normal(size=(3, 3)))[0] + place for place in places]
    )
    for name, options in {"reaction field": RF, "mesh": PME}.items():
        yield Miniature(
            f"rigid water, {name}", topology(water, 4), np.round(waters, 7), options=options
        )


def all_miniatures() -> dict[str, Miniature]:
    """All systems by their names."""
    makers = (functions, more_terms, methods, pairs, sites, rigid)
    found = [one for make in makers for one in make()]
    names = [one.name for one in found]
    assert len(set(names)) == len(names)
    return dict(zip(names, found, strict=True))
