# SPDX-License-Identifier: Apache-2.0
"""What should be conserved is: energy, momentum, lengths of constraints, places of the frozen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from aureole.gromacs.checks.freedom import frozen_axes
from built import Built, Vectors
from numpy.typing import NDArray

#: Net force and momentum where Newton's third law holds to rounding, in parts of what is summed.
EXACT = 1e-10
#: Errors of lengths of constraints, in parts of them: SETTLE and LINCS of usual settings, LINCS of
#: low order or of one iteration.
LENGTH = 2e-5
ROUGH_LENGTH = 5e-3
#: What the rounding of files makes of the difference between a distance and the length that it
#: should have [nm]: ten decimals of three coordinates of both particles, nine of the length.
FILE_ROUNDING = 2 * 3**0.5 * 0.5e-10 + 0.5e-9
#: Fluctuation of the conserved energy in parts of the kinetic one. Where it is more, steps may be
#: too long for what bends: then it shrinks with the square of the step, 16-fold for a quarter.
ENERGY = 0.06
SHRINKS = 6.0
#: Nose-Hoover chains in leap-frog take the kinetic energy of half a step before and are of first
#: order, 4-fold for a quarter. Measured on ions (job 12000077): 2.0 for each half down to dt / 32,
#: 4.0 with md-vv; the conserved energy of GROMACS moves 4.7-fold less with dt / 4.
SHRINKS_IN_FIRST_ORDER = 3.0
LOOKS = 6


@dataclass(frozen=True)
class _Look:
    """The conserved and the kinetic energy at one time, and which excluded pairs of charges are
    beyond the cut-off."""

    conserved: float
    kinetic: float
    beyond: NDArray[np.bool_]


def check(built: Built) -> Iterator[str]:
    """What is not conserved, in words."""
    if not built.dynamics:
        yield from _descent(built)
        return
    with built.simulation(precision="double") as sim:
        yield from _net_force(built, sim)
        start, momentum = from_corner(sim), sim.momentum
        looks = _course(built, sim, 1)
        yield from _momentum(built, sim, momentum)
        yield from _lengths(built, sim)
        yield from _frozen(built, sim, start)
    yield from _energy(built, looks)


def _net_force(built: Built, sim: Any) -> Iterator[str]:
    if not _free(built) or "mesh" in built.recipe.features:
        return  # a mesh keeps the third law to its own accuracy alone
    force = sim.get("force")
    net, scale = np.abs(force.sum(axis=0)).max(), np.abs(force).sum()
    if not net <= EXACT * max(scale, 1.0):
        yield f"the forces add up to {net:.4g}, of {scale:.4g}"


def _free(built: Built) -> bool:
    """Does nothing from outside pull?"""
    charged = abs(built.charge.sum()) > 1e-9
    fields = any(map(any, built.job.parameters.fields))
    return "restraints" not in built.recipe.features and not (charged and fields)


def _momentum(built: Built, sim: Any, before: Vectors) -> Iterator[str]:
    features = built.recipe.features
    plain = built.job.parameters.integrator in ("md", "md-vv") and _free(built)
    if not plain or features.keys() & {"thermostat", "barostat", "mesh", "frozen"}:
        return
    if built.job.parameters["comm-mode"] != "None":
        return
    scale = float((built.mass[:, None] * np.abs(sim.get("velocity"))).sum())
    changed = np.abs(sim.momentum - before).max()
    if not changed <= EXACT * 10 * max(scale, 1.0):
        yield f"momentum changed by {changed:.4g}, of {scale:.4g}"


def _lengths(built: Built, sim: Any) -> Iterator[str]:
    terms = built.job.topology.expand_terms()
    p = built.job.parameters
    position, box = sim.get("position"), np.array(sim.box.matrix).T
    rough = p["lincs-order"] < 4 or p["lincs-iter"] < 2
    held = frozen_axes(built.case).all(axis=1)
    for kind in ("constraint", "settle"):
        if kind not in terms or not terms[kind].n:
            continue
        found = terms[kind]
        values = found.parameters[found.row]
        if kind == "settle":
            sets = [((0, 1), values[:, 0]), ((0, 2), values[:, 0]), ((1, 2), values[:, 1])]
            limit = LENGTH
        else:
            sets, limit = [((0, 1), values[:, 0])], ROUGH_LENGTH if rough else LENGTH
            if p["constraint-algorithm"] == "SHAKE":
                limit = 1.01 * p["shake-tol"]
        for (a, b), lengths in sets:
            one, other = found.particles[:, a], found.particles[:, b]
            away = position[one] - position[other]
            error = np.abs(_length(away, box, built) / lengths - 1)
            # What is frozen at both ends is as long as the file has it.
            limits = np.where(held[one] & held[other], limit + FILE_ROUNDING / lengths, limit)
            if not (error <= limits).all():
                yield f"a {kind} is off by {error.max():.3g} of its length"


def _length(away: Vectors, box: Vectors, built: Built) -> Vectors:
    for axis in (2, 1, 0):
        if built.job.parameters.periodic[axis]:
            away = away - np.round(away[:, axis] / box[axis, axis])[:, None] * box[axis]
    return np.linalg.norm(away, axis=1)


def unwrapped(sim: Any) -> Vectors:
    """Positions that no boundary has taken to the other side."""
    return sim.get("position") + sim.get("image") @ np.array(sim.box.matrix).T


def from_corner(sim: Any) -> Vectors:
    """The same with the origin of files, from which frozen particles do not move."""
    return unwrapped(sim) + 0.5 * np.array(sim.box.matrix).sum(axis=1)


def _frozen(built: Built, sim: Any, start: Vectors) -> Iterator[str]:
    if "frozen" not in built.recipe.features:
        return
    axes = frozen_axes(built.case) & built.real[:, None]
    moved = np.abs(from_corner(sim) - start)[axes].max(initial=0.0)
    if not moved <= 1e-12:
        yield f"frozen particles moved by {moved:.3g} nm"


def _course(built: Built, sim: Any, parts: int) -> list[_Look]:
    """The start and a few later times of a run whose step is cut into so many parts."""
    pairs = _excluded(built)
    looks = [_look(built, sim, pairs)]
    for _ in range(LOOKS):
        sim.run(parts * max(1, built.recipe.steps // LOOKS))
        looks.append(_look(built, sim, pairs))
    return looks


def _look(built: Built, sim: Any, pairs: NDArray[np.int64]) -> _Look:
    position, box = sim.get("position"), np.array(sim.box.matrix).T
    apart = _length(position[pairs[:, 0]] - position[pairs[:, 1]], box, built)
    beyond = apart > (built.job.parameters["rcoulomb"] or np.inf)
    return _Look(sim.conserved, sim.energy.kinetic, beyond)


def _excluded(built: Built) -> NDArray[np.int64]:
    """(k, 2) charges that exclude each other and have a reaction field within the cut-off."""
    if built.job.parameters["coulombtype"] == "PME":
        return np.empty((0, 2), dtype=np.int64)
    found = built.job.topology.expand_exclusions()
    rows = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
    pairs = np.stack([rows, found.partner], axis=1)
    return pairs[(rows < found.partner) & (built.charge[pairs] != 0).all(axis=1)]


def _moved(looks: list[_Look]) -> float:
    """How far the conserved energy moved from where it began."""
    return max(abs(one.conserved - looks[0].conserved) for one in looks)


def _crossed(looks: list[_Look]) -> bool:
    """Did an excluded pair cross the cut-off? It gains or loses its reaction field at once."""
    return any((one.beyond != looks[0].beyond).any() for one in looks)


def _energy(built: Built, looks: list[_Look]) -> Iterator[str]:
    p = built.job.parameters
    jumps = (p["rcoulomb"] and p["coulomb-modifier"] == "None") or (
        p["rvdw"] and p["vdw-modifier"] == "None"
    )
    fields = any(map(any, p.fields))
    if jumps or fields or _crossed(looks):
        return
    if p["continuation"] and p["comm-mode"] != "None":
        # The motion that is taken off first takes its energy along: angular motion or that of
        # groups, which no step before has taken off (4.0 kJ/mol with any step, job 11000502).
        looks = _course_of(built, 1, comm_mode="None")
    far, kinetic = _moved(looks), max(one.kinetic for one in looks)
    if far <= ENERGY * kinetic + 1.0 or _scaled_beside_frozen(built):
        return
    shorter = _course_of(built, 4, dt=f"{p.dt / 4:g}", comm_mode="None")
    late = p.integrator == "md" and p["tcoupl"] == "Nose-Hoover"
    shrinks = SHRINKS_IN_FIRST_ORDER if late else SHRINKS
    if not _crossed(shorter) and not _moved(shorter) <= far / shrinks:
        yield (
            f"the conserved energy moved by {far:.4g}, with a quarter of the time step by "
            f"{_moved(shorter):.4g}; kinetic energy {kinetic:.4g} kJ/mol"
        )


def _scaled_beside_frozen(built: Built) -> bool:
    """Does Berendsen's barostat move all but the frozen? Its work is not that of the pressure then,
    which has the forces on the frozen too.

    With 1, 1/4 and 1/16 of the step the conserved energy of job 243000033 moves by 609, 622, 698
    kJ/mol, in GROMACS by 1256, 554, 736. Without frozen particles it moves by 1093, 61, 8, without
    the barostat by 732, 51, 3.
    """
    return "frozen" in built.recipe.features and built.job.parameters["pcoupl"] == "Berendsen"


def _course_of(built: Built, parts: int, **options: str) -> list[_Look]:
    """The same times in a job with other options."""
    folder = built.folder / "other"
    folder.mkdir(exist_ok=True)
    other = Built(built.recipe.with_options(**options), folder)
    with other.simulation(precision="double") as sim:
        return _course(other, sim, parts)


def _descent(built: Built) -> Iterator[str]:
    """Steepest descent: the energy falls, and forces are those of where it ends."""
    told: list[tuple[float, float]] = []
    with built.simulation(precision="double") as sim:
        first = sim.energy.potential
        found = sim.minimize(tell=lambda _, __, energy, force, ___: told.append((energy, force)))
        end, force = sim.get("position"), sim.get("force")
        energy = sim.energy.potential
        centre = built.middle()
    if energy > first + 1e-9 * abs(first):
        yield f"descent went up from {first:.10g} to {energy:.10g}"
    with built.simulation(position=end + centre, precision="double") as other:
        again = other.get("force")
        there = other.energy.potential
        if not abs(found.energy - energy) <= 1e-9 * max(abs(energy), 1.0):
            yield f"descent says {found.energy:.12g}, the simulation {energy:.12g}"
        if not abs(there - energy) <= 1e-9 * max(abs(energy), 1.0):
            yield f"descent ends at {energy:.12g}, a single point there is {there:.12g}"
    scale = max(float(np.abs(again).max()), 1.0)
    if not np.abs(force - again).max() <= 1e-8 * scale:
        yield f"forces at the end of the descent differ by {np.abs(force - again).max():.4g}"
    terms = built.job.topology.expand_terms()
    if terms.keys() & {"constraint", "settle"} or "frozen" in built.recipe.features:
        return  # the largest force is that of what can move
    reached = np.linalg.norm(again, axis=1).max()
    if not abs(found.max_force - reached) <= 1e-8 * scale:
        yield f"max_force {found.max_force:.8g}, forces reach {reached:.8g}"
