# SPDX-License-Identifier: Apache-2.0
"""Means of correlated numbers, their standard errors, drifts and slopes.

There are two ways to an error:

* A whole series is cut into few blocks, each of which should outlast the memory of the series; the
  means of the blocks are taken as independent (`mean_and_error`, `average`, `slope`).
* Of numbers summed up during a run, which are not kept, neighbouring samples are averaged again and
  again, until the error that blocks as if independent give grows no further (`Averages`). Source:
  Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Blocks of which a standard error is made: few, so that each outlasts the memory of the series.
BLOCKS = 10
#: With fewer blocks `Averages` finds their spread too uncertain.
FEWEST = 8


@dataclass(frozen=True)
class Average:
    """Mean, its standard error, drift and spread of a series, in its unit; NaN where unknown.

    The drift is the change of the least-squares line from the first sample to the last, the spread
    is the standard deviation of single samples.
    """

    mean: float
    error: float
    drift: float
    spread: float = math.nan


def standard_error(means: Array) -> Array:
    """Standard error of the mean of independent means, along the first axis; NaN for one."""
    if len(means) < 2:
        return np.full(means.shape[1:], math.nan)
    return np.asarray(means.std(axis=0, ddof=1) / math.sqrt(len(means)))


def mean_and_error(values: Array, blocks: int = 20) -> tuple[float, float]:
    """Mean of a correlated series, and its standard error from the means of blocks."""
    values = np.asarray(values, dtype=float)
    blocks = min(blocks, len(values))
    if blocks < 2:
        return float(values.mean()), math.nan
    size = len(values) // blocks
    means = values[len(values) - blocks * size :].reshape(blocks, size).mean(axis=1)
    return float(values.mean()), float(standard_error(means))


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


def slope(time: Array, values: Array) -> tuple[float, float]:
    """The slope of a straight line through a series, and its standard error; NaN for too few.

    The line goes through the means of blocks, whose distances from it tell the error: what
    oscillates within a block is no drift.
    """
    good = np.isfinite(time) & np.isfinite(values)
    time, values = time[good], values[good]
    if len(values) < 2 * BLOCKS or np.ptp(time) <= 0:
        return math.nan, math.nan
    parts = np.array_split(np.arange(len(values)), BLOCKS)
    t = np.array([time[part].mean() for part in parts])
    y = np.array([(values[part] - values[0]).mean() for part in parts])
    x = t - t.mean()
    found = float(x @ y / (x @ x))
    left = y - y.mean() - found * x
    return found, math.sqrt(float(left @ left) / (BLOCKS - 2) / float(x @ x))


@dataclass
class _Level:
    """Blocks of 2^k samples: their count, mean and sum of squared deviations (Welford)."""

    count: int
    mean: Array
    squares: Array
    pending: Array | None = None

    def add(self, value: Array) -> Array | None:
        """Take one block; the mean of two once the second of a pair is there."""
        self.count += 1
        away = value - self.mean
        self.mean = self.mean + away / self.count
        self.squares = self.squares + away * (value - self.mean)
        if self.pending is None:
            self.pending = value
            return None
        pair, self.pending = 0.5 * (self.pending + value), None
        return pair


class Averages:
    """Averages of `width` columns, in memory that grows as the logarithm of their number."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._levels: list[_Level] = []
        self._time = 0.0  # sums that a straight line needs, about the mean time
        self._times = 0.0
        self._cross = np.zeros(width)
        self._ends = (0.0, 0.0)

    @property
    def samples(self) -> int:
        """Samples so far."""
        return self._levels[0].count if self._levels else 0

    def add(self, time: float, values: Array | list[float]) -> None:
        """Take one sample."""
        row = np.asarray(values, dtype=float)
        self._ends = (self._ends[0] if self.samples else time, time)
        away = time - self._time
        self._time += away / (self.samples + 1)
        self._times += away * (time - self._time)
        before = self._levels[0].mean if self._levels else row
        self._cross = self._cross + (time - self._time) * (row - before)
        block: Array | None = row
        for level in self._levels:
            block = level.add(block)  # type: ignore[arg-type]
            if block is None:
                return
        self._levels.append(_Level(0, np.zeros(self.width), np.zeros(self.width)))
        self._levels[-1].add(block)  # type: ignore[arg-type]

    def result(self) -> list[Average]:
        """One `Average` for each column."""
        if not self._levels:
            return [Average(np.nan, np.nan, np.nan)] * self.width
        first = self._levels[0]
        spread = np.sqrt(first.squares / max(1, first.count - 1))
        slope = self._cross / self._times if self._times > 0 else np.zeros(self.width)
        drift = slope * (self._ends[1] - self._ends[0])
        columns = (first.mean, self._errors(), drift, spread)
        return [Average(*(float(value) for value in row)) for row in zip(*columns, strict=True)]

    def _errors(self) -> Array:
        """The error at the first level beyond which it grows by no more than its own error.

        The larger of that and the next one is taken, as it comes to its plateau from below.
        """
        if self.samples < 2 * FEWEST:
            return np.full(self.width, np.nan)
        useful = [level for level in self._levels if level.count >= FEWEST]
        errors = [np.sqrt(lv.squares / (lv.count * (lv.count - 1.0))) for lv in useful]
        result, settled = errors[0], np.zeros(self.width, bool)
        for level, error in zip(useful[1:], errors[1:], strict=True):
            flat = error <= result * (1.0 + 1.0 / np.sqrt(2.0 * (level.count - 1)))
            result = np.where(settled, result, np.maximum(result, error))
            settled |= flat
        return result

    def state(self) -> dict[str, Any]:
        """All sums as plain data."""
        levels = []
        for lv in self._levels:
            pending = None if lv.pending is None else lv.pending.tolist()
            levels.append([lv.count, lv.mean.tolist(), lv.squares.tolist(), pending])
        line = [self._time, self._times, self._cross.tolist(), *self._ends]
        return {"levels": levels, "line": line}

    @classmethod
    def from_state(cls, width: int, state: dict[str, Any]) -> Averages:
        """The averages whose `state` it was."""
        result = cls(width)
        for count, mean, squares, pending in state["levels"]:
            level = _Level(count, np.array(mean, float), np.array(squares, float))
            level.pending = None if pending is None else np.array(pending, float)
            result._levels.append(level)
        time, times, cross, begin, end = state["line"]
        rows = [cross, *(level.mean for level in result._levels)]
        if any(len(row) != width for row in rows):
            raise ValueError(f"averages are not of {width} columns")
        result._time, result._times, result._cross = time, times, np.array(cross, float)
        result._ends = (begin, end)
        return result
