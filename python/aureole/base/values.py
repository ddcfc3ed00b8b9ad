# SPDX-License-Identifier: Apache-2.0
"""Values that users give, checked; errors name them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import bad_input, nearest

if TYPE_CHECKING:
    from .units import Measured

#: Types of which Python thinks that they are numbers.
_NO_NUMBERS = (bool, np.timedelta64)


class Table(dict[Any, Any]):
    """A read-only dictionary, such as numbers by the names of groups."""

    def _refuse(self, *_: Any, **__: Any) -> None:
        raise TypeError("parameters of a spec cannot be changed; make a new one with .replace()")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse  # type: ignore[assignment]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self),))


def check_keys(data: Mapping[str, Any], known: list[str], where: str) -> None:
    """Refuse the first key of `data` that is not `known`."""
    for key in data:
        if key not in known:
            raise bad_input(
                f"unknown key {key!r} in {where}",
                "it would have no effect",
                nearest(str(key), known),
            )


def number(
    value: Any,
    name: str,
    *,
    low: float | None = None,
    open_low: bool = False,
    high: float | None = None,
    dimension: str | None = None,
) -> float:
    """`value` as a finite float within its bounds, or an `InputError` that names it.

    Where it has a dimension, such as "length", it may also be text with a unit, "1.2 nm", or a
    quantity of openmm.unit and the like.
    """
    result = _given(value, name, dimension)
    if not math.isfinite(result):
        raise bad_input(
            f"{name} is {result}", "it must be finite", f"Give {name} as a finite number"
        )
    if low is not None and (result < low or (open_low and result == low)):
        bound = f"above {low:g}" if open_low else f"at least {low:g}"
        raise bad_input(f"{name} is {result:g}", f"it must be {bound}", f"Give a larger {name}")
    if high is not None and result > high:
        raise bad_input(
            f"{name} is {result:g}", f"it must be at most {high:g}", f"Give a smaller {name}"
        )
    return result


def _given(value: Any, name: str, dimension: str | None) -> float | Measured:
    from .quantities import is_quantity, quantity_text
    from .units import Measured

    if dimension is not None and is_quantity(value):
        value = quantity_text(value, dimension, name)
    if isinstance(value, str) and dimension is not None:
        return Measured(value, dimension, name)
    if isinstance(value, Measured) and dimension is not None:
        return Measured(value.text, dimension, name)
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, numbers.Real):
        raise bad_input(
            f"{name} is {value!r}", "it must be a number", f"Give {name} as a plain number"
        )
    try:
        return float(value)
    except OverflowError:  # an integer of more than 308 digits
        return math.inf if value > 0 else -math.inf


def integer(value: Any, name: str, *, low: int | None = None, high: int | None = None) -> int:
    """`value` as an int from `low` to `high`, or an `InputError` that names it."""
    integral = isinstance(value, numbers.Integral)
    integral = integral or (isinstance(value, numbers.Real) and float(value).is_integer())
    if isinstance(value, _NO_NUMBERS) or not integral:
        how = "without a fraction" if isinstance(value, numbers.Real) else "as a whole number"
        raise bad_input(f"{name} is {value!r}", "it must be a whole number", f"Give {name} {how}")
    result = int(value)
    if low is not None and result < low:
        raise bad_input(f"{name} is {result}", f"it must be at least {low}", "Give a larger number")
    if high is not None and result > high:
        raise bad_input(f"{name} is {result}", f"it must be at most {high}", "Give a smaller one")
    if abs(result) >= 2**63:
        raise bad_input(f"{name} is {result}", "it must fit in 64 bits", f"Give a smaller {name}")
    return result


def choice(
    value: Any,
    name: str,
    known: tuple[str, ...],
    elsewhere: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """`value` if it is one of `known`, or an `InputError` with the nearest one.

    Args:
        value: what was given
        name: what errors call it
        known: the choices
        elsewhere: what they are called in other programs
    """
    if not isinstance(value, str) or value not in known:
        raise bad_input(
            f"{name} is {value!r}",
            "it must be one of " + ", ".join(known),
            nearest(elsewhere.get(str(value), str(value)), known),
        )
    return value


def words(value: Any, name: str) -> tuple[str, ...]:
    """One word or a list of words as a tuple, or an `InputError` that names it."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise bad_input(f"{name} is {value!r}", "it must hold names", 'Write ["one", "other"]')
    return tuple(value)


def flag(value: Any, name: str) -> bool:
    """`value` if it is True or False, or an `InputError` that names it."""
    if not isinstance(value, bool):
        raise bad_input(f"{name} is {value!r}", "it is either on or off", "Give True or False")
    return value


def put(spec: Any, name: str, value: Any) -> None:
    """Set a field of a frozen spec while it is being made."""
    object.__setattr__(spec, name, value)
