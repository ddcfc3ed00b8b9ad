# SPDX-License-Identifier: Apache-2.0
"""Energies that OpenMM's custom forces write as text, evaluated.

The grammar is that of OpenMM's user guide, section "Writing Custom Expressions": numbers, names,
+ - * / ^, functions, and definitions of names behind semicolons, each of which may use those that
follow it. Numbers are extended ones (80 bits on x86), so that parameters which are fitted to an
energy come out as they were put in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.longdouble]
Node = Callable[[Mapping[str, Any]], Any]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<call>[A-Za-z_]\w*)\s*\(|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/^(),]))"
)
#: How strongly operators bind. A sign in front binds more than a product, less than a power.
_BINDS = {"+": 0, "-": 0, "*": 1, "/": 1, "^": 3}
_OF_SIGN = 2


def _of_doubles(function: Callable[[float], float]) -> Callable[[Any], Any]:
    return np.vectorize(function, otypes=[np.longdouble])


#: Functions by their names, and the number of their arguments.
_FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    **{name: (getattr(np, name), 1) for name in ("sqrt", "exp", "log", "sin", "cos", "tan")},
    **{name: (getattr(np, name), 1) for name in ("sinh", "cosh", "tanh", "abs", "floor", "ceil")},
    **{name: (getattr(np, f"arc{name[1:]}"), 1) for name in ("asin", "acos", "atan")},
    "atan2": (np.arctan2, 2),
    "sec": (lambda x: 1 / np.cos(x), 1),
    "csc": (lambda x: 1 / np.sin(x), 1),
    "cot": (lambda x: 1 / np.tan(x), 1),
    "erf": (_of_doubles(math.erf), 1),
    "erfc": (_of_doubles(math.erfc), 1),
    "step": (lambda x: np.where(x >= 0, np.longdouble(1), np.longdouble(0)), 1),
    "delta": (lambda x: np.where(x == 0, np.longdouble(1), np.longdouble(0)), 1),
    "square": (lambda x: x * x, 1),
    "cube": (lambda x: x * x * x, 1),
    "recip": (lambda x: 1 / x, 1),
    "min": (np.minimum, 2),
    "max": (np.maximum, 2),
    "select": (lambda x, y, z: np.where(x != 0, y, z), 3),
}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}


class NotUnderstood(ValueError):
    """A text that is no expression, or one with functions or names that are not known."""


class Expression:
    """An energy as a function of the names in it.

    Args:
        text: as `getEnergyFunction()` gives it
        functions: more functions, as numbers of arguments by names; `__call__` needs them

    Raises NotUnderstood.

    Attributes:
        names: those that it needs values of
        called: the functions in it
    """

    def __init__(self, text: str, functions: Mapping[str, int] | None = None) -> None:
        self.names: set[str] = set()
        self.called: set[str] = set()
        self._arguments = {name: count for name, (_, count) in _FUNCTIONS.items()}
        self._arguments |= functions or {}
        energy, *definitions = [part for part in text.split(";") if part.strip()] or [""]
        self._defined: dict[str, Node] = {}
        for one in reversed(definitions):
            name, equals, value = one.partition("=")
            if not equals or not re.fullmatch(r"[A-Za-z_]\w*", name.strip()):
                raise NotUnderstood(f"{one.strip()!r} is no definition")
            self._defined[name.strip()] = self._parsed(value)
        self._energy = self._parsed(energy)

    def __call__(
        self, values: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] | None = None
    ) -> Any:
        """The energy for values of all names: numbers, or arrays that broadcast."""
        given = {name: np.asarray(value, dtype=np.longdouble) for name, value in values.items()}
        with np.errstate(all="ignore"):
            return self._energy({**given, **(functions or {})})

    def _parsed(self, text: str) -> Node:
        self._tokens, self._at = [], 0
        place = 0
        text = text.rstrip()
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None:
                raise NotUnderstood(f"{text[place:].strip()!r} is no part of an expression")
            self._tokens.append((str(token.lastgroup), str(token[str(token.lastgroup)])))
            place = token.end()
        node = self._operations(0)
        if self._at < len(self._tokens):
            raise NotUnderstood(f"{self._tokens[self._at][1]!r} is where an operator should be")
        return node

    def _next(self) -> tuple[str, str]:
        self._at += 1
        return self._tokens[self._at - 1] if self._at <= len(self._tokens) else ("end", "")

    def _operations(self, least: int) -> Node:
        """A chain of operators that bind at least so strongly."""
        left = self._operand()
        while self._at < len(self._tokens):
            sign = self._tokens[self._at][1]
            binds = _BINDS.get(sign, -1)
            if binds < least:
                break
            self._at += 1
            right = self._operations(binds + (sign != "^"))
            left = _applied(_OPERATORS[sign], left, right)
        return left

    def _operand(self) -> Node:
        kind, text = self._next()
        if kind == "number":
            number = np.longdouble(text)
            return lambda _: number
        if kind == "call":
            return self._function(text)
        if kind == "name":
            if text in self._defined:
                return self._defined[text]
            self.names.add(text)
            return lambda values: values[text]
        if text == "-":
            return _applied(np.negative, self._operations(_OF_SIGN))
        if text == "(":
            node = self._operations(0)
            self._expect(")")
            return node
        raise NotUnderstood(f"{text!r} is where a number should be" if text else "it ends too soon")

    def _function(self, name: str) -> Node:
        if name not in self._arguments:
            raise NotUnderstood(f"the function {name} is not known")
        self.called.add(name)
        given = [self._operations(0)]
        for _ in range(self._arguments[name] - 1):
            self._expect(",")
            given.append(self._operations(0))
        self._expect(")")
        if name in _FUNCTIONS:
            return _applied(_FUNCTIONS[name][0], *given)
        return lambda values: values[name](*(one(values) for one in given))

    def _expect(self, sign: str) -> None:
        if self._next()[1] != sign:
            raise NotUnderstood(f"{sign!r} is missing")


def _applied(function: Callable[..., Any], *nodes: Node) -> Node:
    return lambda values: function(*(node(values) for node in nodes))
