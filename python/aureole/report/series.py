# SPDX-License-Identifier: Apache-2.0
"""The drawn parts of a series: running averages, and rows that show it."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Part of the whole length over which the running average is taken.
WINDOW = 0.05


def running(values: Array, window: float = WINDOW) -> Array:
    """(n,) means over a window of that part of the series around each value, NaN near the ends."""
    n = len(values)
    half = max(1, round(window * n / 2))
    result = np.full(n, math.nan)
    if n <= 2 * half:
        return result
    good = np.isfinite(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(good, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(good)])
    size = 2 * half + 1
    with np.errstate(invalid="ignore", divide="ignore"):
        result[half : n - half] = (sums[size:] - sums[:-size]) / (counts[size:] - counts[:-size])
    return result


def thinned(values: Array, most: int) -> NDArray[np.int64]:
    """Rows that show the series: all, or the first, the last, and the extremes of equal parts."""
    n = len(values)
    if n <= most:
        return np.arange(n)
    parts = max(1, (most - 2) // 2)
    edges = np.linspace(0, n, parts + 1).astype(int)
    filled = np.where(np.isfinite(values), values, 0.0)
    rows = {0, n - 1}
    for begin, end in itertools.pairwise(edges):
        rows.add(begin + int(filled[begin:end].argmin()))
        rows.add(begin + int(filled[begin:end].argmax()))
    return np.array(sorted(rows))
