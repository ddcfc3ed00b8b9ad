# SPDX-License-Identifier: Apache-2.0
"""Spec classes of the pair potentials, made from the schema that the leaf files carry.

Every leaf file compiled into the engine appears here under its own name, as a frozen dataclass
with keyword-only fields: its parameters, and r_cut, r_switch, mode, tail_correction.
Each parameter is a number for all pairs of types or a dictionary ``{("A", "B"): value}``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.base.engine_schema import POTENTIALS as SCHEMA
from aureole.base.errors import bad_input, nearest
from aureole.base.values import Table, choice, flag, number

from .leaf import Classes, LeafSpec, in_words, make_class, parameter
from .spec import checked, spec

#: Parameters that are lengths and must not be negative.
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
            "it must be a pair of types",
            'Write ("A", "B") in Python, "A,B" in an input file',
        )
    first, second = (str(part).strip() for part in parts)
    return (first, second) if first <= second else (second, first)


def _value(
    value: Any, name: str, dimension: str | None = None, low: float | None = None
) -> float | PairTable | None:
    """A number, or a table by pairs of types, checked; or None."""
    if value is None:
        return None
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
        raise bad_input(f"{name} is an empty table", "no pair gets a value", "Add values")
    return PairTable(table)


@spec
class PairPotential(LeafSpec):
    """Base of the pair potentials."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_all_or_none()
        self._check_end()

    def _check_all_or_none(self) -> None:
        """Parameters come from here or from the system's types, not from both."""
        if not self.may_be_of_types or self.of_types:
            return
        for name in self._names:
            if getattr(self, name) is None:
                raise bad_input(
                    f"{self.kind} lacks {name!r}",
                    "other parameters are given",
                    f"Give {name} too, or omit all to use those of the system",
                )

    @property
    def of_types(self) -> bool:
        """Whether the parameters are those that the types of the system have."""
        return self.may_be_of_types and all(getattr(self, name) is None for name in self._names)

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
                "the correction is defined for plain truncation only",
                'Use mode="none", or tail_correction=False',
            )
        self._check_smoothing(("xplor",))
        if self.tail_correction and self.schema["natural_cutoff"]:
            raise bad_input(
                f"tail_correction of {self.kind} is on",
                "the potential is zero beyond its cut-off",
                "Use tail_correction=False",
            )

    def _check_end_of_types(self) -> None:
        for name in ("r_cut", "r_switch"):
            if isinstance(getattr(self, name), PairTable):
                raise bad_input(
                    f"{name} of {self.kind} is a table",
                    "parameters of the system's types share one cut-off",
                    f"Give one number, or set the parameters of {self.kind} explicitly",
                )
        self._check_smoothing(SWITCHED)

    def _check_smoothing(self, modes: tuple[str, ...]) -> None:
        """Refuse r_switch with other modes than `modes`, and these modes without r_switch."""
        words = " and ".join(repr(mode) for mode in modes)
        if self.mode not in modes and self.r_switch is not None:
            raise bad_input(
                f"r_switch of {self.kind} is given with mode {self.mode!r}",
                f"only mode {words} uses it",
                f'Use mode="{modes[0]}", or leave r_switch out',
            )
        if self.mode in modes and self.r_switch is None:
            raise bad_input(
                f"{self.kind} has no r_switch",
                f"mode {self.mode!r} smooths the potential from r_switch to r_cut",
                "Give r_switch, for example 0.8 r_cut",
            )

    def replace(self, **changes: Any) -> PairPotential:
        """A copy with some fields changed."""
        return dataclasses.replace(self, **changes)

    def tables(self, type_names: tuple[str, ...]) -> tuple[Numbers, Numbers, Numbers]:
        """Parameters (t, t, p), r_cut (t, t) and r_switch (t, t) for t types.

        Raises InputError where a pair that is switched on lacks a value.
        """
        names = self._names
        self._check_given(names)
        self._check_types(type_names)
        count = len(type_names)
        parameters = np.zeros((count, count, len(names)))
        given = np.zeros((count, count, len(names)), dtype=bool)
        for p, name in enumerate(names):
            parameters[:, :, p], given[:, :, p] = self._spread(name, type_names)
        r_cut = self._cut_offs(type_names, parameters, given.all(axis=2))
        for i, j, p in np.argwhere((r_cut > 0)[:, :, None] & ~given):
            raise self._missing(names[p], type_names[i], type_names[j])
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
                    f"Give {name}, for example {name}=1.0. System.save keeps those of a force "
                    "field, which .gsd files do not hold",
                )

    def _check_types(self, type_names: tuple[str, ...]) -> None:
        known = set(type_names)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            pairs = value if isinstance(value, PairTable) else ()
            for name in chain.from_iterable(pairs):
                if name not in known:
                    raise bad_input(
                        f"unknown type {name!r} in {field.name} of {self.kind}",
                        "the system has no such type",
                        nearest(name, type_names),
                    )

    def _spread(self, name: str, type_names: tuple[str, ...]) -> tuple[Numbers, NDArray[np.bool_]]:
        """(t, t) values of a field, 0 where there is none, and (t, t) whether there is one."""
        value, shape = getattr(self, name), (len(type_names),) * 2
        for_all = value is not None and not isinstance(value, PairTable)
        table, given = np.full(shape, float(value) if for_all else 0.0), np.full(shape, for_all)
        rows = {name: row for row, name in enumerate(type_names)}
        for (a, b), item in value.items() if isinstance(value, PairTable) else ():
            i, j = rows[a], rows[b]
            table[i, j] = table[j, i] = item
            given[i, j] = given[j, i] = True
        return table, given

    def _cut_offs(
        self, type_names: tuple[str, ...], parameters: Numbers, given: NDArray[np.bool_]
    ) -> Numbers:
        """Cut-offs of all pairs; `given` says which have all their parameters."""
        ends = np.full(given.shape, np.inf)
        if self.schema["natural_cutoff"]:
            for i, j in np.argwhere(given):
                ends[i, j] = _core.natural_cutoff(self.kind, parameters[i, j].tolist())
            if self.r_cut is None:  # where parameters are missing, that error is to come
                return np.where(given, ends, 1.0)
        if self.r_cut is None:
            raise bad_input(
                f"{self.kind} has no r_cut",
                "the cut-off distance of pairs is required",
                "Give r_cut, for example 2.5",
            )
        r_cut, given = self._spread("r_cut", type_names)
        if not given.all():
            i, j = np.argwhere(~given)[0]
            raise self._missing("r_cut", type_names[i], type_names[j])
        for i, j in np.argwhere(r_cut > ends * (1 + 1e-12)):
            raise bad_input(
                f"r_cut of {self.kind} is {r_cut[i, j]:g} for {type_names[i]}-{type_names[j]}",
                f"this potential ends at {ends[i, j]:.6g}",
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
                    "Reduce it",
                )

    def _missing(self, name: str, a: str, b: str) -> Exception:
        a, b = sorted((a, b))
        hint = "" if name == "r_cut" else f", or set r_cut to 0 for ({a!r}, {b!r})"
        return bad_input(
            f"{self.kind} has no {name} for the pair {a}-{b}",
            "every interacting pair of types needs one",
            f"Add {name}={{({a!r}, {b!r}): ...}}{hint}",
        )


