# SPDX-License-Identifier: Apache-2.0
"""Checks of each term of an OpenMM system: its particles must exist, and OpenMM must take the same
images of them as Aureole.

Terms of Aureole use nearest images. Terms of OpenMM do so where their force says that it uses
periodic boundary conditions, and otherwise use the positions as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.system.flat_topology import Sheet

Array = NDArray[np.float64]
Links = tuple[tuple[int, int], ...]

#: Which particles of a term are separated by what its energy is made of.
BOND: Links = ((0, 1),)
ANGLE: Links = ((0, 1), (2, 1))
DIHEDRAL: Links = ((0, 1), (1, 2), (2, 3))
TWO_DIHEDRALS: Links = (*DIHEDRAL, (3, 4))

#: Two images are a whole box apart; rounding is far below this part of one.
_ROUNDING = 1e-9


class Conversion:
    """A system of OpenMM on its way into a sheet.

    Args:
        sheet: what it becomes
        position: (n, 3) as given [nm]
        vectors: (3, 3) of the box, in rows [nm]

    Attributes:
        bonded: pairs that are bonds of the topology
    """

    def __init__(self, sheet: Sheet, position: Array, vectors: Array) -> None:
        self.sheet = sheet
        self.bonded = {frozenset(pair) for pair in sheet.bonds}
        self.position = position
        self.vectors = vectors
        self._kinds: list[TermsOf] = []

    def terms_of(self, what: str, force: Any, links: Links) -> TermsOf:
        """The terms of a bonded force; `what` is what one of them is called: "bond"."""
        return self.terms(
            f"{what} {{}} of {title(force)}",
            links,
            bool(force.usesPeriodicBoundaryConditions()),
            "force.setUsesPeriodicBoundaryConditions(True)",
        )

    def terms(self, what: str, links: Links, periodic: bool = False, flag: str = "") -> TermsOf:
        """Terms of one kind, whose images are compared.

        Args:
            what: a term, for errors, with {} for its number
            links: which of its particles are separated
            periodic: whether OpenMM takes periodic images
            flag: what makes it take them, in Python
        """
        self._kinds.append(TermsOf(self, what, links, periodic, flag))
        return self._kinds[-1]

    def check_images(self) -> None:
        """Refuse terms that would be of other images than in OpenMM."""
        for kind in self._kinds:
            kind.check_images()


class TermsOf:
    """Terms of one kind; see `Conversion.terms`."""

    def __init__(self, of: Conversion, what: str, links: Links, periodic: bool, flag: str) -> None:
        self._of = of
        self._what = what
        self._links = links
        self._periodic = periodic
        self._flag = flag
        self._numbers: list[int] = []
        self._particles: list[Sequence[int]] = []

    def known(self, number: int, particles: Sequence[int]) -> Sequence[int]:
        """The particles of a term, if the system has them, and each once."""
        n = len(self._of.position)
        if not 0 <= min(particles) <= max(particles) < n or len(set(particles)) < len(particles):
            check_known(self._what.format(number), particles, n)
        return particles

    def check(self, number: int, name: str, value: float, low: float, high: float) -> None:
        """Refuse a number that OpenMM refuses when a Context is made."""
        if not low <= value <= high:
            allowed = f"{low:g} to {high:.6g}" if high < math.inf else f"at least {low:g}"
            raise bad_input(
                f"{self._what.format(number)} has the {name} {value:g}",
                f"it must be {allowed}, as in OpenMM",
                "Correct it",
            )

    def add(self, number: int, particles: Sequence[int]) -> None:
        """Let the images of a term be compared."""
        self._numbers.append(number)
        self._particles.append(particles)

    def check_images(self) -> None:
        """Refuse the first term that would be of other images than in OpenMM."""
        if not self._particles:
            return
        particles = np.array(self._particles, dtype=np.int64)
        found = [self._first_other(particles[:, link]) for link in self._links]
        k, pair, theirs, ours = min(found, key=lambda one: one[0])
        if k == len(particles):
            return
        advice = "Give positions that are less than half the box apart"
        if not self._periodic:
            advice = "Give positions in which molecules are whole"
            advice += f", or use nearest images in OpenMM too: {self._flag}" if self._flag else ""
        raise bad_input(
            f"{self._what.format(self._numbers[k])} is of particles {pair[0]} and {pair[1]}, "
            f"{theirs:.4g} nm apart in OpenMM and {ours:.4g} nm by nearest images",
            "terms here are of nearest images",
            advice,
        )

    def _first_other(self, pairs: NDArray[np.int64]) -> tuple[int, list[int], float, float]:
        """The first pair whose images differ, and both lengths; behind the last where none does."""
        position, vectors = self._of.position, self._of.vectors
        apart = position[pairs[:, 0]] - position[pairs[:, 1]]
        theirs = periodic_difference(apart, vectors) if self._periodic else apart
        ours = nearest_image(apart, vectors)
        differs = np.abs(theirs - ours).max(axis=1) > _ROUNDING * vectors.max()
        if not differs.any():
            return len(pairs), [], 0.0, 0.0
        k = int(differs.argmax())
        lengths = [float(np.linalg.norm(one[k])) for one in (theirs, ours)]
        return k, pairs[k].tolist(), *lengths  # type: ignore[return-value]


def check_known(what: str, particles: Sequence[int], n: int) -> None:
    """Refuse particles that a system of `n` has not, or that are there twice."""
    for one in particles:
        if not 0 <= one < n:
            raise bad_input(
                f"{what} is of particle {one}",
                f"the system has the particles 0 to {n - 1}",
                "Correct its particles",
            )
    if len(set(particles)) < len(particles):
        raise bad_input(
            f"{what} is of the particles {', '.join(map(str, particles))}",
            "one of them is named twice",
            "Correct its particles",
        )


def title(force: Any) -> str:
    """The name of a force in errors."""
    kind, name = type(force).__name__, force.getName()
    return kind if name == kind else f"{kind} ({name})"


def periodic_difference(apart: Array, vectors: Array) -> Array:
    """(n, 3) the images that OpenMM takes of separations, where it takes periodic ones."""
    found = apart.copy()
    for axis in (2, 1, 0):
        turns = np.floor(found[:, axis] / vectors[axis, axis] + 0.5)
        found -= turns[:, None] * vectors[axis]
    return found


def nearest_image(apart: Array, vectors: Array) -> Array:
    """(n, 3) the shortest images of separations, which terms are of here."""
    found = apart.copy()
    for axis in (2, 1, 0):
        turns = np.rint(found[:, axis] / vectors[axis, axis])
        found -= turns[:, None] * vectors[axis]
    if not (vectors - np.diag(np.diag(vectors))).any():
        return found
    start, best = found.copy(), (found**2).sum(axis=1)
    for turn in product((-1, 0, 1), repeat=3):
        other = start + np.array(turn) @ vectors
        square = (other**2).sum(axis=1)
        nearer = square < best
        found[nearer], best[nearer] = other[nearer], square[nearer]
    return found
