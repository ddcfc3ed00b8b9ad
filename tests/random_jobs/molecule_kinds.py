# SPDX-License-Identifier: Apache-2.0
"""The molecules of random jobs: topology, shape, and whether anything of them bends."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import numpy as np
from aureole.build.molecule_model import Model
from aureole.build.published_models import model
from numpy.typing import NDArray

#: sigma [nm], epsilon [kJ/mol], mass [u] and kind of the types.
TYPES: dict[str, tuple[float, float, float, str]] = {
    "A": (0.31, 0.62, 12.0, "A"),
    "B": (0.24, 0.44, 12.0, "A"),
    "H": (0.12, 0.06, 1.008, "A"),
    "OW": (0.3166, 0.65, 15.9994, "A"),
    "HW": (0.0, 0.0, 1.008, "A"),
    "MW": (0.0, 0.0, 0.0, "V"),
    "NA": (0.216, 1.475, 22.98977, "A"),
    "CL": (0.483, 0.0535, 35.453, "A"),
    "AR": (0.3405, 0.996, 39.948, "A"),
    "CT": (0.35, 0.276, 12.011, "A"),
    "HC": (0.25, 0.1255, 1.008, "A"),
    "OH": (0.312, 0.711, 15.9994, "A"),
    "HO": (0.0, 0.0, 1.008, "A"),
}
CHAIN = np.array(
    [
        [0.000, 0.000, 0.000],
        [0.112, 0.071, 0.023],
        [0.203, -0.013, 0.111],
        [0.334, 0.052, 0.079],
        [0.401, -0.072, 0.142],
    ]
)
CHAIN_CHARGES = (0.31, -0.42, 0.17, -0.23, 0.17)
#: Sites of a chain's fifth place, which need the four others.
SITES = {
    "1": "[ virtual_sites1 ]\n5 1 1",
    "2": "[ virtual_sites2 ]\n5 1 2 1 0.37",
    "2fd": "[ virtual_sites2 ]\n5 1 2 2 0.09",
    "3": "[ virtual_sites3 ]\n5 1 2 3 1 0.31 0.22",
    "3fd": "[ virtual_sites3 ]\n5 1 2 3 2 0.6 0.11",
    "3fad": "[ virtual_sites3 ]\n5 1 2 3 3 118 0.1",
    "3out": "[ virtual_sites3 ]\n5 1 2 3 4 -0.3 -0.25 2.1",
    "4fdn": "[ virtual_sites4 ]\n5 1 2 3 4 2 1.1 0.8 -0.12",
    "n": "[ virtual_sitesn ]\n5 1 1 2 3 4",
    "n of mass": "[ virtual_sitesn ]\n5 2 1 2 4",
    "n of weights": "[ virtual_sitesn ]\n5 3 1 0.5 2 0.3 3 0.2",
}
_BONDS = ("1 {r} 30000", "2 {r} 9e5", "3 {r} 150 14", "4 {r} 40000 -3", "10 0.1 0.13 0.9 30000")
_ANGLES = ("1 112 320", "2 118 260", "5 109 300 0.24 5000", "10 114 55", "6 113 -1 3 160 12 4")
_TURNS = (
    *("1 25 3.1 3", "1 180 2.2 1", "2 35.3 60", "3 9.28 12.16 -13.12 -3.06 26.24 -31.5"),
    *("4 180 4.6 2", "5 1.3 -0.5 2.1 -0.9", "9 60 0.7 3", "10 70 6", "11 5.3 1.2 -0.7 0.4 1.2 -1"),
)
_RESTRAINTS = (
    "[ dihedral_restraints ]\n1 2 3 4 1 40 20 60\n",
    "[ angle_restraints ]\n1 2 3 4 1 65 30 2\n",
    "[ angle_restraints_z ]\n1 2 1 50 40 1\n",
)
_WATER = "[ settles ]\n1 1 0.1 0.1633\n[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n"
_SOFT_WATER = (
    "[ bonds ]\n1 2 1 0.1012 345000\n1 3 1 0.1012 345000\n[ angles ]\n2 1 3 1 113.24 317.5\n"
)
RESTRAINT = "#ifdef POSRES\n[ position_restraints ]\n{rows}#endif\n"


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of molecule.

    Args:
        name: of its moleculetype
        types, names, charges, masses: of its particles
        terms: directives behind [ atoms ]
        position: (k, 3) [nm]
        nrexcl: of its moleculetype
        cell: edge of the room that it needs [nm]
    """

    name: str
    types: tuple[str, ...]
    names: tuple[str, ...]
    charges: tuple[float, ...]
    masses: tuple[float, ...]
    terms: str
    position: NDArray[np.float64]
    nrexcl: int
    cell: float

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.types)

    @property
    def bends(self) -> bool:
        """Is there anything flexible in it?"""
        return "[ bonds ]" in self.terms

    def directives(self) -> str:
        """Its part of a topology."""
        columns = zip(self.types, self.names, self.charges, self.masses, strict=True)
        rows = "".join(
            f"{k} {kind} 1 {self.name} {name} {k} {charge:.6g} {mass:.6g}\n"
            for k, (kind, name, charge, mass) in enumerate(columns, 1)
        )
        return f"[ moleculetype ]\n{self.name} {self.nrexcl}\n[ atoms ]\n{rows}{self.terms}"


