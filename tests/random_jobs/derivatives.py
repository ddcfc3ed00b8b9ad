# SPDX-License-Identifier: Apache-2.0
"""Forces are minus the derivative of the energy, the virial that by the box."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from built import Built, Vectors

#: Displacement [nm] and strain of the differences: rounding and the next order are both below 1e-7.
STEP = 3e-7
STRAIN = 1e-7
#: Allowed differences, in parts of |F| |d| and of the sizes of all parts of the virial.
FORCE = 2e-7
VIRIAL = 3e-7
#: Rounding of an energy, in parts of the sizes of all terms.
ROUNDING = 3e-15
TRIES = 12
#: Pairs so near to a cut-off [nm] cross it on every way.
NEAR = 1e-6
#: Directions and strains of which all must fail.
WAYS = 3


def check(built: Built) -> Iterator[str]:
    """What is wrong with forces and virial, in words."""
    yield from persisting(lambda number: _checked(built, number))


def persisting(look: Callable[[int], Iterator[str]]) -> list[str]:
    """What is found along each of some ways; a pair that crosses its cut-off is on one of them."""
    found: list[str] = []
    for number in range(WAYS):
        found = list(look(number))
        if not found:
            break
    return found


def _checked(built: Built, number: int) -> Iterator[str]:
    parameters = built.still()
    rng = np.random.default_rng((built.recipe.seed + 2, number))
    start = built.job.coordinates.position
    with built.simulation(
        parameters=parameters, position=start, precision="double", threads=1
    ) as sim:
        force = sim.get("force")
        noise = ROUNDING * sum(map(abs, sim.energy.per_force.values()))
    without = replace(parameters, fields=((0.0,) * 4,) * 3)
    with built.simulation(parameters=without, precision="double", threads=1) as sim:
        virial, size, terms = _without_constraints(sim), _size(sim), sim.energy.per_force

    def energy(position: Vectors, box: Vectors | None = None, field: bool = True) -> float:
        given = parameters if field else without
        with built.simulation(
            parameters=given, position=position, box=box, precision="double", threads=1
        ) as other:
            total = other.energy.potential
            if box is not None and given["DispCorr"] == "Ener":
                total -= other.energy.per_force["dispersion_correction"]
            if field:  # which has no energy of its own
                place = other.get("position") + built.middle(position, box)
                total -= float((built.charge @ place) @ built.field())
        return total

    cuts = _cuts(built)
    apart = _distances(built, start)
    if any((np.abs(apart - r) < NEAR).any() for r in cuts):
        return
    away = _direction(built, start, force, rng)
    slope = -(energy(start + STEP * away) - energy(start - STEP * away)) / (2 * STEP)
    wanted = float((force * away).sum())
    scale = float(np.linalg.norm(force) * np.linalg.norm(away)) or 1.0
    if not abs(slope - wanted) <= FORCE * scale + noise / STEP:
        yield f"forces: -dE = {slope:.10g} along a direction, F d = {wanted:.10g} of {scale:.4g}"
    if not all(built.job.parameters.periodic) or not _has_virial(built):
        return
    box = built.job.coordinates.box
    # Boxes keep the form in which they are written.
    strain = np.tril(rng.normal(size=(3, 3)) + 3 * virial / (np.abs(virial).max() or 1.0))
    if "angle_restraint_z" in terms:
        # Its energy changes when everything turns, so that the derivative by the box is not
        # symmetric. The virial is its symmetric part, which is all that such a strain asks for.
        strain = np.diag(np.diag(strain))
    found = [
        energy(start @ (np.eye(3) + h * strain), box @ (np.eye(3) + h * strain), field=False)
        for h in (STRAIN, -STRAIN)
    ]
    slope = -(found[0] - found[1]) / (2 * STRAIN)
    wanted = float((virial.T * strain).sum())
    if not abs(slope - wanted) <= VIRIAL * max(size, 1.0) + noise / STRAIN:
        yield f"virial: -dE = {slope:.10g} by a strain, virial {wanted:.10g} of {size:.4g}"


def _has_virial(built: Built) -> bool:
    """The virial of restraints is that of GROMACS, which is no derivative of their energy."""
    return "restraints" not in built.recipe.features


def _without_constraints(sim: Any) -> Vectors:
    own = np.asarray(sim.thermo()["constraint_virial"], dtype=float).reshape(3, 3)
    return sim.virial - own


def _size(sim: Any) -> float:
    return sum(float(np.abs(term["virial"]).sum()) for term in sim.thermo()["per_force"])


def _cuts(built: Built) -> set[float]:
    p = built.job.parameters
    return {p["rcoulomb"], p["rvdw"]} - {0.0}


def _direction(built: Built, start: Vectors, force: Vectors, rng: np.random.Generator) -> Vectors:
    """A way to move all real particles on which no pair crosses a cut-off, where forces jump."""
    along = force / (np.sqrt((force**2).mean()) or 1.0)
    cuts = _cuts(built)
    for _ in range(TRIES):
        away = np.asarray((along + rng.normal(size=force.shape)) * built.real[:, None])
        ends = [_distances(built, start + side * STEP * away) for side in (1, -1)]
        if not any(((ends[0] < r) != (ends[1] < r)).any() for r in cuts):
            break
    return away


def _distances(built: Built, position: Vectors) -> Vectors:
    """(n, n) shortest distances of pairs; sites of the start count, roughly."""
    difference = position[:, None] - position
    box = built.job.coordinates.box
    if box is not None:
        for axis in (2, 1, 0):
            if built.job.parameters.periodic[axis]:
                turns = np.round(difference[..., axis] / box[axis, axis])
                difference = difference - turns[..., None] * box[axis]
    return np.sqrt((difference**2).sum(-1))
