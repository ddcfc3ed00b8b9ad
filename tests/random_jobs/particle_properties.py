# SPDX-License-Identifier: Apache-2.0
"""The properties of jobs of particles: the same as of molecules, through the Python door."""

from __future__ import annotations

from collections.abc import Iterator

import aureole as au
import numpy as np
from built import Vectors
from conservation import SHRINKS
from derivatives import FORCE, NEAR, STEP, STRAIN, TRIES, VIRIAL, persisting
from lists import DOUBLE, MIXED
from particles import Particles
from restart import differing, state_of

LOOKS = 5


def restart(job: Particles) -> Iterator[str]:
    """What differs after a restart, in words."""
    recipe = job.recipe
    found = {}
    for name in ("whole", "part"):
        folder = job.folder / name
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        specs = [
            au.Trajectory(str(folder / "a.gsd"), every=recipe.every),
            au.Log(str(folder / "a.csv"), every=recipe.every),
            au.Energies(str(folder / "b.csv"), every=recipe.every + 1),
        ]
        sim = job.simulation(observers=specs)
        if recipe.descent:
            sim.minimize(max_steps=recipe.descent)
        if name == "part":
            path = folder / "a.ckpt"
            sim.run(recipe.stop)
            sim.write_checkpoint(path)
            sim.close()
            sim = au.Simulation.from_checkpoint(path)
            path.unlink()
        sim.run(until=recipe.steps)
        found[name] = state_of(sim)
        sim.close()
    where = f"restart at step {recipe.stop} of {recipe.steps}"
    for text in differing(found["part"], found["whole"]):
        yield f"{where}: {text}"
    for file in sorted((job.folder / "whole").iterdir()):
        if file.read_bytes() != (job.folder / "part" / file.name).read_bytes():
            yield f"{where}: {file.name} differs"


def derivatives(job: Particles) -> Iterator[str]:
    """What is wrong with forces and virial, in words."""
    yield from persisting(lambda number: _derivatives(job, number))


def _derivatives(job: Particles, number: int) -> Iterator[str]:
    rng = np.random.default_rng((job.recipe.seed + 2, number))
    forces, start = job.smooth_forces(), job.system
    position = start.position
    with job.simulation(forces=forces, precision="double", threads=1) as sim:
        virial = sim.virial
        size = sum(float(np.abs(t["virial"]).sum()) for t in sim.thermo()["per_force"])
    with job.simulation(precision="double", threads=1) as sim:
        force = sim.get("force")

    def energy(place: Vectors, box: au.Box | None = None) -> float:
        options = {"precision": "double", "threads": 1}
        with job.simulation(system=job.moved(place, box), forces=forces, **options) as other:
            return float(other.energy.potential)

    cuts = _cut_offs(job)
    if _at_cut_off(job, NEAR):
        return
    along = force / (np.sqrt((force**2).mean()) or 1.0)
    for _ in range(TRIES):
        away = along + rng.normal(size=force.shape)
        ends = [_distances(start.box, position + side * STEP * away) for side in (1, -1)]
        if not any(((ends[0] < r) != (ends[1] < r)).any() for r in cuts):
            break
    slope = -(energy(position + STEP * away) - energy(position - STEP * away)) / (2 * STEP)
    wanted = float((force * away).sum())
    scale = float(np.linalg.norm(force) * np.linalg.norm(away)) or 1.0
    if not abs(slope - wanted) <= FORCE * scale:
        yield f"forces: -dE = {slope:.10g} along a direction, F d = {wanted:.10g} of {scale:.4g}"
    strain = np.tril(rng.normal(size=(3, 3)) + 3 * virial / (np.abs(virial).max() or 1.0))
    ends_of = []
    for h in (STRAIN, -STRAIN):
        turn = np.eye(3) + h * strain
        ends_of.append(energy(position @ turn, _strained(start.box, turn)))
    slope = -(ends_of[0] - ends_of[1]) / (2 * STRAIN)
    wanted = float((virial.T * strain).sum())
    if not abs(slope - wanted) <= VIRIAL * max(size, 1.0):
        yield f"virial: -dE = {slope:.10g} by a strain, virial {wanted:.10g} of {size:.4g}"


def _cut_offs(job: Particles) -> set[float]:
    return {float(r) for one in job.forces for r in one.tables(job.system.type_names)[1].ravel()}


def _at_cut_off(job: Particles, near: float) -> bool:
    """Is a pair nearer than that to a cut-off?"""
    apart = _distances(job.system.box, job.system.position)
    return any((np.abs(apart - r) < near).any() for r in _cut_offs(job))


def _strained(box: au.Box, turn: Vectors) -> au.Box:
    (ax, _, _), (bx, by, _), (cx, cy, cz) = np.array(box.matrix).T @ turn
    return au.Box(ax, by, cz, bx / by, cx / cz, cy / cz, box.periodic)


def _distances(box: au.Box, position: Vectors) -> Vectors:
    difference = (position[:, None] - position).reshape(-1, 3)
    return np.linalg.norm(box.minimum_image(difference), axis=1)


