# SPDX-License-Identifier: Apache-2.0
"""Errors of formats about numbers in reduced units, for which formats would say nm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from aureole.base.errors import FormatError

_UNIT = re.compile(r" (kJ/mol/nm|kJ/mol|nm/ps|nm)\b")
_SCALED = " (in ångström)", " (of ten times the numbers)"


@contextmanager
def units_of(physical: bool) -> Iterator[None]:
    """Remove the units from errors of formats, unless the numbers are `physical`."""
    try:
        yield
    except FormatError as error:
        if physical:
            raise
        why = _UNIT.sub("", error.why).replace(*_SCALED)
        raise FormatError(error.path, error.problem, why, error.suggestion) from None
