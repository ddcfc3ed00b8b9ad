# SPDX-License-Identifier: Apache-2.0
"""Exclusions within a molecule: particles a few bonds apart, and those listed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .topology import Exclusions

#: Number of entries of one molecule that no sensible nrexcl exceeds.
MOST = 2**25

Pairs = Sequence[tuple[int, int]]
Keys = NDArray[np.int64]


def exclusions(n: int, edges: Pairs, listed: Pairs, depth: int) -> Exclusions | None:
    """The exclusions among n particles; None if there are more than `MOST`.

    Args:
        n: number of particles
        edges: bonds
        listed: further pairs, in any order
        depth: how many bonds apart particles are excluded
    """
    # A pair (i, j) is one number, i n + j; sorted ones are sorted by row and within rows.
    keys = _both_ways(n, listed)
    reached = _within(n, _both_ways(n, edges), depth) if depth > 0 and edges else keys[:0]
    if reached is None:
        return None
    keys = np.union1d(keys, reached)
    keys = keys[keys // max(n, 1) != keys % max(n, 1)]
    start = np.searchsorted(keys, np.arange(n + 1, dtype=np.int64) * n)
    partner = (keys % max(n, 1)).astype(np.int32)
    for array in (start, partner):
        array.setflags(write=False)
    return Exclusions(start.astype(np.int64, copy=False), partner)


def _both_ways(n: int, pairs: Pairs) -> Keys:
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    i, j = table[:, 0], table[:, 1]
    return np.unique(np.concatenate([i * n + j, j * n + i]))


def _within(n: int, edges: Keys, depth: int) -> Keys | None:
    """Pairs at most `depth` edges apart, with each particle and itself."""
    start = np.searchsorted(edges, np.arange(n + 1, dtype=np.int64) * n)
    neighbour, degree = edges % n, np.diff(start)
    before, front = edges[:0], np.arange(n, dtype=np.int64) * (n + 1)
    fronts = [front]
    for _ in range(depth):
        i, j = front // n, front % n
        count = degree[j]
        total = int(count.sum())
        if total + sum(map(len, fronts)) > MOST:
            return None
        # Element k of a row of the front is neighbour k of its particle.
        within = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
        next_keys = np.repeat(i * n, count) + neighbour[np.repeat(start[j], count) + within]
        # Neighbours of one front lie in it, in the one before or in the next.
        next_keys = np.setdiff1d(next_keys, front)
        before, front = front, np.setdiff1d(next_keys, before)
        if not len(front):
            break
        fronts.append(front)
    return np.concatenate(fronts)
