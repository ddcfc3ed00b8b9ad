# SPDX-License-Identifier: Apache-2.0
"""What every option of an .mdp file means, and whether it is honoured, ignored or refused.

The table stands as text in the `mdp_options_*` files, one record an option:

    name: kind = default [unit] | support
        Explanation.
        because: why it has no effect or is refused
        + value: what an enumerated value does (honoured)
        ~ value: why that value changes nothing here
        - value: why that value is refused
        > value: the value that it is another name of

`support` is missing (honoured), `no effect` (`no effect, told`: with a note when set), `refused`
(anything but the default) or `under OTHER` (read only where the refused option OTHER is on).
A `#` stands for any number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from . import ensembles, forces, free_energy, groups, run, sampling

KINDS = ("int", "real", "bool", "enum", "word", "words", "ints", "reals", "bools")
SUPPORT = ("honoured", "no effect", "refused")

_SOURCES = (
    run,
    forces,
    ensembles,
    groups,
    sampling,
    free_energy,
)
_HEAD = re.compile(r"([A-Za-z0-9#-]+): (\w+) =\s*(.*?)(?:\s*\[([^\]]*)\])?(?:\s*\| (.+))?$")
_MARKS = {"+": "honoured", "~": "no effect", "-": "refused", ">": "alias"}


@dataclass(frozen=True)
class Value:
    """One value of an enumerated option; of an alias, `words` is the value that it stands for."""

    name: str
    support: str
    words: str


@dataclass(frozen=True)
class Option:
    """One option of the table.

    Args:
        name: canonical name; `#` stands for a number
        kind: one of `KINDS`
        default: as it would stand in a file; "" for none
        unit: in words, "" for none
        section: heading of the table
        text: what it does
        support: one of `SUPPORT`
        reason: why it has no effect or is refused
        parent: the option that has to be on for this one to be read, or ""
        told: having no effect, it is worth a note when it is set
        values: of an enumerated option
    """

    name: str
    kind: str
    default: str
    unit: str
    section: str
    text: str = ""
    support: str = "honoured"
    reason: str = ""
    parent: str = ""
    told: bool = False
    values: tuple[Value, ...] = field(default=())

    def value(self, written: str) -> Value | None:
        """The enumerated value that `written` names, None if there is none."""
        wanted = normal(written)
        for value in self.values:
            if normal(value.name) == wanted:
                return value
        return None

    @property
    def spellings(self) -> tuple[str, ...]:
        """Names of the values that are understood, other names left out."""
        return tuple(value.name for value in self.values if value.support != "alias")


def normal(name: str) -> str:
    """A name as it is compared: case, `-` and `_` do not count."""
    return name.lower().replace("-", "").replace("_", "")


@cache
def options() -> dict[str, Option]:
    """Every option by its canonical name, in the order of the table."""
    found: dict[str, Option] = {}
    for source in _SOURCES:
        for option in _records(source.TABLE):
            if option.name in found:
                raise ValueError(f"the table has {option.name} twice")
            found[option.name] = option
    return found


@cache
def _index() -> dict[str, Option]:
    return {normal(name): option for name, option in options().items()}


def find(key: str) -> Option | None:
    """The option that a key of a file names, numbers in it being free where the table says so."""
    name = normal(key)
    known = _index()
    option = known.get(name) or known.get(re.sub(r"\d+", "#", name))
    return option


def renamed_lines() -> list[tuple[str, str]]:
    """Old names of options, as they were written, and what they are called now."""
    lines = groups.RENAMED.strip().splitlines()
    return [(old, new) for old, new in (line.split() for line in lines)]


def obsolete_lines() -> list[tuple[list[str], str]]:
    """Names that GROMACS no longer reads, and why they may be left out."""
    lines = groups.OBSOLETE.strip().splitlines()
    pairs = (line.split(":", 1) for line in lines)
    return [(names.split(), reason.strip()) for names, reason in pairs]


@cache
def renamed() -> dict[str, str]:
    """Old names of options in normal form, and what they are called now."""
    return {normal(old): new for old, new in renamed_lines()}


@cache
def obsolete() -> dict[str, str]:
    """Names that GROMACS no longer reads in normal form, and why they may be left out."""
    return {normal(name): reason for names, reason in obsolete_lines() for name in names}


def _records(table: str) -> Iterator[Option]:
    """The options of one text, in order."""
    section = ""
    current: Option | None = None
    for line in table.strip("\n").splitlines():
        if not line.strip():
            continue
        if line.startswith("== "):
            section = line[3:].strip()
        elif not line.startswith(" "):
            if current is not None:
                yield current
            current = _head(" ".join(line.split()), section)
        elif current is not None:
            current = _body(current, " ".join(line.split()))
    if current is not None:
        yield current


def _head(line: str, section: str) -> Option:
    match = _HEAD.fullmatch(line)
    if match is None or match[2] not in KINDS:
        raise ValueError(f"the table of options has a bad line: {line!r}")
    name, kind, default, unit, support = match.groups(default="")
    option = Option(name, kind, default, unit, section)
    if support.startswith("under "):
        return replace(option, support="refused", parent=support[6:].strip())
    support, _, told = (support or "honoured").partition(", ")
    if support not in SUPPORT or told not in ("", "told"):
        raise ValueError(f"the table of options has a bad line: {line!r}")
    return replace(option, support=support, told=bool(told))


def _body(option: Option, line: str) -> Option:
    if line.startswith("because: "):
        return replace(option, reason=line[9:])
    if line[0] in _MARKS and line[1:2] == " ":
        name, words = line[2:].split(":", 1)
        value = Value(name.strip(), _MARKS[line[0]], words.strip())
        return replace(option, values=(*option.values, value))
    return replace(option, text=f"{option.text} {line}".strip())
