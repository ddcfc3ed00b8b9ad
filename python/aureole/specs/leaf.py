# SPDX-License-Identifier: Apache-2.0
"""Common parts of the specs of leaf files: schema, checked parameters, and making of classes.

The engine carries the schema of each leaf file that is compiled into it. A class is made when it is
asked for, as that takes time.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from aureole.base.errors import nearest
from aureole.base.units import TABLE

from .spec import Spec, checked, spec

S = TypeVar("S", bound=type)


class LeafSpec(Spec):
    """Base of these specs."""

    schema: ClassVar[dict[str, Any]] = {}

    @property
    def kind(self) -> str:
        """The name of the leaf, as the engine has it."""
        return str(self.schema["name"])

    @property
    def _names(self) -> list[str]:
        """Names of the parameters, in the order of the engine."""
        return [entry["name"] for entry in self.schema["parameters"]]


class Classes(Mapping[str, type[LeafSpec]]):
    """Spec classes of leaf files by their names; `make` gives one from its name and its schema."""

    def __init__(
        self,
        schemas: Mapping[str, dict[str, Any]],
        make: Callable[[str, dict[str, Any]], type[LeafSpec]],
    ) -> None:
        self._schemas, self._make = schemas, make
        self._made: dict[str, type[LeafSpec]] = {}
        self._lock = threading.RLock()  # as imports have one

    def __getitem__(self, name: str) -> type[LeafSpec]:
        with self._lock:
            if name not in self._made:
                self._made[name] = self._make(name, self._schemas[name])
            return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemas)

    def __len__(self) -> int:
        return len(self._schemas)

    def attribute(self, name: str) -> type[LeafSpec]:
        """The class of this name, for `__getattr__` of its module."""
        if name not in self._schemas:
            hint = "" if name.startswith("_") else f". {nearest(name, self)}"
            raise AttributeError(f"no spec class {name!r}{hint}", name=name)
        return self[name]


def parameter(
    check: Callable[..., Any], entry: dict[str, Any], *, or_none: bool = False, **of: Any
) -> Any:
    """The field of a parameter, which `check` looks at; see `spec.checked`."""
    default = entry.get("default")
    if default is None and not or_none:
        default = dataclasses.MISSING
    dimension = entry["unit"] if entry["unit"] in TABLE else None
    return checked(check, default, or_none=or_none, dimension=dimension, **of)


def in_words(schema: dict[str, Any]) -> list[str]:
    """The parameters as lines of a docstring."""
    return [
        f"    {entry['name']}: {entry['doc']}" + (f" [{entry['unit']}]" if entry["unit"] else "")
        for entry in schema["parameters"]
    ]


def make_class(
    name: str,
    base: S,
    schema: dict[str, Any],
    fields: Sequence[tuple[str, str, Any]],
    doc: list[str],
    family: str = "force",
) -> S:
    """The spec class of a leaf: name, type and field of each of its `fields`."""
    namespace = {
        "schema": schema,
        "__doc__": "\n".join(doc),
        "__module__": base.__module__,
        "__annotations__": {field: kind for field, kind, _ in fields},
        **{field: value for field, _, value in fields},
    }
    return spec(type(base)(name, (base,), namespace, family=family))  # type: ignore[no-any-return]
