# SPDX-License-Identifier: Apache-2.0
"""The directives of GROMACS topologies and the functions that they choose from, as tables.

Numbers of functions and of their parameters are those of the reference manual of GROMACS,
section "Topology file".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .preprocessor import Line

#: What each directive needs to come before it: any one of those named.
ORDER: dict[str, tuple[str, ...]] = {
    "defaults": (),
    "atomtypes": ("defaults",),
    **dict.fromkeys(
        (
            "bondtypes",
            "constrainttypes",
            "pairtypes",
            "angletypes",
            "dihedraltypes",
            "nonbond_params",
            "implicit_genborn_params",
            "implicit_surface_params",
            "cmaptypes",
            "moleculetype",
        ),
        ("atomtypes",),
    ),
    "atoms": ("moleculetype",),
    **dict.fromkeys(
        (
            "virtual_sites1",
            "virtual_sites2",
            "virtual_sites3",
            "virtual_sites4",
            "virtual_sitesn",
            "bonds",
            "pairs",
            "pairs_nb",
            "angles",
            "dihedrals",
            "constraints",
            "settles",
            "polarization",
            "water_polarization",
            "thole_polarization",
            "position_restraints",
            "angle_restraints",
            "angle_restraints_z",
            "distance_restraints",
            "orientation_restraints",
            "dihedral_restraints",
            "cmap",
        ),
        ("atoms",),
    ),
    "exclusions": ("bonds", "constraints", "settles"),
    "system": ("moleculetype",),
    "molecules": ("system",),
    "intermolecular_interactions": ("molecules",),
}

#: Directives that describe the force field; none comes after the first molecule type.
FIELD = frozenset(list(ORDER)[: list(ORDER).index("moleculetype")])

#: Directives whose lines are left out, with what they were for.
IGNORED = {
    "implicit_genborn_params": "implicit solvent",
    "implicit_surface_params": "implicit solvent",
}

_SHELLS = "polarisation by shells; use a force field with fixed charges"

#: Directives of molecules that cannot be used: what they are for; the nearest thing.
REFUSED = {
    "polarization": _SHELLS,
    "water_polarization": _SHELLS,
    "thole_polarization": _SHELLS,
    "distance_restraints": "distance restraints; bonds of function 6 hold a distance",
    "orientation_restraints": "orientation restraints; leave them out",
}

#: What a directive may also be called (without case, dashes and underscores).
_NAMES = {name.replace("_", ""): name for name in ORDER}
_NAMES |= {f"dummies{k}": f"virtual_sites{k}" for k in "1234n"}


def directive(name: str) -> str | None:
    """The directive that a file calls `name`."""
    return _NAMES.get(name.strip().lower().replace("-", "").replace("_", ""))


@dataclass(frozen=True)
class Function:
    """One choice of a directive.

    Args:
        term: its kind in `topology.TERMS`; "" for none
        given: number of parameters
        again: how many may follow for a second state (free energy), which is not used
        chemical: is it a bond that exclusions are counted along?
        degrees: columns that the file gives in degrees
        refusal: if it cannot be used what it is, and after ; the nearest thing
    """

    term: str = ""
    given: int = 0
    again: int = 0
    chemical: bool = False
    degrees: tuple[int, ...] = ()
    refusal: str = ""


def _no(refusal: str) -> Function:
    return Function(refusal=refusal)


_FIT = "fit it by function"


#: Phase, force constant and multiplicity.
_PERIODIC = Function("periodic_dihedral", 3, 3, degrees=(0,))
_ANGLE_RESTRAINT = Function("angle_restraint", 3, 3, degrees=(0,))
_ANGLE_RESTRAINT_Z = Function("angle_restraint_z", 3, 3, degrees=(0,))

FUNCTIONS: dict[str, dict[int, Function]] = {
    "bonds": {
        1: Function("harmonic_bond", 2, 2, chemical=True),
        2: Function("g96_bond", 2, 2, chemical=True),
        3: Function("morse_bond", 3, 3, chemical=True),
        4: Function("cubic_bond", 3, chemical=True),
        5: Function(chemical=True),
        6: Function("harmonic_restraint", 2, 2),
        7: Function("fene_bond", 2, chemical=True),
        8: _no(f"tabulated bond; {_FIT} 1, 2, 3 or 4"),
        9: _no(f"tabulated bond; {_FIT} 6"),
        10: Function("range_restraint", 4, 4),
    },
    "pairs": {1: Function("pair", 2, 2), 2: Function("pair", 5)},
    "pairs_nb": {1: Function("pair", 4)},
    "angles": {
        1: Function("harmonic_angle", 2, 2, degrees=(0,)),
        2: Function("g96_angle", 2, 2, degrees=(0,)),
        3: Function("cross_bonds", 3),
        4: Function("cross_bond_angle", 4),
        5: Function("urey_bradley", 4, 4, degrees=(0,)),
        6: Function("quartic_angle", 6, degrees=(0,)),
        8: _no(f"tabulated angle; {_FIT} 1, 2, 5 or 10"),
        9: _no("linear angle; use function 1 with 180 degrees, or 2"),
        10: Function("restricted_angle", 2, 2, degrees=(0,)),
    },
    "dihedrals": {
        1: _PERIODIC,
        2: Function("harmonic_improper", 2, 2, degrees=(0,)),
        3: Function("ryckaert_bellemans", 6, 6),
        4: _PERIODIC,
        5: Function("ryckaert_bellemans", 4, 4),
        8: _no(f"tabulated dihedral; {_FIT} 3 or 9"),
        9: _PERIODIC,
        10: Function("restricted_dihedral", 2, 2, degrees=(0,)),
        11: Function("bending_torsion", 6, 6),
    },
    "constraints": {
        1: Function("constraint", 1, 1, chemical=True),
        2: Function("constraint", 1, 1),
    },
    "settles": {1: Function("settle", 2, chemical=True)},
    "position_restraints": {
        1: Function("position_restraint", 3, 3),
        2: Function("flat_bottom_restraint", 3),
    },
    "dihedral_restraints": {1: Function("dihedral_restraint", 3, 3, degrees=(0, 1))},
    "angle_restraints": {1: _ANGLE_RESTRAINT},
    "angle_restraints_z": {1: _ANGLE_RESTRAINT_Z},
    "cmap": {1: Function("cmap")},
    "virtual_sites1": {1: Function("vsite1")},
    "virtual_sites2": {1: Function("vsite2", 1), 2: Function("vsite2fd", 1)},
    "virtual_sites3": {
        1: Function("vsite3", 2),
        2: Function("vsite3fd", 2),
        3: Function("vsite3fad", 2, degrees=(0,)),
        4: Function("vsite3out", 3),
    },
    "virtual_sites4": {
        1: _no("virtual site of four particles, the old one (4fd); use function 2 (4fdn)"),
        2: Function("vsite4fdn", 3),
    },
}

#: How many particles a line names; a settle only the first of its three.
PARTICLES = {
    "bonds": 2,
    "pairs": 2,
    "pairs_nb": 2,
    "angles": 3,
    "dihedrals": 4,
    "constraints": 2,
    "settles": 1,
    "position_restraints": 1,
    "dihedral_restraints": 4,
    "angle_restraints": 4,
    "angle_restraints_z": 2,
    "cmap": 5,
    "virtual_sites1": 2,
    "virtual_sites2": 3,
    "virtual_sites3": 4,
    "virtual_sites4": 5,
}

#: Which directive the parameters of a directive of the force field are for.
TYPES_OF = {
    "bondtypes": "bonds",
    "constrainttypes": "constraints",
    "pairtypes": "pairs",
    "angletypes": "angles",
    "dihedraltypes": "dihedrals",
}

#: What an error calls an entry of a directive.
WORDS = {
    "bonds": "bond",
    "pairs": "pair",
    "pairs_nb": "pair",
    "angles": "angle",
    "dihedrals": "dihedral",
    "constraints": "constraint",
    "settles": "settle",
    "position_restraints": "position restraint",
    "dihedral_restraints": "dihedral restraint",
    "angle_restraints": "angle restraint",
    "angle_restraints_z": "angle restraint",
    "cmap": "cmap",
} | dict.fromkeys([f"virtual_sites{k}" for k in "1234n"], "virtual site")


def family(section: str, kind: int) -> tuple[str, int]:
    """The list of parameters that a function shares: dihedrals 1 and 9 have the same."""
    return (section, 1 if (section, kind) == ("dihedrals", 9) else kind)


def function(section: str, kind: int, line: Line) -> Function:
    """The function of this number; an error if the directive has none such."""
    known = FUNCTIONS[section]
    if kind not in known:
        raise line.bad(
            f"function {kind} of [ {section} ] is unknown",
            f"known: {', '.join(str(k) for k in known)}",
            "Correct the number",
        )
    return known[kind]


#: What the numbers of some terms have to be, and that in words.
_NEEDED: dict[str, tuple[Callable[[Sequence[float]], bool], str]] = {
    "fene_bond": (lambda v: v[0] > 0, "the first, which it never reaches, must be positive"),
    "range_restraint": (lambda v: v[0] <= v[1] <= v[2], "the first three must not decrease"),
    "dihedral_restraint": (lambda v: v[1] >= 0, "the second, a width, must not be negative"),
    "flat_bottom_restraint": (
        lambda v: v[0] in range(1, 9),
        "the first, the geometry, must be a whole number from 1 to 8",
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
    if chosen in (_PERIODIC, _ANGLE_RESTRAINT, _ANGLE_RESTRAINT_Z):
        if abs(values[2] - round(values[2])) > 1e-5:
            what = f"the multiplicity of this {WORDS[section]} is {values[2]:g}"
            raise line.bad(what, "it counts maxima", "Round it")
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
