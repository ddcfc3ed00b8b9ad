# SPDX-License-Identifier: Apache-2.0
"""Bonded forces of OpenMM as terms."""

from __future__ import annotations

import re
from collections.abc import Callable
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
                f"a correction map of CMAPTorsionForce has {size} cells along a side",
                "maps begin at 0 in OpenMM and at -180 degrees here, which is no node of it",
                "Use a map of an even number",
            )
        # The first angle is the fast index there, the slow one here.
        grid = np.array([plain(value) for value in energies], dtype=np.float64)
        grid = np.roll(grid.reshape(size, size).T, (size // 2, size // 2), axis=(0, 1))
        sheet.cmaps.append(frozen(grid, shape=(size, size)))
    for k in range(force.getNumTorsions()):
        number, *particles = force.getTorsionParameters(k)
        if particles[1:4] != particles[4:7]:
            raise bad_input(
                f"torsion {k} of CMAPTorsionForce is of {len(set(particles))} particles",
                "its two angles must share three, as those of a backbone do",
                "Remove it",
            )
        sheet.add("cmap", (*particles[:4], particles[7]), (float(first + number),))


def _expression(force: Any) -> str:
    return re.sub(r"\s+", "", force.getEnergyFunction()).rstrip(";")


def _refused(force: Any, known: str) -> Exception:
    return bad_input(
        f"{type(force).__name__} ({force.getName()}) with the energy "
        f"{force.getEnergyFunction()!r} is not supported",
        f"only {known} is known",
        "Remove it from the system, or use another engine",
    )


#: Harmonic impropers as force fields of CHARMM write them; the angle may be taken round.
_IMPROPER = re.compile(
    r"(?P<half>0\.5\*)?k\*"
    r"(?:\(theta-theta0\)\^2"
    r"|min\(dtheta,2\*pi-dtheta\)\^2;dtheta=abs\(theta-theta0\);pi=3\.1415\d*"
    r"|dtheta_torus\^2;.*)"
)


def _custom_torsions(sheet: Sheet, force: Any) -> None:
    found = _IMPROPER.fullmatch(_expression(force))
    names = [force.getPerTorsionParameterName(k) for k in range(force.getNumPerTorsionParameters())]
    if found is None or sorted(names) != ["k", "theta0"]:
        raise _refused(force, "k*(theta-theta0)^2, a harmonic improper,")
    factor = 1.0 if found["half"] else 2.0
    for k in range(force.getNumTorsions()):
        *particles, values = force.getTorsionParameters(k)
        value = dict(zip(names, values, strict=True))
        if value["k"]:
            sheet.add("harmonic_improper", particles, (value["theta0"], factor * value["k"]))


_LJ14 = re.compile(rf"(?P<factor>{_NUMBER})\*epsilon\*\(\(sigma/r\)\^12-\(sigma/r\)\^6\)")


def _custom_bonds(sheet: Sheet, force: Any) -> None:
    found = _LJ14.fullmatch(_expression(force))
    names = [force.getPerBondParameterName(k) for k in range(force.getNumPerBondParameters())]
    if found is None or sorted(names) != ["epsilon", "sigma"]:
        raise _refused(force, "4*epsilon*((sigma/r)^12-(sigma/r)^6) between listed pairs")
    for k in range(force.getNumBonds()):
        *particles, values = force.getBondParameters(k)
        value = dict(zip(names, values, strict=True))
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
