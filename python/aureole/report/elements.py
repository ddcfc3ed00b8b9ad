# SPDX-License-Identifier: Apache-2.0
"""Elements guessed from names of atoms and residues, with their colours and radii."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.system.topology import Labels

#: Names of residues that are water.
WATER = frozenset(
    [
        "SOL",
        "HOH",
        "WAT",
        "H2O",
        "TIP3",
        "TIP4",
        "TIP5",
        "TIP3P",
        "TIP4P",
        "SPC",
        "SPCE",
        "T3P",
        "T4P",
        "OPC",
        "DOD",
    ]
)
_IONS = {
    "NA": "Na", "NA+": "Na", "SOD": "Na", "CL": "Cl", "CL-": "Cl", "CLA": "Cl", "K": "K",
    "K+": "K", "POT": "K", "MG": "Mg", "MG2+": "Mg", "CA": "Ca", "CA2+": "Ca", "CAL": "Ca",
    "ZN": "Zn", "ZN2+": "Zn", "LI": "Li", "LI+": "Li", "BR": "Br", "BR-": "Br", "CS": "Cs",
    "CES": "Cs", "RB": "Rb", "F-": "F", "I-": "I", "FE": "Fe", "MN": "Mn", "CU": "Cu",
}  # fmt: skip
_TWO_LETTERS = {"CL": "Cl", "BR": "Br", "NA": "Na", "MG": "Mg", "ZN": "Zn", "FE": "Fe", "SI": "Si"}
_RARE_GASES = {"AR": "Ar", "XE": "Xe", "KR": "Kr", "NE": "Ne", "HE": "He"}


@dataclass(frozen=True)
class Element:
    """How an element is drawn.

    Args:
        name: word for a legend
        colour: red, green, blue in hexadecimal
        radius: van der Waals radius [nm]
        covalent: covalent radius [nm], 0 for what makes no bonds
    """

    name: str
    colour: str
    radius: float
    covalent: float


# Radii: Bondi (1964) and Alvarez (2013) for van der Waals, Cordero et al. (2008) for covalent.
ELEMENTS = {
    "H": Element("hydrogen", "#eef1f5", 0.110, 0.031),
    "C": Element("carbon", "#76828f", 0.170, 0.076),
    "N": Element("nitrogen", "#3f6fd8", 0.155, 0.071),
    "O": Element("oxygen", "#d9453d", 0.152, 0.066),
    "F": Element("fluorine", "#7fbf5a", 0.147, 0.057),
    "P": Element("phosphorus", "#e08a2c", 0.180, 0.107),
    "S": Element("sulfur", "#e3c03a", 0.180, 0.105),
    "Si": Element("silicon", "#c9a27a", 0.210, 0.111),
    "Cl": Element("chlorine", "#4fae4b", 0.175, 0.102),
    "Br": Element("bromine", "#a34a2a", 0.185, 0.120),
    "I": Element("iodine", "#7d3fa0", 0.198, 0.139),
    "Li": Element("lithium", "#b78be0", 0.182, 0.0),
    "Na": Element("sodium", "#8a63c9", 0.227, 0.0),
    "K": Element("potassium", "#a05fc0", 0.275, 0.0),
    "Rb": Element("rubidium", "#7a3fa8", 0.290, 0.0),
    "Cs": Element("caesium", "#6a2f98", 0.300, 0.0),
    "Mg": Element("magnesium", "#6aa84f", 0.173, 0.0),
    "Ca": Element("calcium", "#6fbf73", 0.231, 0.0),
    "Zn": Element("zinc", "#7d80b0", 0.200, 0.122),
    "Fe": Element("iron", "#c8692e", 0.200, 0.132),
    "Mn": Element("manganese", "#9c7ac7", 0.200, 0.139),
    "Cu": Element("copper", "#c88033", 0.200, 0.132),
    "He": Element("helium", "#b9e4ec", 0.140, 0.0),
    "Ne": Element("neon", "#a4d8e8", 0.154, 0.0),
    "Ar": Element("argon", "#59b7c9", 0.188, 0.0),
    "Kr": Element("krypton", "#49a5b8", 0.202, 0.0),
    "Xe": Element("xenon", "#3a8fa5", 0.216, 0.0),
    "X": Element("unknown", "#b07aa1", 0.170, 0.0),
}


def guess(name: str, residue: str) -> str | None:
    """The symbol of an element, "X" where none fits, None for a site without substance.

    Args:
        name: of the atom, as "HW1", "CA" or "CL"
        residue: its residue, which tells calcium from the α carbon
    """
    word, of = name.upper(), residue.upper()
    if of in _IONS and (word == of or word.rstrip("0123456789+-") == of.rstrip("0123456789+-")):
        return _IONS[of]
    letters = re.sub(r"^[^A-Z]+|[^A-Z].*$", "", word)
    if of in WATER:
        return letters[:1] if letters[:1] in ("O", "H") else None
    if letters in _RARE_GASES and len(word) <= 3 and of.startswith(letters):
        return _RARE_GASES[letters]
    if word == of and letters in _TWO_LETTERS:
        return _TWO_LETTERS[letters]
    if letters.startswith(("CL", "BR")):
        return _TWO_LETTERS[letters[:2]]
    if re.match(r"(MW|LP|EP|VS|MN\d|MC[HB])", word):
        return None
    return letters[0] if letters[:1] and letters[0] in "HCNOFPSIK" else "X"


def symbols(name: Labels, residue_name: Labels) -> NDArray[np.str_]:
    """(n,) symbols of all particles, "" for sites without substance."""
    count = len(residue_name.words)
    keys = name.index.astype(np.int64) * count + residue_name.index
    kinds, index = np.unique(keys, return_inverse=True)
    words = [
        guess(name.words[int(key) // count], residue_name.words[int(key) % count]) or ""
        for key in kinds
    ]
    return np.array(words, dtype=np.str_)[index]


def is_water(residue_name: Labels) -> NDArray[np.bool_]:
    """(n,) whether a particle belongs to water."""
    known = np.array([word.upper() in WATER for word in residue_name.words], dtype=bool)
    return np.asarray(known[residue_name.index])
