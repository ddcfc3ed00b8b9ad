# SPDX-License-Identifier: Apache-2.0
"""Custom bonds, angles and torsions of OpenMM, whose energies are texts, as terms.

An energy is taken over if its values are those of a term of ours, whatever its text. Otherwise the
error quotes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from aureole.base.errors import bad_input
from aureole.base.units import COULOMB

from . import openmm_fits as fits
from .openmm_bonded import kind_of_bond
from .openmm_expression import Expression, NotUnderstood
from .openmm_fits import EXACT, Array
from .openmm_terms import ANGLE, BOND, DIHEDRAL, Conversion, Links, title

#: Error by too few digits of pi in the text of a torsion, in parts of its largest energy.
_DIGITS_OF_PI = 1e-4
#: Where energies are looked at; fits are made at the first three.
_OF_BONDS = fits.numbers(0.2, 0.45, 0.9, *np.geomspace(0.01, 100.0, 93))
_OF_PAIRS = fits.numbers(0.2, 0.45, 0.9, *np.geomspace(0.08, 100.0, 93))
_OF_ANGLES = fits.numbers(0.6, 1.7, 2.6, *np.linspace(0.01, 3.13, 51))
_OF_TORSIONS = fits.numbers(-1.9, 0.1, 1.8, *fits.angles())


def expression_of(force: Any, functions: Mapping[str, int] | None = None) -> Expression:
    """The energy of a custom force."""
    try:
        return Expression(force.getEnergyFunction(), functions)
    except NotUnderstood as why:
        raise other_energy(force, str(why)) from None


def other_energy(
    force: Any, why: str, advice: str = "Remove it from the system, or use another engine"
) -> Exception:
    """The error for a custom force with an energy that has no counterpart."""
    return bad_input(
        f"{title(force)} with the energy {force.getEnergyFunction()!r} is not supported",
        why,
        advice,
    )


def globals_of(force: Any) -> dict[str, float]:
    """The parameters that all terms share; a Context begins with these values."""
    return {
        force.getGlobalParameterName(k): force.getGlobalParameterDefaultValue(k)
        for k in range(force.getNumGlobalParameters())
    }


def columns(names: Sequence[str], rows: Sequence[Any]) -> dict[str, Any]:
    """Parameters of terms by their names, (n,) each; without terms those of an example."""
    rows = rows if len(rows) else [range(1, len(names) + 1)]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return dict(zip(names, table.T, strict=True))


class _Custom:
    """The terms of a custom force. Those alike share a row of parameters.

    Args:
        what: "Bond", as methods of OpenMM call a term
        variable: of the energy
        links: see `Conversion.terms`
        points: values of the variable where the energy is looked at

    Attributes:
        particles: of each term, those of the system
        off: rows without an energy
        there: terms of the other rows
    """

    def __init__(
        self, to: Conversion, force: Any, what: str, variable: str, links: Links, points: Array
    ) -> None:
        self.to = to
        self.force = force
        self._what = what
        self._variable = variable
        self._expression = expression_of(force)
        self._terms = to.terms_of(what.lower(), force, links)
        names = [
            getattr(force, f"getPer{what}ParameterName")(k)
            for k in range(getattr(force, f"getNumPer{what}Parameters")())
        ]
        self.particles: list[Sequence[int]] = []
        rows: list[Any] = []
        for k in range(getattr(force, f"getNum{what}s")()):
            *particles, values = getattr(force, f"get{what}Parameters")(k)
            self.particles.append(self._terms.known(k, particles))
            rows.append(values)
        table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
        used, row = np.unique(table, axis=0, return_inverse=True)
        self._row = row.reshape(-1).tolist()
        self._values = globals_of(force) | columns(names, used)
        self._rows = max(len(used), 1)
        missing = self._expression.names - {variable, *self._values}
        if missing:
            raise other_energy(force, f"{min(missing)} is no parameter", "Correct it")
        self.off = (self.energies(points) == 0).all(axis=0)
        self.there = [k for k, r in enumerate(self._row) if not self.off[r]]

    def energies(self, points: Array) -> Array:
        """(p, rows) at values of the variable."""
        given = dict(self._values) | {self._variable: points[:, None]}
        return np.broadcast_to(self._expression(given), (len(points), self._rows))

    def accept(self, fit: fits.Fit, allowed: float = EXACT) -> bool:
        """Whether a fit holds for all rows that have an energy."""
        return bool((self.off | (fit.off <= allowed)).all())

    def add(self, kind: str | Callable[[Sequence[int]], str], values: Array) -> None:
        """Take the terms over; of a kind, or of one by their particles.

        Args:
            values: (rows, parameters) of our terms; those of rows without any are left out
        """
        wanted = values.any(axis=1)
        for k in self.there:
            if wanted[self._row[k]]:
                particles = self.particles[k]
                self._terms.add(k, particles)
                name = kind if isinstance(kind, str) else kind(particles)
                self.to.sheet.add(name, particles, values[self._row[k]].astype(np.float64))


def _bonds(to: Conversion, force: Any) -> None:
    custom = _Custom(to, force, "Bond", "r", BOND, _OF_BONDS)
    spring = fits.harmonic(custom.energies, _OF_BONDS)
    if custom.accept(spring):
        custom.add(lambda pair: kind_of_bond(to, pair), spring.values)
        return
    pair = fits.lennard_jones(custom.energies, _OF_PAIRS)
    if custom.accept(pair, 1e-10):
        custom.add("pair", pair.values / [1.0, 1.0, COULOMB])
        return
    raise other_energy(
        force, "bonds may be harmonic, or have the energy of a Lennard-Jones and Coulomb pair"
    )


def _angles(to: Conversion, force: Any) -> None:
    custom = _Custom(to, force, "Angle", "theta", ANGLE, _OF_ANGLES)
    plain = fits.harmonic(custom.energies, _OF_ANGLES)
    if custom.accept(plain):
        custom.add("harmonic_angle", plain.values)
        return
    found = fits.harmonic(lambda c: custom.energies(np.arccos(c)), np.cos(_OF_ANGLES))
    cosine = np.where(custom.off, 0, found.values[:, 0])
    if custom.accept(found) and (np.abs(cosine) <= 1 + EXACT).all():
        theta0 = np.arccos(np.clip(cosine, -1, 1))
        custom.add("g96_angle", np.stack([theta0, found.values[:, 1]], axis=1))
        return
    raise other_energy(force, "angles may be harmonic, of the angle or of its cosine")


def _torsions(to: Conversion, force: Any) -> None:
    custom = _Custom(to, force, "Torsion", "theta", DIHEDRAL, _OF_TORSIONS)
    plain = fits.harmonic(custom.energies, _OF_TORSIONS)
    wrapped = fits.wrapped_harmonic(custom.energies)
    if custom.accept(wrapped):
        custom.add("harmonic_improper", wrapped.values)
    elif custom.accept(plain):
        _tell_of_jumps(custom)
        custom.add("unwrapped_dihedral", plain.values)
    elif _taken_as_cosines(custom):
        pass
    elif custom.accept(wrapped, _DIGITS_OF_PI):
        _tell_of_digits(custom, wrapped)
        custom.add("harmonic_improper", wrapped.values)
    else:
        why = "torsions may be harmonic, or sums of cosines of multiples of theta"
        raise other_energy(force, why)


def _tell_of_jumps(custom: _Custom) -> None:
    count = len(custom.there)
    custom.to.sheet.notes.append(
        f"the energy of {count} torsion{'s' * (count != 1)} of {title(custom.force)} jumps where "
        "theta passes 180 degrees, as in OpenMM; that of min(dtheta, 2*pi-dtheta)^2; "
        "dtheta = abs(theta-theta0) does not"
    )


def _tell_of_digits(custom: _Custom, fit: fits.Fit) -> None:
    size = np.abs(custom.energies(fits.angles())).max(axis=0)
    off = 1.06 * float((fit.off * size)[~custom.off].max())  # not less when it is rounded
    custom.to.sheet.notes.append(
        f"the energy of {title(custom.force)} has few digits of pi; with all of them, each torsion "
        f"differs from OpenMM's by up to {off:.2g} kJ/mol"
    )


def _taken_as_cosines(custom: _Custom) -> bool:
    """Take torsions over whose energy is Σ kₘ (1 + cos(m φ − φₘ)) and a constant."""
    fit = fits.cosines(custom.energies)
    if not custom.accept(fit):
        return False
    a, b = fit.values
    size, phase = np.hypot(a, b), np.arctan2(b, a)
    # The constant is that of a term of order 0, of which the energy is 2 k.
    size[0] = (a[0] - size[1:].sum(axis=0)) / 2
    phase[0] = 0
    total = np.abs(size).sum(axis=0)
    for m, (k, phi) in enumerate(zip(size, phase, strict=True)):
        values = np.stack([phi, k, np.full_like(k, m)], axis=1)
        values[np.abs(k) <= EXACT * total] = 0
        custom.add("periodic_dihedral", values)
    return True


CUSTOM: dict[str, Callable[[Conversion, Any], None]] = {
    "CustomBondForce": _bonds,
    "CustomAngleForce": _angles,
    "CustomTorsionForce": _torsions,
}
