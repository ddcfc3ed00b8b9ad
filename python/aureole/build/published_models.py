# SPDX-License-Identifier: Apache-2.0
"""Published models of water, ions and ethanol.

Numbers stand as in the publications, in kcal/mol and Å where those use them; nm and kJ/mol follow.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .molecule_model import (
    GEOMETRIC,
    KCAL,
    LORENTZ_BERTHELOT,
    Kind,
    Model,
    attached,
    of_a_c,
    of_minimum,
)

O_MASS, H_MASS, C_MASS = 15.9994, 1.008, 12.011
WATERS = ("spce", "spc", "tip3p", "tip4p")
IONS = ("Na+", "Cl-")
NAMES = (*WATERS, "ethanol", *IONS)

_SPC_LJ = (0.37122, 0.3428)  # A [(kJ/mol)^1/6 nm], B [(kJ/mol)^1/12 nm] of −(A/r)⁶ + (B/r)¹²
_TETRAHEDRAL = 2 * math.degrees(math.atan(math.sqrt(2)))
_BERENDSEN = "Berendsen, Grigera, Straatsma, J. Phys. Chem. 91, 6269 (1987)"
_HERMANS = "Berendsen, Postma, van Gunsteren, Hermans, Intermolecular Forces, 331 (1981)"
_JORGENSEN = "Jorgensen, Chandrasekhar, Madura, Impey, Klein, J. Chem. Phys. 79, 926 (1983)"
_OPLS = "OPLS-AA: Jorgensen, Maxwell, Tirado-Rives, J. Am. Chem. Soc. 118, 11225 (1996)"
_CHEATHAM = "Joung, Cheatham, J. Phys. Chem. B 112, 9020 (2008)"
_CHANDRASEKHAR = "Chandrasekhar, Spellmeyer, Jorgensen, J. Am. Chem. Soc. 106, 903 (1984)"

WATER_VOLUME = 18.069  # cm³/mol, at 997.05 kg/m³
ETHANOL_VOLUME = 58.68  # cm³/mol, at 785.1 kg/m³
_SALT_VOLUME = 16.6  # cm³/mol, of NaCl in water at infinite dilution
#: Distance of oxygen and hydrogen [nm], their angle [degrees], charge of a hydrogen [e].
_SHAPES = {
    "spce": (0.1, _TETRAHEDRAL, 0.4238),
    "spc": (0.1, _TETRAHEDRAL, 0.41),
    "tip3p": (0.09572, 104.52, 0.417),
    "tip4p": (0.09572, 104.52, 0.52),
}
_SOURCES = {"spce": _BERENDSEN, "spc": _HERMANS, "tip3p": _JORGENSEN, "tip4p": _JORGENSEN}
_A_C = {"tip3p": (582e3, 595.0), "tip4p": (600e3, 610.0)}
_OM = 0.015  # nm, from the oxygen of TIP4P to its charge
#: Half the distance of the minimum [Å] and depth [kcal/mol], by water.
_CHEATHAM_IONS = {
    "spce": {"Na+": (1.212, 0.3526418), "Cl-": (2.711, 0.0127850)},
    "tip3p": {"Na+": (1.369, 0.0874393), "Cl-": (2.513, 0.0355910)},
}
_OPLS_IONS = {"Na+": (1.89744, 1.607), "Cl-": (4.41724, 0.11779)}  # sigma [Å], epsilon [kcal/mol]
_ION = {"Na+": ("NA", 11, 22.98977, 1.0), "Cl-": ("CL", 17, 35.453, -1.0)}
#: Waters that have ions of their own.
ION_WATERS = ("spce", "tip3p", "tip4p")


@cache
def water(name: str) -> Model:
    """A rigid water, one of `WATERS`; TIP4P with its charge on a virtual site."""
    length, angle, charge = _SHAPES[name]
    half = math.radians(angle / 2)
    across, down = length * math.sin(half), length * math.cos(half)
    if name in _A_C:
        sigma, epsilon = of_a_c(*_A_C[name])
    else:
        six, twelve = _SPC_LJ[0] ** 6, _SPC_LJ[1] ** 12
        sigma, epsilon = (twelve / six) ** (1 / 6), six * six / (4 * twelve)
    kinds = [Kind("OW", 8, O_MASS, sigma, epsilon), Kind("HW", 1, H_MASS, 0.0, 0.0)]
    names, types = ["OW", "HW1", "HW2"], ["OW", "HW", "HW"]
    charges, position = [-2 * charge, charge, charge], [[0, 0, 0], [across, down, 0]]
    position.append([-across, down, 0])
    text = f"[ settles ]\n1 1 {length:.9g} {2 * across:.9g}\n"
    if name == "tip4p":
        kinds.append(Kind("MW", 0, 0.0, 0.0, 0.0, site=True))
        names, types = [*names, "MW"], [*types, "MW"]
        charges, position = [0.0, charge, charge, -2 * charge], [*position, [0, _OM, 0]]
        share = _OM / (2 * down)
        text += f"[ virtual_sites3 ]\n4 1 2 3 1 {share:.12g} {share:.12g}\n"
    others = [[k for k in range(1, len(names) + 1) if k != i] for i in range(1, len(names) + 1)]
    text += "[ exclusions ]\n" + "".join(
        f"{i} {' '.join(map(str, row))}\n" for i, row in enumerate(others, 1)
    )
    return Model(
        *("SOL", f"{name.upper()}: {_SOURCES[name]}", tuple(kinds)),
        # One type attracts, so that rules do not matter.
        *(None, tuple(names), tuple(types), tuple(charges), text, 2),
        *(np.array(position, dtype=float), WATER_VOLUME),
    )


@cache
def ion(name: str, solvent: str) -> Model:
    """Na+ or Cl- with the parameters that were made for the water `solvent`."""
    short, number, mass, charge = _ION[name]
    if solvent in _CHEATHAM_IONS:
        sigma, epsilon = of_minimum(*_CHEATHAM_IONS[solvent][name])
        source, rule = _CHEATHAM, LORENTZ_BERTHELOT
    else:
        sigma, epsilon = _OPLS_IONS[name]
        sigma, epsilon = 0.1 * sigma, KCAL * epsilon
        source, rule = _CHANDRASEKHAR, GEOMETRIC
    kind = Kind(short, number, mass, sigma, epsilon)
    return Model(
        *(short, f"{name} for {solvent.upper()}: {source}", (kind,), rule),
        *((short,), (short,), (charge,), "", 1, np.zeros((1, 3)), _SALT_VOLUME / 2),
    )


_ETHANOL = (
    ("C1", "CT", -0.18),
    ("H11", "HC", 0.06),
    ("H12", "HC", 0.06),
    ("H13", "HC", 0.06),
    ("C2", "CT", 0.145),
    ("H21", "HC", 0.06),
    ("H22", "HC", 0.06),
    ("O", "OH", -0.683),
    ("HO", "HO", 0.418),
)


@cache
def ethanol() -> Model:
    """All-atom ethanol; nothing of it is rigid before run parameters ask for it."""
    names, types, charges = zip(*_ETHANOL, strict=True)
    kinds = (
        Kind("CT", 6, C_MASS, 0.35, KCAL * 0.066),
        Kind("HC", 1, H_MASS, 0.25, KCAL * 0.030),
        Kind("OH", 8, O_MASS, 0.312, KCAL * 0.170),
        Kind("HO", 1, H_MASS, 0.0, 0.0),
    )
    return Model(
        *("ETH", _OPLS, kinds, GEOMETRIC, names, types, charges, _ethanol_terms(), 3),
        *(_ethanol_position(), ETHANOL_VOLUME),
    )


def _ethanol_terms() -> str:
    """[ bonds ], [ pairs ], [ angles ] and [ dihedrals ], without comments."""
    lines = Path(__file__).with_name("ethanol.itp").read_text(encoding="utf-8").splitlines()
    kept = [line.partition(";")[0].rstrip() for line in lines]
    return "".join(f"{line}\n" for line in kept if line)


def _ethanol_position() -> NDArray[np.float64]:
    """(9, 3) with the hydroxyl group trans [nm]."""
    c1, c2 = np.zeros(3), np.array([0.1529, 0.0, 0.0])
    # The oxygen in the plane of x and y.
    o = attached(c2, c1, np.array([0.0, -1.0, 0.0]), 0.1410, 109.5, 180.0)
    methyl = [attached(c1, c2, o, 0.109, 110.7, turn) for turn in (60.0, 180.0, 300.0)]
    h2 = [attached(c2, c1, methyl[1], 0.109, 110.7, turn) for turn in (60.0, 300.0)]
    ho = attached(o, c2, c1, 0.0945, 108.5, 180.0)
    return np.array([c1, *methyl, c2, *h2, o, ho])


def model(name: str, solvent: str | None) -> Model:
    """One of `NAMES`; `solvent` is the water that an ion is in."""
    if name == "ethanol":
        return ethanol()
    if name in WATERS:
        return water(name)
    assert solvent is not None
    return ion(name, solvent)
