# SPDX-License-Identifier: Apache-2.0
"""Numbers in text as C reads them: ASCII digits, nothing between them, and none without an end.

Python's own int() and float() take digits of any script, 1_000, nan and infinity.
"""

from __future__ import annotations

import math
import re

_INTEGER = re.compile(r"[+-]?[0-9]{1,24}")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?")


def integer(word: str) -> int:
    """The word as an integer; raises ValueError for anything else."""
    if not _INTEGER.fullmatch(word):
        raise ValueError(word)
    return int(word)


def real(word: str) -> float:
    """The word as a finite number; raises ValueError for anything else."""
    value = float(word) if _REAL.fullmatch(word) else math.nan
    if not math.isfinite(value):
        raise ValueError(word)
    return value
