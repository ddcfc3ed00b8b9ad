# SPDX-License-Identifier: Apache-2.0
"""Spec classes of the bonded terms, made from the schema that the leaf files carry.

A system says which particles are bound, under names of the user's: ``bonds={"backbone": pairs}``.
A spec gives these names parameters: a number for all names, or a table by names. Names that a
table leaves out are left to other specs. Terms that come with their parameters, as those of force
fields do, need no spec.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.engine_schema import BONDED as SCHEMA
from aureole.base.engine_schema import BONDED_CLASSES, OF_SYSTEM, TUPLES
from aureole.base.errors import bad_input, nearest
from aureole.base.unit_advice import written
from aureole.base.units import Measured
from aureole.base.values import Table, number

from .leaf import Classes, LeafSpec, in_words, make_class, parameter
from .spec import spec


def tuples_of(entry: dict[str, Any]) -> str:
    """The field of a system that names the particles of a term."""
    if entry["name"] == "pair":
        return "pairs"
    return "impropers" if "improper" in entry["name"] else TUPLES[entry["particles"]]


@spec
class BondedTerm(LeafSpec):
    """Base of the bonded terms."""

    @property
    def tuples(self) -> str:
        """The field of a system that names its particles, such as "bonds"."""
        return tuples_of(self.schema)

    def rows(self, names: tuple[str, ...]) -> dict[str, NDArray[np.float64]]:
        """(p,) parameters of each of the names of a system that it is for.

        Raises InputError for names that the system does not have, and for some parameters only.
        """
        values = [getattr(self, parameter) for parameter in self._names]
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
            for lacking, value in zip(self._names, values, strict=True):
                if isinstance(value, Table) and name not in value:
                    raise bad_input(
                        f"{type(self).__name__} has no {lacking} for {name!r}",
                        "other parameters are given for that name",
                        f"Add {lacking}={{{name!r}: ...}}",
                    )
        return {
            name: np.array([float(v[name] if isinstance(v, Table) else v) for v in values])
            for name in wanted
        }


def _number(value: Any, name: str, dimension: str | None) -> float:
    """A number; refuses angles of more than a turn, as degrees are."""
    found = number(value, name, dimension=dimension)
    if dimension == "radian" and abs(found) > 2 * math.pi:
        given = isinstance(found, Measured)
        raise bad_input(
            f"{name} is {found.text if given else written(found)}",
            "this exceeds a full turn" if given else "angles are in radians; this exceeds a turn",
            "Give a smaller one" if given else f'Write "{written(found)} deg" if you mean degrees',
        )
    return found


def _value(value: Any, name: str, dimension: str | None) -> Any:
    if not isinstance(value, Mapping):
        return _number(value, name, dimension)
    if not value:
        raise bad_input(f"{name} is an empty table", "no term gets a value", "Add values")
    return Table(
        {str(key): _number(item, f"{name} of {key}", dimension) for key, item in value.items()}
    )


def _made(name: str, entry: dict[str, Any]) -> type[BondedTerm]:
    """The spec class of one kind of terms, from its schema."""
    fields = [
        (one["name"], "float | Mapping[str, float]", parameter(_value, one))
        for one in entry["parameters"]
    ]
    doc = [entry["doc"].strip(), "", "Args:", *in_words(entry), ""]
    doc += [
        f"Every value is a number for all {tuples_of(entry)} of the system, or a dictionary by",
        "their names.",
    ]
    return make_class(name, BondedTerm, entry, fields, doc)


CLASSES = Classes(BONDED_CLASSES, _made)
__getattr__ = CLASSES.attribute
__all__ = ["CLASSES", "OF_SYSTEM", "SCHEMA", "BondedTerm", *CLASSES]
__dir__ = __all__.copy  # with what was not made yet
