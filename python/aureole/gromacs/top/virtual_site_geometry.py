# SPDX-License-Identifier: Apache-2.0
"""Parameters of virtual sites that a topology leaves open, from its bonds, angles and constraints.

`pdb2gmx -vsite` writes such sites. Letters are those of the manual of GROMACS, section "Virtual
interaction sites": site i, and particles j, k, l, m that it is constructed from. CH3 and NH3 groups
stand on two masses, k and l, whose types are called MCH3 and MNH; their heavy atom follows these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

Particles = tuple[int, ...]


class Unknown(Exception):
    """A length or an angle that the topology does not give; its text says which."""


class Geometry:
    """Lengths of bonds [length] and angles [rad] of a molecule.

    Args:
        lengths: two particles and the length between them; the first of several counts
        angles: three particles and their angle
    """

    def __init__(
        self, lengths: Iterable[tuple[Particles, float]], angles: Iterable[tuple[Particles, float]]
    ) -> None:
        self._lengths: dict[frozenset[int], float] = {}
        self._angles: dict[tuple[int, frozenset[int]], float] = {}
        for pair, length in lengths:
            self._lengths.setdefault(frozenset(pair), length)
        for (i, j, k), angle in angles:
            self._angles.setdefault((j, frozenset((i, k))), angle)

    def length(self, i: int, j: int) -> float:
        """The distance of two particles that are bound."""
        found = self._lengths.get(frozenset((i, j)))
        if found is None:
            raise Unknown(f"no bond or constraint gives the distance {i + 1}-{j + 1}")
        return found

    def angle(self, i: int, j: int, k: int) -> float:
        """The angle at j."""
        found = self._angles.get((j, frozenset((i, k))))
        if found is None:
            raise Unknown(f"there is no angle {i + 1}-{j + 1}-{k + 1}")
        return found


def site_parameters(
    term: str, particles: Particles, geometry: Geometry, swapped: bool, on_masses: bool
) -> tuple[float, ...]:
    """The columns of a virtual site, as in `topology.TERMS`.

    Args:
        term: kind of site
        particles: the site and the particles that it is constructed from
        geometry: lengths and angles
        swapped: whether the site lies on the other side of the plane
        on_masses: whether k and l are the masses of a CH3 or NH3 group

    Raises Unknown where the geometry is not given or leads nowhere.
    """
    try:
        if on_masses and term in _ON_MASSES:
            return _ON_MASSES[term](particles, geometry, swapped)
        if term in _GENERAL:
            return _GENERAL[term](particles, geometry, swapped)
    except (ValueError, ZeroDivisionError):
        raise Unknown("its bonds and angles are inconsistent") from None
    raise Unknown("this function needs them, except on the masses of CH3 and NH3 groups")


def _fixed_distance(p: Particles, of: Geometry, _: bool) -> tuple[float, ...]:
    """3fd: j-i points at the line k-l where both are equally far from it."""
    i, j, k, el = p
    across_k = of.length(j, k) * math.sin(of.angle(i, j, k))
    across_l = of.length(j, el) * math.sin(of.angle(i, j, el))
    return across_k / (across_k + across_l), -of.length(i, j)


def _fixed_angle(p: Particles, of: Geometry, swapped: bool) -> tuple[float, ...]:
    i, j, k, _ = p
    angle = of.angle(i, j, k)
    return 2.0 * math.pi - angle if swapped else angle, of.length(i, j)


def _out_of_plane(p: Particles, of: Geometry, swapped: bool) -> tuple[float, ...]:
    """3out: the components of i-j along j-k and j-l, and what is left across them."""
    i, j, k, el = p
    bond, one, two = of.length(i, j), of.length(j, k), of.length(j, el)
    along_k, along_l = bond * math.cos(of.angle(i, j, k)), bond * math.cos(of.angle(i, j, el))
    between = of.angle(k, j, el)
    c, s = math.cos(between), math.sin(between)
    # (along_k, along_l) = G (x, y) with the unit vectors' products G = ((1, c), (c, 1))
    x, y = (along_k - c * along_l) / s**2, (along_l - c * along_k) / s**2
    rest = math.sqrt(bond**2 - (x * along_k + y * along_l))
    across = rest / (one * two * s)
    return x / one, y / two, across if swapped else -across


def _four(p: Particles, of: Geometry, _: bool) -> tuple[float, ...]:
    """4fdn: i-j is normal to the plane through the ends of b_jk, a b_jl and b b_jm."""
    i, j, k, el, m = p
    along = [of.length(j, other) * math.cos(of.angle(i, j, other)) for other in (k, el, m)]
    if min(map(abs, along)) < 1e-12:
        raise Unknown("two of its bonds are perpendicular")
    return along[0] / along[1], along[0] / along[2], of.length(i, j)


def _masses(p: Particles, of: Geometry) -> tuple[int, float, float]:
    """The heavy atom, half the distance of the masses, and how far j is from their middle."""
    _, j, k, el = p
    if of.length(j, k) != of.length(j, el):
        raise Unknown("the two masses are not equally far from the atom that carries them")
    half = 0.5 * of.length(k, el)
    return max(k, el) + 1, half, math.sqrt(of.length(j, k) ** 2 - half**2)


def _hydrogen(p: Particles, of: Geometry, heavy: int) -> tuple[float, float]:
    """How far a hydrogen is from j along the axis of the group, and how far from the axis."""
    i, j, _, _ = p
    bond, angle = of.length(heavy, i), of.angle(j, heavy, i)
    return of.length(j, heavy) - bond * math.cos(angle), bond * math.sin(angle)


def _in_plane_of_masses(p: Particles, of: Geometry, _: bool) -> tuple[float, ...]:
    heavy, half, height = _masses(p, of)
    if p[0] == heavy:
        share = 0.5 * of.length(p[1], heavy) / height
        return share, share
    along, across = _hydrogen(p, of, heavy)
    return 0.5 * (along / height + across / half), 0.5 * (along / height - across / half)


def _out_of_plane_of_masses(p: Particles, of: Geometry, swapped: bool) -> tuple[float, ...]:
    """The other hydrogens of three are turned by 120 degrees about the axis."""
    heavy, half, height = _masses(p, of)
    along, across = _hydrogen(p, of, heavy)
    aside, back = across * math.cos(math.pi / 6.0), across * math.sin(math.pi / 6.0)
    normal = aside / (2.0 * height * half)
    return (
        0.5 * (along / height - back / half),
        0.5 * (along / height + back / half),
        -normal if swapped else normal,
    )


_Rule = Callable[[Particles, Geometry, bool], tuple[float, ...]]
_GENERAL: dict[str, _Rule] = {
    "vsite3fd": _fixed_distance,
    "vsite3fad": _fixed_angle,
    "vsite3out": _out_of_plane,
    "vsite4fdn": _four,
}
_ON_MASSES: dict[str, _Rule] = {"vsite3": _in_plane_of_masses, "vsite3out": _out_of_plane_of_masses}
