# SPDX-License-Identifier: Apache-2.0
"""The force field of a topology: all directives before the first molecule type."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import frozen
from aureole.base.errors import InputError

from .directives import FUNCTIONS, PARTICLES, TYPES_OF, WORDS, family, function
from .lennard_jones import GEOMETRIC, Pair, coefficients, combined
from .preprocessor import Line
from .types import ANY, Row, Types, TypeTable, canonical
from .values import at_least, integer, number, parameters, real

_letter, _digit = re.compile("[A-Za-z]").fullmatch, re.compile("[0-9]").fullmatch

#: Dihedral functions whose types may be left open by X.
_WILD = (1, 2, 3, 4)

#: Words that [ defaults ] may have for the non-bonded function and the combination rule.
_NAMES = {"lj": "1", "buckingham": "2", "geometric": "1", "arithmetic": "2", "geomsigeps": "3"}

#: Cells along one side of a correction map; those of force fields have 24.
_MOST_CELLS = 360


class AtomType(NamedTuple):
    """A type of particles; V and W as in `lennard_jones`."""

    name: str
    bonded: str
    mass: float
    charge: float
    kind: str  # A atom, V virtual site, S shell, ...
    v: float
    w: float


class ForceField:
    """The force-field part of a topology; `read` takes it line by line.

    Attributes:
        rule: combination rule, 1, 2 or 3
        gen_pairs: whether parameters of unlisted 1-4 pairs are made from those of the types
        fudge_lj, fudge_qq: factors of 1-4 interactions
        types: the types of particles by name
        places: where each type stands, "file:line"
        overrides: V and W of pairs of types that do not follow the rule, by sorted names
        cmaps: correction maps (m, m) [energy]
        notes: for the user
        redefined: parameters that replace earlier ones, in words
    """

    def __init__(self) -> None:
        self.rule = 0
        self.gen_pairs = False
        self.fudge_lj = self.fudge_qq = 1.0
        self.types: dict[str, AtomType] = {}
        self.places: dict[str, str] = {}
        self.overrides: dict[Types, Pair] = {}
        self.cmaps: list[NDArray[np.float64]] = []
        self.notes: list[str] = []
        self.redefined: list[str] = []
        self._bonded: set[str] = set()
        self._tables: dict[tuple[str, int], TypeTable] = {}
        self._pairs: dict[Types, Pair] = {}
        self._made: dict[Types, Pair] = {}
        self._cmap_of: dict[Types, int] = {}
        self._readers: dict[str, Callable[[Line], None]] = {
            "defaults": self._defaults,
            "atomtypes": self._atomtype,
            "pairtypes": partial(self._two_types, "pairtypes", self._pairs),
            "nonbond_params": partial(self._two_types, "nonbond_params", self.overrides),
            "dihedraltypes": self._dihedraltype,
            "cmaptypes": self._cmaptype,
        }

    def read(self, section: str, line: Line) -> None:
        """Take one line of a directive."""
        if section in self._readers:
            self._readers[section](line)
        else:
            count = PARTICLES[TYPES_OF[section]]
            words = at_least(line, count + 1, f"[ {section} ]")
            self._typed(section, line, tuple(words[:count]), words[count:])

    def rows(self, section: str, kind: int, types: Types) -> list[Row] | None:
        """Parameters of a bonded function by the bonded types of its particles."""
        table = self._tables.get(family(section, kind))
        return None if table is None else table.find(types)

    def pair(self, types: Types) -> Pair | None:
        """V and W of a 1-4 pair of these types, listed or made; None if neither."""
        key = canonical(types)
        found = self._pairs.get(key)
        if found is None and self.gen_pairs:
            found = self._made.get(key)
            if found is None:
                found = self._made[key] = self._make_pair(key)
        return found

    def coefficients(self, pair: Pair) -> Pair:
        """c6 and c12 of V and W."""
        c6, c12 = coefficients(self.rule, pair[0], pair[1])
        return float(c6), float(c12)

    def cmap(self, types: Types) -> int | None:
        """Number of the correction map for five bonded types."""
        return self._cmap_of.get(types)

    def _make_pair(self, key: Types) -> Pair:
        one = self.overrides.get(key)
        if one is None:
            a, b = (self.types[name] for name in key)
            v, w = combined(self.rule, (a.v, b.v), (a.w, b.w))
            one = float(v), float(w)
        scale = self.fudge_lj if self.rule == GEOMETRIC else 1.0
        return one[0] * scale, one[1] * self.fudge_lj

    def _defaults(self, line: Line) -> None:
        words = at_least(line, 2, "[ defaults ]")
        if self.rule:
            raise line.bad("a second line of [ defaults ]", "only one is allowed", "Remove it")
        words[:2] = [_NAMES.get(word.lower(), word) for word in words[:2]]
        if integer(line, words[0], "the non-bonded function") != 1:
            raise line.bad(
                f"non-bonded function {words[0]} is not supported",
                "only function 1, Lennard-Jones, is",
                "Use a force field with Lennard-Jones parameters",
            )
        self.rule = integer(line, words[1], "the combination rule", 1, 3)
        self.gen_pairs = len(words) > 2 and words[2][0] in "yY"
        self.fudge_lj = real(line, words[3], "fudgeLJ") if len(words) > 3 else 1.0
        self.fudge_qq = real(line, words[4], "fudgeQQ") if len(words) > 4 else 1.0
        if len(words) > 5 and real(line, words[5], "the power of repulsion") != 12.0:
            raise line.bad(
                f"a repulsion of power {words[5]} is not supported", "only 12 is", "Remove it"
            )

    def _atomtype(self, line: Line) -> None:
        words = at_least(line, 6, "[ atomtypes ]")
        # The letter of the kind determines the columns: bonded type, atomic number.
        if _letter(words[5]):
            at, bonded = 5, words[1]
        elif _letter(words[3]):
            at, bonded = 3, words[0]
        elif _letter(words[4]):
            at, bonded = 4, words[1] if words[1][0].isalpha() else words[0]
        else:
            raise line.bad(
                f"the type {words[0]} has no particle kind",
                "the fourth, fifth or sixth entry must be one letter: A, V, D or S",
                "Write name, [bonded type,] [atomic number,] mass, charge, kind, V, W",
            )
        kind = "V" if words[at] in "dD" else words[at].upper()
        if kind not in "AVSNB":
            raise line.bad(f"unknown kind {words[at]}", "it must be A, V, D or S", "Correct it")
        mass = real(line, words[at - 2], "the mass")
        charge = real(line, words[at - 1], "the charge")
        if len(words) > at + 3:
            self.notes.append(f"{line.where}: entries after V and W are ignored")
        v, w = parameters(line, words[at + 1 : at + 3], (2,), "particle type")
        new = AtomType(words[0], bonded, mass, charge, kind, v, w)
        old = self.types.get(new.name)
        if old is not None and old != new:
            self.redefined.append(f"{line.where}: the type {new.name} replaces an earlier one")
        self.types[new.name] = new
        self.places[new.name] = line.where
        self._bonded.add(bonded)

    def _typed(
        self, section: str, line: Line, types: Types, words: list[str], wild: bool = False
    ) -> None:
        """A line of parameters, its types and what follows them apart."""
        target = TYPES_OF[section]
        kind = integer(line, words[0], "the function")
        chosen = function(target, kind, line)
        if chosen.refusal:
            return  # molecules that use it are refused
        for name in types:
            if name not in self._bonded and not (wild and name == ANY):
                raise _unknown(line, f"bonded type {name}")
        counts = (chosen.given, chosen.given + chosen.again)
        row = tuple(parameters(line, words[1:], counts, WORDS[target])[: chosen.given])
        key = family(target, kind)
        if key not in self._tables:
            self._tables[key] = TypeTable(wild=target == "dihedrals" and key[1] in _WILD)
        repeat = target == "dihedrals" and kind == 9
        replaced = self._tables[key].add(line, types, row, repeat)
        if replaced:
            self.redefined.append(replaced)

    def _dihedraltype(self, line: Line) -> None:
        """Read a line with four types, or with two: the middle ones, or for function 2 the outer
        ones, while the others are left open."""
        words = at_least(line, 3, "[ dihedraltypes ]")
        if words[2] in set("0123456789"):
            a, b = words[:2]
            types = (a, ANY, ANY, b) if words[2] == "2" else (ANY, a, b, ANY)
            self._typed("dihedraltypes", line, types, words[2:], wild=True)
        elif len(words) > 4 and words[4].isdigit():
            self._typed("dihedraltypes", line, tuple(words[:4]), words[4:], wild=True)
        else:
            raise line.bad(
                "neither the third nor the fifth entry is a function number",
                "it must follow two or four types",
                "Complete the line",
            )

    def _two_types(self, section: str, known: dict[Types, Pair], line: Line) -> None:
        """Read V and W of two types into `known`."""
        words = at_least(line, 3, f"[ {section} ]")
        for name in words[:2]:
            if name not in self.types:
                raise _unknown(line, f"type {name}")
        if integer(line, words[2], "the function") != 1:
            raise line.bad(
                f"function {words[2]} in [ {section} ] is not supported",
                "only function 1, Lennard-Jones, is",
                "Use 1",
            )
        given = FUNCTIONS["pairs"][1]
        counts = (2, 2 + given.again) if section == "pairtypes" else (2,)
        v, w = parameters(line, words[3:], counts, "type pair")[:2]
        key, pair = canonical((words[0], words[1])), (v, w)
        if known.get(key, pair) != pair:
            self.redefined.append(
                f"{line.where}: parameters of {'-'.join(key)} replace {known[key]} by {pair}"
            )
        known[key] = pair

    def _cmaptype(self, line: Line) -> None:
        words = at_least(line, 8, "[ cmaptypes ]")
        types = tuple(words[:5])
        function("cmap", integer(line, words[5], "the function"), line)
        for name in types:
            if name not in self._bonded:
                raise _unknown(line, f"bonded type {name}", "a cmap uses it")
        cells = integer(line, words[6], "the number of cells", 2, _MOST_CELLS)
        if integer(line, words[7], "the number of cells", 2, _MOST_CELLS) != cells:
            raise line.bad("the cmap is not square", f"{words[6]} by {words[7]}", "Correct it")
        values = [number(word) for word in words[8:]]
        if len(values) != cells * cells or None in values:
            raise line.bad(
                f"the cmap has {len(values)} entries",
                f"{cells} by {cells} numbers are needed",
                "Complete it; a backslash at the end continues a line",
            )
        if types in self._cmap_of:
            self.notes.append(f"{line.where}: a second cmap of {'-'.join(types)} is ignored")
            return
        self._cmap_of[types] = len(self.cmaps)
        self.cmaps.append(frozen(values, shape=(cells, cells)))


def _unknown(line: Line, what: str, why: str = "no [ atomtypes ] before defines it") -> InputError:
    return line.bad(f"unknown {what}", why, "Correct it or add it")
