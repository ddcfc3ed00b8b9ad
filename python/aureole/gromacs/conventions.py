# SPDX-License-Identifier: Apache-2.0
"""Conventions of other programs that differ from those of GROMACS with the same options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Conventions:
    """The conventions of one job; by default those of GROMACS.

    Args:
        field_of_excluded: whether a reaction field acts between excluded pairs, and of each charge
            on itself
        tail_of_all: whether the long-range correction of Lennard-Jones energies averages over
            excluded pairs, and particles with themselves, too
        both_signs: whether waves of half the mesh of PME count with the mean of both signs, which
            matters in tilted boxes
        constant_terms: whether bonds and angles that virtual sites make constant have energies
    """

    field_of_excluded: bool = True
    tail_of_all: bool = False
    both_signs: bool = False
    constant_terms: bool = False


OF_GROMACS = Conventions()