def _one(name: str, kind: str, charge: float, cell: float) -> Kind:
    rows = RESTRAINT.format(rows="1 1 900 1100 0\n")
    return Kind(
        *(name, (kind,), (kind,), (charge,), (TYPES[kind][2],), rows),
        *(np.zeros((1, 3)), 1, cell),
    )


def _published(shape: Model, name: str, cell: float) -> Kind:
    restrained = RESTRAINT.format(rows="1 1 1000 1000 1000\n")
    masses = tuple(TYPES[kind][2] for kind in shape.types)
    return Kind(
        *(name, shape.types, shape.names, shape.charges, masses),
        *(shape.topology + restrained, shape.position - shape.position[0], shape.nrexcl, cell),
    )


def _water(name: str, terms: str) -> Kind:
    length = 0.1 if terms is _WATER else 0.1012
    across, down = 0.08165, np.sqrt(length**2 - 0.08165**2)
    arms = np.array([[across, down, 0], [-across, down, 0]])
    restrained = RESTRAINT.format(rows="1 1 1000 1000 1000\n")
    return Kind(
        *(name, ("OW", "HW", "HW"), ("OW", "HW1", "HW2"), (-0.82, 0.41, 0.41)),
        *((15.9994, 1.008, 1.008), terms + restrained),
        *(np.vstack([np.zeros(3), arms]), 2, 0.36),
    )


def _chain(seed: int) -> Kind:
    """A chain of five with functions drawn by the seed."""
    draw = random.Random(seed)
    hydrogen = draw.random() < 0.5
    types = (*draw.choices("AB", k=4), "H" if hydrogen else "A")
    lengths = np.linalg.norm(np.diff(CHAIN, axis=0), axis=1)
    rigid = draw.random() < 0.25
    first = 1 if rigid else 0
    lines = ["[ bonds ]"]
    for k in range(first, 4):
        lines.append(f"{k + 1} {k + 2} " + draw.choice(_BONDS).format(r=round(lengths[k], 9)))
    if draw.random() < 0.2:
        lines.append("1 5 6 0.42 900")
    if rigid:
        lines += ["[ constraints ]", f"1 2 1 {lengths[0]:.9f}"]
    lines.append("[ angles ]")
    lines += [f"{k} {k + 1} {k + 2} {draw.choice(_ANGLES)}" for k in (1, 2, 3)]
    lines.append("[ dihedrals ]")
    lines += [f"{k} {k + 1} {k + 2} {k + 3} {draw.choice(_TURNS)}" for k in (1, 2)]
    # LJ(sigma,epsilon) is written as the combination rule wants it.
    pairs = draw.choice(
        ("", "1 4 1\n2 5 1\n", "1 4 1 LJ(0.28,0.5)\n", "1 4 2 0.7 0.3 -0.4 LJ(0.27,0.6)\n")
    )
    text = "\n".join(lines) + "\n" + (f"[ pairs ]\n{pairs}" if pairs else "")
    if draw.random() < 0.15:
        text += "[ pairs_nb ]\n1 5 1 0.2 -0.3 LJ(0.27,0.5)\n"
    text += "".join(rows for rows in _RESTRAINTS if draw.random() < 0.15)
    rows = "1 1 1000 500 0\n3 1 200 300 400\n"
    names = ("X1", "X2", "X3", "X4", "H5" if hydrogen else "X5")
    masses = tuple(draw.choice((9.0, 12.0, 30.0)) for _ in range(4))
    return Kind(
        *(f"CH{seed}", types, names, CHAIN_CHARGES, (*masses, 1.008 if hydrogen else 12.0)),
        *(text + RESTRAINT.format(rows=rows), CHAIN, draw.choice((2, 3, 3)), 0.66),
    )


