# SPDX-License-Identifier: Apache-2.0
"""Arrays that users give, taken over with every number as it is, or refused."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import bad_input
from .quantities import is_quantity


def _given(values: Any, name: str) -> NDArray[Any]:
    if is_quantity(values):
        raise bad_input(
            f"{name} has a unit of another package",
            "it would be lost",
            "Give plain numbers in the units of the system",
        )
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise bad_input(f"{name} is not an array of numbers", str(error), "Give numbers") from None
    if np.ma.is_masked(values):
        raise bad_input(
            f"{name} is a masked array",
            "its masked values would be used as well",
            "Fill them, or remove their rows",
        )
    return array


def frozen(
    values: Any, kind: Any = np.float64, shape: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """A new array of numbers of a kind, in their shape or another one, that nobody can write to."""
    array = np.array(values, dtype=kind)
    array = array if shape is None else array.reshape(shape)
    array.setflags(write=False)
    return array


def _real(value: Any) -> bool:
    # Decimals are numbers of no particular kind.
    is_complex = isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real)
    return isinstance(value, numbers.Number) and not is_complex and not isinstance(value, bool)


def reals(values: Any, name: str) -> NDArray[np.float64]:
    """A new array of doubles. Raises InputError where a number would lose a part.

    Args:
        values: real numbers in whatever form NumPy knows
        name: for errors
    """
    given = _given(values, name)
    if given.dtype.kind == "c":
        raise bad_input(
            f"{name} is an array of complex numbers",
            "their imaginary parts would be lost",
            f"Give {name}.real if you mean the real part",
        )
    if given.dtype.kind not in "fiuO" or (
        given.dtype.kind == "O" and not all(map(_real, given.flat))
    ):
        raise bad_input(
            f"{name} is not an array of numbers", f"it holds {given.dtype.name}", "Give numbers"
        )
    try:
        with np.errstate(over="ignore"):
            array = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise bad_input(f"{name} is not an array of numbers", str(error), "Give numbers") from None
    long = np.abs(array) >= 2.0**53 if given.dtype.kind in "iu" else np.zeros(0, dtype=bool)
    if long.any() and list(map(int, array[long].tolist())) != given[long].tolist():
        raise bad_input(
            f"{name} holds a whole number that a double cannot represent",
            "it would be rounded",
            f"Convert it, as in {name}.astype(numpy.float64)",
        )
    return array


def check_finite(array: NDArray[Any], name: str, who: str = "particle") -> NDArray[Any]:
    """The array, one row for each of `who`, or an `InputError` that tells which is not finite."""
    bad = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
    if bad.any():
        raise bad_input(
            f"{name} of {who} {int(bad.argmax())} is not finite",
            "no force could be computed",
            "Check where the numbers come from",
        )
    return array


def integers(values: Any, name: str, kind: Any = np.int32) -> NDArray[Any]:
    """A new array of integers of a kind. Raises InputError where one does not fit.

    Args:
        values: integers in whatever form NumPy knows
        name: for errors
        kind: an integer type of NumPy
    """
    given = _given(values, name)
    if given.dtype.kind not in "iu" and given.size:
        raise bad_input(
            f"{name} has the data type {given.dtype}",
            "whole numbers are needed",
            f"Convert it, as in {name}.astype(numpy.{np.dtype(kind).name})",
        )
    limits = np.iinfo(kind)
    if given.size and (int(given.max()) > limits.max or int(given.min()) < limits.min):
        raise bad_input(
            f"{name} is too large", f"it must fit in {limits.bits} bits", "Check its values"
        )
    return np.array(given, dtype=kind, order="C")
