# SPDX-License-Identifier: Apache-2.0
"""Parameters that a force field gives by the types of particles, and how they are found."""

from __future__ import annotations

from dataclasses import dataclass

from .preprocessor import Line

Types = tuple[str, ...]
Row = tuple[float, ...]

#: Name that stands for any type in dihedral types.
ANY = "X"


@dataclass
class Entry:
    """The parameters of one combination of types; several rows for a sum of dihedrals."""

    types: Types
    rows: list[Row]
    where: str


class TypeTable:
    """The parameters of one function, by types; the order of types may be reversed.

    Args:
        wild: whether types may be left open by X
    """

    def __init__(self, wild: bool) -> None:
        self.wild = wild
        self._entries: dict[Types, Entry] = {}
        self._open: list[Entry] = []
        self._found: dict[Types, Entry | None] = {}
        self._last: Types | None = None

    def add(self, line: Line, types: Types, row: Row, repeat: bool) -> str | None:
        """Take one line of parameters; returns a note if it replaces another one.

        With `repeat`, lines of the same types in the same order that follow one another are summed.
        """
        key = canonical(types)
        entry = self._entries.get(key)
        if entry is None:
            self._entries[key] = entry = Entry(types, [row], line.where)
            if ANY in types:
                self._open.append(entry)
            self._found.clear()
            self._last = types
            return None
        if repeat and self._last == types:
            entry.rows.append(row)
            return None
        if entry.rows == [row]:
            return None
        if repeat or len(entry.rows) > 1:
            raise line.bad(
                f"a second block of dihedral parameters for {'-'.join(types)}",
                f"the first is in {entry.where}; lines that are summed must be consecutive",
                "Remove one of them",
            )
        note = f"{line.where}: parameters of {'-'.join(types)} replace those of {entry.where}"
        entry.rows, entry.where = [row], line.where
        return note

    def find(self, types: Types) -> list[Row] | None:
        """The rows for these types; with open types, the entry that names most of them."""
        key = canonical(types)
        entry = self._entries.get(key)
        if entry is None and self.wild:
            if key not in self._found:
                self._found[key] = self._search(key)
            entry = self._found[key]
        return None if entry is None else entry.rows

    def _search(self, types: Types) -> Entry | None:
        best, fewest = None, len(types) + 1
        for entry in self._open:
            count = entry.types.count(ANY)
            if count < fewest and (_fits(entry.types, types) or _fits(entry.types, types[::-1])):
                best, fewest = entry, count
        return best


def canonical(types: Types) -> Types:
    """The types in the order, forwards or backwards, that sorts first."""
    return min(types, types[::-1])


def _fits(pattern: Types, types: Types) -> bool:
    return all(a in (b, ANY) for a, b in zip(pattern, types, strict=True))
