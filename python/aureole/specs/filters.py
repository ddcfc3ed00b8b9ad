# SPDX-License-Identifier: Apache-2.0
"""Filters choose particles: by type, by tag, and by set operations on other filters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, nearest
from aureole.base.values import put, words

from .spec import Spec, from_dict, spec

Mask = NDArray[np.bool_]


class Filter(Spec):
    """Base of the filters. `a | b`, `a & b` and `a - b` make new ones."""

    def mask(self, types: NDArray[np.int32], type_names: tuple[str, ...]) -> Mask:
        """(n,) which particles are chosen, in tag order."""
        raise NotImplementedError

    def __or__(self, other: Filter) -> Union:
        return Union(a=self, b=other)

    def __and__(self, other: Filter) -> Intersection:
        return Intersection(a=self, b=other)

    def __sub__(self, other: Filter) -> Difference:
        return Difference(a=self, b=other)


@spec(kw_only=False)
class All(Filter, family="filter"):
    """All particles."""

    def mask(self, types: NDArray[np.int32], type_names: tuple[str, ...]) -> Mask:
        return np.ones(len(types), dtype=bool)


@spec(kw_only=False)
class Type(Filter, family="filter"):
    """Particles of the named types: ``Type("A")`` or ``Type(["A", "B"])``."""

    types: tuple[str, ...]

    def __init__(self, types: str | list[str] | tuple[str, ...]) -> None:
        put(self, "types", words(types, "types of the filter Type"))

    def mask(self, types: NDArray[np.int32], type_names: tuple[str, ...]) -> Mask:
        for name in self.types:
            if name not in type_names:
                raise bad_input(
                    f"unknown type {name!r} in a filter",
                    "the system has no such type",
                    nearest(name, type_names),
                )
        wanted = [type_names.index(name) for name in self.types]
        return np.isin(types, wanted)


@spec(kw_only=False)
class Tags(Filter, family="filter"):
    """Particles by their tags: ``Tags([0, 5, 7])``."""

    tags: tuple[int, ...]

    def __init__(self, tags: Any) -> None:
        try:
            values = tuple(operator.index(tag) for tag in tags)
        except TypeError:
            raise bad_input(
                "filter Tags needs whole numbers", "tags are integers", "Write Tags([0, 5, 7])"
            ) from None
        put(self, "tags", values)

    def mask(self, types: NDArray[np.int32], type_names: tuple[str, ...]) -> Mask:
        result = np.zeros(len(types), dtype=bool)
        for tag in self.tags:
            if not 0 <= tag < len(types):
                raise bad_input(
                    f"tag {tag} in a filter does not exist",
                    f"the system has {len(types)} particles",
                    f"Use tags from 0 to {len(types) - 1}",
                )
        result[list(self.tags)] = True
        return result


@spec(kw_only=False)
class _Pair(Filter):
    joined: ClassVar[Callable[[Mask, Mask], Mask]]

    a: Filter
    b: Filter

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            value = getattr(self, name)
            if isinstance(value, Mapping):
                value = from_dict("filter", value, f"filter {type(self).__name__}.{name}")
                put(self, name, value)
            if not isinstance(value, Filter):
                raise bad_input(
                    f"{type(self).__name__} holds {value!r}",
                    "both operands must be filters",
                    "Use All, Type, Tags or their combinations",
                )

    def mask(self, types: NDArray[np.int32], type_names: tuple[str, ...]) -> Mask:
        return type(self).joined(self.a.mask(types, type_names), self.b.mask(types, type_names))


@spec(kw_only=False)
class Union(_Pair, family="filter"):
    """Particles in `a` or `b`."""

    joined = operator.or_


@spec(kw_only=False)
class Intersection(_Pair, family="filter"):
    """Particles in both `a` and `b`."""

    joined = operator.and_


@spec(kw_only=False)
class Difference(_Pair, family="filter"):
    """Particles in `a` but not in `b`."""

    joined = operator.gt
