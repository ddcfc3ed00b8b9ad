# SPDX-License-Identifier: Apache-2.0
"""Bonded forces of OpenMM as terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from aureole.base.arrays import frozen
from aureole.base.errors import bad_input
from aureole.system.flat_topology import Sheet

from .units import plain

_NUMBER = r"[0-9]+\.?[0-9]*(?:e[+-]?[0-9]+)?"


def _bonds(sheet: Sheet, force: Any) -> None:
    """Bonds of the topology; what is no bond there is held by a spring and stays one."""
    bonded = {frozenset(pair) for pair in sheet.bonds}
    for k in range(force.getNumBonds()):
        i, j, length, strength = force.getBondParameters(k)
        kind = "harmonic_bond" if frozenset((i, j)) in bonded else "harmonic_restraint"
        if plain(strength):
            sheet.add(kind, (i, j), (plain(length), plain(strength)))


def _angles(sheet: Sheet, force: Any) -> None:
    for k in range(force.getNumAngles()):
        *particles, angle, strength = force.getAngleParameters(k)
        if plain(strength):
            sheet.add("harmonic_angle", particles, (plain(angle), plain(strength)))


def _torsions(sheet: Sheet, force: Any) -> None:
    for k in range(force.getNumTorsions()):
        *particles, periodicity, phase, strength = force.getTorsionParameters(k)
        if plain(strength):
            values = plain(phase), plain(strength), float(periodicity)
            sheet.add("periodic_dihedral", particles, values)


def _ryckaert(sheet: Sheet, force: Any) -> None:
    for k in range(force.getNumTorsions()):
        found = force.getTorsionParameters(k)
        values = [plain(value) for value in found[4:]]
        if any(values):
            sheet.add("ryckaert_bellemans", found[:4], values)


def _cmaps(sheet: Sheet, force: Any) -> None:
    first = len(sheet.cmaps)
    for k in range(force.getNumMaps()):
        size, energies = force.getMapParameters(k)
        if size % 2:
            raise bad_input(
                f"a correction map of CMAPTorsionForce has {size} grid points per axis",
                "maps start at 0 in OpenMM and at -180 degrees here, which is not a grid point",
                "Use a map with an even number of points",
            )
        # The first angle is the fast index there, the slow one here.
        grid = np.array([plain(value) for value in energies], dtype=np.float64)
        grid = np.roll(grid.reshape(size, size).T, (size // 2, size // 2), axis=(0, 1))
        sheet.cmaps.append(frozen(grid, shape=(size, size)))
    for k in range(force.getNumTorsions()):
        number, *particles = force.getTorsionParameters(k)
        if particles[1:4] != particles[4:7]:
            raise bad_input(
                f"torsion {k} of CMAPTorsionForce has {len(set(particles))} different particles",
                "its two dihedrals must share three, as in a protein backbone",
                "Remove it",
            )
        sheet.add("cmap", (*particles[:4], particles[7]), (float(first + number),))


def energy_of(force: Any) -> str:
    """The energy that a custom force writes, without blanks."""
    return re.sub(r"\s+", "", force.getEnergyFunction()).rstrip(";")


def title(force: Any) -> str:
    """What errors call a force."""
    kind, name = type(force).__name__, force.getName()
    return kind if name == kind else f"{kind} ({name})"


def other_energy(
    force: Any, why: str, advice: str = "Remove it from the system, or use another engine"
) -> Exception:
    """The error for a custom force with an energy that has no counterpart."""
    return bad_input(
        f"{title(force)} with the energy {force.getEnergyFunction()!r} is not supported",
        why,
        advice,
    )


def _custom(
    force: Any, what: str, form: re.Pattern[str], names: set[str], known: str
) -> tuple[re.Match[str], Iterator[tuple[list[int], dict[str, float]]]]:
    """How the energy fits its form; and the particles and parameters of the terms.

    Args:
        force: a custom force
        what: "Bond" or "Torsion", as OpenMM's methods name its terms
        form: of the energy
        names: of all parameters of a term
        known: the form in words
    """
    found = form.fullmatch(energy_of(force))
    count = getattr(force, f"getNumPer{what}Parameters")()
    given = [getattr(force, f"getPer{what}ParameterName")(k) for k in range(count)]
    if found is None or set(given) != names:
        raise other_energy(force, f"only {known} is supported")
    terms = map(getattr(force, f"get{what}Parameters"), range(getattr(force, f"getNum{what}s")()))
    return found, ((one, dict(zip(given, values, strict=True))) for *one, values in terms)


#: Harmonic impropers as force fields of CHARMM write them; the angle may be taken round.
_IMPROPER = re.compile(
    r"(?P<half>0\.5\*)?k\*"
    r"(?:\(theta-theta0\)\^2"
    r"|min\(dtheta,2\*pi-dtheta\)\^2;dtheta=abs\(theta-theta0\);pi=3\.1415\d*"
    r"|dtheta_torus\^2;.*)"
)


def _custom_torsions(sheet: Sheet, force: Any) -> None:
    known = "k*(theta-theta0)^2, a harmonic improper,"
    found, terms = _custom(force, "Torsion", _IMPROPER, {"k", "theta0"}, known)
    factor = 1.0 if found["half"] else 2.0
    for particles, value in terms:
        if value["k"]:
            sheet.add("harmonic_improper", particles, (value["theta0"], factor * value["k"]))


_LJ14 = re.compile(rf"(?P<factor>{_NUMBER})\*epsilon\*\(\(sigma/r\)\^12-\(sigma/r\)\^6\)")


def _custom_bonds(sheet: Sheet, force: Any) -> None:
    known = "4*epsilon*((sigma/r)^12-(sigma/r)^6) between listed pairs"
    found, terms = _custom(force, "Bond", _LJ14, {"epsilon", "sigma"}, known)
    for particles, value in terms:
        sixth = value["sigma"] ** 6
        c6 = float(found["factor"]) * value["epsilon"] * sixth
        if c6:
            sheet.add("pair", particles, (c6, c6 * sixth, 0.0))


BONDED: dict[str, Callable[[Sheet, Any], None]] = {
    "HarmonicBondForce": _bonds,
    "HarmonicAngleForce": _angles,
    "PeriodicTorsionForce": _torsions,
    "RBTorsionForce": _ryckaert,
    "CMAPTorsionForce": _cmaps,
    "CustomTorsionForce": _custom_torsions,
    "CustomBondForce": _custom_bonds,
}
