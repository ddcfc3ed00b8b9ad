# SPDX-License-Identifier: Apache-2.0
"""Virtual sites whose parameters follow from bonds and angles, as pdb2gmx -vsite leaves them.

The site is placed where these would have it: distances and angles between it and the particles
that construct it are those of the force field.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

#: Types of the pairs of masses that stand for CH3 and NH3 groups; three hydrogens turn with them.
_GROUPS = ("MCH3", "MNH3")


class Geometry(Protocol):
    """What the bonded terms of a molecule say of its shape; KeyError where they say nothing."""

    def length(self, i: int, j: int) -> float:
        """The length of a bond or constraint [nm]."""

    def angle(self, i: int, j: int, k: int) -> float:
        """An angle about j."""

    def group(self, i: int) -> bool:
        """Is it one of the two masses of a CH3 or NH3 group?"""

    def placed_by(self, parents: tuple[int, ...]) -> Iterable[int]:
        """Sites that these particles construct."""


class Shape:
    """A `Geometry` of tables."""

    def __init__(
        self,
        lengths: Mapping[tuple[int, int], float],
        angles: Mapping[tuple[int, int, int], float],
        types: Iterable[str],
        parents: Mapping[int, tuple[int, ...]],
    ) -> None:
        self._lengths = lengths
        self._angles = angles
        self._types = tuple(types)
        self._parents = parents

    def length(self, i: int, j: int) -> float:
        """The length of a bond or constraint [nm]."""
        return self._lengths[min(i, j), max(i, j)]

    def angle(self, i: int, j: int, k: int) -> float:
        """An angle about j."""
        return self._angles[min(i, k), j, max(i, k)]

    def group(self, i: int) -> bool:
        """Is it one of the two masses of a CH3 or NH3 group?"""
        return self._types[i].upper().startswith(_GROUPS)

    def placed_by(self, parents: tuple[int, ...]) -> Iterable[int]:
        """Sites that these particles construct."""
        return (site for site, those in self._parents.items() if those == parents)


def site_parameters(
    term: str, particles: tuple[int, ...], mirrored: bool, shape: Geometry
) -> tuple[float, ...]:
    """Parameters of a virtual site, in the columns of `topology.TERMS`.

    Args:
        term: "vsite3", "vsite3fd", "vsite3fad", "vsite3out" or "vsite4fdn"
        particles: the site and what it is constructed from
        mirrored: the other one of two places, where there are two
        shape: lengths and angles

    Raises KeyError where a length or an angle is missing.
    """
    return _MAKERS[term](particles, mirrored, shape)


def can_be_found(term: str) -> bool:
    """Whether the parameters of sites of this kind can follow from bonds and angles."""
    return term in _MAKERS


def _vsite3(particles: tuple[int, ...], _: bool, shape: Geometry) -> tuple[float, ...]:
    along, across = _in_group(particles, shape)
    return 0.5 * (along + across), 0.5 * (along - across)


def _in_group(particles: tuple[int, ...], shape: Geometry) -> tuple[float, float]:
    """Where a particle of a CH3 or NH3 group is, in parts of the triangle of carrier and masses.

    The carrier of the group, the middle of the two masses, and the group's heavy atom are in line.
    First how far along this line, in parts of the distance of the middle; then how far beside it,
    in parts of half the distance of the masses.
    """
    site, carrier, one, other = particles
    if not (shape.group(one) and shape.group(other)):
        raise KeyError("masses of a CH3 or NH3 group")
    half = 0.5 * shape.length(one, other)
    height = math.sqrt(shape.length(carrier, one) ** 2 - half**2)
    try:
        return shape.length(carrier, site) / height, 0.0
    except KeyError:
        pass
    for heavy in shape.placed_by(particles[1:]):
        try:
            bond, axis = shape.length(heavy, site), shape.length(carrier, heavy)
            angle = shape.angle(site, heavy, carrier)
        except KeyError:
            continue
        return (axis - bond * math.cos(angle)) / height, bond * math.sin(angle) / half
    raise KeyError(f"the heavy atom of {site + 1}")


def _vsite3fd(particles: tuple[int, ...], _: bool, shape: Geometry) -> tuple[float, ...]:
    site, centre, one, other = particles
    # The bond, drawn back, meets the line of the two others in parts of their distances from it.
    first = shape.length(centre, one) * math.sin(shape.angle(site, centre, one))
    second = shape.length(centre, other) * math.sin(shape.angle(site, centre, other))
    return first / (first + second), -shape.length(site, centre)


def _vsite3fad(particles: tuple[int, ...], mirrored: bool, shape: Geometry) -> tuple[float, ...]:
    site, centre, one, _ = particles
    angle = shape.angle(site, centre, one)
    return (2.0 * math.pi - angle if mirrored else angle), shape.length(site, centre)


def _vsite3out(particles: tuple[int, ...], mirrored: bool, shape: Geometry) -> tuple[float, ...]:
    site, centre, one, other = particles
    sign = 1.0 if mirrored else -1.0
    if shape.group(one) and shape.group(other):
        # The first hydrogen lies in the plane; the two others are turned by a third of a circle.
        along, across = _in_group(particles, shape)
        half = 0.5 * shape.length(one, other)
        height = math.sqrt(shape.length(centre, one) ** 2 - half**2)
        a, b = 0.5 * (along - 0.5 * across), 0.5 * (along + 0.5 * across)
        return a, b, -sign * math.sqrt(0.75) * across / (2.0 * height)
    # r = a e + b f + c e × f, from the components of r along e and f and the length of r.
    bond = shape.length(site, centre)
    e, f = shape.length(centre, one), shape.length(centre, other)
    cosine = math.cos(shape.angle(one, centre, other))
    sine2 = 1.0 - cosine**2
    p, q = (bond * math.cos(shape.angle(site, centre, k)) for k in (one, other))
    a, b = (p - q * cosine) / (sine2 * e), (q - p * cosine) / (sine2 * f)
    plane2 = (a * e) ** 2 + (b * f) ** 2 + 2.0 * a * b * e * f * cosine
    return a, b, sign * math.sqrt(max(bond**2 - plane2, 0.0)) / (e * f * math.sqrt(sine2))


def _vsite4fdn(particles: tuple[int, ...], _: bool, shape: Geometry) -> tuple[float, ...]:
    site, centre, *others = particles
    # The bond is normal to the plane where the three others, made longer or shorter, would end.
    one, two, three = (
        shape.length(centre, k) * math.cos(shape.angle(site, centre, k)) for k in others
    )
    return one / two, one / three, shape.length(site, centre)


_MAKERS = {
    "vsite3": _vsite3,
    "vsite3fd": _vsite3fd,
    "vsite3fad": _vsite3fad,
    "vsite3out": _vsite3out,
    "vsite4fdn": _vsite4fdn,
}
