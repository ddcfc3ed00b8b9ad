# SPDX-License-Identifier: Apache-2.0
"""Spec classes of the pair potentials, made from the schema that the leaf files carry.

Every leaf file compiled into the engine appears here under its own name, as a frozen dataclass
with keyword-only fields: its parameters, and r_cut, r_switch, mode, tail_correction.
Each parameter is a number for all pairs of types or a dictionary ``{("A", "B"): value}``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.base.engine_schema import POTENTIALS as SCHEMA
from aureole.base.errors import bad_input, nearest
from aureole.base.units import TABLE
from aureole.base.values import Table, choice, flag, number, put

from .spec import Spec

#: Lengths that are none if they are negative.
SIZES = ("sigma", "r_cut", "r_switch")
MODES = ("none", "shift", "xplor", "force-shift")
#: The potential whose parameters the types of a system may have, and its cut-off modifiers then.
OF_TYPES = "LennardJones"
SWITCHED = ("potential-switch", "force-switch")
END_OF_TYPES = ("none", "shift", *SWITCHED)

Numbers = NDArray[np.float64]


class PairTable(Table):
    """A read-only dictionary from pairs of types to numbers; the order of the two is free."""


def _pair_key(key: Any, name: str) -> tuple[str, str]:
    parts = key.split(",") if isinstance(key, str) else key
    if not isinstance(parts, (tuple, list)) or len(parts) != 2:
        raise bad_input(
            f"{name} has the key {key!r}",
            "a pair of types is needed",
            'Write ("A", "B") in Python, "A,B" in an input file',
        )
    first, second = (str(part).strip() for part in parts)
    return (first, second) if first <= second else (second, first)


def _value(
    value: Any, name: str, dimension: str | None = None, low: float | None = None
) -> float | PairTable:
    """A number, or a table by pairs of types, checked."""
    if not isinstance(value, Mapping):
        return number(value, name, low=low, dimension=dimension)
    table: dict[tuple[str, str], float] = {}
    for key, item in value.items():
        pair = _pair_key(key, name)
        if pair in table:
            raise bad_input(
                f"{name} is given twice for {pair[0]}-{pair[1]}",
                "the order of the two types does not matter",
                "Keep one of them",
            )
        table[pair] = number(item, f"{name} of {pair[0]}-{pair[1]}", low=low, dimension=dimension)
    if not table:
        raise bad_input(f"{name} is an empty table", "no pair gets a value", "Give it values")
    return PairTable(table)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PairPotential(Spec):
    """Base of the pair potentials."""

    schema: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        units = {entry["name"]: entry["unit"] for entry in self.schema["parameters"]}
        units |= {"r_cut": "length", "r_switch": "length"}
        for field in dataclasses.fields(self):
            value, name = getattr(self, field.name), f"{field.name} of {self.kind}"
            if field.name in ("mode", "tail_correction"):
                continue
            if value is not None:
                unit = units.get(field.name)
                low = 0.0 if field.name in SIZES else None
                put(self, field.name, _value(value, name, unit if unit in TABLE else None, low))
        self._check_all_or_none()
        self._check_end()

    def _check_all_or_none(self) -> None:
        """Parameters come from here or from the system's types, not from both."""
        if not self.may_be_of_types or self.of_types:
            return
        for entry in self.schema["parameters"]:
            if getattr(self, entry["name"]) is None:
                raise bad_input(
                    f"{self.kind} lacks {entry['name']!r}",
                    "others of its parameters are given",
                    f"Give {entry['name']} too, or none of them to take those of the system",
                )

    @property
    def of_types(self) -> bool:
        """Whether the parameters are those that the types of the system have."""
        names = [entry["name"] for entry in self.schema["parameters"]]
        return self.may_be_of_types and all(getattr(self, name) is None for name in names)

    @property
    def may_be_of_types(self) -> bool:
        """Whether a system can have parameters of this potential."""
        return self.kind == OF_TYPES

    def _check_end(self) -> None:
        """Refuse ways to end that the potential does not have."""
        known = END_OF_TYPES if self.of_types else MODES
        choice(self.mode, f"mode of {self.kind}", known)
        if self.tail_correction not in _TAILS_OF_TYPES or not self.of_types:
            flag(self.tail_correction, f"tail_correction of {self.kind}")
        if self.of_types:
            self._check_end_of_types()
            return
        if self.mode != "none" and self.tail_correction:
            raise bad_input(
                f"tail_correction of {self.kind} is on with mode {self.mode!r}",
                "the correction is that of the plainly truncated potential",
                'Use mode="none", or tail_correction=False',
            )
        self._check_smoothing(("xplor",))
        if self.tail_correction and self.schema.get("natural_cutoff"):
            raise bad_input(
                f"tail_correction of {self.kind} is on",
                "that potential ends where it is cut off, and nothing lies beyond",
                "Use tail_correction=False",
            )

    def _check_end_of_types(self) -> None:
        for name in ("r_cut", "r_switch"):
            value = getattr(self, name)
            if isinstance(value, PairTable):
                raise bad_input(
                    f"{name} of {self.kind} is a table",
                    "parameters that the types of a system have share one cut-off",
                    f"Give one number, or the parameters of {self.kind} themselves",
                )
            if value is not None and value < 0:
                raise bad_input(
                    f"{name} of {self.kind} is {value:g}",
                    "a distance cannot be negative",
                    "Give a positive one",
                )
        self._check_smoothing(SWITCHED)

    def _check_smoothing(self, modes: tuple[str, ...]) -> None:
        """Those modes, and no others, have a distance where they begin."""
        words = " and ".join(repr(mode) for mode in modes)
        if self.mode not in modes and self.r_switch is not None:
            raise bad_input(
                f"r_switch of {self.kind} is given with mode {self.mode!r}",
                f"only mode {words} smooths the potential from there",
                f'Use mode="{modes[0]}", or leave r_switch out',
            )
        if self.mode in modes and self.r_switch is None:
            raise bad_input(
                f"{self.kind} has no r_switch",
                f"mode {self.mode!r} smooths the potential from r_switch to r_cut",
                "Give r_switch, for example 0.8 r_cut",
            )

    @property
    def kind(self) -> str:
        """The name of the potential."""
        return type(self).__name__

    def replace(self, **changes: Any) -> PairPotential:
        """A copy with some fields changed."""
        return dataclasses.replace(self, **changes)

    def tables(self, type_names: tuple[str, ...]) -> tuple[Numbers, Numbers, Numbers]:
        """Parameters (t, t, p), r_cut (t, t) and r_switch (t, t) for t types.

        Raises InputError where a pair that is switched on lacks a value.
        """
        names = [entry["name"] for entry in self.schema["parameters"]]
        self._check_given(names)
        self._check_types(type_names)
        count = len(type_names)
        parameters = np.zeros((count, count, len(names)))
        given = np.zeros((count, count, len(names)), dtype=bool)
        for p, name in enumerate(names):
            parameters[:, :, p], given[:, :, p] = self._spread(name, type_names)
        r_cut = self._cut_offs(type_names, parameters, given.all(axis=2))
        for i, j in np.argwhere(r_cut > 0):
            for p, name in enumerate(names):
                if not given[i, j, p]:
                    raise self._missing(name, type_names[i], type_names[j])
        r_switch, has = self._spread("r_switch", type_names)
        r_switch = np.where(has, r_switch, r_cut)
        if self.mode == "xplor":
            self._check_switch(type_names, r_cut, r_switch, has)
        return parameters, r_cut, r_switch

    def _check_given(self, names: list[str]) -> None:
        for name in names:
            if getattr(self, name) is None:
                raise bad_input(
                    f"{self.kind} has no {name}",
                    "the types of the system have none either",
                    f"Give {name}, for example {name}=1.0",
                )

    def _check_types(self, type_names: tuple[str, ...]) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, PairTable):
                continue
            for pair in value:
                for name in pair:
                    if name not in type_names:
                        raise bad_input(
                            f"unknown type {name!r} in {field.name} of {self.kind}",
                            "the system has no such type",
                            nearest(name, type_names),
                        )

    def _spread(self, name: str, type_names: tuple[str, ...]) -> tuple[Numbers, NDArray[np.bool_]]:
        count = len(type_names)
        value = getattr(self, name)
        if value is None:
            return np.zeros((count, count)), np.zeros((count, count), dtype=bool)
        if not isinstance(value, PairTable):
            return np.full((count, count), value), np.ones((count, count), dtype=bool)
        table = np.zeros((count, count))
        given = np.zeros((count, count), dtype=bool)
        for (a, b), item in value.items():
            i, j = type_names.index(a), type_names.index(b)
            table[i, j] = table[j, i] = item
            given[i, j] = given[j, i] = True
        return table, given

    def _cut_offs(
        self, type_names: tuple[str, ...], parameters: Numbers, given: NDArray[np.bool_]
    ) -> Numbers:
        """Cut-offs of all pairs; `given` says which have all their parameters."""
        ends = np.full(given.shape, np.inf)
        if self.schema.get("natural_cutoff"):
            for i, j in np.argwhere(given):
                ends[i, j] = _core.natural_cutoff(self.kind, parameters[i, j].tolist())
            if self.r_cut is None:  # where parameters are missing, that error is to come
                return np.where(given, ends, 1.0)
        if self.r_cut is None:
            raise bad_input(
                f"{self.kind} has no r_cut",
                "it says beyond which distance a pair is left out",
                "Give r_cut, for example 2.5",
            )
        r_cut, given = self._spread("r_cut", type_names)
        if not given.all():
            i, j = np.argwhere(~given)[0]
            raise self._missing("r_cut", type_names[i], type_names[j])
        if (r_cut < 0).any():
            raise bad_input(
                f"r_cut of {self.kind} is {r_cut.min():g}",
                "a distance cannot be negative",
                "Give a positive r_cut, or 0 to leave the pair out",
            )
        for i, j in np.argwhere(r_cut > ends * (1 + 1e-12)):
            raise bad_input(
                f"r_cut of {self.kind} is {r_cut[i, j]:g} for {type_names[i]}-{type_names[j]}",
                f"that potential ends at {ends[i, j]:.6g}",
                "Leave r_cut out",
            )
        return r_cut

    def _check_switch(
        self, type_names: tuple[str, ...], r_cut: Numbers, r_switch: Numbers, has: NDArray[np.bool_]
    ) -> None:
        for i, j in np.argwhere(r_cut > 0):
            if not has[i, j]:
                raise self._missing("r_switch", type_names[i], type_names[j])
            if not 0 <= r_switch[i, j] < r_cut[i, j]:
                raise bad_input(
                    f"r_switch of {self.kind} is {r_switch[i, j]:g} for {type_names[i]}-"
                    f"{type_names[j]}",
                    f"it must lie between 0 and r_cut = {r_cut[i, j]:g}",
                    "Shorten it",
                )

    def _missing(self, name: str, a: str, b: str) -> Exception:
        a, b = sorted((a, b))
        hint = "" if name == "r_cut" else f", or set r_cut to 0 for ({a!r}, {b!r})"
        return bad_input(
            f"{self.kind} has no {name} for the pair {a}-{b}",
            "every pair of types that interacts needs one",
            f"Add {name}={{({a!r}, {b!r}): ...}}{hint}",
        )


