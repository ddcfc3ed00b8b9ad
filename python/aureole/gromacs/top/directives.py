# SPDX-License-Identifier: Apache-2.0
"""The directives of GROMACS topologies and the functions that they choose from.

They stand in `directives.table`, one record a directive:

    name: directives of which one comes before it (or ...)
        of: the directive that these parameters of the force field are for
        left out: what it was for
        refused: what it is; the nearest thing
        entry: what an error calls a line of it
        particles: how many a line names; a settle only the first of its three
        NUMBER: term N +M, chemical, degrees COLUMNS
        NUMBER: refused, what it is; the nearest thing

A function has N parameters, and M more for a second state; see `Function`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aureole.base.data_table import damaged, records

from .preprocessor import Line

#: Directives one of which must come before each directive.
ORDER: dict[str, tuple[str, ...]] = {}

#: Directives that describe the force field; none comes after the first molecule type.
FIELD: set[str] = set()

#: Directives whose lines are left out, with what they were for.
IGNORED: dict[str, str] = {}

#: Directives of molecules that cannot be used: what they are for; the nearest thing.
REFUSED: dict[str, str] = {}

#: Number of particles that a line names; a settle names only the first of its three.
PARTICLES: dict[str, int] = {}

#: Directives whose parameters the directives of the force field give.
TYPES_OF: dict[str, str] = {}

#: Words in errors for an entry of each directive.
WORDS: dict[str, str] = {}


@dataclass(frozen=True)
class Function:
    """One choice of a directive.

    Args:
        term: its kind in `topology.TERMS`; "" for none
        given: number of parameters
        again: how many may follow for a second state (free energy), which is not used
        chemical: whether exclusions are counted along it as along a bond
        degrees: columns that the file gives in degrees
        refusal: of a function that cannot be used what it is, and after ; the nearest thing
    """

    term: str = ""
    given: int = 0
    again: int = 0
    chemical: bool = False
    degrees: tuple[int, ...] = ()
    refusal: str = ""


FUNCTIONS: dict[str, dict[int, Function]] = {}

_TEXTS = {"left out": IGNORED, "refused": REFUSED, "of": TYPES_OF, "entry": WORDS}
_FUNCTION = re.compile(r"(\w+) (\d)(?: \+(\d))?(, chemical)?(?:, degrees ([\d ]+))?")


def read_table(path: Path) -> None:
    """Fill the tables of this module."""
    for record in records(path):
        name, colon, before = record.head.partition(":")
        if not colon:
            raise damaged(path, record.line, f"{record.head!r} begins no directive")
        ORDER[name] = tuple(before.strip().split(" or ")) if before else ()
        if record.section == "Force field":
            FIELD.add(name)
        for number, line in record.body:
            key, _, text = line.partition(": ")
            if key in _TEXTS:
                _TEXTS[key][name] = text
            elif key == "particles" and text.isdigit():
                PARTICLES[name] = int(text)
            elif key.isdigit() and (one := _function(text)) is not None:
                FUNCTIONS.setdefault(name, {})[int(key)] = one
            else:
                raise damaged(path, number, f"{line!r} says nothing about [ {name} ]")


def _function(text: str) -> Function | None:
    if text.startswith("refused, "):
        return Function(refusal=text[9:])
    match = _FUNCTION.fullmatch(text)
    if match is None:
        return None
    term, given, again, chemical, degrees = match.groups("")
    columns = tuple(map(int, degrees.split()))
    term = "" if term == "nothing" else term
    return Function(term, int(given), int(again or 0), bool(chemical), columns)


read_table(Path(__file__).with_suffix(".table"))

#: Directives by all their names (without case, dashes and underscores).
_NAMES = {name.replace("_", ""): name for name in ORDER}
_NAMES |= {f"dummies{k}": f"virtual_sites{k}" for k in "1234n"}


def directive(name: str) -> str | None:
    """The directive that a file calls `name`."""
    return _NAMES.get(name.strip().lower().replace("-", "").replace("_", ""))


def family(section: str, kind: int) -> tuple[str, int]:
    """The list of parameters that a function shares: dihedrals 1 and 9 have the same."""
    return (section, 1 if (section, kind) == ("dihedrals", 9) else kind)


def function(section: str, kind: int, line: Line) -> Function:
    """The function of this number; an error if the directive has none such."""
    known = FUNCTIONS[section]
    if kind not in known:
        raise line.bad(
            f"unknown function {kind} of [ {section} ]",
            f"known: {', '.join(str(k) for k in known)}",
            "Correct the number",
        )
    return known[kind]


#: Conditions on the numbers of some terms, and the same in words.
_NEEDED: dict[str, tuple[Callable[[Sequence[float]], bool], str]] = {
    "fene_bond": (lambda v: v[0] > 0, "the first, its maximum length, must be positive"),
    "range_restraint": (lambda v: v[0] <= v[1] <= v[2], "the first three must not decrease"),
    "dihedral_restraint": (lambda v: v[1] >= 0, "the second, a width, must not be negative"),
    "flat_bottom_restraint": (
        lambda v: v[0] in range(1, 9),
        "the first, the geometry, must be an integer from 1 to 8",
    ),
}


def row(section: str, kind: int, values: Sequence[float], line: Line) -> tuple[float, ...] | None:
    """The parameters of a file as columns of `topology.TERMS`; None where they do nothing."""
    chosen = FUNCTIONS[section][kind]
    fits, words = _NEEDED.get(chosen.term, (None, ""))
    if fits is not None and not fits(values):
        numbers = " ".join(f"{value:g}" for value in values)
        raise line.bad(f"the numbers of a {WORDS[section]} are {numbers}", words, "Correct them")
    if section in ("angles", "dihedrals") and not any(values):
        return None
    if section == "dihedrals" and kind == 5:
        return _from_fourier(values)
    if chosen.term in ("periodic_dihedral", "angle_restraint", "angle_restraint_z"):
        if abs(values[2] - round(values[2])) > 1e-5:
            what = f"the multiplicity of this {WORDS[section]} is {values[2]:g}"
            raise line.bad(what, "it must be a whole number", "Round it")
        if not values[1]:
            return None
        values = (values[0], values[1], float(round(values[2])))
    if section == "dihedrals" and kind == 11:  # one factor before all
        values = tuple(values[0] * value for value in values[1:])
    return tuple(math.radians(v) if k in chosen.degrees else v for k, v in enumerate(values))


def _from_fourier(f: Sequence[float]) -> tuple[float, ...]:
    # cos 2φ = 2 cos² φ − 1 and so on, with ψ = φ − π; manual, eq. "Ryckaert-Bellemans from OPLS"
    return (
        f[1] + 0.5 * (f[0] + f[2]),
        0.5 * (3.0 * f[2] - f[0]),
        4.0 * f[3] - f[1],
        -2.0 * f[2],
        -4.0 * f[3],
        0.0,
    )
