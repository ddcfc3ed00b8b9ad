# SPDX-License-Identifier: Apache-2.0
"""Columns of particles that users add: numbers of their own for each particle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import check_finite, integers, reals
from aureole.base.attributes import Guarded
from aureole.base.errors import bad_input

#: Names with another meaning in the engine or in files.
TAKEN = frozenset(
    (
        *("position", "velocity", "force", "mass", "image", "type", "tag", "charge", "energy"),
        *("virial", "moves", "bath", "box", "step", "n"),
    )
)

#: Quantities that units of columns are made of; the numbers are in the units of the system.
QUANTITIES = (
    *("length", "time", "mass", "energy", "charge", "angle", "temperature", "force", "pressure"),
)
_FACTOR = rf"(?:1|{'|'.join(QUANTITIES)})(?:\^-?[1-9])?"
_UNIT = re.compile(rf"{_FACTOR}(?:[*/]{_FACTOR})*")


class Columns(Guarded, MutableMapping[str, NDArray[Any]]):
    """Arrays by name, one or three numbers per particle, in tag order: ``columns["diameter"] = d``.

    Assign (n,) or (n, 3) numbers; whole numbers stay 32-bit integers, all others become doubles.
    Arrays are read-only copies. Raises InputError for names that are not identifiers or are
    reserved, for other shapes, and for numbers that are not finite.
    """

    _advice = 'Set a column as an item: columns["diameter"] = values.'

    def __init__(self, n: int, values: Mapping[str, Any] | None = None) -> None:
        self._n = n
        self._arrays: dict[str, NDArray[Any]] = {}
        self._units: dict[str, str] = {}
        for name, array in dict(values or {}).items():
            self.add(name, array, values.unit(name) if isinstance(values, Columns) else "")

    def add(self, name: str, values: Any, unit: str = "") -> None:
        """Add or replace a column.

        Args:
            name: of the column, an identifier
            values: (n,) or (n, 3) numbers
            unit: their dimension, such as "length", "length/time" or "1/length^3"; empty for
                plain numbers
        """
        if unit and not (isinstance(unit, str) and _UNIT.fullmatch(unit)):
            raise bad_input(
                f"column {name!r} has the unit {unit!r}",
                "this unit is unknown",
                f"Give products and quotients of {', '.join(QUANTITIES)}",
            )
        n = self._n
        self._arrays[_name(name)] = checked(name, values, ((n,), (n, 3)))
        self._units[name] = unit

    def unit(self, name: str) -> str:
        """The dimension of a column; empty for plain numbers."""
        return self._units[name]

    def __setitem__(self, name: str, values: Any) -> None:
        self.add(name, values, self._units.get(name, ""))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def __delitem__(self, name: str) -> None:
        del self._arrays[name], self._units[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return self._units == other._units and all(
            np.array_equal(self[name], other[name]) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{name}: {array.shape} {array.dtype}{' ' * bool(self.unit(name))}{self.unit(name)}"
            for name, array in self._arrays.items()
        )
        return f"Columns({shapes})"


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise bad_input(
            f"{name!r} is not a valid column name",
            "it is also used as an attribute and in files",
            "Use letters, digits and underscores, a letter first",
        )
    if name in TAKEN:
        raise bad_input(
            f"column {name!r} cannot be added", "the name is reserved", "Choose another"
        )
    return name


def checked(
    name: str,
    values: Any,
    shapes: Sequence[tuple[int, ...]],
    as_integers: bool | None = None,
    who: str = "particle",
) -> NDArray[Any]:
    """A read-only array of doubles or 32-bit integers, one row per particle.

    Args:
        name: of the column
        values: its numbers
        shapes: that the array may have
        as_integers: whether the numbers are integers; None: as they are given
        who: what a row is, in errors
    """
    if as_integers is None:
        as_integers = np.asarray(values).dtype.kind in "iu"
    array = integers(values, name) if as_integers else reals(values, name)
    if array.shape not in shapes:
        raise bad_input(
            f"{name} has the shape {array.shape}",
            f"there are {shapes[0][0]} particles",
            f"Give it the shape {' or '.join(map(str, shapes))}",
        )
    check_finite(array, name, who)
    array.setflags(write=False)
    return array