def _site_chain(which: str) -> Kind:
    """Four particles and a virtual site."""
    bonds = "".join(
        f"{k} {k + 1} 1 {np.linalg.norm(CHAIN[k] - CHAIN[k - 1]):.9f} 25000\n" for k in (1, 2, 3)
    )
    text = f"[ bonds ]\n{bonds}[ angles ]\n1 2 3 1 112 300\n2 3 4 1 112 300\n{SITES[which]}\n"
    text += "[ exclusions ]\n5 1 2 3 4\n"
    name = "S" + which.replace("n of ", "n").upper()[:4]
    rows = "1 1 1000 500 0\n3 1 200 300 400\n"
    return Kind(
        *(name, ("A", "B", "A", "B", "MW"), ("X1", "X2", "X3", "X4", "V5")),
        *((0.31, 0.12, 0.0, 0.2, -0.63), (12.0, 3.0, 5.0, 12.0, 0.0)),
        *(text + RESTRAINT.format(rows=rows), CHAIN, 3, 0.66),
    )


def _rod() -> Kind:
    """Three charges of which the ends exclude each other, at times from beyond the cut-off."""
    shape = np.array([[-0.3, 0.02, 0.0], [0.0, 0.0, 0.0], [0.3, 0.05, 0.03]])
    # Bonds that become constraints must be as long as in the shape: they are not stretched then.
    one, other = np.linalg.norm(shape[[0, 2]], axis=1)
    text = f"[ bonds ]\n1 2 1 {one:.9f} 20000\n2 3 1 {other:.9f} 20000\n"
    text += "[ angles ]\n1 2 3 1 165 200\n" + RESTRAINT.format(rows="2 1 500 500 500\n")
    return Kind(
        *("ROD", ("A", "B", "A"), ("X1", "X2", "X3"), (0.5, -0.2, -0.3), (12.0, 12.0, 12.0)),
        *(text, shape, 2, 0.9),
    )


@cache
def kind_of(name: str) -> Kind:
    """A kind by its name: "water", "ion+", "chain:17", "site:3fd" and so on."""
    word, _, rest = name.partition(":")
    if word == "chain":
        return _chain(int(rest))
    if word == "site":
        return _site_chain(rest)
    if word == "argon":
        return _one("AR", "AR", 0.0, 0.38)
    if word in ("ion+", "ion-"):
        plus = word == "ion+"
        return _one(*(("NA", "NA", 1.0, 0.36) if plus else ("CL", "CL", -1.0, 0.45)))
    if word == "rod":
        return _rod()
    if word == "ethanol":
        return _published(model("ethanol", None), "ETH", 0.6)
    if word == "tip4p":
        return _published(model("tip4p", None), "SOL4", 0.36)
    return _water(*(("SOL", _WATER) if word == "water" else ("FLEX", _SOFT_WATER)))
