# SPDX-License-Identifier: Apache-2.0
"""Temperatures, and the degrees of freedom that they stand upon, counted anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from aureole.base.units import BOLTZMANN
from aureole.gromacs.checks.freedom import degrees_of_freedom
from built import Built
from numpy.typing import NDArray

Vectors = NDArray[np.float64]
EXACT = 1e-9


def check(built: Built) -> Iterator[str]:
    """What differs from a count of our own, in words."""
    if not built.dynamics:
        return
    own, found = counted(built), degrees_of_freedom(built.case)
    if not np.abs(found - own).max() <= EXACT * max(own.sum(), 1.0):
        yield f"the groups have {found} degrees of freedom, by another count {own}"
    with built.simulation(precision="double", threads=1) as sim:
        thermo, kinetic, temperature = sim.thermo(), sim.energy.kinetic, sim.temperature
    right = 2 * kinetic / (own.sum() * BOLTZMANN) if own.sum() > 0 else 0.0
    if not abs(temperature - right) <= EXACT * max(right, 1.0):
        yield f"temperature {temperature:.10g}, by another count {right:.10g} K"
    of_groups = np.asarray(thermo["group_temperatures"])
    if len(of_groups) and not own[-1]:
        twice = float((of_groups * own[: len(of_groups)]).sum())
        if not abs(twice - 2 * kinetic) <= 1e-7 * max(kinetic, 1.0):
            yield f"temperatures of groups make {0.5 * twice:.10g} of {kinetic:.10g} kJ/mol"


def counted(built: Built) -> Vectors:
    """(groups + 1,) degrees of freedom of the groups of the thermostat, and of the others.

    Constraints take the rank of their gradients; none joins two groups, as these are of whole
    molecules. What the removal of the whole's motion
    takes is the rank that the momenta of its groups add, in proportion to what these have.
    """
    p = built.job.parameters
    free = np.repeat(built.real[:, None], 3, axis=1)
    for group in p.frozen:
        free[np.ix_(_members(built, group.name), np.flatnonzero(group.axes))] = False
    names = [group.name for group in p.temperature_groups]
    thermal = _label(built, names)
    gradients = _gradients(built)[:, free.ravel()]
    owner, axis = np.nonzero(free)
    parts = np.zeros((len(names) + 1, len(p["comm-grps"]) + 1))
    drift = _label(built, p["comm-grps"])
    for t, d in np.ndindex(parts.shape):
        here = (thermal[owner] == t) & (drift[owner] == d)
        parts[t, d] = here.sum() - _rank(gradients[:, here])
    if p["comm-mode"] == "None":
        return parts.sum(axis=1)
    for d in range(parts.shape[1]):
        if d == len(p["comm-grps"]) and p["comm-grps"]:
            continue  # those in none of the groups keep their motion
        here, of_all = drift[owner] == d, parts[:, d].sum()
        momenta = built.mass[owner[here]] * (axis[here] == np.arange(3)[:, None])
        taken = _rank(np.vstack([gradients[:, here], momenta])) - _rank(gradients[:, here])
        if p["comm-mode"] == "Angular":
            taken = 6
        parts[:, d] *= max(of_all - taken, 0.0) / of_all if of_all else 0.0
    return parts.sum(axis=1)


def _members(built: Built, name: str) -> NDArray[np.int64]:
    return next(np.asarray(g.particles) for g in built.job.groups if g.name == name)


def _label(built: Built, names: Any) -> NDArray[np.int64]:
    label = np.full(len(built.mass), len(names))
    for k, name in enumerate(names):
        label[_members(built, name)] = k
    return label


def _rank(rows: Vectors) -> int:
    return int(np.linalg.matrix_rank(rows)) if rows.size else 0


def _gradients(built: Built) -> Vectors:
    """(constraints, 3 n) of the squares of their lengths."""
    terms, found = built.job.topology.expand_terms(), []
    for kind, pairs in (("constraint", ((0, 1),)), ("settle", ((0, 1), (0, 2), (1, 2)))):
        if kind in terms:
            found += [terms[kind].particles[:, list(pair)] for pair in pairs]
    pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=int)
    position = built.job.coordinates.position
    away = _nearest(position[pairs[:, 0]] - position[pairs[:, 1]], built)
    rows = np.zeros((len(pairs), len(position), 3))
    each = np.arange(len(pairs))
    rows[each, pairs[:, 0]], rows[each, pairs[:, 1]] = away, -away
    return rows.reshape(len(pairs), 3 * len(position))


def _nearest(away: Vectors, built: Built) -> Vectors:
    box = built.job.coordinates.box
    for axis in (2, 1, 0):
        if built.job.parameters.periodic[axis]:
            away = away - np.round(away[:, axis] / box[axis, axis])[:, None] * box[axis]
    return away
