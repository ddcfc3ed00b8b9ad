# SPDX-License-Identifier: Apache-2.0
"""Calls of a script that ranks tell each other and compare."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_LONGEST = 40  # characters of an argument in words


class _Function:
    """Stands for an argument that is a function: only the first rank calls it."""

    def __repr__(self) -> str:
        return "a function"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Function)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Call:
    """A call of a simulation, or one that makes it.

    Args:
        what: its name, such as "sim.get"
        arguments: by position
        named: by name
        of: number of the simulation; None where there is none yet
        in_words: whether the arguments are told in words
    """

    what: str
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    of: int | None = None
    in_words: bool = True

    def __str__(self) -> str:
        words = [_shown(value) for value in self.arguments]
        words += [f"{name}={_shown(value)}" for name, value in self.named.items()]
        if not self.in_words:
            words = ["..."]
        return f"{self.what}({', '.join(words)})"

    def difference(self, rank: int, other: Call) -> str | None:
        """The difference from the call `other` of rank 0, in words; None if there is none."""
        mine, theirs = f"rank {rank} called {self}", f"rank 0 called {other}"
        if self.what != other.what or (str(self) != str(other) and self.in_words):
            return f"{mine}, {theirs}"
        if self.of != other.of:
            return f"{mine}, {theirs} of another simulation"
        for name in {**self.named, **other.named}:
            if not _are_alike(self.named.get(name), other.named.get(name)):
                return f"{mine} with another {name} than rank 0"
        if not _are_alike(self.arguments, other.arguments):
            return f"{mine} with other values than rank 0"
        return None


def sendable(value: Any) -> Any:
    """An argument in a form that can be sent: simulations as numbers, functions all alike."""
    if isinstance(value, tuple | list):
        return type(value)(map(sendable, value)) if type(value) in (tuple, list) else value
    core = getattr(value, "_core", None)
    if core is not None:
        return f"simulation {getattr(core, '_number', 0)}"
    if callable(value) and not isinstance(value, type):
        return _Function()
    try:
        pickle.dumps(value, protocol=5)
    except Exception:
        return type(value).__name__
    return value


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, np.ndarray):
        return "..."
    text = repr(value)
    return text if len(text) <= _LONGEST and "\n" not in text else "..."


def _are_alike(a: Any, b: Any) -> bool:
    """Whether two values are the same; NaN is the same as NaN."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        return a.dtype.hasobject or a.tobytes() == b.tobytes()
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_are_alike(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_are_alike, a, b))
    if callable(a) and callable(b):
        return True
    try:
        return bool(a == b) or (a != a and b != b)
    except Exception:
        return pickle.dumps(a, protocol=5) == pickle.dumps(b, protocol=5)
