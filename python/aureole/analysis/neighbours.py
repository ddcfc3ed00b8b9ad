# SPDX-License-Identifier: Apache-2.0
"""Pairs of particles within a distance, found through cells, in linear time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aureole.system.box import Box

Array = NDArray[np.float64]
Index = NDArray[np.int64]

#: Candidates looked at in one piece; bounds memory.
_CHUNK = 2_000_000


def pairs(
    box: Box, centres: Array, others: Array, r_max: float
) -> Iterator[tuple[Index, Index, Array]]:
    """All pairs of a centre and another particle nearer than `r_max`, in pieces.

    Args:
        box: periodic in all three axes; `r_max` is at most half of its smallest width
        centres: (n, 3) positions anywhere [length]
        others: (m, 3) positions; may be the same, then each pair comes twice and each with itself
        r_max: largest distance [length]

    Yields rows of `centres`, rows of `others` and their distances, of equal lengths.
    """
    edges = np.maximum(1, np.floor(box.widths / (r_max / 2)).astype(int))
    # No more cells than particles, lest an almost empty box be all cells.
    shrink = max(1.0, (edges.prod() / max(1, len(others))) ** (1 / 3))
    edges = np.maximum(1, (edges / shrink).astype(int))
    cell = _cells(box, others, edges)
    order = np.argsort(cell, kind="stable")
    start = np.searchsorted(cell[order], np.arange(edges.prod() + 1))
    home = np.floor(_fractions(box, centres) * edges).astype(int) % edges
    extent = np.ceil(r_max * edges / box.widths).astype(int)
    for offset in itertools.product(*map(_offsets, edges, extent)):
        near = np.ravel_multi_index(((home + offset) % edges).T, edges)
        yield from _in_cells(box, centres, others, (start[near], start[near + 1]), order, r_max)


def _offsets(cells: int, extent: int) -> range:
    """Distances in cells along an axis, each cell once."""
    return range(cells) if 2 * extent + 1 >= cells else range(-extent, extent + 1)


def _fractions(box: Box, positions: Array) -> Array:
    fractions = box.fractions(positions)
    return np.asarray(fractions - np.floor(fractions))


def _cells(box: Box, positions: Array, edges: NDArray[np.int64]) -> Index:
    place = np.floor(_fractions(box, positions) * edges).astype(int) % edges
    return np.asarray(np.ravel_multi_index(place.T, edges), dtype=np.int64)


def _in_cells(
    box: Box, centres: Array, others: Array, span: tuple[Index, Index], order: Index, r_max: float
) -> Iterator[tuple[Index, Index, Array]]:
    """Pairs of each centre with the others in its span of `order`."""
    columns = [(others[:, k].copy(), centres[:, k].copy()) for k in range(3)]
    counts = span[1] - span[0]
    ends = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        done = ends[begin - 1] if begin else 0
        stop = max(begin + 1, int(np.searchsorted(ends, done + _CHUNK, side="right")))
        some = counts[begin:stop]
        i = np.repeat(np.arange(begin, stop), some)
        inner = np.arange(len(i)) - np.repeat(np.cumsum(some) - some, some)
        j = order[np.repeat(span[0][begin:stop], some) + inner]
        r2 = _squares(box.matrix, [column[j] - other[i] for column, other in columns])
        near = np.flatnonzero(r2 < r_max * r_max)
        if len(near):
            yield i[near], j[near], np.sqrt(r2[near])
        begin = stop


def _squares(edges: Array, difference: list[Array]) -> Array:
    """Squares of the shortest equivalents of differences, three columns, which are changed."""
    for axis in (2, 1, 0):
        turns = difference[axis] / edges[axis, axis]
        np.rint(turns, out=turns)
        for k in range(axis + 1):
            if edges[k, axis]:
                difference[k] -= turns * edges[k, axis]
    x, y, z = difference
    return np.asarray(x * x + y * y + z * z)
