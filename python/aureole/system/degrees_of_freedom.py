# SPDX-License-Identifier: Apache-2.0
"""Degrees of freedom of groups of particles.

GROMACS subtracts the degrees of freedom of the removed overall motion from all particles of a group
alike, and therefore counts too few where some of them are frozen; here each particle loses in
proportion to its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .topology import RIGID, Topology

Mask = NDArray[np.bool_]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Drift:
    """The overall motion that is removed.

    Args:
        remove: "no", "linear" or "angular"
        label: (n,) the group of each particle; `groups` for particles in none
        groups: number of groups; 0 where the drift is that of all particles
    """

    remove: str
    label: Labels
    groups: int


def labels(n: int, groups: Sequence[NDArray[np.integer] | None]) -> Labels:
    """(n,) index of the group that each particle is in; len(groups) for none of them.

    Later groups win where groups overlap.
    """
    label = np.full(n, len(groups))
    for k, rows in enumerate(groups):
        if rows is not None:
            label[rows[(rows >= 0) & (rows < n)]] = k
    return label


def virtual_of(topology: Topology) -> Mask:
    """(n,) whether each particle is a virtual site."""
    parts = [np.tile(molecule.atoms.virtual, count) for molecule, count in topology.blocks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)


def degrees_of_freedom(
    topology: Topology | None, axes: Mask, thermostat: Labels, groups: int, drift: Drift
) -> NDArray[np.float64]:
    """Degrees of freedom of each group of the thermostat, and last of particles in none.

    Three for each particle, less frozen directions; half of a constraint's is taken from either
    end; those of the removed overall motion are subtracted in proportion to these.

    Args:
        topology: has the constraints; None for none
        axes: (n, 3) whether each particle moves along each axis
        thermostat: (n,) the group of each particle; `groups` for particles in none
        groups: number of groups
        drift: the removed overall motion
    """
    free = axes.sum(axis=1) - _constrained(topology, axes.sum(axis=1))
    if drift.remove == "no":
        return np.bincount(thermostat, free, minlength=groups + 1)
    whole, n_whole = drift.label, drift.groups + 1
    of_whole = np.bincount(whole, free, minlength=n_whole)
    if drift.remove == "angular":
        taken = np.full(n_whole, 6.0)
    else:
        moving = [np.bincount(whole, axes[:, d], minlength=n_whole) > 0 for d in range(3)]
        taken = np.sum(moving, axis=0).astype(float)
    if drift.groups:
        taken[-1] = 0.0  # particles in none of the groups keep their motion
    left = np.divide(of_whole - taken, of_whole, out=np.zeros(n_whole), where=of_whole > taken)
    together = np.zeros((groups + 1, n_whole))
    np.add.at(together, (thermostat, whole), free)
    return np.asarray(together @ left)


def _constrained(topology: Topology | None, axes: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) degrees of freedom that constraints take from each particle."""
    taken = np.zeros(len(axes))
    terms = {} if topology is None else topology.expand_terms(RIGID)
    if "constraint" in terms:
        pairs = terms["constraint"].particles
        movable = axes[pairs] > 0
        # An end that cannot move leaves the whole constraint to the other.
        share = np.where(movable.all(axis=1, keepdims=True), 0.5, 1.0)
        np.add.at(taken, pairs, np.where(movable, share, 0.0))
    if "settle" in terms:
        taken[terms["settle"].particles] += 1.0
    return np.minimum(taken, axes)
