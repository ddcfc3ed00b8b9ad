# SPDX-License-Identifier: Apache-2.0
"""Numbers of other programs in the units of this package."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import InputError, bad_input
from aureole.base.quantities import numbers_in
from aureole.formats.box_vectors import check_box, from_box
from aureole.system.box import Box

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


def box_vectors(box: Any) -> NDArray[np.float64]:
    """(3, 3) vectors [nm] of a box as given: a Box, or three vectors or edges, or with units.

    Raises InputError for those that are not the rows of a lower triangle.
    """
    if isinstance(box, Box):
        return from_box(box)
    try:
        vectors = np.array(numbers_in(box, "nm", "box"), dtype=np.float64)
    except InputError:
        raise
    except (TypeError, ValueError):
        raise _no_box(f"box is {box!r}") from None
    if vectors.shape not in ((3,), (3, 3)):
        raise _no_box(f"box has the shape {vectors.shape}")
    return check_box(np.diag(vectors) if vectors.ndim == 1 else vectors)


def _no_box(problem: str) -> InputError:
    hint = "Give three vectors, or the edges of a rectangular box"
    return bad_input(problem, "a box has three vectors of three numbers", hint)
