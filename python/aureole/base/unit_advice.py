# SPDX-License-Identifier: Apache-2.0
"""Advice on numbers whose unit is not known here: the same size in a known unit, or no number."""

from __future__ import annotations

import math
import re

from .parse import real
from .unit_table import BOLTZMANN, TABLE

_TEXT = re.compile(r"\s*([-+]?[0-9.][0-9.]*(?:[eE][-+]?[0-9]+)?)\s*(\S.*?)?\s*\Z")
_CELSIUS = ("°C", "C", "degC", "celsius", "°c")
_ZERO_CELSIUS = 273.15  # K
_INCH, _POUND, _GRAVITY = 0.0254, 0.45359237, 9.80665  # m, kg, m/s²; all exact
_PASCALS = {"mbar": 1e2, "kbar": 1e8, "Torr": 101325 / 760, "mmHg": 133.322387415}
_PASCALS["psi"] = _POUND * _GRAVITY / _INCH**2
#: kJ/mol: of an electronvolt and of a Hartree (CODATA 2018), and of a calorie.
_EV, _HARTREE, _CAL = 96.48533212331, 2625.4996394799, 4.184e-3
_PN = 0.602214076  # kJ/mol/nm in a piconewton

#: Units in texts for other programs, by dimension, in the unit of the engine.
OTHERS: dict[str, dict[str, float]] = {
    "length": {"um": 1e3, "µm": 1e3, "mm": 1e6, "cm": 1e7, "m": 1e9, "Ang": 0.1},
    "time": {"s": 1e12, "sec": 1e12, "as": 1e-6},
    "temperature": {
        **{"mK": 1e-3, "kJ/mol": 1 / BOLTZMANN, "kcal/mol": 1e3 * _CAL / BOLTZMANN},
        **{"eV": _EV / BOLTZMANN, "meV": 1e-3 * _EV / BOLTZMANN},
    },
    "pressure": {
        **{unit: 1e-5 * value for unit, value in _PASCALS.items()},
        **{"hPa": 1e-3, "N/m^2": 1e-5},
    },
    "compressibility": {"1/MPa": 0.1, "1/kPa": 100.0, "1/atm": 1 / 1.01325},
    "energy": {"J/mol": 1e-3, "cal/mol": _CAL, "eV": _EV, "meV": 1e-3 * _EV},
    "force": {
        **{"kcal/mol/Å": 41.84, "kcal/mol/A": 41.84, "kcal/mol/nm": 4.184, "pN": _PN},
        **{"kJ/mol/Å": 10.0, "kJ/mol/A": 10.0, "eV/Å": 10 * _EV, "eV/A": 10 * _EV},
        **{"nN": 1e3 * _PN, "eV/nm": _EV},
    },
    "field": {
        **{"V/Å": 10.0, "V/A": 10.0, "V/m": 1e-9, "kV/mm": 1e-3, "MV/cm": 0.1, "mV/nm": 1e-3},
        **{"V/um": 1e-3, "V/µm": 1e-3, "kV/cm": 1e-4, "MV/m": 1e-3},
    },
    "rate": {"1/us": 1e-6, "1/µs": 1e-6, "1/ms": 1e-9, "1/s": 1e-12, "THz": 1.0, "GHz": 1e-3},
    "radian": {"°": math.pi / 180, "mrad": 1e-3},
}
#: Units that are spelled out; capitals and an s at the end make no difference.
SPELLED: dict[str, dict[str, float]] = {
    "length": {
        **{"angstrom": 0.1, "ångström": 0.1, "ångstrom": 0.1, "nanometer": 1.0, "nanometre": 1.0},
        **{"picometer": 1e-3, "picometre": 1e-3, "micrometer": 1e3, "micron": 1e3},
        **{"bohr": 0.0529177210903},
    },
    "time": {
        **{"femtosecond": 1e-3, "picosecond": 1.0, "nanosecond": 1e3, "microsecond": 1e6},
        **{"millisecond": 1e9, "second": 1e12},
    },
    "temperature": {"kelvin": 1.0},
    "pressure": {"bar": 1.0, "atmosphere": 1.01325, "pascal": 1e-5, "torr": _PASCALS["Torr"] / 1e5},
    "compressibility": {},
    "energy": {"hartree": _HARTREE, "kelvin": BOLTZMANN},
    "force": {"kcal/mol/angstrom": 41.84, "kj/mol/angstrom": 10.0, "ev/angstrom": 10 * _EV},
    "field": {"v/angstrom": 10.0},
    "rate": {},
    "radian": {"degree": math.pi / 180, "radian": 1.0},
}
#: Units with this factor are left as they are only if the symbol cannot be mistaken.
_DOUBTFUL = ("A", "Å")


