# SPDX-License-Identifier: Apache-2.0
"""Particles of a molecule type while it is being read, and of the whole system as seen by
interactions between molecules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np

from aureole.base.arrays import frozen
from aureole.system.topology import Atoms, Labels

from .force_field import AtomType, ForceField
from .preprocessor import Line
from .values import at_least, integer, real


class Atom(NamedTuple):
    """A line of [ atoms ]."""

    kind: AtomType
    charge: float
    mass: float
    name: str
    residue: int
    residue_name: str
    line: Line


class Particles(Protocol):
    """The particles that interactions refer to, counted from 0."""

    @property
    def n(self) -> int:
        """Number of particles."""

    def __getitem__(self, i: int) -> Atom:
        """A particle."""


class AtomTable:
    """The lines of [ atoms ] of one molecule type."""

    def __init__(self, field: ForceField) -> None:
        self._field = field
        self._atoms: list[Atom] = []
        self.second_states = 0

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self._atoms)

    def __getitem__(self, i: int) -> Atom:
        return self._atoms[i]

    def read(self, line: Line) -> None:
        """Take a line: number, type, residue number and name, name, group [charge [mass [B …]]]."""
        words = at_least(line, 6, "[ atoms ]")
        if integer(line, words[0], "the number of the particle") != self.n + 1:
            raise line.bad(
                f"particle {words[0]} follows {self.n}",
                "particles must be numbered consecutively from 1",
                f"Number it {self.n + 1}",
            )
        state = kind, charge, mass = self._state(line, [words[1], *words[6:8]])
        if mass < 0:
            raise line.bad(f"the mass is {mass:g}", "it must not be negative", "Correct it")
        if len(words) > 8:
            self.second_states += self._state(line, words[8:], " of state B") != state
            if len(words) > 11:
                raise line.bad("too many entries", f"{words[11]!r} follows state B", "Remove them")
        number = words[2] if words[2][-1:].isdigit() else words[2][:-1]  # insertion code
        residue = integer(line, number, "the residue number")
        self._atoms.append(Atom(kind, charge, mass, words[4], residue, words[3], line))

    def _state(self, line: Line, words: list[str], of: str = "") -> tuple[AtomType, float, float]:
        """A type, and the charge and mass that may follow it, otherwise those of the type."""
        kind = self._field.types.get(words[0])
        if kind is None:
            raise line.bad(
                f"unknown type {words[0]}",
                "no [ atomtypes ] defines it",
                "Correct it, or include the force field that defines it",
            )
        charge = real(line, words[1], f"the charge{of}") if len(words) > 1 else kind.charge
        mass = real(line, words[2], f"the mass{of}") if len(words) > 2 else kind.mass
        return kind, charge, mass

    def kinds(self) -> list[AtomType]:
        """The types that occur."""
        return list(dict.fromkeys(atom.kind for atom in self._atoms))

    def check(self, sites: Collection[int]) -> None:
        """Check that masses are positive, or 0 for virtual sites, which a line must construct."""
        for i, atom in enumerate(self._atoms):
            virtual = i in sites
            if virtual and atom.mass:
                raise atom.line.bad(
                    f"the virtual site {atom.name} has the mass {atom.mass:g}",
                    "its position follows from other particles",
                    "Set its mass to 0 and add it to theirs",
                )
            if not virtual and atom.kind.kind in "VSB":
                raise atom.line.bad(
                    f"particle {atom.name} is of kind {atom.kind.kind}",
                    "no virtual site constructs it",
                    "Add it to [ virtual_sites ], or use a type of kind A",
                )
            if not virtual and not atom.mass:
                raise atom.line.bad(
                    f"particle {atom.name} has no mass",
                    "neither here nor in [ atomtypes ]",
                    "Add the mass",
                )

    def columns(self, index: Mapping[str, int], sites: Collection[int]) -> Atoms:
        """The columns of the molecule type; `index` gives numbers to types."""
        atoms = self._atoms
        return Atoms(
            type=frozen([index[atom.kind.name] for atom in atoms], np.int32),
            mass=frozen([atom.mass for atom in atoms]),
            charge=frozen([atom.charge for atom in atoms]),
            name=labels([atom.name for atom in atoms]),
            residue_name=labels([atom.residue_name for atom in atoms]),
            residue=frozen([atom.residue for atom in atoms], np.int32),
            virtual=frozen([i in sites for i in range(self.n)], np.bool_),
        )


class SystemParticles:
    """All particles of the system, through the molecule types that they belong to."""

    def __init__(self, blocks: Sequence[tuple[AtomTable, int]]) -> None:
        self._tables = [table for table, _ in blocks]
        self._ends = list(accumulate(table.n * count for table, count in blocks))
        self.n = self._ends[-1] if blocks else 0

    def __getitem__(self, i: int) -> Atom:
        block = bisect_right(self._ends, i)
        start = self._ends[block - 1] if block else 0
        table = self._tables[block]
        return table[(i - start) % table.n]


def labels(words: Sequence[str]) -> Labels:
    """A column of words, each stored once."""
    index = {word: k for k, word in enumerate(dict.fromkeys(words))}
    return Labels(tuple(index), frozen([index[word] for word in words], np.int32))
