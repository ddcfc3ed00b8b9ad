# SPDX-License-Identifier: Apache-2.0
"""Spec classes of external forces and of stages, made from the schemas that leaf files carry.

External forces stand among the forces of a simulation, stages in its argument `stages`. Both may
be restricted to a group: a filter, or the name of a group of the system.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.engine_schema import EXTERNALS, STAGES
from aureole.base.errors import bad_input
from aureole.base.values import integer, number, put

from .filters import Filter
from .leaf import Classes, LeafSpec, in_words, make_class, parameter
from .spec import checked, from_dict, spec


@spec
class Leaf(LeafSpec):
    """Base of what acts on one particle at a time."""

    group: Filter | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.group, Mapping):
            put(self, "group", from_dict("filter", self.group, f"group of {self.kind}"))
        if not isinstance(self.group, (Filter, str, type(None))):
            raise bad_input(
                f"group of {self.kind} is {self.group!r}",
                "it must be a filter or the name of a group",
                'Give a filter such as au.Type("A"), the name of a group, or None for all',
            )

    def parameters(self) -> list[float]:
        """The numbers that the engine needs, in its order."""
        return [float(getattr(self, name)) for name in self._names]

    def mask(self, system: Any) -> NDArray[np.uint8] | None:
        """(n,) on which particles it acts, in tag order; None for all."""
        if self.group is None:
            return None
        if isinstance(self.group, Filter):
            return self.group.mask(np.asarray(system.type), system.type_names).astype(np.uint8)
        mask = np.zeros(system.n, dtype=np.uint8)
        mask[system.members(self.group)] = 1
        return mask


@spec
class External(Leaf):
    """Base of the external forces."""


@spec
class Stage(Leaf):
    """Base of the stages."""

    every: int = checked(integer, 1, low=1)


def _docstring(entry: dict[str, Any], base: type[Leaf]) -> list[str]:
    lines = [entry["doc"].strip(), ""]
    if base is Stage:
        lines += [f"At each application {entry['formula']}; t is the time since the last.", ""]
    lines += ["Args:", *in_words(entry)]
    lines.append("    group: the particles that it acts on: a filter or a group name; None: all")
    if base is Stage:
        lines.append("    every: applied at steps that are multiples of this")
    for use in entry["columns"]:
        verb = "Writes" if use["written"] else "Reads"
        unit = f" [{use['unit']}]" if use["unit"] else ""
        begins = "; its default is 0" if use["made"] else ""
        lines += ["", f"{verb} the column `{use['name']}`{unit}{begins}."]
    return lines


def _made(name: str, entry: dict[str, Any]) -> type[Leaf]:
    """The spec class of one leaf file, from its schema."""
    base, family = (Stage, "stage") if entry in STAGES else (External, "force")
    fields = [(one["name"], "float", parameter(number, one)) for one in entry["parameters"]]
    return make_class(name, base, entry, fields, _docstring(entry, base), family)


CLASSES = Classes({entry["name"]: entry for entry in (*EXTERNALS, *STAGES)}, _made)
__getattr__ = CLASSES.attribute
__all__ = ["CLASSES", "EXTERNALS", "STAGES", "External", "Leaf", "Stage", *CLASSES]
__dir__ = __all__.copy  # with what was not made yet
