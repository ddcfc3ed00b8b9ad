# SPDX-License-Identifier: Apache-2.0
"""The meaning of every option of an .mdp file, and its support: honoured, ignored or refused.

The options stand in the files `*.table` of this folder, one record an option, under the headings of
sections:

    == Section
    name: kind = default [unit] | support
        Explanation.
        because: why it has no effect or is refused
        + value: what an enumerated value does (honoured)
        ~ value: why that value changes nothing here
        - value: why that value is refused
        > value: the value that it is another name of

`support` is missing (honoured), `no effect` (`no effect, told`: with a note when set), `refused`
(anything but the default) or `under OTHER` (read only where the refused option OTHER is on).
A `#` in a name stands for any number. `renamed.table` has old names and new ones, `obsolete.table`
the names that are left out, and why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from aureole.base.data_table import damaged, records, rows

KINDS = ("int", "real", "bool", "enum", "word", "words", "ints", "reals", "bools")
SUPPORT = ("honoured", "no effect", "refused")

FOLDER = Path(__file__).parent
#: The files of options, in the order of their sections.
FILES = ("run", "forces", "ensembles", "groups", "sampling", "free_energy")
_HEAD = re.compile(r"([A-Za-z0-9#-]+): (\w+) =\s*(.*?)(?:\s*\[([^\]]*)\])?(?:\s*\| (.+))?$")
_MARKS = {"+": "honoured", "~": "no effect", "-": "refused", ">": "alias"}


@dataclass(frozen=True)
class Value:
    """One value of an enumerated option; for an alias, `words` is the value that it stands for."""

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
        told: whether an option without effect is worth a note when it is set
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
    values: tuple[Value, ...] = ()

    def value(self, written: str) -> Value | None:
        """The enumerated value that `written` names, None if there is none."""
        wanted = normal(written)
        for value in self.values:
            if normal(value.name) == wanted:
                return value
        return None


def normal(name: str) -> str:
    """A name as it is compared: case, `-` and `_` do not count."""
    return name.lower().replace("-", "").replace("_", "")


@cache
def options() -> dict[str, Option]:
    """Every option by its canonical name, in the order of the tables."""
    found: dict[str, Option] = {}
    for name in FILES:
        _read(FOLDER / f"{name}.table", found)
    return found


@cache
def _index() -> dict[str, Option]:
    return {normal(name): option for name, option in options().items()}


def find(key: str) -> Option | None:
    """The option that a key of a file names, numbers in it being free where the table says so."""
    name = normal(key)
    return _index().get(name) or _index().get(re.sub(r"\d+", "#", name))


@cache
def renamed_lines() -> list[tuple[str, str]]:
    """Old names of options, as they were written, and what they are called now."""
    path = FOLDER / "renamed.table"
    return [_parted(path, number, line, " ") for number, line in rows(path)]


@cache
def obsolete_lines() -> list[tuple[list[str], str]]:
    """Names that GROMACS no longer reads, and why they may be left out."""
    path = FOLDER / "obsolete.table"
    parted = (_parted(path, number, line, ": ") for number, line in rows(path))
    return [(names.split(), reason) for names, reason in parted]


def _parted(path: Path, number: int, line: str, mark: str) -> tuple[str, str]:
    before, _, after = line.partition(mark)
    if not before or not after:
        raise damaged(path, number, f"there are no two parts in {line!r}")
    return before, after


@cache
def renamed() -> dict[str, str]:
    """Old names of options in normal form, and what they are called now."""
    return {normal(old): new for old, new in renamed_lines()}


@cache
def obsolete() -> dict[str, str]:
    """Names that GROMACS no longer reads in normal form, and why they may be left out."""
    return {normal(name): reason for names, reason in obsolete_lines() for name in names}


def _read(path: Path, found: dict[str, Option]) -> None:
    """Add the options of one file, in order."""
    for record in records(path):
        option = _head(record.head, record.section)
        if option is None:
            raise damaged(path, record.line, f"{record.head!r} begins no option")
        if option.name in found:
            raise damaged(path, record.line, f"it has {option.name} twice")
        for number, line in record.body:
            option = _body(option, line)
            if option is None:
                raise damaged(path, number, f"{line!r} is no part of an option")
        found[option.name] = option


def _head(line: str, section: str) -> Option | None:
    match = _HEAD.fullmatch(line)
    if match is None or match[2] not in KINDS:
        return None
    name, kind, default, unit, support = match.groups(default="")
    option = Option(name, kind, default, unit, section)
    if support.startswith("under "):
        return replace(option, support="refused", parent=support[6:])
    support, _, told = (support or "honoured").partition(", ")
    if support not in SUPPORT or told not in ("", "told"):
        return None
    return replace(option, support=support, told=bool(told))


def _body(option: Option, line: str) -> Option | None:
    if line.startswith("because: "):
        return replace(option, reason=line[9:])
    if line[0] in _MARKS and line[1:2] == " ":
        name, colon, words = line[2:].partition(": ")
        value = Value(name, _MARKS[line[0]], words)
        return replace(option, values=(*option.values, value)) if colon else None
    return replace(option, text=f"{option.text} {line}".strip())
