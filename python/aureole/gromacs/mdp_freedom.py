# SPDX-License-Identifier: Apache-2.0
"""Degrees of freedom of temperature groups, counted as GROMACS counts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .mdp_case import Case, every_copy, labels


def frozen_axes(case: Case) -> NDArray[np.bool_]:
    """(n, 3) along which axes each particle stays where it is."""
    frozen = np.zeros((case.system.n, 3), dtype=bool)
    for group in case.parameters.frozen:
        rows = case.members(group.name)
        if rows is not None:
            frozen[rows[rows < len(frozen)]] |= np.array(group.axes)
    return frozen


def virtual(case: Case) -> NDArray[np.bool_]:
    """(n,) which particles are placed by others."""
    parts = [np.tile(molecule.atoms.virtual, count) for molecule, count in case.system.blocks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)


def degrees_of_freedom(case: Case) -> NDArray[np.float64]:
    """Degrees of freedom of each group of the thermostat; the last is of particles in none.

    Three for each particle, less frozen directions; half of a constraint's is taken from either
    end; what the removal of the whole's motion takes is shared in proportion.
    """
    names = tuple(group.name for group in case.parameters.thermostat.groups)
    bath = labels(case, names)
    motion = case.parameters.motion
    whole = labels(case, motion.groups)
    axes = ~frozen_axes(case) & ~virtual(case)[:, None]
    free = axes.sum(axis=1) - _constrained(case, axes.sum(axis=1))
    of_bath = np.bincount(bath, free, minlength=len(names) + 1)
    if motion.remove == "no":
        return of_bath
    n_whole = len(motion.groups) + 1
    of_whole = np.bincount(whole, free, minlength=n_whole)
    if motion.remove == "angular":
        taken = np.full(n_whole, 6.0)
    else:
        moving = [np.bincount(whole, axes[:, d], minlength=n_whole) > 0 for d in range(3)]
        taken = np.sum(moving, axis=0).astype(float)
    if motion.groups:
        taken[-1] = 0.0  # particles in none of the groups keep their motion
    left = np.divide(of_whole - taken, of_whole, out=np.zeros(n_whole), where=of_whole > taken)
    together = np.zeros((len(names) + 1, n_whole))
    np.add.at(together, (bath, whole), 1.0)
    sizes = np.maximum(together.sum(axis=1), 1.0)
    return np.asarray(of_bath * (together @ left) / sizes)


def _constrained(case: Case, axes: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) degrees of freedom that constraints take from each particle."""
    taken = np.zeros(case.system.n)
    first = 0
    for molecule, count in case.system.blocks:
        bonds = molecule.terms.get("constraint")
        if bonds is not None and bonds.n:
            pairs = every_copy(molecule, bonds, first, count)
            movable = axes[pairs] > 0
            # An end that cannot move leaves the whole constraint to the other.
            share = np.where(movable.all(axis=1, keepdims=True), 0.5, 1.0)
            np.add.at(taken, pairs, np.where(movable, share, 0.0))
        waters = molecule.terms.get("settle")
        if waters is not None and waters.n:
            taken[every_copy(molecule, waters, first, count)] += 1.0
        first += molecule.atoms.n * count
    return np.minimum(taken, axes)
