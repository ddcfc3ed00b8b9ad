# SPDX-License-Identifier: Apache-2.0
"""Bonded forces of OpenMM as terms. Those with an energy as text are in `openmm_custom`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from aureole.base.arrays import frozen
from aureole.base.errors import bad_input

from .openmm_terms import ANGLE, BOND, DIHEDRAL, TWO_DIHEDRALS, Conversion, title
from .units import plain


def kind_of_bond(to: Conversion, particles: Sequence[int]) -> str:
    """Bonds of the topology; what is no bond there is held by a spring and stays one."""
    bonded = frozenset(particles) in to.bonded
    return "harmonic_bond" if bonded else "harmonic_restraint"


def _bonds(to: Conversion, force: Any) -> None:
    terms = to.terms_of("bond", force, BOND)
    for k in range(force.getNumBonds()):
        *pair, length, strength = force.getBondParameters(k)
        particles = terms.known(k, pair)
        _check(f"bond {k} of {title(force)}", "length", plain(length), 0.0, math.inf)
        if plain(strength):
            terms.add(k, particles)
            to.sheet.add(kind_of_bond(to, particles), particles, (plain(length), plain(strength)))


def _angles(to: Conversion, force: Any) -> None:
    terms = to.terms_of("angle", force, ANGLE)
    for k in range(force.getNumAngles()):
        *three, angle, strength = force.getAngleParameters(k)
        particles = terms.known(k, three)
        # OpenMM allows for rounding of degrees by as much
        _check(f"angle {k} of {title(force)}", "angle", plain(angle), 0.0, math.pi * (1 + 1e-6))
        if plain(strength):
            terms.add(k, particles)
            to.sheet.add("harmonic_angle", particles, (plain(angle), plain(strength)))


def _torsions(to: Conversion, force: Any) -> None:
    terms = to.terms_of("torsion", force, DIHEDRAL)
    for k in range(force.getNumTorsions()):
        *four, periodicity, phase, strength = force.getTorsionParameters(k)
        particles = terms.known(k, four)
        _check(f"torsion {k} of {title(force)}", "periodicity", periodicity, 1, math.inf)
        if plain(strength):
            terms.add(k, particles)
            values = plain(phase), plain(strength), float(periodicity)
            to.sheet.add("periodic_dihedral", particles, values)


def _ryckaert(to: Conversion, force: Any) -> None:
    terms = to.terms_of("torsion", force, DIHEDRAL)
    for k in range(force.getNumTorsions()):
        found = force.getTorsionParameters(k)
        particles = terms.known(k, found[:4])
        values = [plain(value) for value in found[4:]]
        if any(values):
            terms.add(k, particles)
            to.sheet.add("ryckaert_bellemans", particles, values)


def _cmaps(to: Conversion, force: Any) -> None:
    sheet = to.sheet
    first = len(sheet.cmaps)
    sheet.periodic_splines = True
    for k in range(force.getNumMaps()):
        size, energies = force.getMapParameters(k)
        if size % 2 or size < 2:
            raise bad_input(
                f"map {k} of {title(force)} has {size} grid points per axis",
                "maps start at 0 in OpenMM and at -180 degrees here, which is not a grid point",
                "Use a map with an even number of points",
            )
        # The first angle is the fast index there, the slow one here.
        grid = np.array([plain(value) for value in energies], dtype=np.float64)
        grid = np.roll(grid.reshape(size, size).T, (size // 2, size // 2), axis=(0, 1))
        sheet.cmaps.append(frozen(grid, shape=(size, size)))
    terms = to.terms_of("torsion", force, TWO_DIHEDRALS)
    for k in range(force.getNumTorsions()):
        number, *particles = force.getTorsionParameters(k)
        what = f"torsion {k} of {title(force)}"
        _check(what, "map", number, 0, force.getNumMaps() - 1)
        if particles[1:4] != particles[4:7]:
            raise bad_input(
                f"{what} has {len(set(particles))} different particles",
                "its two dihedrals must share three, as in a protein backbone",
                "Remove it",
            )
        five = terms.known(k, (*particles[:4], particles[7]))
        terms.add(k, five)
        sheet.add("cmap", five, (float(first + number),))


def _check(what: str, name: str, value: float, low: float, high: float) -> None:
    """Refuse what OpenMM refuses when a Context is made."""
    if not low <= value <= high:
        allowed = f"{low:g} to {high:.6g}" if high < math.inf else f"at least {low:g}"
        raise bad_input(
            f"{what} has the {name} {value:g}", f"it must be {allowed}, as in OpenMM", "Correct it"
        )


BONDED: dict[str, Callable[[Conversion, Any], None]] = {
    "HarmonicBondForce": _bonds,
    "HarmonicAngleForce": _angles,
    "PeriodicTorsionForce": _torsions,
    "RBTorsionForce": _ryckaert,
    "CMAPTorsionForce": _cmaps,
}
