# SPDX-License-Identifier: Apache-2.0
"""Groups of particles by name: the default groups of GROMACS, and how a group is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, nearest
from aureole.system.topology import Labels

from .residue_kinds import kind_of

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Group:
    """A named group of particles.

    Args:
        name: such as "Protein"
        particles: (k,) int32, counted from 0, in the order of the file
    """

    name: str
    particles: NDArray[np.int32]

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.particles)


class Named(Protocol):
    """The particles of default groups: `Atoms` of a whole system, or `Coordinates`."""

    @property
    def name(self) -> Labels: ...

    @property
    def residue_name(self) -> Labels: ...


@dataclass(frozen=True)
class _Part:
    """A part of the protein, chosen by the names of atoms without the digits before them.

    Args:
        name: of the group
        whole: names in full
        begins: beginnings of names
        others: whether the part is the atoms that have none of these names
    """

    name: str
    whole: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    others: bool = False


_CHAIN = ("N", "CA", "C")
_MAIN = (*_CHAIN, "O", "O1", "O2", "OC1", "OC2", "OT", "OXT")
_MAIN_H = (*_MAIN, "H1", "H2", "H3", "H", "HN")
# Masses without charge that represent rigid parts whose hydrogens are virtual sites.
_MASSES = tuple(f"M{site}{k}" for site in ("N", "CB", "CG", "CD", "CE", "NZ") for k in "12")
_PROTEIN_PARTS = (
    _Part("Protein", others=True),
    _Part("Protein-H", begins=("H",), others=True),
    _Part("C-alpha", ("CA",)),
    _Part("Backbone", _CHAIN),
    _Part("MainChain", _MAIN),
    _Part("MainChain+Cb", (*_MAIN, "CB")),
    _Part("MainChain+H", _MAIN_H),
    _Part("SideChain", _MAIN_H, others=True),
    _Part("SideChain-H", _MAIN_H, begins=("H",), others=True),
)
_WITHOUT_MASSES = _Part("Prot-Masses", _MASSES, others=True)
# Kinds of residue whose names make no groups of their own.
_NOT_SPLIT = ("Protein", "DNA", "RNA", "Water")


def default_groups(atoms: Named) -> tuple[Group, ...]:
    """The groups that GROMACS makes without an index file, in its order.

    The groups of GROMACS 2022 come first. Of nucleic acids and other kinds it makes only the kind
    that occurs first, and groups by residue names if there is such a kind. The groups that other
    versions make besides follow.
    """
    residue = atoms.residue_name
    kinds = [kind_of(word) for word in residue.words]
    index = residue.index
    groups = [_group("System", np.ones(len(index), dtype=np.bool_))]
    present = _in_order(index)
    by_name = [_group(residue.words[k], index == k) for k in present if kinds[k] not in _NOT_SPLIT]
    further: list[Group] = []
    split = False
    for kind in dict.fromkeys(kinds[k] for k in present):
        of_kind = np.array([other == kind for other in kinds])[index]
        if kind == "Protein":
            groups += _protein_groups(atoms.name, of_kind) + _if_any("non-Protein", ~of_kind)
        elif kind == "Water":
            groups += [_group("Water", of_kind), _group("SOL", of_kind)]
            groups += _if_any("non-Water", ~of_kind)
        elif kind == "Ion":
            groups.append(_group(kind, of_kind))
        elif split:
            further.append(_group(kind, of_kind))
        else:
            groups += [_group(kind, of_kind), *by_name]
            split = True
    groups += _water_and_ions(groups)
    return (*groups, *further, *(() if split else by_name))


def _water_and_ions(groups: list[Group]) -> list[Group]:
    parts = {group.name: group.particles for group in groups}
    if "Water" not in parts or "Ion" not in parts:
        return []
    return [Group("Water_and_ions", np.concatenate((parts["Water"], parts["Ion"])))]


def _group(name: str, mask: Mask) -> Group:
    return Group(name, np.flatnonzero(mask).astype(np.int32))


def _if_any(name: str, mask: Mask) -> list[Group]:
    return [_group(name, mask)] if mask.any() else []


def _in_order(index: NDArray[np.int32]) -> list[int]:
    """The numbers that occur in `index`, in the order in which they occur first."""
    found, first = np.unique(index, return_index=True)
    return [int(k) for k in found[np.argsort(first)]]


def _protein_groups(names: Labels, protein: Mask) -> list[Group]:
    groups = [_group(part.name, protein & _chosen(part, names)) for part in _PROTEIN_PARTS]
    real = _group(_WITHOUT_MASSES.name, protein & _chosen(_WITHOUT_MASSES, names))
    # As in GROMACS: a system of nothing else has this group under its first name already.
    return groups if real.n == len(protein) else [*groups, real]


def _chosen(part: _Part, names: Labels) -> Mask:
    """(n,) whether the name of each particle belongs to the part."""
    words = [word.upper().lstrip("0123456789") for word in names.words]
    listed = [word in part.whole or word.startswith(part.begins) for word in words]
    return np.array([hit != part.others for hit in listed])[names.index]


def find_group(name: str, file_groups: Sequence[Group] | None, default: Sequence[Group]) -> Group:
    """The first group of that name; case is ignored.

    Args:
        name: as written in an .mdp file
        file_groups: groups of an index file, which replace the default ones; None without a file
        default: what `default_groups` gave

    Raises InputError with the most similar name if there is none.
    """
    groups = default if file_groups is None else file_groups
    for group in groups:
        if group.name.lower() == name.lower():
            return group
    why = "without an index file only the default groups are known"
    suggestion = nearest(name, {group.name for group in groups})
    if file_groups is not None:
        why = "the index file has no such group"
        if any(group.name.lower() == name.lower() for group in default):
            why += ", and it replaces the default groups"
            suggestion = f"Add [ {name} ] to the index file, for example with gmx make_ndx"
    raise bad_input(f"unknown group {name!r}", why, suggestion)
