# SPDX-License-Identifier: Apache-2.0
"""Units: what the numbers of a system mean, and numbers that are given with a unit.

A system has one of two systems of units. In reduced units every number is in whatever unit of
length, energy and mass the parameters are given in, and temperatures are energies. In molecular
units lengths are in nm, times in ps, masses in u, energies in kJ/mol, charges in e, temperatures in
K and pressures in bar. Specs take numbers in these units, or text such as "1.2 nm" or "2 fs".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import bad_input
from .parse import real
from .unit_advice import advice
from .unit_table import BOLTZMANN, TABLE

BAR = 16.6053906717384  # bar in one kJ/mol/nm^3
DENSITY = 1.66053906717384  # kg/m^3 in one u/nm^3
FARADAY = 96.48533212331  # kJ/mol in e V
COULOMB = 138.93545764438196  # e^2 N_A / (4 pi eps0) [kJ mol^-1 nm], CODATA 2018

_TEXT = re.compile(r"\s*([-+0-9.eE]+)\s*(\S+)\s*\Z")


@dataclass(frozen=True)
class Units:
    """One of the two systems of units.

    Args:
        name: "reduced" or "molecular"
        boltzmann: energy of one unit of temperature
        pressure: what energy/length^3 is in the unit of pressure
        density: what mass/length^3 is in the unit of density
        charge: force on a unit charge in a unit field [energy/length]
        coulomb: energy × length of two unit charges
        symbols: of the units, by dimension
    """

    name: str
    boltzmann: float = 1.0
    pressure: float = 1.0
    density: float = 1.0
    charge: float = 1.0
    coulomb: float = 1.0
    symbols: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def physical(self) -> bool:
        """Whether a unit such as ps means something."""
        return bool(self.symbols)

    def symbol(self, dimension: str) -> str:
        """The unit of a dimension; "" in reduced units."""
        return self.symbols.get(dimension, "")

    def density_of(self, n: int, mass: float, volume: float) -> float:
        """Density of mass [kg/m^3]; in reduced units that of particles [1/length^3]."""
        return (mass * self.density if self.physical else n) / volume


REDUCED = Units("reduced")
MOLECULAR = Units(
    "molecular",
    boltzmann=BOLTZMANN,
    pressure=BAR,
    density=DENSITY,
    charge=FARADAY,
    coulomb=COULOMB,
    symbols={
        "length": "nm",
        "time": "ps",
        "energy": "kJ/mol",
        "temperature": "K",
        "pressure": "bar",
        "density": "kg/m^3",
        "volume": "nm^3",
        "mass": "u",
        "charge": "e",
    },
)
BY_NAME = {units.name: units for units in (REDUCED, MOLECULAR)}


class Measured(float):
    """A number given with a unit: a float in molecular units that remembers its words."""

    text: str
    dimension: str

    def __new__(cls, text: str, dimension: str, name: str = "value") -> Measured:
        found = _TEXT.match(text)
        known = TABLE[dimension]
        try:
            value = real(found[1]) * known[found[2]] if found else None
        except (ValueError, KeyError):
            value = None
        if value is None:
            raise bad_input(
                f"{name} is {text!r}",
                f"a number and a unit of {dimension} are needed: {', '.join(known)}",
                advice(text, dimension, name),
            )
        if value == 0.0 and found and re.match(r"[-+0.]*[1-9]", found[1]):
            raise bad_input(
                f"{name} is {text!r}",
                "it is too small to be told from 0",
                "Give 0, or a larger number",
            )
        self = super().__new__(cls, value)
        self.text, self.dimension = " ".join(text.split()), dimension
        return self

    def __repr__(self) -> str:
        return repr(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Measured, (self.text, self.dimension))


def measured_in(value: Any) -> Iterator[Measured]:
    """All numbers with a unit in a value, in mappings, lists and specs of it."""
    if isinstance(value, Measured):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from measured_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from measured_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from measured_in(getattr(value, name, None))


def check(spec: Any, units: Units) -> None:
    """Refuse numbers with a unit where a system has reduced ones."""
    if units.physical:
        return
    for value in measured_in(spec):
        if value.dimension == "radian":  # the same in all units
            continue
        raise bad_input(
            f"{type(spec).__name__} has the number {value.text!r}",
            "the system has reduced units, and so no physical units",
            'Give plain numbers, or make the system with units="molecular"',
        )
