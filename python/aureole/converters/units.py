# SPDX-License-Identifier: Apache-2.0
"""Numbers of other programs in the units of this package."""

from __future__ import annotations

from typing import Any

#: kJ in one kcal, and nm in one Å.
KCAL = 4.184
ANGSTROM = 0.1


def has_unit(value: Any) -> bool:
    """Is it a quantity of OpenMM or ParmEd?"""
    return hasattr(value, "value_in_unit_system")


def plain(value: Any) -> Any:
    """Numbers in nm, ps, u, kJ/mol, e and radians, whatever unit they come with."""
    if not has_unit(value):
        return value
    from openmm import unit

    return value.value_in_unit_system(unit.md_unit_system)
