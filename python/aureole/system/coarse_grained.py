# SPDX-License-Identifier: Apache-2.0
"""Topologies whose particles are beads that stand for several atoms each, as those of Martini."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bonded_pairs import bond_lengths
from .topology import MoleculeType, Nonbonded, Topology

#: Longest bonds between atoms of molecules [nm]; S-S and C-I have 0.205 and 0.214, the rings of
#: Martini 3, whose bonds are its shortest, 0.27 and more.
LONGEST_OF_ATOMS = 0.24


def is_coarse_grained(topology: Topology) -> bool:
    """Whether most bonds of a topology in nm are longer than those of atoms.

    A topology without bonds is not called coarse-grained, as it says nothing about its particles.
    """
    lengths = [(bond_lengths(molecule), count) for molecule, count in topology.blocks]
    bonds = sum(count * len(of) for of, count in lengths)
    long = sum(count * int((of > LONGEST_OF_ATOMS).sum()) for of, count in lengths)
    return 2 * long > bonds


def bead_diameters(molecule: MoleculeType, nonbonded: Nonbonded) -> NDArray[np.float64]:
    """(n,) sigma of the Lennard-Jones potential between particles of one type [length].

    NaN for particles without attraction or repulsion.
    """
    c6, c12 = np.diagonal(nonbonded.c6), np.diagonal(nonbonded.c12)
    of_type = np.full(len(c6), np.nan)
    both = (c6 > 0) & (c12 > 0)
    of_type[both] = (c12[both] / c6[both]) ** (1 / 6)
    return np.asarray(of_type[molecule.atoms.type])
