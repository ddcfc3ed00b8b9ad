# SPDX-License-Identifier: Apache-2.0
"""Energies of our terms beside those of the peers, in groups that mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Our terms and GROMACS' names, each group a sum. How charges are split between the direct part,
#: the mesh and what exclusions take off is a matter of bookkeeping; their sum is not.
_GROUPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Lennard-Jones", ("vdw",), ("LJ-(SR)", "LJ-recip.")),
    ("electrostatics", ("coulomb", "mesh"), ("Coulomb-(SR)", "Coul.-recip.")),
    ("pairs", ("pair",), ("LJ-14", "Coulomb-14", "LJC-14-q", "LJC-Pairs-NB")),
    (
        "bonds",
        ("harmonic_bond", "g96_bond", "morse_bond", "cubic_bond"),
        ("Bond", "G96Bond", "Morse", "Cubic-Bonds", "Harmonic-Pot."),
    ),
    (
        "angles",
        ("harmonic_angle", "g96_angle", "urey_bradley", "restricted_angle"),
        ("Angle", "G96Angle", "U-B", "Restr.-Angles"),
    ),
    (
        "dihedrals",
        ("periodic_dihedral", "ryckaert_bellemans", "restricted_dihedral", "bending_torsion"),
        (
            *("Proper-Dih.", "Ryckaert-Bell.", "Fourier-Dih.", "Restr.-Dih.", "CBT-Dih."),
            *("Per.-Imp.-Dih.",),
        ),
    ),
    ("impropers", ("harmonic_improper",), ("Improper-Dih.",)),
    ("maps", ("cmap",), ("CMAP-Dih.",)),
    ("restraints", ("position_restraint",), ("Position-Rest.",)),
    ("tail", ("dispersion_correction",), ("Disper.-corr.",)),
)


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
    for name, mine, other in _GROUPS:
        here = [ours[key] for key in mine if key in ours]
        there = [theirs[key] for key in other if key in theirs]
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
    known = {key: mine for _, mine, other in _GROUPS for key in other}
    names = [name for name in theirs if name != "Potential"]
    return [
        name
        for name in names
        if theirs[name] != 0.0 and not any(key in ours for key in known.get(name, ()))
    ]
