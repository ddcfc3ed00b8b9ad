# SPDX-License-Identifier: Apache-2.0
"""Quantities of other packages (openmm.unit, pint, astropy.units) as numbers with a unit.

None of them is imported: a quantity brings its package along. Times of numpy and datetime count as
quantities.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from operator import truediv
from typing import Any

import numpy as np

from .errors import bad_input
from .units import TABLE, Units

#: Words of openmm.unit for the parts of our units.
_OPENMM = {
    **{"1": "dimensionless", "nm": "nanometer", "ps": "picosecond", "K": "kelvin", "bar": "bar"},
    **{"kJ": "kilojoule", "mol": "mole", "V": "volt", "rad": "radian", "u": "dalton"},
}
#: Units of a system's arrays in molecular units.
_OF_SYSTEM = {"box": "nm", "position": "nm", "velocity": "nm/ps", "mass": "u"}


def is_quantity(value: Any) -> bool:
    """Whether a value has a unit of another package."""
    return (
        hasattr(value, "value_in_unit")
        or (hasattr(value, "to") and (hasattr(value, "magnitude") or hasattr(value, "unit")))
        or isinstance(value, (np.timedelta64, timedelta))
    )


def quantity_text(value: Any, dimension: str, name: str) -> str:
    """A quantity as text such as "0.1 ps", without rounding.

    Args:
        value: for which `is_quantity` holds
        dimension: of `units.TABLE`
        name: what errors call it

    Raises InputError for one of another dimension.
    """
    known = [unit for unit, factor in TABLE[dimension].items() if factor == 1.0]
    known += ["K"] if dimension == "energy" else []  # of kT
    for unit in known:
        try:
            return f"{float(_in(value, unit))!r} {unit}"
        except Exception:  # each package has errors of its own
            continue
    raise bad_input(
        f"{name} is {value}",
        f"one quantity of {dimension} is needed",
        f"Give it in {known[0]}, or in a unit that can be converted to it",
    )


def numbers_in(values: Any, unit: str, name: str) -> Any:
    """Nested numbers of which each, each row or all together may be a quantity, in a unit.

    Raises InputError, with that name, for quantities of another dimension.
    """
    if is_quantity(values):
        try:
            values = _in(values, unit)
        except Exception:  # each package has errors of its own
            found = getattr(values, "unit", getattr(values, "units", type(values).__name__))
            raise bad_input(
                f"{name} has the unit {found}",
                f"it cannot be converted to {unit}",
                f"Give it in {unit}, or as plain numbers in {unit}",
            ) from None
    plain = isinstance(values, np.ndarray) and values.dtype.kind in "fiu"
    if plain or isinstance(values, str) or not isinstance(values, Iterable):
        return values
    return [numbers_in(one, unit, name) for one in values]


def of_system(values: Any, name: str, units: Units) -> Any:
    """A box or a column of particles, its quantities as numbers in molecular units.

    Quantities are left where no unit is known. Raises InputError for those of another dimension.
    """
    unit = _OF_SYSTEM.get(name) if units.physical else None
    if unit is not None and (is_quantity(values) or isinstance(values, (list, tuple))):
        return numbers_in(values, unit, name)
    return values


def _in(value: Any, unit: str) -> Any:
    if isinstance(value, (np.timedelta64, timedelta)):
        time = np.timedelta64(value)
        if np.datetime_data(time)[0] == "generic":
            raise ValueError("a time without a unit")
        return time / np.timedelta64(1, unit)
    if not hasattr(value, "value_in_unit"):
        found = value.to(unit)
        return found.magnitude if hasattr(found, "magnitude") else found.value
    package = sys.modules[type(value).__module__.rpartition(".")[0]]
    parts = [getattr(package, _OPENMM[part]) for part in unit.split("/")]
    return value.value_in_unit(reduce(truediv, parts))
