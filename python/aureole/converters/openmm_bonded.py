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

#: Angles of lowest energy up to this, as OpenMM takes them: degrees may be rounded.
_HALF_TURN = math.pi * (1 + 1e-6)


def kind_of_bond(to: Conversion, particles: Sequence[int]) -> str:
    """Bonds of the topology; what is no bond there is held by a spring and stays one."""
    bonded = frozenset(particles) in to.bonded
    return "harmonic_bond" if bonded else "harmonic_restraint"


def _bonds(to: Conversion, force: Any) -> None:
    terms = to.terms_of("bond", force, BOND)
    for k in range(force.getNumBonds()):
        i, j, *rest = force.getBondParameters(k)
        particles = terms.known(k, (i, j))
        length, strength = map(plain, rest)
        terms.check(k, "length", length, 0.0, math.inf)
        if strength:
            terms.add(k, particles)
            to.sheet.add(kind_of_bond(to, particles), particles, (length, strength))


def _angles(to: Conversion, force: Any) -> None:
    terms = to.terms_of("angle", force, ANGLE)
    for k in range(force.getNumAngles()):
        *three, angle, strength = force.getAngleParameters(k)
        particles = terms.known(k, three)
        values = plain(angle), plain(strength)
        terms.check(k, "angle", values[0], 0.0, _HALF_TURN)
        if values[1]:
            terms.add(k, particles)
            to.sheet.add("harmonic_angle", particles, values)


def _torsions(to: Conversion, force: Any) -> None:
    terms = to.terms_of("torsion", force, DIHEDRAL)
    for k in range(force.getNumTorsions()):
        *four, periodicity, phase, strength = force.getTorsionParameters(k)
        particles = terms.known(k, four)
        terms.check(k, "periodicity", periodicity, 1, math.inf)
        values = plain(phase), plain(strength), float(periodicity)
        if values[1]:
            terms.add(k, particles)
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
        terms.check(k, "map", number, 0, force.getNumMaps() - 1)
        if particles[1:4] != particles[4:7]:
            raise bad_input(
                f"torsion {k} of {title(force)} has {len(set(particles))} different particles",
                "its two dihedrals must share three, as in a protein backbone",
                "Remove it",
            )
        five = terms.known(k, (*particles[:4], particles[7]))
        terms.add(k, five)
        sheet.add("cmap", five, (float(first + number),))


BONDED: dict[str, Callable[[Conversion, Any], None]] = {
    "HarmonicBondForce": _bonds,
    "HarmonicAngleForce": _angles,
    "PeriodicTorsionForce": _torsions,
    "RBTorsionForce": _ryckaert,
    "CMAPTorsionForce": _cmaps,
}
