# SPDX-License-Identifier: Apache-2.0
"""What should be conserved is: energy, momentum, lengths of constraints, places of the frozen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from aureole.gromacs.mdp_case import Case
from aureole.gromacs.mdp_freedom import frozen_axes
from built import Built, Vectors
from known import KNOWN

#: Net force and momentum where Newton's third law holds to rounding, in parts of what is summed.
EXACT = 1e-10
#: Errors of lengths of constraints, in parts of them: SETTLE and LINCS of usual settings, LINCS of
#: low order or of one iteration.
LENGTH = 2e-5
ROUGH_LENGTH = 5e-3
#: Fluctuation of the conserved energy in parts of the kinetic one. Where it is more, steps may be
#: too long for what bends: then it shrinks with the square of the step, 16-fold for a quarter.
ENERGY = 0.06
SHRINKS = 6.0
LOOKS = 6


def check(built: Built) -> Iterator[str]:
    """What is not conserved, in words."""
    if not built.dynamics:
        yield from _descent(built)
        return
    with built.simulation(precision="double") as sim:
        yield from _net_force(built, sim)
        start, energies, kinetic = _unwrapped(sim), [sim.conserved], [sim.energy.kinetic]
        momentum = sim.momentum
        for _ in range(LOOKS):
            sim.run(max(1, built.recipe.steps // LOOKS))
            energies.append(sim.conserved)
            kinetic.append(sim.energy.kinetic)
        yield from _momentum(built, sim, momentum)
        yield from _lengths(built, sim)
        yield from _frozen(built, sim, start)
    yield from _energy(built, energies, kinetic)


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
    fields = any(one is not None for one in built.job.parameters.fields)
    return "restraints" not in built.recipe.features and not (charged and fields)


def _momentum(built: Built, sim: Any, before: Vectors) -> Iterator[str]:
    features = built.recipe.features
    plain = built.job.parameters.integrator in ("md", "md-vv") and _free(built)
    if not plain or features.keys() & {"thermostat", "barostat", "mesh", "frozen"}:
        return
    if built.job.parameters.motion.remove != "no":
        return
    scale = float((built.mass[:, None] * np.abs(sim.get("velocity"))).sum())
    changed = np.abs(sim.momentum - before).max()
    if not changed <= EXACT * 10 * max(scale, 1.0):
        yield f"momentum changed by {changed:.4g}, of {scale:.4g}"


def _lengths(built: Built, sim: Any) -> Iterator[str]:
    terms = built.job.topology.expand_terms()
    solver = built.job.parameters.constraints
    position, box = sim.get("position"), np.array(sim.box.matrix).T
    rough = solver.order < 4 or solver.iterations < 2
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
            if solver.algorithm == "shake":
                limit = 1.01 * solver.tolerance
        for (a, b), lengths in sets:
            away = position[found.particles[:, a]] - position[found.particles[:, b]]
            error = np.abs(_length(away, box, built) / lengths - 1).max()
            if not error <= limit:
                yield f"a {kind} is off by {error:.3g} of its length"


def _length(away: Vectors, box: Vectors, built: Built) -> Vectors:
    for axis in (2, 1, 0):
        if built.job.parameters.periodic[axis]:
            away = away - np.round(away[:, axis] / box[axis, axis])[:, None] * box[axis]
    return np.linalg.norm(away, axis=1)


def _unwrapped(sim: Any) -> Vectors:
    return sim.get("position") + sim.get("image") @ np.array(sim.box.matrix).T


def _frozen(built: Built, sim: Any, start: Vectors) -> Iterator[str]:
    if "frozen" not in built.recipe.features or "barostat" in built.recipe.features:
        return
    job = built.job
    members = {group.name: group.particles for group in job.groups}
    axes = frozen_axes(Case(job.parameters, job.topology, job.coordinates, members))
    moved = np.abs(_unwrapped(sim) - start)[axes & built.real[:, None]].max(initial=0.0)
    if not moved <= 1e-12:
        yield f"frozen particles moved by {moved:.3g} nm"


def _energy(built: Built, energies: list[float], kinetic: list[float]) -> Iterator[str]:
    p = built.job.parameters
    jumps = (p.electrostatics.r_cut and not p.electrostatics.shifted) or (
        p.van_der_waals.r_cut and p.van_der_waals.modifier == "none"
    )
    # An excluded pair that crosses the cut-off gains or loses its reaction field at once.
    rods = any(name == "rod" for name, _ in built.recipe.molecules)
    jumps = jumps or (rods and p.electrostatics.kind != "pme")
    fields = any(one is not None for one in p.fields)
    if jumps or fields:
        return
    far = max(abs(energy - energies[0]) for energy in energies)
    if far <= ENERGY * max(kinetic) + 1.0:
        return
    shorter = _with_shorter_steps(built)
    if not shorter <= far / SHRINKS:
        yield (
            f"the conserved energy moved by {far:.4g}, with a quarter of the time step by "
            f"{shorter:.4g}; kinetic energy {max(kinetic):.4g} kJ/mol"
        )


def _with_shorter_steps(built: Built) -> float:
    """How far the conserved energy moves in the same time."""
    recipe = built.recipe.with_options(dt=f"{built.job.parameters.dt / 4:g}")
    folder = built.folder / "shorter"
    folder.mkdir(exist_ok=True)
    with Built(recipe, folder).simulation(precision="double") as sim:
        first, far = sim.conserved, 0.0
        for _ in range(LOOKS):
            sim.run(4 * max(1, built.recipe.steps // LOOKS))
            far = max(far, abs(sim.conserved - first))
    return far


def _descent(built: Built) -> Iterator[str]:
    """Steepest descent: the energy falls, and forces are those of where it ends."""
    if "steep after a rejected step" in KNOWN:
        return
    told: list[tuple[float, float]] = []
    with built.simulation(precision="double") as sim:
        first = sim.energy.potential
        found = sim.minimize(lambda _, __, energy, force, ___: told.append((energy, force)))
        end, force = sim.get("position"), sim.get("force")
        energy = sim.energy.potential
        centre = sim._centre
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
