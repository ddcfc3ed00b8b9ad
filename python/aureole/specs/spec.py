# SPDX-License-Identifier: Apache-2.0
"""The base of all specs: pure, frozen, picklable data with one dictionary form.

A spec is a frozen dataclass with keyword-only fields, which `spec` makes of a class. `to_dict`
gives the form that input files and checkpoints hold, ``{"kind": "Langevin", "dt": 0.005, ...}``;
`from_dict` reads it back and names the nearest known key when it meets an unknown one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, dataclass_transform

from aureole.base.attributes import Called, refuse
from aureole.base.errors import bad_input, nearest
from aureole.base.values import check_keys, number, put

#: Classes by family and name, as far as their modules are imported; `kinds` imports all.
KINDS: dict[str, dict[str, type[Spec]]] = {}
_MISSING: Any = dataclasses.MISSING


class _Checked(Called):
    """Makes specs."""

    def __setattr__(cls, name: str, value: Any) -> None:
        """Have refusals name the nearest attribute, where a spec becomes a frozen dataclass."""
        taken = name in ("__setattr__", "__delattr__")
        super().__setattr__(name, refuse if taken else value)


class Spec(metaclass=_Checked):
    """Base of all specs. `family` says where it may stand, the class name is its `kind`."""

    family: ClassVar[str] = ""
    #: Prefix of the name of a class of Aureole in Python; users' own classes have none.
    _prefix: ClassVar[str] = "au."
    #: Whether errors about fields that are `checked` also name the class.
    _named: ClassVar[bool] = True

    def __init_subclass__(cls, family: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if family is not None:
            cls.family = family
        if not cls.__name__.startswith("_") and cls.family:
            before = KINDS.setdefault(cls.family, {}).setdefault(cls.__name__, cls)
            if before.__module__ != cls.__module__:
                raise bad_input(
                    f"the {cls.family} {cls.__name__} is in {before.__module__} already",
                    "files refer to specs by class name",
                    "Choose another name for the class",
                )
            KINDS[cls.family][cls.__name__] = cls
        cls.__repr__ = Spec.__repr__  # type: ignore[method-assign]  # not that of dataclasses

    def __post_init__(self) -> None:
        """Look at the fields that are `checked`."""
        where = f" of {type(self).__name__}" if self._named else ""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            if "check" in field.metadata:
                value = getattr(self, field.name)
                put(self, field.name, field.metadata["check"](value, field.name + where))

    def __repr__(self) -> str:
        """The Python that makes it, without what is left to defaults."""
        parts = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if not is_default(field, value):
                named = callable(value) and not isinstance(value, Spec)
                text = getattr(value, "__name__", repr(value)) if named else repr(value)
                parts.append(f"{field.name}={text}")
        ours = self._prefix if type(self).__module__.startswith("aureole.") else ""
        return f"{ours}{type(self).__name__}({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """The spec as plain data: numbers, strings, lists and dictionaries."""
        result: dict[str, Any] = {"kind": type(self).__name__}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            result[field.name] = encode(getattr(self, field.name))
        return result


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,)
)
def spec(cls: type | None = None, /, *, kw_only: bool = True) -> Any:
    """Makes a subclass of `Spec` a frozen dataclass, as `dataclass` does in more time.

    Specs compare by their fields; the functions for this are not made anew for each class.
    """
    if cls is None:
        return partial(spec, kw_only=kw_only)
    cls.__eq__, cls.__hash__ = _is_equal, _hash  # type: ignore[assignment, method-assign]
    return dataclasses.dataclass(cls, frozen=True, kw_only=kw_only, repr=False, eq=False)


def _values(one: Any) -> tuple[Any, ...]:
    return tuple(getattr(one, field.name) for field in dataclasses.fields(one))


def _is_equal(self: Spec, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Spec) -> int:
    return hash(_values(self))


def checked(
    check: Callable[..., Any],
    default: Any = dataclasses.MISSING,
    *,
    or_none: bool = False,
    **of: Any,
) -> Any:
    """A field of a spec whose value is what `check(value, name, **of)` returns.

    Args:
        check: of `base.values`, such as `number`; `name` is what errors call the field
        default: of the field; it has to be given where there is none
        or_none: whether it may be None
        of: bounds and dimensions
    """

    def checked_value(value: Any, name: str) -> Any:
        return None if or_none and value is None else check(value, name, **of)

    return dataclasses.field(default=default, metadata={"check": checked_value})


def positive(default: Any = _MISSING, *, or_none: bool = False, **of: Any) -> Any:
    """A field that is a number above 0, or what `checked` says."""
    return checked(number, default, or_none=or_none, low=0.0, open_low=True, **of)


def is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    """Whether a field has its default value."""
    default = field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    return type(value) is type(default) and value == default


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


def class_named(family: str, kind: Any, where: str) -> type[Spec]:
    """The spec class `kind` of `family`; `where` says which entry of the input asked for it."""
    known = KINDS.get(family, {})
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
            f"it names the {family} to use",
            "Known: " + ", ".join(sorted(KINDS.get(family, {}))),
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
            f"{cls.__name__} requires it",
            f"Add {missing[0]} = ... there",
        )
    if isinstance(values.get("filter"), Mapping):
        values["filter"] = from_dict("filter", values["filter"], f"{where}.filter")
    return cls(**values)
