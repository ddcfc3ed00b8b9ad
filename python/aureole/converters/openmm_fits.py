# SPDX-License-Identifier: Apache-2.0
"""The parameters of terms whose energy is known by its values alone.

An energy is given at many points, for all terms at once. A fit finds the parameters of a term of
ours from some of them, and holds for the terms of which it has the energy at all points, so that
the text of an energy does not matter, nor the names in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # of np.longdouble, as long as energies are looked at
#: (p, n) energies of n terms at p points
Energies = Callable[[Array], Array]

#: Rounding error, in parts of the largest energy.
EXACT = 1e-12
#: Orders of the cosines and sines that energies of dihedrals are taken apart into.
_ORDERS = 12
#: Energies that are no numbers fit nothing, and numpy need not warn of them.
_MAY_BE_INFINITE = np.errstate(all="ignore")


class Fit(NamedTuple):
    """Parameters found for n terms.

    Attributes:
        values: (n, parameters), where a fit says nothing else
        off: (n,) largest difference of the energies, in parts of the largest energy
    """

    values: Array
    off: Array


def numbers(*given: float) -> Array:
    """Points, or other numbers, with all digits."""
    return np.array(given, dtype=np.longdouble)


@_MAY_BE_INFINITE
def harmonic(energies: Energies, points: Array) -> Fit:
    """x0 and k of k/2 (x − x0)²."""
    found = energies(points)
    x0, k = _parabola(points[:3], found[:3])
    fitted = k / 2 * (points[:, None] - x0) ** 2
    return Fit(np.stack([x0, k], axis=1), difference(found, fitted))


@_MAY_BE_INFINITE
def lennard_jones(energies: Energies, distances: Array) -> Fit:
    """c6, c12 and c1 of c12/r¹² − c6/r⁶ + c1/r; how far off, in parts of the sum of all three."""
    found = energies(distances)
    parts = np.stack([-(distances**-6), distances**-12, distances**-1], axis=1)
    values = np.stack(_solved(parts[:3], found[:3]), axis=1)
    sizes = np.abs(parts[:, None, :] * values)  # (p, n, 3)
    total = sizes.sum(axis=2)
    rounding = (sizes[:3] <= 1e-11 * total[:3, :, None]).all(axis=0)
    values = np.where(rounding, 0, values)
    off = np.abs(found - parts @ values.T) / np.maximum(total, np.finfo(np.float64).tiny)
    return Fit(values, np.nan_to_num(off, nan=1, posinf=1).max(axis=0))


@_MAY_BE_INFINITE
def wrapped_harmonic(energies: Energies) -> Fit:
    """φ0 and k of k/2 (φ − φ0)² with the shortest way round to φ0."""
    points = angles()
    found = energies(points)
    fits = []
    for near in numbers(-2.0, -0.1, 1.9):  # the energy has a kink, near at most one of them
        at = near + numbers(-0.15, 0.0, 0.15)
        x0, k = _parabola(at, energies(at))
        fitted = k / 2 * ((points[:, None] - x0 + pi()) % (2 * pi()) - pi()) ** 2
        fits.append(Fit(np.stack([x0, k], axis=1), difference(found, fitted)))
    best = np.argmin([fit.off for fit in fits], axis=0)
    each = np.arange(len(best))
    values, off = (np.stack(column)[best, each] for column in zip(*fits, strict=True))
    return Fit(values, off)


@_MAY_BE_INFINITE
def cosines(energies: Energies) -> Fit:
    """Coefficients a and b, together (2, orders + 1, n), of Σ aₘ cos mφ + bₘ sin mφ."""
    count = 4 * _ORDERS
    at = (np.arange(count) + np.longdouble(0.5)) * 2 * pi() / count - pi()
    found = energies(at)
    m = np.arange(_ORDERS + 1)[:, None]
    weight = np.where(m == 0, 1, 2) / np.longdouble(count)
    a, b = weight * np.cos(m * at) @ found, weight * np.sin(m * at) @ found
    points = angles()
    fitted = np.cos(points[:, None] * m.T) @ a + np.sin(points[:, None] * m.T) @ b
    size = np.abs(a).max(axis=0) + np.abs(b).max(axis=0)
    a, b = (np.where(np.abs(one) <= EXACT * size, 0, one) for one in (a, b))
    return Fit(np.stack([a, b]), difference(energies(points), fitted))


def angles() -> Array:
    """Dihedrals all round, the ends left out."""
    return np.linspace(-3.14, 3.14, 101).astype(np.longdouble)


def pi() -> Any:
    """π with all digits."""
    return 4 * np.arctan(np.longdouble(1))


def difference(found: Array, fitted: Array) -> Array:
    """(n,) of energies (p, n), in parts of the largest; 1 where they are no numbers."""
    scale = np.maximum(np.abs(found).max(axis=0), np.finfo(np.float64).tiny)
    return np.nan_to_num(np.abs(found - fitted) / scale, nan=1, posinf=1).max(axis=0)


def _parabola(x: Array, f: Array) -> tuple[Array, Array]:
    """Place and curvature of the parabolas through three points each."""
    first, second = (f[1] - f[0]) / (x[1] - x[0]), (f[2] - f[1]) / (x[2] - x[1])
    half = (second - first) / (x[2] - x[0])
    return (x[0] + x[1]) / 2 - first / (2 * half), 2 * half


def _solved(rows: Array, right: Array) -> list[Array]:
    """Solutions of three equations by Cramer's rule, with all digits."""
    whole = _determinant(rows.T)
    found = []
    for k in range(3):
        columns = [right if j == k else rows[:, j : j + 1] for j in range(3)]
        found.append(_determinant(columns) / whole)
    return found


def _determinant(columns: Any) -> Array:
    a, b, c = columns
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
