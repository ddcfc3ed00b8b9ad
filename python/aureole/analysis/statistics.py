# SPDX-License-Identifier: Apache-2.0
"""What is said of a series in numbers, and what of it is drawn."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Blocks of which a standard error is made: few, so that each outlasts the memory of the series.
BLOCKS = 10
#: Part of the whole length over which the running average is taken.
WINDOW = 0.05


@dataclass(frozen=True)
class Average:
    """Mean, its standard error, drift over the whole run and spread, in the unit of the series."""

    mean: float
    error: float
    drift: float
    spread: float = math.nan


def average(time: Array, values: Array) -> Average:
    """The average of a series; what is not finite is left out."""
    good = np.isfinite(values) & np.isfinite(time)
    time, values = time[good], values[good]
    if len(values) == 0:
        return Average(math.nan, math.nan, math.nan)
    mean, error = mean_and_error(values, BLOCKS)
    drift = math.nan
    if len(values) > 2 and np.ptp(time) > 0:
        x = time - time.mean()
        drift = float(x @ (values - mean) / (x @ x) * np.ptp(time))
    return Average(mean, error, drift, float(values.std(ddof=1)) if len(values) > 1 else math.nan)


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


def with_error(mean: float, error: float | None) -> tuple[str, str]:
    """Mean and error as words, cut at two digits of the error; "" for an error that is unknown."""
    if not math.isfinite(mean):
        return "–", ""
    if error is None or not math.isfinite(error) or error <= 0:
        return _plain(mean, 5), "0" if error == 0 else ""
    decimals = 1 - math.floor(math.log10(error))
    if round(error, decimals) >= 10 ** (2 - decimals):  # 0.0996 is 0.10
        decimals -= 1
    if decimals > 8 or abs(mean) >= 1e9:
        return f"{mean:.6g}", f"{error:.2g}"
    rounded = max(0, decimals)
    return _grouped(mean, rounded), _grouped(error, rounded)


def _plain(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    if not -4 <= decimals <= 10:
        return f"{value:.{digits}g}".replace("-", "−")
    return _grouped(value, max(0, decimals))


def _grouped(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", "−")


def short(value: float, digits: int = 4) -> str:
    """A number in few digits."""
    return _plain(value, digits) if math.isfinite(value) else "–"


def mean_and_error(values: Array, blocks: int = 20) -> tuple[float, float]:
    """Mean of a correlated series, and its standard error from the means of blocks."""
    values = np.asarray(values, dtype=float)
    blocks = min(blocks, len(values))
    if blocks < 2:
        return float(values.mean()), math.nan
    size = len(values) // blocks
    means = values[len(values) - blocks * size :].reshape(blocks, size).mean(axis=1)
    return float(values.mean()), float(means.std(ddof=1) / math.sqrt(blocks))
