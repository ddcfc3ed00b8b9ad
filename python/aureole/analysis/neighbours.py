# SPDX-License-Identifier: Apache-2.0
"""Pairs of particles within a distance, found by the engine through cells, in linear time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.system.box import Box

Array = NDArray[np.float64]
Index = NDArray[np.int64]

#: Pairs in one piece; bounds memory.
_MOST = 2_000_000


def pairs(
    box: Box, centres: Array, others: Array, r_max: float
) -> Iterator[tuple[Index, Index, Array]]:
    """All pairs of a centre and another particle nearer than `r_max`, in pieces.

    Distances are those of `Box.minimum_image`, the shortest ones up to half the smallest width.

    Args:
        box: any
        centres: (n, 3) positions anywhere [length]
        others: (m, 3) positions; may be the same, then each pair comes twice and each with itself
        r_max: largest distance [length]

    Yields rows of `centres` in ascending order, rows of `others` and their distances.
    """
    centres, others = np.ascontiguousarray(centres, float), np.ascontiguousarray(others, float)
    search = _core.PairSearch(others, box.six, box.periodic, r_max)
    begin = 0
    while True:
        i, j, r, begin = search.find(centres, begin, _MOST)
        yield i, j, r
        if begin == len(centres):
            return


def all_pairs(box: Box, centres: Array, others: Array, r_max: float) -> tuple[Index, Index, Array]:
    """All pairs that `pairs` yields, in one piece; for few pairs."""
    i, j, r = zip(*pairs(box, centres, others, r_max), strict=True)
    return np.concatenate(i), np.concatenate(j), np.concatenate(r)
