# SPDX-License-Identifier: Apache-2.0
"""Types, exclusions and 1-4 pairs of a ParmEd structure."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.gromacs.top.lennard_jones import GEOMETRIC_SIGMA, LORENTZ_BERTHELOT, matrix
from aureole.system.flat_topology import Sheet, names_of_types
from aureole.system.topology import Nonbonded

from .units import ANGSTROM, KCAL

_RULES = {"lorentz": LORENTZ_BERTHELOT, "geometric": GEOMETRIC_SIGMA}

#: sigma over the distance of the minimum.
_SIGMA = 2.0 ** (-1.0 / 6.0)


def is_site(atom: Any) -> bool:
    """Is it an extra point, placed by other particles?"""
    return type(atom).__name__ == "ExtraPoint"


def types_of(structure: Any) -> tuple[Nonbonded, NDArray[np.int32]]:
    """Lennard-Jones parameters of types, and the type of each particle."""
    _check(structure)
    if structure.has_NBFIX() and "LENNARD_JONES_ACOEF" in getattr(structure, "parm_data", {}):
        return _amber_matrix(structure)
    fixed = bool(structure.has_NBFIX())
    first: dict[Any, Any] = {}  # the first atom of each kind
    keys = [_key(atom, fixed) for atom in structure.atoms]
    for key, atom in zip(keys, structure.atoms, strict=True):
        first.setdefault(key, atom)
    names = names_of_types(str(atom.type) for atom in first.values())
    atoms = list(zip(names, first.values(), strict=True))
    overrides = {}
    for (one, atom), (other, partner) in product(atoms, atoms) if fixed else ():
        found = atom.atom_type.nbfix.get(str(partner.atom_type))
        if found is not None:
            pair = tuple(sorted((one, other)))
            overrides[pair] = found[0] * _SIGMA * ANGSTROM, abs(found[1]) * KCAL
    rows = [(key[0] * ANGSTROM, key[1] * KCAL) for key in first]
    rule = _RULES[structure.combining_rule]
    number = {key: k for k, key in enumerate(first)}
    table = matrix(rule, dict(zip(names, rows, strict=True)), overrides)
    return table, np.array([number[key] for key in keys], dtype=np.int32)


def _check(structure: Any) -> None:
    data = getattr(structure, "parm_data", {})
    hydrogen = getattr(structure, "has_1012", bool)()
    if hydrogen or any(data.get("LENNARD_JONES_CCOEF", ())):
        raise bad_input(
            f"the structure has {'10-12' if hydrogen else '12-6-4'} interactions",
            "only Lennard-Jones is supported",
            "Use parameters without them",
        )


def _key(atom: Any, fixed: bool) -> tuple[Any, ...]:
    sizes = (float(atom.sigma), abs(float(atom.epsilon))) if atom.epsilon else (0.0, 0.0)
    return *sizes, str(atom.atom_type) if fixed else ""


def _amber_matrix(structure: Any) -> tuple[Nonbonded, NDArray[np.int32]]:
    """Parameters of a prmtop whose pairs do not follow the combination rule."""
    data = structure.parm_data
    count = int(structure.ptr("ntypes"))
    index = np.array(data["NONBONDED_PARM_INDEX"], dtype=np.int64).reshape(count, count) - 1
    scale = KCAL * ANGSTROM**6
    c12 = np.array(data["LENNARD_JONES_ACOEF"], dtype=np.float64)[index] * scale * ANGSTROM**6
    c6 = np.array(data["LENNARD_JONES_BCOEF"], dtype=np.float64)[index] * scale
    types = np.array([atom.nb_idx - 1 for atom in structure.atoms], dtype=np.int32)
    names = ["X"] * count
    for atom in structure.atoms:
        names[atom.nb_idx - 1] = str(atom.type)
    return Nonbonded(names_of_types(names), c6, c12, "none"), types


def add_pairs(sheet: Sheet, structure: Any) -> None:
    """Exclusions along bonds and those listed; pairs of explicit lists, or else of dihedrals."""
    excluded = _bonded_pairs(structure)
    pairs = _explicit(structure) if structure.adjusts else _of_dihedrals(structure)
    for one in structure.atoms:
        for other in one.exclusion_partners:
            excluded.add((min(one.idx, other.idx), max(one.idx, other.idx)))
    sheet.excluded += sorted(excluded.union(pairs))
    for particles, values in pairs.items():
        if any(values):
            sheet.add("pair", particles, values)


Pairs = dict[tuple[int, int], tuple[float, float, float]]


def _values(qq: float, sigma: float, epsilon: float) -> tuple[float, float, float]:
    sixth = (sigma * ANGSTROM) ** 6
    c6 = 4.0 * epsilon * KCAL * sixth
    return c6, c6 * sixth, qq


def _explicit(structure: Any) -> Pairs:
    found: Pairs = {}
    for pair in structure.adjusts:
        one, other = sorted((pair.atom1, pair.atom2), key=lambda atom: atom.idx)
        if pair.type is None:
            raise bad_input(
                f"the pair {one.idx}-{other.idx} in adjusts has no parameters",
                "its energy is needed",
                "Load them with the structure",
            )
        qq = one.charge * other.charge * pair.type.chgscale
        found[one.idx, other.idx] = _values(qq, pair.type.sigma, pair.type.epsilon)
    return found


def _of_dihedrals(structure: Any) -> Pairs:
    """Ends of dihedrals, scaled as these say; extra points go with their particles."""
    rule = structure.combining_rule
    found: Pairs = {}
    for dihedral in (*structure.dihedrals, *structure.rb_torsions):
        if dihedral.ignore_end or dihedral.type is None:
            continue
        electrostatic, dispersion = _scales(dihedral)
        ends = dihedral.atom1, dihedral.atom4
        for one in (ends[0], *ends[0].children):
            for other in (ends[1], *ends[1].children):
                sigma, epsilon = _fourteen(one, other, rule)
                low, high = sorted((one.idx, other.idx))
                qq = one.charge * other.charge / electrostatic
                found[low, high] = _values(qq, sigma, epsilon / dispersion)
    return found


def _scales(dihedral: Any) -> tuple[float, float]:
    kinds = dihedral.type if isinstance(dihedral.type, list) else [dihedral.type]
    for kind in kinds:
        if kind.scee and kind.scnb:
            return float(kind.scee), float(kind.scnb)
    raise bad_input(
        f"the dihedral {dihedral.atom1.idx}-...-{dihedral.atom4.idx} scales its 1-4 pair by 1/0",
        "scee or scnb is missing or 0",
        "Set both, or set its ignore_end",
    )


def _fourteen(one: Any, other: Any, rule: str) -> tuple[float, float]:
    """sigma and epsilon of a 1-4 pair, before scaling."""
    nbfix = getattr(one.atom_type, "nbfix", None) or {}
    fixed = nbfix.get(str(other.atom_type))
    if fixed is not None:
        return fixed[2] * _SIGMA, abs(fixed[3])
    both = one.sigma_14 * other.sigma_14
    mean = 0.5 * (one.sigma_14 + other.sigma_14) if rule == "lorentz" else math.sqrt(both)
    return mean, math.sqrt(abs(one.epsilon_14 * other.epsilon_14))


def _bonded_pairs(structure: Any) -> set[tuple[int, int]]:
    """Pairs up to `nrexcl` bonds apart; extra points are where their particles are."""
    partners: list[list[int]] = [[] for _ in structure.atoms]
    points: list[list[int]] = [[] for _ in structure.atoms]
    for bond in structure.bonds:
        if not (is_site(bond.atom1) or is_site(bond.atom2)):
            partners[bond.atom1.idx].append(bond.atom2.idx)
            partners[bond.atom2.idx].append(bond.atom1.idx)
    for atom in structure.atoms:
        if is_site(atom):
            points[_parent(atom)].append(atom.idx)
    found = set()
    for atom in structure.atoms:
        if is_site(atom):
            continue
        reached = front = {atom.idx}
        for _ in range(structure.nrexcl):
            front = {j for i in front for j in partners[i]} - reached
            reached = reached | front
        here = (atom.idx, *points[atom.idx])
        for j in reached:
            for other in (j, *points[j]):
                found.update((min(i, other), max(i, other)) for i in here if i != other)
    return found


def _parent(atom: Any) -> int:
    if atom.parent is None:
        raise bad_input(
            f"the extra point {atom.idx} ({atom.name} of {atom.residue.name}) has no bond",
            "its bond identifies its parent particle",
            "Add the bond to the structure",
        )
    return int(atom.parent.idx)
