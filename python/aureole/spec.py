# SPDX-License-Identifier: Apache-2.0
"""What all specs share: pure, frozen, picklable data with one dictionary form.

A spec is a frozen dataclass with keyword-only fields. `to_dict` gives the form that input files
and checkpoints hold, ``{"kind": "Langevin", "dt": 0.005, ...}``; `from_dict` reads it back and
names the nearest known key when it meets an unknown one.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import numbers
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from .attributes import Called, refuse
from .errors import bad_input, nearest

if TYPE_CHECKING:
    from .units import Measured

_registry: dict[str, dict[str, type[Spec]]] = {}
#: Modules that make specs.
MODULES = (
    *("bonded", "constraints", "coupling", "dynamics", "electrostatics", "fields", "filters"),
    *("integrators", "leaves", "observers", "potentials"),
)


class _Checked(Called):
    """Makes specs."""

    def __setattr__(cls, name: str, value: Any) -> None:
        """Where a spec becomes a frozen dataclass, its refusals name the nearest attribute."""
        taken = name in ("__setattr__", "__delattr__")
        super().__setattr__(name, refuse if taken else value)


class Spec(metaclass=_Checked):
    """Base of all specs. `family` says where it may stand, the class name is its `kind`."""

    family: ClassVar[str] = ""

    def __init_subclass__(cls, family: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if family is not None:
            cls.family = family
        if not cls.__name__.startswith("_") and cls.family:
            _registry.setdefault(cls.family, {})[cls.__name__] = cls
        cls.__repr__ = Spec.__repr__  # type: ignore[method-assign]  # not that of dataclasses

    def __repr__(self) -> str:
        """The Python that makes it, without what is left to defaults."""
        parts = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if not is_default(field, value):
                named = callable(value) and not isinstance(value, Spec)
                text = getattr(value, "__name__", repr(value)) if named else repr(value)
                parts.append(f"{field.name}={text}")
        return f"au.{type(self).__name__}({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """The spec as plain data: numbers, strings, lists and dictionaries."""
        result: dict[str, Any] = {"kind": type(self).__name__}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            result[field.name] = encode(getattr(self, field.name))
        return result


def is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    """Whether a field has just the value that it has when it is left out."""
    default = field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    return type(value) is type(default) and value == default


class Table(dict[Any, Any]):
    """A read-only dictionary, such as numbers by the names of groups."""

    def _refuse(self, *_: Any, **__: Any) -> None:
        raise TypeError("parameters of a spec cannot be changed; make a new one with .replace()")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse  # type: ignore[assignment]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self),))


def encode(value: Any) -> Any:
    """Plain data for `value`; a dictionary with pairs of types as keys gets keys "A,B".

    Numbers with a unit stay text.
    """
    if isinstance(value, float) and hasattr(value, "text"):
        return value.text
    if isinstance(value, Spec):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {
            ",".join(key) if isinstance(key, tuple) else str(key): encode(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    return value


def registry() -> dict[str, dict[str, type[Spec]]]:
    """All classes by family and name, whose modules are imported; `REGISTRY` is the same."""
    for name in MODULES:
        importlib.import_module(f".{name}", __package__)
    return _registry


def __getattr__(name: str) -> Any:
    if name == "REGISTRY":
        return registry()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def class_named(family: str, kind: Any, where: str) -> type[Spec]:
    """The spec class `kind` of `family`; `where` says which entry of the input asked for it."""
    known = registry().get(family, {})
    if not isinstance(kind, str) or kind not in known:
        raise bad_input(
            f"unknown {family} {kind!r}", f"given in {where}", nearest(str(kind), known)
        )
    return known[kind]


def from_dict(family: str, data: Any, where: str) -> Any:
    """The spec that `data` (the form of `Spec.to_dict`) describes."""
    if not isinstance(data, Mapping):
        raise bad_input(
            f"{where} is {data!r}",
            f"a {family} is written as a table",
            'Write for example {kind = "..."} with its parameters',
        )
    if "kind" not in data:
        raise bad_input(
            f"{where} has no 'kind'",
            f"it tells which {family} is meant",
            "Known: " + ", ".join(sorted(registry().get(family, {}))),
        )
    cls = class_named(family, data["kind"], where)
    values = {key: value for key, value in data.items() if key != "kind"}
    check_keys(values, [f.name for f in dataclasses.fields(cls)], where)  # type: ignore[arg-type]
    missing = [
        f.name
        for f in dataclasses.fields(cls)  # type: ignore[arg-type]
        if f.name not in values
        and f.default is dataclasses.MISSING
        and f.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise bad_input(
            f"{where} lacks {', '.join(missing)}",
            f"{cls.__name__} has no default for it",
            f"Write {missing[0]} = ... there",
        )
    if isinstance(values.get("filter"), Mapping):
        values["filter"] = from_dict("filter", values["filter"], f"{where}.filter")
    return cls(**values)


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

    Where it has a dimension, such as "length", it may also be text with a unit: "1.2 nm".
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
    from .units import Measured

    if isinstance(value, str) and dimension is not None:
        return Measured(value, dimension, name)
    if isinstance(value, Measured) and dimension is not None:
        return Measured(value.text, dimension, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise bad_input(
            f"{name} is {value!r}", "a number is needed", f"Give {name} as a plain number"
        )
    return float(value)


def integer(value: Any, name: str, *, low: int | None = None) -> int:
    """`value` as an int of at least `low`, or an `InputError` that names it."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        if isinstance(value, numbers.Real) and float(value).is_integer():
            value = int(value)
        else:
            raise bad_input(
                f"{name} is {value!r}",
                "a whole number is needed",
                f"Give {name} without a fraction",
            )
    result = int(value)
    if low is not None and result < low:
        raise bad_input(f"{name} is {result}", f"it must be at least {low}", "Give a larger number")
    if abs(result) >= 2**63:
        raise bad_input(f"{name} is {result}", "it must fit 64 bits", f"Give a smaller {name}")
    return result


def choice(value: Any, name: str, known: tuple[str, ...]) -> str:
    """`value` if it is one of `known`, or an `InputError` with the nearest one."""
    if not isinstance(value, str) or value not in known:
        raise bad_input(
            f"{name} is {value!r}",
            "it must be one of " + ", ".join(known),
            nearest(str(value), known),
        )
    return value


def words(value: Any, name: str) -> tuple[str, ...]:
    """One word or a list of words as a tuple, or an `InputError` that names it."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise bad_input(f"{name} is {value!r}", "names are needed", 'Write ["one", "other"]')
    return tuple(value)


def flag(value: Any, name: str) -> bool:
    """`value` if it is True or False, or an `InputError` that names it."""
    if not isinstance(value, bool):
        raise bad_input(f"{name} is {value!r}", "it is either on or off", "Give True or False")
    return value


def put(spec: Any, name: str, value: Any) -> None:
    """Set a field of a frozen spec while it is being made."""
    object.__setattr__(spec, name, value)