def lists(job: Particles) -> Iterator[str]:
    """Which ways of computing differ, in words."""
    first = None
    # What mixed precision makes of a distance of just a cut-off is a matter of rounding.
    rounding = 2 * float(np.finfo(np.float32).eps) * float(np.max(job.system.box.matrix))
    mixed = [] if _at_cut_off(job, rounding) else [("mixed", MIXED)]
    ways = [("clusters", 1), ("flat", 1), ("flat", 3), ("clusters", 2), ("clusters", 3)]
    for precision, limits in [("double", DOUBLE), *mixed]:
        for algorithm, threads in ways if precision == "double" else ways[:2]:
            options = {"precision": precision, "algorithm": algorithm, "threads": threads}
            with job.simulation(**options) as sim:
                sizes = np.abs(sim.get("energy")).sum()
                found = (sim.energy.potential, sim.get("force"))
            first = first or (*found, sizes)
            what = f"{algorithm} on {threads} threads in {precision} beside clusters in double"
            if not abs(found[0] - first[0]) <= limits[0] * max(first[2], 1.0):
                yield f"{what}: energy {found[0]:.12g}, not {first[0]:.12g}"
            scale = float(np.sqrt((first[1] ** 2).mean()))
            error = float(np.sqrt(((found[1] - first[1]) ** 2).mean()))
            if not error <= limits[1] * max(scale, 1.0):
                yield f"{what}: forces differ by {error:.3g} of {scale:.4g}"


def conservation(job: Particles) -> Iterator[str]:
    """What is not conserved, in words."""
    recipe = job.recipe
    with job.simulation(precision="double") as sim:
        force = sim.get("force")
        if not np.abs(force.sum(axis=0)).max() <= 1e-10 * max(np.abs(force).sum(), 1.0):
            yield f"the forces add up to {force.sum(axis=0)}"
        still = _left_out(job)
        if recipe.descent:
            yield from _descent(job, sim, still)
        start, momentum = _unwrapped(sim), sim.momentum
        energies, kinetic = [sim.energy.total], sim.energy.kinetic
        for _ in range(LOOKS):
            sim.run(max(1, recipe.steps // LOOKS))
            energies.append(sim.energy.total)
        moved = np.abs(_unwrapped(sim) - start)[still].max(initial=0.0)
        if not moved <= 1e-12:
            yield f"particles outside of the filter moved by {moved:.3g}"
        if recipe.integrator["kind"] != "NVE":
            return
        taken = "remove_com_every" in recipe.integrator
        speed = float((sim.get("mass")[:, None] * np.abs(sim.get("velocity"))).sum())
        lost = np.abs(sim.momentum - momentum).max()
        if not taken and not still.any() and lost > 1e-9 * speed:
            yield f"momentum changed by {lost:.3g} of {speed:.4g}"
    far = max(abs(energy - energies[0]) for energy in energies)
    if _jumps(job) or taken or far <= 0.02 * kinetic + 0.1:
        return
    shorter = _with_shorter_steps(job)
    if not shorter <= far / SHRINKS:
        yield f"the energy moved by {far:.4g}, with a quarter of the time step by {shorter:.4g}"


def _with_shorter_steps(job: Particles) -> float:
    """How far the energy moves in the same time."""
    recipe = job.recipe
    integrator = {**recipe.integrator, "dt": recipe.integrator["dt"] / 4}
    with job.simulation(precision="double", integrator=integrator) as sim:
        if recipe.descent:
            sim.minimize(max_steps=recipe.descent)
        first, far = sim.energy.total, 0.0
        for _ in range(LOOKS):
            sim.run(4 * max(1, recipe.steps // LOOKS))
            far = max(far, abs(sim.energy.total - first))
    return far


def _jumps(job: Particles) -> bool:
    """Does the energy jump where pairs cross the cut-off?"""
    return any(one.mode == "none" and one.kind == "LennardJones" for one in job.forces)


def _descent(job: Particles, sim: au.Simulation, still: Vectors) -> Iterator[str]:
    before = sim.energy.potential
    found = sim.minimize(max_steps=job.recipe.descent)
    reached = np.linalg.norm(sim.get("force")[~still], axis=1).max()
    if not abs(found.max_force - reached) <= 1e-9 * max(reached, 1.0):
        yield f"max_force {found.max_force:.8g} of FIRE, forces reach {reached:.8g}"
    if found.energy > before + 1e-9 * abs(before) and not _jumps(job):
        yield f"FIRE went up from {before:.10g} to {found.energy:.10g}"


def _left_out(job: Particles) -> Vectors:
    chosen = job.recipe.integrator.get("filter")
    if chosen is None:
        return np.zeros(job.recipe.n, dtype=bool)
    wanted = [job.system.type_names.index(name) for name in chosen["types"]]
    return ~np.isin(job.system.type, wanted)


def _unwrapped(sim: au.Simulation) -> Vectors:
    return sim.get("position") + sim.get("image") @ np.array(sim.box.matrix).T
