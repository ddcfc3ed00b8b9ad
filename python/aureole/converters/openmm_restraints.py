# SPDX-License-Identifier: Apache-2.0
"""Position restraints of OpenMM, which are custom external forces, as terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from aureole.base.errors import bad_input

from .openmm_custom import columns, expression_of, globals_of, other_energy
from .openmm_fits import EXACT, Array, difference, numbers
from .openmm_terms import Conversion, check_known, nearest_image, periodic_difference, title

_KNOWN = "k*periodicdistance(x,y,z,x0,y0,z0)^2 with x0, y0, z0 for each particle is supported"
_BY_HAND = (
    "Remove it from the system. Restrain particles of ours = au.system_from_openmm(...) by "
    'ours.replace(terms={"position_restraint": (tags[:, None], (1000.0,) * 3)}), and make '
    "au.Simulation(...) of the result"
)
#: For energies that are zero near their place: a sphere with its radius [nm], and twice k.
_FLAT = (
    '"position_restraint": (tags[:, None], (1000.0,) * 3)',
    '"flat_bottom_restraint": (tags[:, None], (1, radius, 2 * k))',
)
_PERIODIC = "periodicdistance"
#: Where energies are looked at [nm]: the middle, both ways along each axis, and elsewhere.
_POINTS = numbers(
    *(0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
    *(1, 1, 0, 0, 1, 1, 1, 0, 1, 0.3, -2.1, 1.7, -3.2, 0.4, 2.6, 5.1, 3.3, -4.7),
).reshape(-1, 3)

#: Energies (p, n) of positions (p, n, 3) and the function `periodicdistance`.
_Energies = Callable[[Array, Callable[..., Any]], Array]


def restraints(to: Conversion, force: Any) -> None:
    """A CustomExternalForce, if it pulls particles to places."""
    rows = [force.getParticleParameters(k) for k in range(force.getNumParticles())]
    particles = [particle for particle, _ in rows]
    for k, particle in enumerate(particles):
        check_known(f"term {k} of {title(force)}", [particle], len(to.position))
    energies = _energies(force, [values for _, values in rows])
    found = energies(_POINTS[:, None], _distance)
    k, place = _pulls(found)
    apart = _POINTS[:, :, None] - place
    if not (difference(found, (k / 2 * apart**2).sum(axis=1)) <= EXACT).all():
        raise _other(force)
    held = k.any(axis=0)
    if not rows or not held.any():
        to.sheet.notes.append(f"{title(force)} is off (its energy is 0)")
        return
    skewed = (to.vectors - np.diag(np.diag(to.vectors))).any()
    if skewed and not k[:, held].all():
        raise other_energy(
            force, "in skewed boxes only restraints along all axes are supported", _BY_HAND
        )
    # Along an axis without a force a particle stays beside where it is.
    position = to.position[particles].reshape(-1, 3)
    place = np.where(k.T == 0, position, place.T).astype(np.float64)
    theirs = energies(position[None].astype(np.longdouble), _shortest(to.vectors))[0]
    ours = (k.T / 2 * nearest_image(position - place, to.vectors) ** 2).sum(axis=1)
    for n in np.flatnonzero(held).tolist():
        if abs(theirs[n] - ours[n]) > 1e-9 * abs(theirs[n]) + 1e-12 * k[:, n].max():
            raise _of_another_image(force, particles[n], float(theirs[n]), float(ours[n]))
        _hold(to, particles[n], tuple(place[n].tolist()), [float(one) for one in k[:, n]])


def _energies(force: Any, rows: list[Any]) -> _Energies:
    expression = expression_of(force, {_PERIODIC: 6})
    count = force.getNumPerParticleParameters()
    names = [force.getPerParticleParameterName(k) for k in range(count)]
    values = globals_of(force) | columns(names, rows)
    if expression.names - {"x", "y", "z", *values}:
        raise _other(force)

    def energies(points: Array, distance: Callable[..., Any]) -> Array:
        place = dict(zip("xyz", np.moveaxis(points, -1, 0), strict=True))
        found = expression(values | place, {_PERIODIC: distance})
        return np.broadcast_to(found, (len(points), max(len(rows), 1)))

    return energies


def _pulls(found: Array) -> tuple[Array, Array]:
    """k and places (3, n) of Σ k/2 (x − x0)² with energies (p, n) at the first points."""
    middle, up, down = found[0], found[1:7:2], found[2:7:2]
    k = up + down - 2 * middle
    k = np.where(np.abs(k) <= EXACT * np.abs(found).max(axis=0), 0, k)
    with np.errstate(all="ignore"):
        return k, np.where(k == 0, 0, (down - up) / (2 * k))


def _distance(*ends: Any) -> Any:
    x, y, z = (ends[axis] - ends[axis + 3] for axis in range(3))
    return np.sqrt(x * x + y * y + z * z)


def _shortest(vectors: Array) -> Callable[..., Any]:
    """OpenMM's `periodicdistance`."""

    def distance(*ends: Any) -> Any:
        apart = np.broadcast_arrays(*(ends[axis] - ends[axis + 3] for axis in range(3)))
        rows = np.stack([one.reshape(-1) for one in apart], axis=1)
        found = periodic_difference(rows, vectors)
        return np.sqrt((found**2).sum(axis=1)).reshape(apart[0].shape)

    return distance


def _hold(to: Conversion, particle: int, place: tuple[float, ...], k: list[float]) -> None:
    if to.sheet.references.setdefault(particle, place) != place:
        raise bad_input(
            f"particle {particle} is restrained to two positions",
            "a particle has one reference position",
            "Restrain it once",
        )
    to.sheet.add("position_restraint", (particle,), k)


def _of_another_image(force: Any, particle: int, theirs: float, ours: float) -> Exception:
    return bad_input(
        f"the restraint of particle {particle} by {title(force)} has the energy {theirs:.6g} "
        f"kJ/mol in OpenMM, and {ours:.6g} kJ/mol by the nearest image of its place",
        "restraints here are of nearest images",
        "Write k*periodicdistance(x, y, z, x0, y0, z0)^2, or give a position near the place",
    )


def _other(force: Any) -> Exception:
    flat = re.search(r"\b(max|step)\(", force.getEnergyFunction())
    return other_energy(force, f"only {_KNOWN}", _BY_HAND.replace(*_FLAT) if flat else _BY_HAND)
