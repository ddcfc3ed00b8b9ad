# SPDX-License-Identifier: Apache-2.0
"""Reading the lines of an .mdp file: keys that the table knows, values of the right kind.

All errors of a file are reported at once, in one InputError with a line for each place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from aureole.base.errors import InputError, bad_input, file_error, nearest
from aureole.base.text import place
from aureole.base.text_files import opened
from aureole.gromacs.mdp.options.table import Option, find, normal, obsolete, options, renamed
from aureole.gromacs.notes import RULES, Note

from .values import parse, shown

MOST_BYTES = 4 * 2**20
MOST_ERRORS = 20


@dataclass
class Settings:
    """Options of one file while they are being made consistent.

    Args:
        path: the file
        values: every option outside refused families, by canonical name, typed
        lines: line of each option that the file sets, by canonical name, or its place in words
        notes: for the user
        problems: errors so far, each with its line
        places: words for the lines of a text that is no file, such as "argument dt"
    """

    path: str
    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int | str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    problems: list[tuple[int | str, str]] = field(default_factory=list)
    places: Sequence[str] = ()

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if key not in self.values:
            raise KeyError(key)
        self.values[key] = value

    def where(self, key: str) -> str:
        """The place of an option: "file:line", or the file alone where it has its default."""
        return place(self.path, self.lines[key]) if key in self.lines else self.path

    def at(self, number: int) -> int | str:
        """A line, or the words for it."""
        return self.places[number - 1] if self.places else number

    def tell(self, number: str, severity: str, where: str, text: str) -> None:
        """Add a note of rule `number`."""
        assert number in RULES, number
        self.notes.append(Note(severity, number, text, where))

    def wrong(
        self, key: str, problem: str, why: str, suggestion: str, others: Iterable[str] = ()
    ) -> None:
        """Add an error at the option `key`, or at the first of `others` where that is not set."""
        key = next((one for one in (key, *others) if one in self.lines), key)
        words = f"{self.where(key)}: {bad_input(problem, why, suggestion)}"
        self.problems.append((self.lines.get(key, 0), words))

    def wrong_line(self, line: int, error: InputError) -> None:
        """Add an error at line `line`."""
        self.problems.append((line, f"{place(self.path, self.at(line))}: {error}"))

    def raise_problems(self) -> None:
        """Raise InputError if something was wrong, with one line for each place."""
        if self.problems:
            words = [text for _, text in sorted(self.problems, key=_number)]
            more = len(words) - MOST_ERRORS
            last = [f"{self.path}: {more} more errors"] if more > 0 else []
            raise InputError("\n".join(words[:MOST_ERRORS] + last))


def _number(problem: tuple[int | str, str]) -> tuple[int, str]:
    line, words = problem
    return (line if isinstance(line, int) else 0), words


class _Line(NamedTuple):
    """One setting as written in the file."""

    number: int
    key: str
    value: str


def read_settings(path: str | os.PathLike[str]) -> Settings:
    """Typed values of all options of a file, defaults for those that it does not set.

    Problems are collected, not raised; FileError if the file cannot be read.
    """
    return settings_of(os.fspath(path), _text(os.fspath(path)))


def settings_of(path: str, text: str, places: Sequence[str] = ()) -> Settings:
    """As `read_settings`, for a text instead of a file; `places` as for `Settings`."""
    settings = Settings(path, places=places)
    given: dict[str, _Line] = {}
    for line in _lines(settings, text):
        _sort_in(settings, given, line)
    for name, option in options().items():
        if option.parent or "#" in name:
            continue
        settings.values[name] = parse(option, "")
    for name, line in given.items():
        _set(settings, name, line)
    return settings


def _text(path: str) -> str:
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read() if size <= MOST_BYTES else b""
    if size > MOST_BYTES:
        raise file_error(
            path,
            f"is larger than {MOST_BYTES >> 20} MiB",
            "an .mdp file is never that large",
            "Check the file name",
        )
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise file_error(
            f"{path}:{line}", "is not text", "it contains zero bytes", "Check the file name"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # comments in an old encoding do no harm


def _lines(settings: Settings, text: str) -> list[_Line]:
    found = []
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        content = raw.partition(";")[0].strip()
        if not content:
            continue
        key, equals, value = (part.strip() for part in content.partition("="))
        if equals and key:
            found.append(_Line(number, key, value))
            continue
        problem = "there is no option before the =" if equals else _without_equals(content)
        settings.wrong_line(
            number,
            bad_input(problem, "every line is key = value", "Complete it, or put a ; before it"),
        )
    return found


def _without_equals(content: str) -> str:
    """The problem of a line without =; the text of a file named by mistake is not shown."""
    word = content.split()[0]
    known = find(word) is not None or normal(word) in renamed()
    return f"the line of {word} has no =" if known else "the line has no ="


def _sort_in(settings: Settings, given: dict[str, _Line], line: _Line) -> None:
    """Put one line where its option is, or note that it is unknown, renamed, obsolete, repeated."""
    where = place(settings.path, settings.at(line.number))
    name = normal(line.key)
    option = find(line.key)
    if option is None and name in renamed():
        new = renamed()[name]
        option = find(new)
        settings.tell("A902", "note", where, f"{line.key} is read as {new}, its new name.")
    if option is None and name in obsolete():
        words = f"{line.key} is ignored, as in GROMACS: {obsolete()[name]}."
        settings.tell("A901", "note", where, words)
        return
    if option is None and not line.value:
        words = f"unknown option {shown(line.key)} is ignored (it has no value)."
        settings.tell("A904", "note", where, words)
        return
    if option is None:
        words = nearest(line.key, options()) if len(line.key) < 80 else "Delete it."
        if words.startswith("Known:"):
            words = "docs/gromacs-mdp.md lists all options."
        error = bad_input(
            f"unknown option {shown(line.key)}", "no version of GROMACS documents it", words
        )
        settings.wrong_line(line.number, error)
        return
    if not line.value:
        return
    slot = option.name if "#" not in option.name else f"{option.name} {name}"
    if slot in given:
        error = bad_input(
            f"{shown(line.key)} is set twice",
            f"line {given[slot].number} sets it too",
            "Delete one of the two lines",
        )
        settings.wrong_line(line.number, error)
        return
    given[slot] = line
    settings.lines[slot] = settings.at(line.number)


def _set(settings: Settings, slot: str, line: _Line) -> None:
    """Give an option its value, or say why not."""
    option = options()[slot.split()[0]]
    if option.parent:
        return  # its parent is off, or refused by name
    try:
        value = parse(option, line.value)
        default = parse(option, "")
    except InputError as error:
        settings.wrong_line(line.number, error)
        return
    if "#" not in slot:
        settings.values[slot] = value
    reason = _refusal(option, value, default)
    if reason:
        why, _, other = reason.partition("; instead: ")
        advice = f"Instead: {other}"
        if other == "none":
            advice = "Use a program that supports it, such as gmx, as the physics may depend on it"
        settings.wrong(slot, f"{line.key} = {shown(line.value)} is not supported", why, advice)
    elif option.told and value != default:
        words = f"{line.key} = {line.value} has no effect ({option.reason})."
        settings.tell("A903", "note", settings.where(slot), words)


def _refusal(option: Option, value: Any, default: Any) -> str:
    """Why a value is refused, "" if it is not: the reason, and after ; what serves the same end."""
    if option.kind == "enum":
        entry = option.value(value)
        return entry.words if entry is not None and entry.support == "refused" else ""
    # Zeros are as good as nothing for what is added to forces and boxes.
    harmless = value == default or (option.kind == "reals" and not any(value))
    return option.reason if option.support == "refused" and not harmless else ""