def unit_of(dimension: str, name: str = "") -> str:
    """The unit of the engine for a dimension; kelvins for what is called a kT."""
    if name.startswith("kT"):
        return "K"
    return next(unit for unit, factor in TABLE[dimension].items() if factor == 1.0)


def dimension_of(unit: str) -> str | None:
    """The dimension whose unit in the engine has this name; None where there is none."""
    return next((of for of, units in TABLE.items() if units.get(unit) == 1.0), None)


def in_units_of_files(text: str, unit: str) -> str | None:
    """Numbers with units, such as "2 fs" or "300 K 310 K", as plain numbers in the unit of a file.

    None where that is no dimension of `units.TABLE`, or a number has another unit or none.
    """
    dimension, numbers = dimension_of(unit), []
    pieces = re.findall(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*(?:1/)?[^-+0-9.\s]\S*", text)
    whole = "".join("".join(pieces).split()) == "".join(text.split())
    if dimension is None or not pieces or not whole:
        return None
    for piece in pieces:
        number = _number_in(piece, dimension, unit)
        if number is None:
            return None
        numbers.append(written(number))
    return " ".join(numbers)


def written(value: float, unit: str = "") -> str:
    """A number with all its digits, and its unit."""
    return f"{value:.12g} {unit}".rstrip()


def converted(text: str, dimension: str, name: str = "") -> str | None:
    """The size that words such as "9 Angstrom" give, in a known unit, such as "0.9 nm".

    Args:
        text: a number and a unit
        dimension: of `units.TABLE`
        name: of the argument

    None where the unit is not of `dimension`, or is not known.
    """
    number, theirs = split(text)
    factor = _factor(theirs, dimension)
    if "K" in TABLE[dimension] and _plain(theirs) in map(_plain, _CELSIUS):
        return None if number is None else written(number + _ZERO_CELSIUS, "K")
    if number is None or factor is None:
        return None
    units = reversed(TABLE[dimension].items())
    known = {of: one for one, of in units if one not in _DOUBTFUL}
    if factor in known:  # the number may stay
        return written(number, known[factor])
    unit = unit_of(dimension, name)
    return written(number * factor / TABLE[dimension][unit], unit)


def advice(text: str, dimension: str, name: str = "") -> str:
    """Advice on a text that is no number with a unit of `dimension`."""
    same = converted(text, dimension, name)
    if same is not None:
        return f'Write "{same}"'
    number, unit = split(text)
    if number is not None and not unit:
        only = f'Write "{text.strip()} {unit_of(dimension)}"'
        return only if len(TABLE[dimension]) == 1 else "Add the unit"
    one = len(TABLE[dimension]) == 1
    return f"Give it in {unit_of(dimension)}" if one else "Give it in one of these units"


def _number_in(text: str, dimension: str, unit: str) -> float | None:
    """A number with a unit as one in another unit of that dimension."""
    number, theirs = split(text)
    if number is not None and unit == "K" and _plain(theirs) in map(_plain, _CELSIUS):
        return number + _ZERO_CELSIUS
    factor = _factor(theirs, dimension)
    return None if number is None or factor is None else number * factor / TABLE[dimension][unit]


def split(text: str) -> tuple[float | None, str]:
    """Number and unit of a text; None for what is no number, "" without a unit."""
    found = _TEXT.match(text)
    try:
        return (None, "") if found is None else (real(found[1]), found[2] or "")
    except ValueError:
        return None, ""


def _factor(unit: str, dimension: str) -> float | None:
    """A unit in terms of the engine's unit; None for an unknown one."""
    spelled = SPELLED[dimension]
    for form in (unit, _with_slashes(unit)):
        for known in (TABLE[dimension], OTHERS[dimension]):
            if form in known:
                return known[form]
        if _plain(form) in spelled:
            return spelled[_plain(form)]
    return None


def _plain(unit: str) -> str:
    """A unit without capitals, blanks and the s of a plural."""
    short = "".join(unit.split()).lower()
    return short[:-1] if len(short) > 3 and short.endswith("s") else short


def _with_slashes(unit: str) -> str:
    """kJ mol^-1 nm^-1 and kJ/(mol nm) as kJ/mol/nm, bar^-1 as 1/bar."""
    spaced = unit.replace("·", " ").replace("*", " ").replace("⁻¹", "^-1").replace("**-1", "^-1")
    inner = re.fullmatch(r"(\S+)\s*/\s*\(([^()]*)\)", spaced)
    if inner:
        return "/".join([inner[1], *inner[2].split()])
    parts = [part.strip() for part in spaced.split("/")]
    above: list[str] = []
    below: list[str] = parts[1:]
    for word in parts[0].split():
        (below if word.endswith("^-1") else above).append(word.removesuffix("^-1"))
    return "/".join([*(above or ["1"]), *below]) if len(above) < 2 else unit
