# SPDX-License-Identifier: Apache-2.0
"""Spec classes of the bonded terms, made from the schema that the leaf files carry.

A system says which particles are bound, under names of the user's: ``bonds={"backbone": pairs}``.
A spec gives these names parameters: a number for all names, or a table by names. Names that a
table leaves out are left to other specs. Terms that come with their parameters, as those of force
fields do, need no spec.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.engine_schema import BONDED as SCHEMA
from aureole.base.engine_schema import BONDED_CLASSES, OF_SYSTEM, TUPLES
from aureole.base.errors import bad_input, nearest
from aureole.base.units import TABLE
from aureole.base.values import Table, number, put

from .spec import Spec


def tuples_of(entry: dict[str, Any]) -> str:
    """The field of a system that names the particles of a term."""
    if entry["name"] == "pair":
        return "pairs"
    return "impropers" if "improper" in entry["name"] else TUPLES[entry["particles"]]


def _check_angles(value: float | Table, name: str) -> None:
    """Refuse what is more than a turn, as degrees are."""
    for angle in value.values() if isinstance(value, Table) else (value,):
        if abs(angle) > 2 * math.pi:
            raise bad_input(
                f"{name} is {angle:g}",
                "angles are in radians, and that is more than a turn",
                f'Write "{angle:g} deg" if degrees are meant',
            )


@dataclasses.dataclass(frozen=True, kw_only=True)
class BondedTerm(Spec):
    """Base of the bonded terms."""

    schema: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        name = type(self).__name__
        for entry in self.schema["parameters"]:
            field = entry["name"]
            unit = entry["unit"] if entry["unit"] in TABLE else None
            put(self, field, _value(getattr(self, field), f"{field} of {name}", unit))
            if unit == "radian":
                _check_angles(getattr(self, field), f"{field} of {name}")

    @property
    def kind(self) -> str:
        """The name of the term, as the engine has it."""
        return str(self.schema["name"])

    @property
    def tuples(self) -> str:
        """The field of a system that names its particles, such as "bonds"."""
        return tuples_of(self.schema)

    def rows(self, names: tuple[str, ...]) -> dict[str, NDArray[np.float64]]:
        """(p,) parameters of each of the names of a system that it is for.

        Raises InputError for names that the system does not have, and for some parameters only.
        """
        values = [getattr(self, entry["name"]) for entry in self.schema["parameters"]]
        tables = [value for value in values if isinstance(value, Table)]
        for table in tables:
            for name in table:
                if name not in names:
                    raise bad_input(
                        f"{type(self).__name__} has parameters for {name!r}",
                        f"the system has no {self.tuples} of that name",
                        nearest(name, names),
                    )
        wanted = [name for name in names if not tables or any(name in table for table in tables)]
        for name in wanted:
            for entry, value in zip(self.schema["parameters"], values, strict=True):
                if isinstance(value, Table) and name not in value:
                    raise bad_input(
                        f"{type(self).__name__} has no {entry['name']} for {name!r}",
                        "others of its parameters are given for that name",
                        f"Add {entry['name']}={{{name!r}: ...}}",
                    )
        return {
            name: np.array([float(v[name] if isinstance(v, Table) else v) for v in values])
            for name in wanted
        }


def _value(value: Any, name: str, dimension: str | None) -> Any:
    if not isinstance(value, Mapping):
        return number(value, name, dimension=dimension)
    if not value:
        raise bad_input(f"{name} is an empty table", "no term gets a value", "Give it values")
    return Table(
        {
            str(key): number(item, f"{name} of {key}", dimension=dimension)
            for key, item in value.items()
        }
    )


def _docstring(entry: dict[str, Any]) -> str:
    lines = [entry["doc"].strip(), "", "Args:"]
    lines += [f"    {p['name']}: {p['doc']} [{p['unit']}]" for p in entry["parameters"]]
    return "\n".join(
        [
            *lines,
            "",
            f"Every value is a number for all {tuples_of(entry)} of the system, or a dictionary by",
            "their names.",
        ]
    )


def make_class(name: str, entry: dict[str, Any]) -> type[BondedTerm]:
    """The spec class of one kind of terms, from its schema."""
    cls = dataclasses.make_dataclass(
        name,
        [(parameter["name"], "float | Mapping[str, float]") for parameter in entry["parameters"]],
        bases=(BondedTerm,),
        namespace={"schema": entry, "family": "force", "__doc__": _docstring(entry)},
        frozen=True,
        kw_only=True,
    )
    cls.__module__ = __name__
    return cls


CLASSES: dict[str, type[BondedTerm]] = {
    name: make_class(name, entry) for name, entry in BONDED_CLASSES.items()
}
globals().update(CLASSES)
__all__ = ["CLASSES", "OF_SYSTEM", "SCHEMA", "BondedTerm", *CLASSES]