#: Beside yes and no.
_TAILS_OF_TYPES = ("energy", "all", "all energy")
_OF_TYPES_WORDS = (
    "Without parameters they are those that the types of the system have, as in force fields. Then",
    "r_cut is one number (None means no cut-off, in non-periodic systems), mode is 'none', "
    "'shift',",
    "'potential-switch' or 'force-switch' (the last two from r_switch on, as in GROMACS), and",
    "tail_correction may also be 'energy', for the energy alone, 'all', which adds what the",
    "repulsion leaves out, or 'all energy'.",
    "",
)


def _docstring(entry: dict[str, Any]) -> str:
    lines = [entry.get("doc", "").strip() or entry["name"], "", "Args:"]
    for parameter in entry["parameters"]:
        lines.append(f"    {parameter['name']}: {parameter['doc']} [{parameter['unit']}]")
    for column in entry.get("reads", []):
        lines[2:2] = [
            f"Reads the column {column['name']!r} [{column['unit']}] of each particle.",
            "",
        ]
    lines += [
        "    r_cut: cut-off [length]; 0 leaves a pair out"
        + ("; None means where the potential ends" if entry.get("natural_cutoff") else ""),
        "    r_switch: where the smoothing of mode 'xplor' begins [length]",
        "    mode: " + ", ".join(f"'{mode}'" for mode in MODES) + "; what is done at the cut-off",
        "    tail_correction: add the energy and pressure from beyond the cut-off (mode 'none')",
        "",
        *(_OF_TYPES_WORDS if entry["name"] == OF_TYPES else ()),
        "Every value is a number for all pairs of types or a dictionary {('A', 'B'): number}.",
    ]
    return "\n".join(lines)


