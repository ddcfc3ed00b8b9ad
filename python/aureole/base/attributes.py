# SPDX-License-Identifier: Apache-2.0
"""Attributes that cannot be assigned say so, and which one may have been meant."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, ParamSpec, TypeVar

from .errors import ArgumentError, InputError, bad_input, nearest
from .names_elsewhere import ARGUMENTS

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound=type)


class FixedAttributeError(InputError, dataclasses.FrozenInstanceError):
    """An attribute that cannot be assigned, or does not exist, was assigned."""


class Called(type):
    """Classes that name the nearest of their arguments when they are given one they do not take.

    `_of_others` of a class says what to do instead of arguments that other programs have.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        known = list(signature.parameters)[1:]
        takes_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
        if not takes_any:
            _check_names(cls.__name__, kwargs, known, getattr(cls, "_of_others", {}))
        try:
            signature.bind(None, *args, **kwargs)
        except TypeError as error:
            raise ArgumentError(
                f"{cls.__name__} cannot be made ({error}). Its arguments: {', '.join(known)}."
            ) from None
        return super().__call__(*args, **kwargs)

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature that `help` shows: arguments of the class, not those of `__call__`."""
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def _check_names(
    of: str, given: Mapping[str, Any], known: list[str], of_others: Mapping[str, str]
) -> None:
    for key in given:
        if key not in known:
            same = ARGUMENTS.get(key, {})
            here = of_others.get(key) or next((same[one] for one in same if one in known), None)
            hint = f"{here}." if here else nearest(key, known)
            problem = f"{of} has no argument {key!r}"
            raise ArgumentError(f"{problem} (it would have no effect). {hint}")


def named(**of_others: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a method or function name the nearest of its arguments when given one it has not.

    Args:
        of_others: what to do instead of arguments that one may expect
    """

    def with_names(method: Callable[P, R]) -> Callable[P, R]:
        known = [name for name in inspect.signature(method).parameters if name != "self"]

        @functools.wraps(method)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            _check_names(method.__name__, kwargs, known, of_others)
            return method(*args, **kwargs)

        return called

    return with_names


class Guarded:
    """Objects whose public attributes can be assigned where they are properties that allow it.

    Their own modules use `spec.put` for the others. `_advice` says what to do instead.
    """

    _advice: ClassVar[str] = ""
    #: Names that users of other programs look for, with their counterparts here.
    _elsewhere: ClassVar[Mapping[str, str]] = {}

    def __getattr__(self, name: str) -> Any:
        """Only called for attributes that do not exist."""
        if name.startswith("_"):
            raise AttributeError(name)
        here = self._elsewhere.get(name)
        public = (known for known in dir(type(self)) if not known.startswith("_"))
        hint = f"Use {here}." if here else nearest(name, public)
        what = f"{type(self).__name__} has no attribute {name!r}"
        raise AttributeError(f"{what}. {hint}", name=name)  # with obj Python would add a hint

    def __setattr__(self, name: str, value: Any) -> None:
        found = getattr(type(self), name, None)
        if not name.startswith("_") and not (isinstance(found, property) and found.fset):
            raise refused(self, name, _settable(self), self._advice)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if not name.startswith("_"):
            raise refused(self, name, _settable(self), self._advice)
        object.__delattr__(self, name)


def _settable(one: object) -> list[str]:
    members = {name: getattr(type(one), name, None) for name in dir(type(one))}
    return [name for name, of in members.items() if isinstance(of, property) and of.fset]


def refused(one: object, name: str, settable: list[str], advice: str) -> FixedAttributeError:
    """The error for an attribute that cannot be assigned."""
    where = f"{type(one).__name__}.{name}"
    public = {key for key in (*dir(type(one)), *vars(one)) if not key.startswith("_")}
    if name in public:
        can = f" Assignable: {', '.join(settable)}." if settable else ""
        error = bad_input(f"{where} cannot be assigned", "it was fixed at construction", "")
        return FixedAttributeError(f"{error}{advice}{can}")
    error = bad_input(f"there is no {where} to assign", "it would have no effect", "")
    return FixedAttributeError(f"{error}{nearest(name, settable or public)} {advice}".rstrip())


def refuse(self: object, name: str, *_: Any) -> None:
    """Instead of `__setattr__` and `__delattr__` of frozen dataclasses."""
    raise refused(self, name, [], "Make a new object; dataclasses.replace copies the rest.")


def unchangeable(cls: T) -> T:
    """Gives a frozen dataclass these errors; to be written above its `dataclass`."""
    cls.__setattr__ = cls.__delattr__ = refuse  # type: ignore[attr-defined]
    return cls
