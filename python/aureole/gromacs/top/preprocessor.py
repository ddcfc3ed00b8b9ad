# SPDX-License-Identifier: Apache-2.0
"""The preprocessor of GROMACS topologies: files in, logical lines with their origin out.

A small relative of C's: `#include`, `#define` with values that replace whole words in data lines,
`#undef`, `#ifdef`, `#ifndef`, `#else`, `#endif`, a backslash that continues a line, comments
from `;` on and `*` in column one. Time and memory are limited for every input.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from aureole.base.errors import InputError, bad_input, file_error, nearest, unreadable
from aureole.base.files import open_regular

#: More than any sensible topology needs: bytes and files in all, files within files, length of a
#: line.
MOST_BYTES = 2**30
MOST_FILES = 10_000
MOST_DEPTH = 64
MOST_CHARACTERS = 2**20

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_DIRECTIVE = re.compile(r"\s*#\s*([A-Za-z]*)(.*)")
_QUOTED = re.compile(r'\s*(?:"([^"]+)"|<([^>]+)>)')
_KNOWN = ("include", "define", "undef", "ifdef", "ifndef", "else", "endif")


class Line(NamedTuple):
    """One logical line without comments, and where it begins."""

    text: str
    file: str
    number: int

    @property
    def where(self) -> str:
        """The file and line, as in "topol.top:12"."""
        return f"{self.file}:{self.number}"

    def words(self) -> list[str]:
        """The words of the line."""
        return self.text.split()

    def bad(self, problem: str, why: str, suggestion: str) -> InputError:
        """An error that names this line."""
        return bad_input(f"{self.where}: {problem}", why, suggestion)


@dataclass
class _Frame:
    """A file that is being read."""

    file: IO[bytes]
    name: str
    real: str
    conditions: int  # how many were open when it was opened
    number: int = 0
    held: bytes | None = None


@dataclass
class _Condition:
    """An `#ifdef` that waits for its `#endif`."""

    where: Line
    outer: bool  # is what stands around it read?
    active: bool
    turned: bool = False  # has it had its #else?


class Source:
    """The logical lines of a topology and of all that it includes; iterate over it once.

    Args:
        path: the topology
        defines: names, or NAME=VALUE, each with or without -D; or one text of several
        include: folders to search, each with or without -I; or one text of several

    Included files are searched in the folder of the including file, in that of the topology, in
    `include`, in the folders of the environment variable GMXLIB, in GMXDATA/top, and in that of
    the gmx on PATH. Raises FileError for unreadable files, InputError for invalid contents.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        defines: str | Iterable[str] = (),
        include: str | Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        self.path = os.fspath(path)
        self.notes: list[str] = []
        self._macros = _definitions(defines)
        self._unused = dict.fromkeys(self._macros)
        self._folders = _folders(include)
        self._frames: list[_Frame] = []
        self._conditions: list[_Condition] = []
        self._bytes = 0
        self._files = 0
        self._budget = 0

    def __iter__(self) -> Iterator[Line]:
        try:
            self._open(self.path, None)
            while self._frames:
                line = self._logical(self._frames[-1])
                if line is not None:
                    yield line
        finally:
            for frame in self._frames:
                frame.file.close()
        self.notes += [f"-D{name} is not used in {self.path}" for name in self._unused]

    def _logical(self, frame: _Frame) -> Line | None:
        """The next line of data; None after a directive, a comment or the end of a file."""
        raw = self._physical(frame)
        if raw is None:
            self._close(frame)
            return None
        number = frame.number
        text = self._joined(frame, self._text(raw, frame))
        line = Line(text, frame.name, number)
        if text.lstrip().startswith("#"):
            self._directive(line, frame)
            return None
        if (self._conditions and not self._conditions[-1].active) or text.startswith("*"):
            return None
        text = text.split(";", 1)[0].strip()
        if not text:
            return None
        return Line(self._expanded(text, line), frame.name, number)

    def _physical(self, frame: _Frame) -> bytes | None:
        raw, frame.held = frame.held, None
        if raw is None:
            try:
                raw = frame.file.readline(MOST_CHARACTERS + 1)
            except OSError as error:
                raise file_error(frame.name, "cannot be read", error, "Check the disk") from None
            self._bytes += len(raw)
        if not raw:
            return None
        frame.number += 1
        where = Line("", frame.name, frame.number)
        if len(raw) > MOST_CHARACTERS:
            raise where.bad("the line is too long", f"over {MOST_CHARACTERS} bytes", "Split it")
        if self._bytes > MOST_BYTES:
            raise where.bad(
                "the topology is too large",
                f"over {MOST_BYTES >> 20} MiB with all included files",
                "Check the included files",
            )
        return raw

    def _text(self, raw: bytes, frame: _Frame) -> str:
        if _CONTROL.search(raw):
            raise file_error(
                f"{frame.name}:{frame.number}",
                "is not text",
                "the line contains control characters",
                "Give a topology, not a binary file",
            )
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        return text.removeprefix("\ufeff").rstrip()

    def _joined(self, frame: _Frame, text: str) -> str:
        """The line with its continuation lines; a directive ends the enclosing text."""
        if not text.endswith("\\"):
            return text
        command = text.lstrip().startswith("#")
        first, pieces, length = frame.number, [], 0
        while text.endswith("\\"):
            pieces.append(text[:-1])
            length += len(text)
            if length > MOST_CHARACTERS:
                where = Line("", frame.name, first)
                raise where.bad("the line is too long", "with continuation lines", "Split it")
            raw = self._physical(frame)
            if raw is None:
                return " ".join(pieces)
            text = self._text(raw, frame)
            if text.lstrip().startswith("#") and not command:
                frame.held, frame.number = raw, frame.number - 1
                return " ".join(pieces)
        if not command and any(";" in piece for piece in pieces) and text.strip():
            self.notes.append(
                f"{frame.name}:{first}: a comment ends with a backslash, "
                "so the next line is part of the comment"
            )
        return " ".join([*pieces, text])

    def _directive(self, line: Line, frame: _Frame) -> None:
        match = _DIRECTIVE.match(line.text)
        word, rest = (match[1], match[2]) if match else ("", "")
        rest = rest.split(";", 1)[0].strip()
        active = not self._conditions or self._conditions[-1].active
        if word in ("ifdef", "ifndef"):
            name = _name(line, word, rest)
            self._unused.pop(name, None)
            wanted = (name in self._macros) == (word == "ifdef")
            self._conditions.append(_Condition(line, active, active and wanted))
        elif word in ("else", "endif"):
            self._turn(line, word, frame)
        elif word in ("if", "elif") or (active and word not in _KNOWN):
            raise line.bad(f"#{word} is not supported", "unlike in C", nearest(word, _KNOWN))
        elif active and word == "include":
            self._include(line, rest, frame)
        elif active and word == "undef":
            name = _name(line, word, rest)
            self._macros.pop(name, None)
        elif active:
            self._define(line, rest)

    def _turn(self, line: Line, word: str, frame: _Frame) -> None:
        if len(self._conditions) <= frame.conditions:
            raise line.bad(
                f"#{word} without #ifdef", "none is open in this file", "Remove it or add #ifdef"
            )
        if word == "endif":
            self._conditions.pop()
            return
        condition = self._conditions[-1]
        if condition.turned:
            raise line.bad(
                "a second #else", f"the #ifdef of {condition.where.where} has one", "Remove one"
            )
        condition.turned = True
        condition.active = condition.outer and not condition.active

    def _define(self, line: Line, rest: str) -> None:
        name = _name(line, "define", rest)
        value = rest[len(name) :].strip()
        if value and not _WORD.fullmatch(name):
            raise line.bad(
                f"the macro {name!r} cannot be substituted",
                "macro names consist of letters, digits and underscores",
                "Rename it",
            )
        self._macros[name] = value

    def _expanded(self, text: str, line: Line) -> str:
        macros = self._macros
        if not macros or not any(macros.get(word) for word in _WORD.findall(text)):
            return text
        self._budget = MOST_CHARACTERS
        return self._substituted(text, frozenset(), line)

    def _substituted(self, text: str, hidden: frozenset[str], line: Line) -> str:
        """The text with its macros replaced, none of them within itself."""

        def replace(match: re.Match[str]) -> str:
            word = match[0]
            value = self._macros.get(word)
            if not value or word in hidden:
                return word
            self._unused.pop(word, None)
            self._budget -= len(value)
            if self._budget < 0 or len(hidden) >= MOST_DEPTH:
                raise line.bad(
                    f"the macro {word} expands without limit",
                    "macros in its value are expanded in turn",
                    "Give it a plain value",
                )
            return self._substituted(value, hidden | {word}, line)

        return _WORD.sub(replace, text)

    def _include(self, line: Line, rest: str, frame: _Frame) -> None:
        match = _QUOTED.match(rest)
        if not match:
            raise line.bad(
                "#include without a file", 'it needs "file" or <file>', 'Write #include "file.itp"'
            )
        name = match[1] or match[2]
        folders = [os.path.dirname(frame.name), os.path.dirname(self.path), *self._folders]
        if os.path.isabs(name):
            folders = [""]
        for folder in folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                self._open(path, line)
                return
        advice = "Check the name, or add its folder to `include`"
        if meant := _similar(folders, name):
            advice = f"Did you mean {meant}?"
        elif ".ff/" in name:
            advice += (
                ". Force fields of GROMACS are in its share/gromacs/top: "
                "export GMXLIB=/.../share/gromacs/top"
            )
        searched = ", ".join(dict.fromkeys(folder or "." for folder in folders))
        raise file_error(
            line.where,
            f"the included file {name!r} is not found",
            f"searched in {searched}",
            advice,
        )

    def _open(self, path: str, line: Line | None) -> None:
        real = os.path.realpath(path) if "\0" not in path else path
        self._files += 1
        if line is not None and any(frame.real == real for frame in self._frames):
            raise line.bad(f"{path} includes itself", "without end", "Remove the #include")
        if line is not None and (len(self._frames) >= MOST_DEPTH or self._files > MOST_FILES):
            raise line.bad(
                "too many files are included",
                f"at most {MOST_FILES} are allowed, nested {MOST_DEPTH} deep",
                "Check the #include lines",
            )
        origin = path if line is None else f"{line.where}: {path}"
        if os.path.exists(path) and not os.path.isfile(path):
            raise file_error(origin, "is not a file", "a folder or a device", "Give a topology")
        try:
            file = open_regular(path)  # closed when read, or by __iter__
        except (OSError, ValueError) as error:
            raise unreadable(origin, error) from None
        self._frames.append(_Frame(file, path, real, len(self._conditions)))

    def _close(self, frame: _Frame) -> None:
        frame.file.close()
        self._frames.pop()
        if len(self._conditions) > frame.conditions:
            where = self._conditions[-1].where
            raise where.bad(
                "this #ifdef has no #endif", f"{frame.name} ends before it", "Add #endif"
            )


