# SPDX-License-Identifier: Apache-2.0
"""Bonds and angles of a topology as constraints, by the run option `constraints`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, nearest
from aureole.gromacs.top.constant_terms import ANGLES, BONDS, chosen, put, without_constant_terms
from aureole.system.topology import MoleculeType, Terms, Topology

CHOICES = ("none", "h-bonds", "all-bonds", "h-angles", "all-angles")

Mask = NDArray[np.bool_]
Constraints = tuple[NDArray[np.int32], NDArray[np.float64]]  # ends and lengths


def constrain_bonds(topology: Topology, which: str, *, constant: bool = False) -> Topology:
    """The topology with some of its bonds as constraints.

    Args:
        topology: molecule types whose bonds and angles may become constraints
        which: "none"; "h-bonds" with a hydrogen; "all-bonds"; "h-angles", all bonds, and H–X–H
            and H–O–X angles; "all-angles"
        constant: whether terms that virtual sites make constant stay

    Hydrogens are particles whose name begins with H, as in grompp. An angle becomes a constraint
    between its ends if both its bonds do; otherwise it stays. Bonds, angles and constraints that
    virtual sites make constant are removed, as grompp does.
    """
    choice = which.strip().lower().replace("_", "-")
    if choice not in CHOICES:
        raise bad_input(f"constraints is {which!r}", "unknown value", nearest(choice, CHOICES))
    kinds = {id(molecule): molecule for molecule, _ in topology.blocks}
    made = {key: _constrained(molecule, choice, constant) for key, molecule in kinds.items()}
    blocks = tuple((made[id(molecule)], count) for molecule, count in topology.blocks)
    return replace(topology, blocks=blocks)


def _constrained(molecule: MoleculeType, choice: str, constant: bool) -> MoleculeType:
    made = molecule if choice == "none" else _with_constraints(molecule, choice)
    if not constant:
        made = without_constant_terms(made)
    if "constraint" in made.terms:
        _check(made, made.terms["constraint"].particles)
    return made


def _with_constraints(molecule: MoleculeType, choice: str) -> MoleculeType:
    terms = dict(molecule.terms)
    hydrogen = _begins_with(molecule, "H")
    rigid = [_ends_and_lengths(terms["constraint"])] if "constraint" in terms else []
    if choice in ("h-angles", "all-angles"):
        letters = None if choice == "all-angles" else (hydrogen, _begins_with(molecule, "O"))
        rigid += _rigid_angles(terms, letters)
    for kind in BONDS:
        if kind in terms:
            bonds = terms[kind]
            wanted = np.ones(bonds.n, dtype=np.bool_)
            if choice == "h-bonds":
                wanted = hydrogen[bonds.particles].any(axis=1)
            rigid.append(_ends_and_lengths(chosen(bonds, wanted)))
            put(terms, kind, chosen(bonds, ~wanted))
    ends = np.concatenate([pair for pair, _ in rigid] or [np.empty((0, 2), np.int32)])
    values = np.concatenate([length for _, length in rigid] or [np.empty(0)])
    table, row = np.unique(values, return_inverse=True)
    put(terms, "constraint", Terms(ends, row.astype(np.int32).reshape(-1), table.reshape(-1, 1)))
    return replace(molecule, terms=terms)


def _rigid_angles(terms: dict[str, Terms], letters: tuple[Mask, Mask] | None) -> list[Constraints]:
    """Constraints in place of the wanted angles, which are removed from the terms."""
    lengths: dict[tuple[int, int], float] = {}  # of each bond, both ways round
    for kind in (kind for kind in BONDS if kind in terms):
        ends, of_bonds = _ends_and_lengths(terms[kind])
        for (i, j), length in zip(ends.tolist(), of_bonds.tolist(), strict=True):
            lengths.setdefault((i, j), length)
            lengths.setdefault((j, i), length)
    return [
        _take_angles(terms, kind, _angles(terms[kind], letters), lengths)
        for kind in ANGLES
        if kind in terms
    ]


def _begins_with(molecule: MoleculeType, letter: str) -> Mask:
    name = molecule.atoms.name
    return np.array([word[:1].upper() == letter for word in name.words], dtype=np.bool_)[name.index]


def _ends_and_lengths(bonds: Terms) -> Constraints:
    return bonds.particles, bonds.parameters[bonds.row, 0]


def _angles(angles: Terms, letters: tuple[Mask, Mask] | None) -> Mask:
    """(n,) whether each angle is wanted: all, or those of two hydrogens or one about an oxygen."""
    if letters is None:
        return np.ones(angles.n, dtype=np.bool_)
    hydrogen, oxygen = letters
    count = hydrogen[angles.particles].sum(axis=1)
    return (count > 1) | ((count == 1) & oxygen[angles.particles[:, 1]])


def _take_angles(
    terms: dict[str, Terms], kind: str, wanted: Mask, lengths: dict[tuple[int, int], float]
) -> Constraints:
    """The wanted angles between rigid bonds as distances of their ends; the others remain."""
    angles = terms[kind]
    i, j, k = angles.particles.T.tolist()
    one = np.array([lengths.get(pair, 0.0) for pair in zip(i, j, strict=True)])
    two = np.array([lengths.get(pair, 0.0) for pair in zip(k, j, strict=True)])
    taken = wanted & (one > 0) & (two > 0)
    theta = angles.parameters[angles.row, 0]
    # the law of cosines; never below zero but for rounding
    square = one**2 + two**2 - 2.0 * one * two * np.cos(theta)
    put(terms, kind, chosen(angles, ~taken))
    return angles.particles[taken][:, [0, 2]], np.sqrt(np.maximum(square[taken], 0.0))


def _check(molecule: MoleculeType, ends: NDArray[np.int32]) -> None:
    water = np.zeros(molecule.atoms.n, dtype=np.bool_)
    if "settle" in molecule.terms:
        water[molecule.terms["settle"].particles] = True
    for of_atoms, problem, why, suggestion in (
        (
            *(molecule.atoms.virtual, "ends at a virtual site", "other particles place it"),
            "Remove the bond, or use constraints = none",
        ),
        (
            *(water, "ends in a rigid water", "[ settles ] already constrains it"),
            "Put the bonds of that water into #ifdef FLEXIBLE, and [ settles ] into its #else",
        ),
    ):
        wrong = of_atoms[ends].any(axis=1)
        if wrong.any():
            i, j = ends[int(wrong.argmax())]
            ends_of = f"{molecule.atoms.name[i]} to {molecule.atoms.name[j]}"
            raise bad_input(
                f"the constraint {i + 1}-{j + 1} of {molecule.name}, {ends_of}, {problem}",
                why,
                suggestion,
            )
