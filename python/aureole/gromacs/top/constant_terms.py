# SPDX-License-Identifier: Apache-2.0
"""Bonded terms that are constant because virtual sites stand still among their particles.

Such terms cost time, and constraints of this kind would be solved twice; grompp removes them by
the same rules. Sites that are means of any number of particles are left alone, as by grompp.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aureole.system.topology import MoleculeType, Terms

#: Bonds and angles that can be rigid; their first parameter is the length or the angle that is
#: kept. Restraints (function 6), FENE bonds and bonds without an energy stay, as with grompp.
BONDS = ("harmonic_bond", "g96_bond", "morse_bond", "cubic_bond")
ANGLES = ("harmonic_angle", "g96_angle", "urey_bradley", "quartic_angle", "restricted_angle")

#: Sites at a fixed distance from the first particle that they are constructed from.
_FIXED = ("vsite3fd", "vsite3fad", "vsite4fdn")


class Site(NamedTuple):
    """The construction of a virtual site."""

    kind: str
    parents: tuple[int, ...]


Sites = Mapping[int, Site]
Pairs = set[frozenset[int]]


def sites_of(terms: Mapping[str, Terms]) -> dict[int, Site]:
    """The virtual sites of a molecule that may make terms constant."""
    return {
        site: Site(kind, tuple(parents))
        for kind, found in terms.items()
        if kind.startswith("vsite") and kind != "vsiten"
        for site, *parents in found.particles.tolist()
    }


def without_constant_terms(molecule: MoleculeType) -> MoleculeType:
    """The molecule without bonds, angles and constraints that virtual sites make constant."""
    sites = sites_of(molecule.terms)
    if not sites:
        return molecule
    terms = dict(molecule.terms)
    rigid = _rigid(terms)
    for kind in (*BONDS, *ANGLES, "constraint"):
        if kind in terms:
            constant = constant_angle if kind in ANGLES else constant_bond
            particles = terms[kind].particles
            kept = ~np.isin(particles, list(sites)).any(axis=1)
            for k in np.flatnonzero(~kept).tolist():
                kept[k] = not constant(tuple(particles[k].tolist()), kind, sites, rigid)
            if not kept.all():
                put(terms, kind, chosen(terms[kind], kept))
    return replace(molecule, terms=terms)


def _rigid(terms: Mapping[str, Terms]) -> Pairs:
    """Pairs at a fixed distance; of rigid water grompp sees the oxygen and one hydrogen."""
    found = [terms[kind].particles[:, :2] for kind in ("constraint", "settle") if kind in terms]
    return {frozenset(pair) for pairs in found for pair in pairs.tolist()}


def chosen(terms: Terms, wanted: NDArray[np.bool_]) -> Terms:
    """The wanted terms alone, with the parameters that they use."""
    used, row = np.unique(terms.row[wanted], return_inverse=True)
    rows = row.astype(np.int32).reshape(-1)
    return Terms(terms.particles[wanted], rows, terms.parameters[used])


def put(terms: dict[str, Terms], kind: str, new: Terms) -> None:
    """Make `new` the terms of that kind; without terms, remove the kind."""
    if new.n:
        terms[kind] = new
    else:
        terms.pop(kind, None)


def constant_bond(pair: tuple[int, ...], kind: str, sites: Sites, rigid: Pairs) -> bool:
    """Is the distance of two particles fixed?"""
    for site, other in (pair, pair[::-1]):
        if site in sites and other not in sites:
            placed = sites[site]
            fixed = placed.kind in _FIXED or (placed.kind == "vsite3out" and kind == "constraint")
            if fixed and other == placed.parents[0]:
                return True
    return _held(pair, _FIXED, sites, rigid)


def constant_angle(three: tuple[int, ...], kind: str, sites: Sites, rigid: Pairs) -> bool:
    """Is the angle of three particles fixed?"""
    return _held(three, ("vsite3fad",), sites, rigid)


def _held(particles: tuple[int, ...], kinds: Sequence[str], sites: Sites, rigid: Pairs) -> bool:
    """Are the particles sites of one construction and its parents, at fixed distances?

    Args:
        particles: of a bond or an angle
        kinds: of sites that need the first two particles of their construction alone
        sites, rigid: all of the molecule
    """
    parents = _common(particles, sites)
    if parents is None:
        return False
    fixed = all(sites[i].kind in kinds for i in particles if i in sites)
    # Is each parent held at a distance from the next one, round and round?
    ring = map(frozenset, zip(parents, (*parents[1:], parents[0]), strict=True))
    return (fixed and _among(particles, sites, parents[:2])) or rigid.issuperset(ring)


def constant_dihedral(four: tuple[int, ...], sites: Sites) -> bool:
    """Are the four particles sites of one construction, or its parents?

    As in grompp, sites with another number of parents than the first site do not count. This drops
    a few dihedrals that do turn, and energies are those that GROMACS would give.
    """
    placed = [sites[i].parents for i in four if i in sites]
    if not placed:
        return False
    alike = (one for one in placed if len(one) == len(placed[0]))
    return all(set(one) == set(placed[0]) for one in alike) and _among(four, sites, placed[0])


def _common(particles: tuple[int, ...], sites: Sites) -> tuple[int, ...] | None:
    """The common parents of all sites among the particles, if the others are such parents."""
    placed = [sites[i].parents for i in particles if i in sites]
    if not placed or any(set(one) != set(placed[0]) for one in placed):
        return None
    return placed[0] if _among(particles, sites, placed[0]) else None


def _among(particles: Iterable[int], sites: Sites, parents: tuple[int, ...]) -> bool:
    return all(i in sites or i in parents for i in particles)
