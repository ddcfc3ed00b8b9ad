# SPDX-License-Identifier: Apache-2.0
"""Notes, warnings and errors about run parameters, each with a number that stays the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Note:
    """One remark.

    Args:
        severity: "note" (worth knowing), "warning" (probably wrong) or "error" (cannot be run)
        number: such as "A203", explained in docs/checks.md
        text: problem, reason, suggestion
        where: "file:line" of the option that it is about, or the file alone
    """

    severity: str
    number: str
    text: str
    where: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.severity} {self.number}: {self.text}"


@dataclass(frozen=True)
class Finding:
    """What a rule has found: how bad, which option is to be looked at ("": none), and words."""

    severity: str
    key: str
    text: str


@dataclass(frozen=True)
class Rule:
    """One rule; `needs` is empty for rules that apply while a file is read."""

    number: str
    severity: str
    title: str
    paragraph: str
    action: Callable[..., Any]
    needs: tuple[str, ...] = ()


Action = TypeVar("Action", bound=Callable[..., Any])

#: Every rule by its number.
RULES: dict[str, Rule] = {}


def checking(number: str, severity: str, *needs: str) -> Callable[[Action], Action]:
    """Registers a check: a function of run parameters, or of a `Case`, that yields findings.

    Its docstring is title, empty line, paragraph, as docs/checks.md shows them.

    Args:
        number: "A" and three digits; the first is that of the chapter of docs/checks.md
        severity: the worst that it can say
        needs: what beside the parameters must be known, of a `Case`: topology, coordinates, groups
    """
    return _register(number, severity, ("parameters", *needs))


def reading(number: str, severity: str) -> Callable[[Action], Action]:
    """Registers a rule that applies while a file is read; otherwise as `checking`."""
    return _register(number, severity, ())


def _register(number: str, severity: str, needs: tuple[str, ...]) -> Callable[[Action], Action]:
    def register(action: Action) -> Action:
        title, _, paragraph = inspect.cleandoc(action.__doc__ or "").partition("\n\n")
        if number in RULES or severity not in SEVERITIES or not paragraph:
            raise ValueError(f"rule {number} is not well defined")
        words = " ".join(paragraph.split())
        RULES[number] = Rule(number, severity, title.rstrip("."), words, action, needs)
        return action

    return register


def note(key: str, text: str) -> Finding:
    """Something worth knowing about the option `key`."""
    return Finding("note", key, text)


def warning(key: str, text: str) -> Finding:
    """Something probably wrong with the option `key`."""
    return Finding("warning", key, text)


def error(key: str, text: str) -> Finding:
    """Something that cannot be run, because of the option `key`."""
    return Finding("error", key, text)