def _similar(folders: Sequence[str], name: str) -> str:
    """An existing file whose name differs in the spelling of one part; "" for none."""
    parts = name.split("/")
    for folder in folders:
        at = Path(folder or ".")
        for k, part in enumerate(parts):
            if not (at / part).exists():
                names = os.listdir(at) if at.is_dir() else []
                names = [each for each in names if _digits(each) == _digits(part)]
                for close in difflib.get_close_matches(part, names, cutoff=0.8):
                    if at.joinpath(close, *parts[k + 1 :]).is_file():
                        return "/".join([*parts[:k], close, *parts[k + 1 :]])
                break
            at = at / part
    return ""


def _digits(name: str) -> str:
    """The digits of a name, which tell models apart: charmm27 and charmm36, tip3p and tip4p."""
    return re.sub(r"\D", "", name)


def _tops_of_gromacs(system: Path = Path("/usr")) -> list[str]:
    """Folders with GROMACS' force fields: beside its program, or where Debian's package is."""
    programs = [shutil.which(name) for name in ("gmx", "gmx_d", "gmx_mpi")]
    roots = [*(Path(p).resolve().parents[1] for p in programs if p), system]
    tops = [root / "share/gromacs/top" for root in roots]
    return [str(folder) for folder in dict.fromkeys(tops) if folder.is_dir()]


def _name(line: Line, word: str, rest: str) -> str:
    if not rest:
        raise line.bad(f"#{word} without a name", "it needs a macro", "Add the name")
    return rest.split(None, 1)[0]


def _definitions(defines: str | Iterable[str]) -> dict[str, str]:
    found = {}
    for item in defines.split() if isinstance(defines, str) else defines:
        name, _, value = item.strip().removeprefix("-D").partition("=")
        name = name.strip()
        if not _WORD.fullmatch(name):
            raise bad_input(
                f"{item!r} defines no macro",
                "macro names consist of letters, digits and underscores",
                "Write -DNAME or -DNAME=VALUE",
            )
        found[name] = value.strip()
    return found


def _folders(include: str | Iterable[str | os.PathLike[str]]) -> list[str]:
    given = include.split() if isinstance(include, str) else [os.fspath(item) for item in include]
    folders = [os.path.expanduser(item.removeprefix("-I")) for item in given]
    folders += [item for item in os.environ.get("GMXLIB", "").split(os.pathsep) if item]
    if os.environ.get("GMXDATA"):
        folders.append(os.path.join(os.environ["GMXDATA"], "top"))
    return folders + _tops_of_gromacs()
