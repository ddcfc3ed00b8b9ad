# SPDX-License-Identifier: Apache-2.0
"""Bonded terms that virtual sites make constant, left out as grompp does.

A bond of a site with its rigid frame cannot change, nor an angle or a dihedral of particles that
all belong to one frame; grompp takes them out of a topology, dihedrals even where frames differ in
size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..topology import MoleculeType, Terms

_BONDS = ("harmonic_bond", "g96_bond", "morse_bond", "cubic_bond", "constraint")
_ANGLES = ("harmonic_angle", "g96_angle", "urey_bradley", "restricted_angle")
_DIHEDRALS = (
    *("periodic_dihedral", "ryckaert_bellemans", "harmonic_improper"),
    *("restricted_dihedral", "bending_torsion"),
)
#: Sites at a fixed distance from the first particle that constructs them.
_DISTANT = ("vsite2fd", "vsite3fd", "vsite3fad", "vsite4fdn")


class _Site(NamedTuple):
    kind: str
    parents: tuple[int, ...]


class _Frames:
    """Sites of a molecule and which of its pairs are rigid."""

    def __init__(self, molecule: MoleculeType) -> None:
        self.sites: dict[int, _Site] = {}
        for kind, terms in molecule.terms.items():
            if kind.startswith("vsite"):
                for site, *parents in terms.particles.tolist():
                    known = self.sites.get(site, _Site(kind, ()))
                    self.sites[site] = _Site(kind, known.parents + tuple(parents))
        rigid = molecule.terms.get("constraint")
        self.rigid = {frozenset(ends) for ends in rigid.particles.tolist()} if rigid else set()

    def stiff(self, site: _Site) -> bool:
        """Are the particles that construct it rigidly bound to each other, in a ring?"""
        ring = zip(site.parents, site.parents[1:] + site.parents[:1], strict=True)
        return len(site.parents) > 1 and all(frozenset(pair) in self.rigid for pair in ring)

    def bond(self, particles: Sequence[int]) -> bool:
        """Is the distance of two particles constant?"""
        one, other = (self.sites.get(i) for i in particles)
        if one is None and other is None:
            return False
        if one is not None and other is not None:
            return set(one.parents) == set(other.parents) and self.stiff(one)
        site = one or other
        assert site is not None
        end = particles[1] if one is not None else particles[0]
        if site.kind in _DISTANT and end == site.parents[0]:
            return True
        return end in site.parents and self.stiff(site)

    def angle(self, particles: Sequence[int]) -> bool:
        """Is an angle constant?"""
        sites = [self.sites[i] for i in particles if i in self.sites]
        if not sites or any(set(site.parents) != set(sites[0].parents) for site in sites):
            return False
        frame = sites[0].parents
        others = [i for i in particles if i not in self.sites]
        if any(i not in frame for i in others):
            return False
        by_angle = all(site.kind == "vsite3fad" for site in sites)
        return self.stiff(sites[0]) or (by_angle and all(i in frame[:2] for i in others))

    def dihedral(self, particles: Sequence[int]) -> bool:
        """Does grompp take a dihedral for constant?"""
        sites = [self.sites[i] for i in particles if i in self.sites]
        if not sites:
            return False
        frame = sites[0].parents
        if any(
            len(site.parents) == len(frame) and set(site.parents) != set(frame) for site in sites
        ):
            return False
        return all(i in frame for i in particles if i not in self.sites)


def without_constant_terms(molecule: MoleculeType) -> MoleculeType:
    """The molecule type without bonded terms that its virtual sites make constant."""
    frames = _Frames(molecule)
    if not frames.sites:
        return molecule
    terms = dict(molecule.terms)
    tests: dict[str, Callable[[Sequence[int]], bool]] = {
        **dict.fromkeys(_ANGLES, frames.angle),
        **dict.fromkeys(_DIHEDRALS, frames.dihedral),
        **dict.fromkeys(_BONDS, frames.bond),
    }
    for kind, constant in tests.items():
        if kind in terms:
            kept = _kept(terms[kind], constant)
            if kept is None:
                del terms[kind]
            else:
                terms[kind] = kept
    return replace(molecule, terms=terms)


def _kept(terms: Terms, constant: Callable[[Sequence[int]], bool]) -> Terms | None:
    keep = np.array([not constant(ends) for ends in terms.particles.tolist()], dtype=np.bool_)
    if keep.all():
        return terms
    if not keep.any():
        return None
    used, row = np.unique(terms.row[keep], return_inverse=True)
    return Terms(terms.particles[keep], row.astype(np.int32).reshape(-1), terms.parameters[used])
