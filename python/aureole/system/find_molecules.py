# SPDX-License-Identifier: Apache-2.0
"""Molecules: particles bound to each other, with all particles numbered between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.int64]


def components(n: int, edges: Index) -> Index:
    """(n,) the lowest particle that each particle is bound to, directly or through others.

    Args:
        n: number of particles
        edges: (m, 2) pairs that are bound
    """
    label = np.arange(n, dtype=np.int64)
    while len(edges):
        one, other = label[edges[:, 0]], label[edges[:, 1]]
        low, high = np.minimum(one, other), np.maximum(one, other)
        open_ = low != high
        if not open_.any():
            break
        edges = edges[open_]
        np.minimum.at(label, high[open_], low[open_])
        while True:
            further = label[label]
            if np.array_equal(further, label):
                break
            label = further
    return label


def starts_of_molecules(n: int, edges: Index) -> Index:
    """(m,) the first particle of each molecule; particles of a molecule follow one another."""
    label = components(n, edges)
    last = np.zeros(n, dtype=np.int64)
    np.maximum.at(last, label, np.arange(n))
    last_bound = np.maximum.accumulate(last[label])
    ends = np.flatnonzero(last_bound == np.arange(n))
    return np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
