# SPDX-License-Identifier: Apache-2.0
"""Values of options: from the words of a file to Python's types, and back."""

from __future__ import annotations

import re
from typing import Any

from aureole.base.errors import InputError, bad_input
from aureole.base.parse import integer, real
from aureole.base.unit_advice import in_units_of_files
from aureole.base.unit_advice import written as in_digits
from aureole.gromacs.mdp.options.table import Option, normal

#: Options that may exceed 32 bits, and their limit; sums of two still fit 64 bits.
_LONG = ("nsteps", "init-step")
_MOST_STEPS = 2**62 - 1
#: Sections that also accept words of later versions.
_MODERN = ("density-guided", "qmmm-cp2k", "colvars", "nnpot")
#: A number, and the unit behind it if there is one.
_PIECE = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*((?:1/)?[^-+0-9.\s]\S*)?\s*")


def parse(option: Option, text: str) -> Any:
    """The value that `text` gives `option`: int, float, bool, str or a tuple of them.

    The default for an empty text. Raises InputError, without a place.
    """
    words = text.split() or option.default.split()
    numbers = _without_units(option, text) if option.kind in ("real", "reals") else None
    if numbers is not None:
        raise _plain_numbers(option, text, f"Write {option.name} = {numbers}")
    if option.kind in ("words", "ints", "reals", "bools"):
        single = {"ints": _int, "reals": _real, "bools": _flag}.get(option.kind)
        try:
            return tuple(words if single is None else (single(option, word) for word in words))
        except InputError:
            if option.kind == "reals" and option.unit and len(words) > 1:
                raise _plain_numbers(option, text, "Write numbers alone") from None
            raise
    if not words:
        return ""
    if option.kind == "word":
        return " ".join(words)
    if len(words) > 1:
        raise bad_input(
            f"{option.name} = {shown(' '.join(words))}",
            f"it takes one {_KIND[option.kind]}, but there are {len(words)} words",
            "Put a ; before comments",
        )
    return {"int": _int, "real": _real, "bool": _bool, "enum": _enum}[option.kind](option, words[0])


def _plain_numbers(option: Option, text: str, advice: str) -> InputError:
    return bad_input(
        f"{option.name} = {shown(' '.join(text.split()))}",
        f"numbers of this option are in {option.unit}, without the name of a unit",
        advice,
    )


def _without_units(option: Option, text: str) -> str | None:
    """Numbers with units, such as "2 fs" or "0.5 V/nm 0 0 0", in the units of the option.

    None where no number has a unit, a unit is unknown, or numbers in another unit stand beside
    numbers without one. Options that need several different numbers get a 0 for each missing one.
    """
    units = [unit.strip() for unit in option.unit.split(",")]
    rest, numbers, given = text.strip(), [], set()
    while rest:
        found = _PIECE.match(rest)
        if found is None:
            return None
        wanted = units[min(len(numbers), len(units) - 1)]
        number = _in_unit(found[1], found[2], wanted)
        if number is None:
            return None
        numbers.append(number)
        given.add("" if found[2] is None else "own" if found[2] == wanted else "other")
        rest = rest[found.end() :]
    if given <= {""} or given >= {"", "other"}:
        return None
    return " ".join(numbers + ["0"] * (len(units) - len(numbers)))


def _in_unit(number: str, unit: str | None, wanted: str) -> str | None:
    """A number as text in the unit `wanted`, which is also that of a number without a unit."""
    if unit is not None and unit != wanted:
        return in_units_of_files(f"{number} {unit}", wanted)
    try:
        return in_digits(real(number))
    except ValueError:
        return None


_KIND = {"int": "whole number", "real": "number", "bool": "yes or no", "enum": "word"}


def shown(text: str) -> str:
    """`text` as an error shows it: printable, and not too long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def written(option: Option, value: Any) -> str:
    """A value as written in a file; the opposite of `parse`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if option.kind == "bools":
            return " ".join("Y" if item else "N" for item in value)
        return " ".join(written(option, item) for item in value)
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def _int(option: Option, word: str) -> int:
    limit = _MOST_STEPS if option.name in _LONG else 2**31 - 1
    try:
        value = integer(word)
    except ValueError:
        raise bad_input(
            f"{option.name} = {shown(word)}", "it must be a whole number", _as_integer(word)
        ) from None
    if abs(value) > limit:
        raise bad_input(
            f"{option.name} = {shown(word)}", f"it must not exceed {limit}", "Give a smaller number"
        )
    return value


def _as_integer(word: str) -> str:
    try:
        value = real(word)
    except ValueError:
        return "Write digits only"
    exact = value.is_integer() and abs(value) < 1e15
    return f"Write {int(value)}" if exact else "Write digits only"


def _real(option: Option, word: str) -> float:
    try:
        return real(word)
    except ValueError:
        raise bad_input(
            f"{option.name} = {shown(word)}", "it must be a number", "Write it as 0.5 or 4.5e-5"
        ) from None


def _bool(option: Option, word: str) -> bool:
    modern = option.name.startswith(_MODERN)
    if normal(word) in (("yes", "true", "on", "1") if modern else ("yes",)):
        return True
    if normal(word) in (("no", "false", "off", "0") if modern else ("no",)):
        return False
    raise bad_input(f"{option.name} = {shown(word)}", "it must be yes or no", "Write yes or no")


def _flag(option: Option, word: str) -> bool:
    if word[0] in "yYnN":
        return word[0] in "yY"
    raise bad_input(f"{option.name} has {shown(word)}", "it is a list of Y and N", "Write Y or N")


def _enum(option: Option, word: str) -> str:
    value = option.value(word)
    if value is None:
        known = [item.name for item in option.values if item.support in ("honoured", "no effect")]
        raise bad_input(
            f"{option.name} = {shown(word)}", "unknown value", "Known: " + ", ".join(known)
        )
    return value.words if value.support == "alias" else value.name
