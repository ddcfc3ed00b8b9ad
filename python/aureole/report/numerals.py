# SPDX-License-Identifier: Apache-2.0
"""Numbers as the page writes them, cut at two digits of their errors."""

from __future__ import annotations

import math

#: Relative error of a mean of equal numbers.
_ROUNDING = 1e-13


def with_error(mean: float, error: float | None) -> tuple[str, str]:
    """Mean and error as words, cut at two digits of the error; "" for an error that is unknown."""
    if not math.isfinite(mean):
        return "–", ""
    if error is not None and error <= _ROUNDING * abs(mean):
        error = 0.0
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
