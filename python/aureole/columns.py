# SPDX-License-Identifier: Apache-2.0
"""Columns of particles that users add: numbers of their own for each particle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import bad_input
from .exact import reals, whole

#: Names that mean something else to the engine or in files.
TAKEN = frozenset(
    [
        "position",
        "velocity",
        "force",
        "mass",
        "image",
        "type",
        "tag",
        "charge",
        "energy",
        "virial",
        "moves",
        "bath",
        "box",
        "step",
        "n",
    ]
)


class Columns(MutableMapping[str, NDArray[Any]]):
    """Arrays by name, one or three numbers a particle, in tag order: ``columns["diameter"] = d``.

    Assign (n,) or (n, 3) numbers; whole numbers stay 32-bit integers, all others become doubles.
    Arrays are read-only copies. Raises InputError for names that are no identifiers or taken by
    the engine, for other shapes, and for numbers that are not finite.
    """

    def __init__(self, n: int, values: Mapping[str, Any] | None = None) -> None:
        self._n = n
        self._arrays: dict[str, NDArray[Any]] = {}
        for name, array in dict(values or {}).items():
            self[name] = array

    def __setitem__(self, name: str, values: Any) -> None:
        self._arrays[_name(name)] = checked(name, values, self._n)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def __delitem__(self, name: str) -> None:
        del self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns):
            return NotImplemented
        return self.keys() == other.keys() and all(
            np.array_equal(self[name], other[name]) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{name}: {array.shape} {array.dtype}" for name, array in self._arrays.items()
        )
        return f"Columns({shapes})"


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise bad_input(
            f"{name!r} is no name of a column",
            "it also names an attribute and parts of files",
            "Use letters, digits and underscores, a letter first",
        )
    if name in TAKEN:
        raise bad_input(
            f"column {name!r} cannot be added", "the name has a meaning already", "Choose another"
        )
    return name


def checked(name: str, values: Any, n: int) -> NDArray[Any]:
    """A read-only array (n,) or (n, 3) of doubles or 32-bit integers."""
    given = np.asarray(values)
    integers = given.dtype.kind in "iu"
    array = whole(values, name) if integers else reals(values, name)
    if array.shape not in ((n,), (n, 3)):
        raise bad_input(
            f"column {name!r} has the shape {array.shape}",
            f"there are {n} particles with one or three numbers each",
            f"Give it the shape ({n},) or ({n}, 3)",
        )
    bad = ~np.isfinite(array.reshape(n, -1)).all(axis=1)
    if bad.any():
        raise bad_input(
            f"column {name!r} of particle {int(bad.argmax())} is not finite",
            "it could not be computed with",
            "Check where the numbers come from",
        )
    array.setflags(write=False)
    return array
