# SPDX-License-Identifier: Apache-2.0
"""Pairs of particles of a topology that are bonded to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .topology import MoleculeType, Terms, Topology
from .whole_molecules import BINDING

Index = NDArray[np.int64]

#: Kinds of terms that are bonds; a virtual site is bound to nothing.
BONDS = tuple(kind for kind in BINDING if not kind.startswith("vsite"))


def bonded_pairs(of: Topology | MoleculeType) -> Index:
    """(m, 2) particles that a bond or a rigid distance to a centre joins, each pair once."""
    terms = of.terms if isinstance(of, MoleculeType) else of.expand_terms()
    found = [_pairs(kind, terms[kind]) for kind in BONDS if kind in terms]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *found])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def bond_lengths(molecule: MoleculeType) -> NDArray[np.float64]:
    """(m,) lengths [length] that the bonds of a molecule are made for, in no particular order.

    A bond without a length of its own (FENE) has its largest length, a rigid water that of O-H.
    """
    of_bonds = [molecule.terms[kind] for kind in BONDS if kind in molecule.terms]
    found = [terms.parameters[terms.row, 0] for terms in of_bonds if terms.n]
    return np.concatenate([np.empty(0), *found])


def _pairs(kind: str, terms: Terms) -> Index:
    particles = terms.particles.astype(np.int64)
    if kind == "settle":  # oxygen and each of its hydrogens
        return np.concatenate([particles[:, [0, 1]], particles[:, [0, 2]]])
    return particles
