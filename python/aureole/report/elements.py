# SPDX-License-Identifier: Apache-2.0
"""Elements guessed from names of atoms and residues, with their colours and radii."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aureole.base.data_table import rows
from aureole.system.topology import Labels

#: Names of residues that are water.
WATER = frozenset({
    "SOL", "HOH", "WAT", "H2O", "TIP3", "TIP4", "TIP5", "TIP3P", "TIP4P", "SPC", "SPCE", "T3P",
    "T4P", "OPC", "DOD",
})  # fmt: skip
#: Names of residues that are water where particles are beads; otherwise W may be tryptophan.
_WATER_BEADS = frozenset({"W", "WF", "WN", "SW", "TW", "PW"})
_TWO_LETTERS = ("CL", "BR", "NA", "MG", "ZN", "FE", "SI")
_RARE_GASES = ("AR", "XE", "KR", "NE", "HE")


@dataclass(frozen=True)
class Element:
    """How an element is drawn.

    Args:
        name: word for a legend
        colour: red, green, blue in hexadecimal
        radius: van der Waals radius [nm]
        covalent: covalent radius [nm], 0 for elements without bonds
    """

    name: str
    colour: str
    radius: float
    covalent: float


def _read(path: Path) -> tuple[dict[str, Element], dict[str, str]]:
    """Elements by symbol, and symbols of ions by the names of their residues."""
    elements, ions = {}, {}
    for _, line in rows(path):
        symbol, name, colour, radius, covalent, *residues = line.split()
        elements[symbol] = Element(name, colour, float(radius), float(covalent))
        ions |= dict.fromkeys(residues, symbol)
    return elements, ions


ELEMENTS, _IONS = _read(Path(__file__).with_suffix(".table"))


def guess(name: str, residue: str) -> str | None:
    """The symbol of an element, "X" where none fits, None for a site without substance.

    Args:
        name: of the atom, as "HW1", "CA" or "CL"
        residue: its residue, which tells calcium from the α carbon
    """
    word, of = name.upper(), residue.upper()
    if _is_ion(word, of):
        return _IONS[of]
    letters = re.sub(r"^[^A-Z]+|[^A-Z].*$", "", word)
    if of in WATER:
        return letters[:1] if letters[:1] in ("O", "H") else None
    if letters in _RARE_GASES and len(word) <= 3 and of.startswith(letters):
        return letters.capitalize()
    if word == of and letters in _TWO_LETTERS:
        return letters.capitalize()
    if letters.startswith(("CL", "BR")):
        return letters[:2].capitalize()
    if re.match(r"(MW|LP|EP|VS|MN\d|MC[HB])", word):
        return None
    return letters[0] if letters[:1] and letters[0] in "HCNOFPSIK" else "X"


def _is_ion(word: str, of: str) -> bool:
    """Whether a residue is a known ion, and an atom of it bears its name."""
    plain = "0123456789+-"
    return of in _IONS and (word == of or word.rstrip(plain) == of.rstrip(plain))


def symbols(name: Labels, residue_name: Labels) -> NDArray[np.str_]:
    """(n,) symbols of all particles, "" for sites without substance."""
    kinds, index = _kinds(name, residue_name)
    return np.array([guess(*kind) or "" for kind in kinds], dtype=np.str_)[index]


def are_ions(name: Labels, residue_name: Labels) -> NDArray[np.bool_]:
    """(n,) whether a particle is an ion that its residue is named after."""
    kinds, index = _kinds(name, residue_name)
    ions = [_is_ion(word.upper(), of.upper()) for word, of in kinds]
    return np.array(ions, dtype=bool)[index]


def _kinds(name: Labels, residue_name: Labels) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
    """Pairs of a name and a residue, each once, and the (n,) index of each particle's pair."""
    count = len(residue_name.words)
    keys = name.index.astype(np.int64) * count + residue_name.index
    found, index = np.unique(keys, return_inverse=True)
    kinds = [(name.words[int(key) // count], residue_name.words[int(key) % count]) for key in found]
    return kinds, index.reshape(-1)


def is_water(residue_name: Labels, beads: bool = False) -> NDArray[np.bool_]:
    """(n,) whether a particle belongs to water, an atom or a bead of it."""
    of = WATER | _WATER_BEADS if beads else WATER
    known = np.array([word.upper() in of for word in residue_name.words], dtype=bool)
    return np.asarray(known[residue_name.index])