def make_class(entry: dict[str, Any]) -> type[PairPotential]:
    """The spec class of one potential, from its schema."""
    number_or_table = "float | Mapping[tuple[str, str], float]"
    fields: list[Any] = []
    for parameter in entry["parameters"]:
        default = parameter.get("default")
        if entry["name"] == OF_TYPES:
            kind = number_or_table + " | None"
            fields.append((parameter["name"], kind, dataclasses.field(default=None)))
        elif default is None:
            fields.append((parameter["name"], number_or_table))
        else:
            fields.append((parameter["name"], number_or_table, dataclasses.field(default=default)))
    if entry.get("natural_cutoff"):
        fields.append(("r_cut", number_or_table + " | None", dataclasses.field(default=None)))
    else:
        fields.append(("r_cut", number_or_table))
    fields += [
        ("r_switch", number_or_table + " | None", dataclasses.field(default=None)),
        ("mode", "str", dataclasses.field(default="none")),
        ("tail_correction", "bool | str", dataclasses.field(default=False)),
    ]
    namespace = {
        "schema": entry,
        "family": "force",
        "__doc__": _docstring(entry),
        "__module__": __name__,
    }
    cls = dataclasses.make_dataclass(
        entry["name"],
        fields,
        bases=(PairPotential,),
        namespace=namespace,
        frozen=True,
        kw_only=True,
    )
    cls.__module__ = __name__
    return cls


CLASSES: dict[str, type[PairPotential]] = {entry["name"]: make_class(entry) for entry in SCHEMA}
globals().update(CLASSES)
__all__ = ["CLASSES", "MODES", "PairPotential", "PairTable", "SCHEMA", *CLASSES]