#: Values of tail_correction with parameters of types, beside True and False.
_TAILS_OF_TYPES = ("energy", "all", "all energy", "all pairs")
_OF_TYPES_WORDS = (
    "Without parameters, those of the system's types are used, as in force fields. Then",
    "r_cut is one number (None means no cut-off, in non-periodic systems), mode is 'none', "
    "'shift',",
    "'potential-switch' or 'force-switch' (the last two from r_switch on, as in GROMACS), and",
    "tail_correction may also be 'energy' (energy only), 'all' (with the repulsion),",
    "'all energy', or 'all pairs', as 'all' but averaged over excluded pairs and self-pairs",
    "too, as in OpenMM.",
    "",
)


def _docstring(entry: dict[str, Any]) -> list[str]:
    reads = [
        f"Reads the column {c['name']!r} [{c['unit']}] of each particle." for c in entry["reads"]
    ]
    natural = "; None: where the potential ends" if entry["natural_cutoff"] else ""
    return [
        *(entry["doc"].strip() or entry["name"], ""),
        *(line for column in reversed(reads) for line in (column, "")),
        *("Args:", *in_words(entry)),
        f"    r_cut: cut-off [length]; 0 turns a pair off{natural}",
        "    r_switch: start of the smoothing in mode 'xplor' [length]",
        "    mode: " + ", ".join(f"'{mode}'" for mode in MODES) + "; treatment of the cut-off",
        "    tail_correction: long-range correction of energy and pressure (mode 'none')",
        "",
        *(_OF_TYPES_WORDS if entry["name"] == OF_TYPES else ()),
        "Every value is a number for all pairs of types or a dictionary {('A', 'B'): number}.",
    ]


def _made(name: str, entry: dict[str, Any]) -> type[PairPotential]:
    """The spec class of one potential, from its schema."""
    value = "float | Mapping[tuple[str, str], float]"
    optional = f"{value} | None"
    of_types = name == OF_TYPES
    fields: list[Any] = []
    for one in entry["parameters"]:
        low = 0.0 if one["name"] in SIZES else None
        field = parameter(_value, one, or_none=of_types, low=low)
        fields.append((one["name"], optional if of_types else value, field))
    length = {"dimension": "length", "low": 0.0}
    if entry["natural_cutoff"]:
        fields.append(("r_cut", optional, checked(_value, None, **length)))
    else:
        fields.append(("r_cut", value, checked(_value, **length)))
    fields += [
        ("r_switch", optional, checked(_value, None, **length)),
        ("mode", "str", dataclasses.field(default="none")),
        ("tail_correction", "bool | str", dataclasses.field(default=False)),
    ]
    return make_class(name, PairPotential, entry, fields, _docstring(entry))


CLASSES = Classes({entry["name"]: entry for entry in SCHEMA}, _made)
__getattr__ = CLASSES.attribute
__all__ = ["CLASSES", "MODES", "PairPotential", "PairTable", "SCHEMA", *CLASSES]
__dir__ = __all__.copy  # with what was not made yet
