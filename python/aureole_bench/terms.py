# SPDX-License-Identifier: Apache-2.0
"""Energies of our terms beside those of the peers, in groups that mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Our terms, and GROMACS' names of the same.
TERMS: Mapping[str, tuple[str, ...]] = {
    "harmonic_bond": ("Bond", "Harmonic-Pot."),
    "g96_bond": ("G96Bond",),
    "morse_bond": ("Morse",),
    "fene_bond": ("FENE-Bonds",),
    "cubic_bond": ("Cubic-Bonds",),
    "harmonic_angle": ("Angle",),
    "g96_angle": ("G96Angle",),
    "restricted_angle": ("Restr.-Angles",),
    "urey_bradley": ("U-B",),
    "quartic_angle": ("Quartic-Angles",),
    "cross_bonds": ("Bond-Cross",),
    "cross_bond_angle": ("BA-Cross",),
    "periodic_dihedral": ("Proper-Dih.", "Per.-Imp.-Dih."),
    "ryckaert_bellemans": ("Ryckaert-Bell.", "Fourier-Dih."),
    "restricted_dihedral": ("Restr.-Dih.",),
    "bending_torsion": ("CBT-Dih.",),
    "harmonic_improper": ("Improper-Dih.",),
    "cmap": ("CMAP-Dih.",),
    "pair": ("LJ-14", "Coulomb-14", "LJC-14-q", "LJC-Pairs-NB"),
    "vdw": ("LJ-(SR)", "LJ-recip."),
    "dispersion_correction": ("Disper.-corr.",),
    "coulomb": ("Coulomb-(SR)",),
    "mesh": ("Coul.-recip.",),
    "range_restraint": ("Restraint-Pot.",),
    "angle_restraint": ("Angle-Rest.",),
    "angle_restraint_z": ("Angle-Rest.-Z",),
    "dihedral_restraint": ("Dih.-Rest.",),
    "position_restraint": ("Position-Rest.",),
    "flat_bottom_restraint": ("Flat-b.-P-R.",),
}

#: Terms of which the sum is compared. How charges are split between the direct part, the mesh and
#: the subtraction for exclusions is a convention; their sum is not.
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Lennard-Jones": ("vdw",),
    "electrostatics": ("coulomb", "mesh"),
    "pairs": ("pair",),
    "bonds": ("harmonic_bond", "g96_bond", "morse_bond", "fene_bond", "cubic_bond"),
    "angles": (
        *("harmonic_angle", "g96_angle", "urey_bradley", "restricted_angle"),
        *("quartic_angle", "cross_bonds", "cross_bond_angle"),
    ),
    "dihedrals": (
        *("periodic_dihedral", "ryckaert_bellemans", "restricted_dihedral", "bending_torsion"),
    ),
    "impropers": ("harmonic_improper",),
    "maps": ("cmap",),
    "restraints": (
        *("position_restraint", "flat_bottom_restraint", "range_restraint"),
        *("angle_restraint", "angle_restraint_z", "dihedral_restraint"),
    ),
    "tail": ("dispersion_correction",),
}


@dataclass(frozen=True)
class Term:
    """One energy of both [kJ/mol]; `gap` is their difference as a share of `scale`."""

    name: str
    ours: float
    theirs: float
    scale: float

    @property
    def gap(self) -> float:
        """Relative difference."""
        return abs(self.ours - self.theirs) / self.scale


def compared(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[Term]:
    """Terms that both have, and the potential; a peer's term that we lack is left out of its sum.

    The scale of a term is the sum of the sizes of its parts, which cancel in electrostatics, and
    at least 1 kJ/mol; that of the potential is the sum of all scales.
    """
    rows, left = [], theirs["Potential"]
    for name, kinds in _GROUPS.items():
        here = [ours[kind] for kind in kinds if kind in ours]
        there = [theirs[key] for kind in kinds for key in TERMS[kind] if key in theirs]
        if there and not here:
            left -= sum(there)
        elif here:
            scale = max(sum(map(abs, here)), sum(map(abs, there)), 1.0)
            rows.append(Term(name, sum(here), sum(there), scale))
    total = sum(ours.values())
    rows.append(Term("potential", total, left, sum(row.scale for row in rows) or 1.0))
    return rows


def missing(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[str]:
    """Names of GROMACS' terms that ours have no counterpart of."""
    known = {
        key for kinds in _GROUPS.values() if ours.keys() & kinds for k in kinds for key in TERMS[k]
    }
    return [name for name in theirs if theirs[name] != 0.0 and name not in known | {"Potential"}]
