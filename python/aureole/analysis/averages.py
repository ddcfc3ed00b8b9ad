# SPDX-License-Identifier: Apache-2.0
"""Means of correlated numbers and their errors, summed up during a run.

Errors are found by blocking: neighbouring samples are averaged again and again, until the error
that blocks as if independent give grows no further. Source: Flyvbjerg and Petersen, J. Chem.
Phys. 91, 461 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.float64]

#: With fewer blocks their spread is too uncertain.
FEWEST = 8


@dataclass
class _Level:
    """Blocks of 2^k samples: their count, mean and sum of squared deviations (Welford)."""

    count: int
    mean: Row
    squares: Row
    pending: Row | None = None

    def add(self, value: Row) -> Row | None:
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


@dataclass(frozen=True)
class Average:
    """One column: its mean, the error of the mean, its drift, and the spread of its samples.

    `error` is NaN for fewer than 2 × `FEWEST` samples; `drift` is the rise of the straight line
    of least squares from the first sample to the last.
    """

    mean: float
    error: float
    drift: float
    spread: float


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

    def add(self, time: float, values: Row | list[float]) -> None:
        """Take one sample."""
        row = np.asarray(values, dtype=float)
        self._ends = (self._ends[0] if self.samples else time, time)
        away = time - self._time
        self._time += away / (self.samples + 1)
        self._times += away * (time - self._time)
        before = self._levels[0].mean if self._levels else row
        self._cross = self._cross + (time - self._time) * (row - before)
        block: Row | None = row
        for level in self._levels:
            block = level.add(block)  # type: ignore[arg-type]
            if block is None:
                return
        self._levels.append(_Level(0, np.zeros(self.width), np.zeros(self.width)))
        self._levels[-1].add(block)  # type: ignore[arg-type]

    def result(self) -> list[Average]:
        """One `Average` for each column."""
        if not self._levels:
            return [Average(np.nan, np.nan, np.nan, np.nan)] * self.width
        first = self._levels[0]
        spread = np.sqrt(first.squares / max(1, first.count - 1))
        slope = self._cross / self._times if self._times > 0 else np.zeros(self.width)
        drift = slope * (self._ends[1] - self._ends[0])
        columns = (first.mean, self._errors(), drift, spread)
        return [Average(*(float(value) for value in row)) for row in zip(*columns, strict=True)]

    def _errors(self) -> Row:
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
