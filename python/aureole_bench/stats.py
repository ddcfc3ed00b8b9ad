# SPDX-License-Identifier: Apache-2.0
"""Medians, quartiles and paired ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and number of some measurements."""

    median: float
    low: float
    high: float
    count: int

    def of_ratios(self) -> dict[str, Any]:
        """As a row of a table of ratios."""
        return {"ratio": self.median, "quartiles": [self.low, self.high], "pairs": self.count}


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles of at least one value."""
    low, median, high = np.percentile(np.asarray(values, dtype=float), [25, 50, 75])
    return Spread(float(median), float(low), float(high), len(values))


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> Spread | None:
    """Spread of the ratios of runs made side by side; None where there are none."""
    pairs = [a / b for a, b in zip(ours, theirs, strict=False) if b > 0]
    return spread(pairs) if pairs else None


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Slope of the least-squares line."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    a = a - a.mean()
    return float((a * (b - b.mean())).sum() / (a * a).sum())
