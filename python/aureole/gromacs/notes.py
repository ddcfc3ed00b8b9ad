# SPDX-License-Identifier: Apache-2.0
"""Notes, warnings and errors about run parameters, each with a fixed number.

Their rules stand in `notes.table`, one record a rule, under the headings of chapters:

    number: the worst severity that it can have | needs WHAT, WHAT
        Title.
        What docs/checks.md says about it.
        > SEVERITY OPTION: what is said where the condition of the rule holds

A rule may say several things, each under a condition of its own. SEVERITY may be left out where it
is the worst, OPTION where there is none. {NAME} is the value of an option, or one that the
condition gives; {NAME:atom is|atoms are} puts a count before its words; {new[NAME]} is the new
value of an option, {p} are the parameters and {case} is the `Case`.

WHAT must be known beside the parameters: topology, coordinates, groups. `| while reading` marks
rules that apply while a file is read.
"""

from __future__ import annotations

import numbers
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from aureole.base.data_table import damaged, records
from aureole.base.text import counted

_HEAD = re.compile(r"(A\d{3}): (note|warning|error)(?: \| (while reading|needs [a-z, ]+))?")
_FINDING = re.compile(r"(?:(note|warning|error) )?([\w-]*): (.+)")


@dataclass(frozen=True)
class Note:
    """One note, warning or error.

    Args:
        severity: "note" (worth knowing), "warning" (probably wrong) or "error" (cannot be run)
        number: such as "A203", explained in docs/checks.md
        text: problem, reason, suggestion
        where: "file:line" of the option, or only the file
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
    """The finding of a rule: its severity, the option to look at ("": none), and words.

    `values` come from the condition; while a file is read, they are new values of options.
    """

    severity: str
    key: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A record of the table; `needs` is empty where the parameters are enough.

    `findings` is empty where the function that applies the rule finds its words.
    """

    chapter: str
    severity: str
    title: str
    paragraph: str
    needs: tuple[str, ...] = ()
    reading: bool = False
    findings: tuple[Finding, ...] = ()


def read_rules(path: Path) -> dict[str, Rule]:
    """The rules of a table by their numbers."""
    found: dict[str, Rule] = {}
    for record in records(path):
        match = _HEAD.fullmatch(record.head)
        if match is None or len(record.body) < 2 or match[1] in found:
            raise damaged(path, record.line, f"{record.head!r} begins no rule")
        number, severity, kind = match.groups(default="")
        text = "\n".join(text for _, text in record.body)
        text, *said = text.split("\n> ")
        title, *lines = text.split("\n")
        parts = [_FINDING.fullmatch(one.replace("\n", " ")) for one in said]
        if None in parts:
            raise damaged(path, record.line, f"{number} says something of no option")
        needs = tuple(kind[6:].split(", ")) if kind.startswith("needs ") else ()
        found[number] = Rule(
            *(record.section, severity, title.rstrip("."), " ".join(lines), needs),
            kind == "while reading",
            tuple(Finding(part[1] or severity, part[2], part[3]) for part in parts if part),
        )
    return found


#: Every rule by its number.
RULES = read_rules(Path(__file__).with_suffix(".table"))

Action = TypeVar("Action", bound=Callable[..., Any])

#: The functions that apply rules, by their numbers, in the order of the modules that hold them.
ACTIONS: dict[str, Callable[..., Any]] = {}


def rule(number: str) -> Callable[[Action], Action]:
    """Registers the function that applies a rule and yields findings.

    Its arguments are the settings while a file is read, otherwise the run parameters and, where the
    rule needs more, a `Case`.
    """

    def register(action: Action) -> Action:
        assert number in RULES and number not in ACTIONS, number
        ACTIONS[number] = action
        return action

    return register


Condition = Callable[..., Any]


def rules_when(conditions: Mapping[str, Condition | tuple[Condition, ...]]) -> None:
    """Registers the conditions of rules whose words are in the table.

    Args:
        conditions: by numbers of rules, one for each finding; arguments are as for `rule`. The
            result is true if the condition holds; from a mapping, words take further values
    """
    for number, given in conditions.items():
        rule(number)(partial(_found_when, given if isinstance(given, tuple) else (given,), number))


def _found_when(conditions: tuple[Condition, ...], number: str, *known: Any) -> Iterator[Finding]:
    for finding, condition in zip(RULES[number].findings, conditions, strict=True):
        if holds := condition(*known):
            values = holds if isinstance(holds, Mapping) else {}
            values = {name: _in_words(value) for name, value in values.items()}
            names = dict(zip(("p", "case"), known, strict=False)) | {"new": values}
            yield replace(
                finding,
                text=finding.text.format_map(ChainMap(names, known[0], values)),
                values=values,
            )


class _Count(int):
    """A count that `{count:atom is|atoms are}` puts before the words for one or for several."""

    def __format__(self, spec: str) -> str:
        one, several, many = spec.partition("|")
        return counted(self, one, many) if several else super().__format__(spec)


def _in_words(value: Any) -> Any:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return _Count(value) if whole else value


#: Functions that make findings from the key of an option and words: notes (worth knowing), warnings
#: (probably wrong) and errors (cannot be run).
note, warning, error = (partial(Finding, severity) for severity in ("note", "warning", "error"))
