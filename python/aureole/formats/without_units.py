# SPDX-License-Identifier: Apache-2.0
"""Errors about the numbers of frames, of which formats say nm: reduced units have no such."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from aureole.base.errors import FormatError

_UNIT = re.compile(r" (kJ/mol/nm|kJ/mol|nm/ps|nm)\b")
_SCALED = " (in ångström)", " (of ten times the numbers)"


@contextmanager
def units_of(physical: bool) -> Iterator[None]:
    """What formats refuse is told without units unless the numbers are `physical`."""
    try:
        yield
    except FormatError as error:
        if physical:
            raise
        why = _UNIT.sub("", error.why).replace(*_SCALED)
        raise FormatError(error.path, error.problem, why, error.suggestion) from None
