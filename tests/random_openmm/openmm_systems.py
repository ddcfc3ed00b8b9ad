# SPDX-License-Identifier: Apache-2.0
"""Random systems of OpenMM: particles, forces, virtual sites and constraints."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import openmm as mm
from openmm import app
from openmm_forces import bonded_forces
from openmm_molecules import Drawn, drawn_particles, topology_of
from openmm_others import change_particles, integrator_of, other_forces, other_methods

STRIDE = 1_000_000  # systems of one seed

#: Lennard-Jones forces by custom texts: particles' parameters, and whether tables of types.
_TABLES = (
    ("acoef(type1,type2)/r^12-bcoef(type1,type2)/r^6", True),
    ("(a/r6)^2-b/r6; r6=r^6;a=acoef(type1,type2);b=bcoef(type1,type2)", True),
    ("(a/r6)^2-b/r6; r6=r2*r2*r2; r2=r^2; a=acoef(type1,type2); b=bcoef(type1,type2)", True),
    ("4*epsilon*((sigma/r)^12-(sigma/r)^6); sigma=0.5*(sigma1+sigma2); "
     "epsilon=sqrt(epsilon1*epsilon2)", False),
    ("4*e*(s^2-s); s=(sigma1*sigma2)^3/r^6; e=sqrt(epsilon1*epsilon2)", False),
    None,
    ("epsilon1*epsilon2*exp(-r/sigma1)*exp(-r/sigma2)", False),
)  # fmt: skip


@dataclass
class RandomSystem:
    """What is given to both programs.

    Attributes:
        integrator: given to the converter with it; None in most systems
        moved: whether sites are beside their places, or particles are images of where they were
    """

    number: int
    system: mm.System
    topology: app.Topology
    position: np.ndarray
    integrator: mm.Integrator | None
    moved: bool

    def xml(self) -> str:
        """The system as text."""
        return mm.XmlSerializer.serialize(self.system)


def system_of(number: int) -> RandomSystem:
    """The system with a number, the same each time."""
    drawn = drawn_particles(np.random.default_rng(number))
    system = mm.System()
    for _ in range(drawn.n):
        system.addParticle(float(drawn.rng.choice((1.008, 12.011, 15.999))))
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in drawn.vectors))
    _add_sites(drawn, system)
    _add_constraints(drawn, system)
    nonbonded = _nonbonded(drawn)
    _let_openmm_find_all_pairs(drawn, nonbonded.getCutoffDistance()._value)
    forces = [nonbonded]
    if drawn.chance(0.2):
        forces.append(_table(drawn, nonbonded))
    forces += bonded_forces(drawn) + other_forces(drawn)
    other_methods(drawn, nonbonded)
    change_particles(drawn, system)
    for k in drawn.rng.permutation(len(forces)) if drawn.chance(0.5) else range(len(forces)):
        if forces[k] is not nonbonded or not drawn.chance(0.003):
            system.addForce(forces[k])
    images = _displace(drawn)
    for site, off in drawn.beside.items():
        drawn.position[site] += off
    topology = topology_of(drawn, drawn.chance(0.3))
    moved = images or bool(drawn.beside)
    integrator = integrator_of(drawn)
    return RandomSystem(number, system, topology, drawn.position, integrator, moved)


def _let_openmm_find_all_pairs(drawn: Drawn, r_cut: float) -> None:
    """Move all particles together until its Reference platform has all pairs within the cut-off.

    In skewed boxes its list (of 8.6) misses some, depending on where particles are; that of its
    CPU platform does not.
    """
    i, j = np.triu_indices(drawn.n, 1)
    apart = drawn.position[i] - drawn.position[j]
    turns = np.array(list(itertools.product((-1, 0, 1), repeat=3))) @ drawn.vectors
    apart -= np.rint(apart @ np.linalg.inv(drawn.vectors)) @ drawn.vectors
    nearest = np.linalg.norm(apart[:, None] + turns, axis=2).min(axis=1)
    while _pairs_of_openmm(drawn, r_cut) != (nearest < r_cut).sum():
        drawn.position += drawn.rng.random(3) @ drawn.vectors


def _pairs_of_openmm(drawn: Drawn, r_cut: float) -> float:
    system = mm.System()
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in drawn.vectors))
    count = mm.CustomNonbondedForce("1")
    count.setNonbondedMethod(count.CutoffPeriodic)
    count.setCutoffDistance(r_cut)
    for _ in range(drawn.n):
        system.addParticle(1.0)
        count.addParticle([])
    system.addForce(count)
    platform = mm.Platform.getPlatformByName("Reference")
    context = mm.Context(system, mm.VerletIntegrator(0.001), platform)
    context.setPositions(drawn.position)
    return context.getState(energy=True).getPotentialEnergy()._value


def _displace(drawn: Drawn) -> bool:
    """Let particles be images of where they were, in few systems: molecules are then broken."""
    if not drawn.chance(0.06):
        return False
    for i in drawn.anywhere(int(drawn.rng.integers(1, 4))):
        drawn.position[i] += drawn.rng.integers(-1, 2, 3) @ drawn.vectors
    return True


def _add_sites(drawn: Drawn, system: mm.System) -> None:
    """Make last particles of molecules sites of the others, at their places or near them."""
    if not drawn.chance(0.25):
        return
    for first, size in drawn.molecules:
        if size < 4 or not drawn.chance(0.5):
            continue
        site, parents = first + size - 1, [first, first + 1, first + 2]
        if drawn.chance(0.01):
            parents[1] = drawn.choose((-1, drawn.n))
        w = drawn.rng.uniform(-0.3, 0.6, 2)
        kind = drawn.choose(("two", "three", "out"))
        if kind == "two":
            of = mm.TwoParticleAverageSite(*parents[:2], 1 - w[0], w[0])
        elif kind == "three":
            of = mm.ThreeParticleAverageSite(*parents, 1 - w.sum(), *w)
        else:
            of = mm.OutOfPlaneSite(*parents, *w, float(drawn.rng.normal() * 3))
        system.setParticleMass(site, 0.0)
        system.setVirtualSite(site, of)
        _place(drawn, site, parents, kind, of)
        drawn.bonds = [pair for pair in drawn.bonds if site not in pair]


def _place(drawn: Drawn, site: int, parents: list[int], kind: str, of: mm.VirtualSite) -> None:
    """Put a site where it belongs; a few will be given beside that."""
    if not all(0 <= i < drawn.n for i in parents):
        return
    a, b, c = drawn.position[parents]
    if kind == "out":
        arms = b - a, c - a
        weights = of.getWeight12(), of.getWeight13(), of.getWeightCross()
        place = a + weights[0] * arms[0] + weights[1] * arms[1] + weights[2] * np.cross(*arms)
    else:
        points = (a, b) if kind == "two" else (a, b, c)
        place = sum(of.getWeight(k) * point for k, point in enumerate(points))
    drawn.position[site] = place
    if drawn.chance(0.15):
        drawn.beside[site] = 0.02 * drawn.rng.normal(size=3)


def _add_constraints(drawn: Drawn, system: mm.System) -> None:
    """Some bonds, and triangles of some molecules."""
    if not drawn.chance(0.25):
        return
    some = drawn.rng.random()
    for i, j in drawn.bonds:
        if drawn.chance(some):
            length = float(np.linalg.norm(drawn.position[i] - drawn.position[j]))
            system.addConstraint(i, j, length)
    if drawn.chance(0.3):
        for i, _, k in drawn.paths(3):
            if drawn.chance(some):
                length = float(np.linalg.norm(drawn.position[i] - drawn.position[k]))
                system.addConstraint(i, k, length)
    if drawn.chance(0.01):
        system.addConstraint(0, drawn.choose((-1, drawn.n)), 0.1)


def _nonbonded(drawn: Drawn) -> mm.NonbondedForce:
    force = mm.NonbondedForce()
    widths = 1 / np.linalg.norm(np.linalg.inv(drawn.vectors), axis=0)
    r_cut = min(float(drawn.rng.uniform(0.7, 1.1)), 0.499 * float(widths.min()))
    force.setCutoffDistance(r_cut)
    if drawn.chance(0.5):
        force.setNonbondedMethod(force.PME)
        if drawn.chance(0.7):
            grid = (int(drawn.rng.choice((18, 20, 21, 24, 25, 28, 30, 32))) for _ in range(3))
            force.setPMEParameters(float(drawn.rng.uniform(2.5, 4.0)), *grid)
        else:
            force.setEwaldErrorTolerance(float(drawn.rng.choice((5e-4, 1e-4, 1e-5))))
    else:
        force.setNonbondedMethod(force.CutoffPeriodic)
        force.setReactionFieldDielectric(float(drawn.choose((78.3, 1.0, 61.0, 1e4))))
        if drawn.chance(0.02):
            force.setReactionFieldDielectric(drawn.choose((0.0, 0.5)))
    if drawn.chance(0.4):
        force.setUseSwitchingFunction(True)
        force.setSwitchingDistance(float(drawn.rng.uniform(0.6, 0.98)) * r_cut)
    force.setUseDispersionCorrection(drawn.chance(0.5))
    force.setExceptionsUsePeriodicBoundaryConditions(drawn.chance(0.3))
    charged = drawn.chance(0.8)
    charge = drawn.rng.normal(size=drawn.n) * 0.5 * charged
    if drawn.chance(0.7):
        charge -= charge.mean()
    kinds = drawn.rng.uniform((0.05, 0.0), (0.3, 1.0), (4, 2))
    kinds[0, 1] = 0.0
    for q in charge.tolist():
        sigma, epsilon = drawn.choose(kinds)
        if drawn.chance(0.0002):
            sigma, epsilon = drawn.choose(((-0.2, 1.0), (0.2, -1.0)))
        force.addParticle(q, sigma, epsilon)
    _add_exceptions(drawn, force)
    return force


def _add_exceptions(drawn: Drawn, force: mm.NonbondedForce) -> None:
    force.createExceptionsFromBonds(drawn.bonds, *drawn.rng.uniform(0.3, 1.0, 2).tolist())
    taken = {
        frozenset(force.getExceptionParameters(k)[:2]) for k in range(force.getNumExceptions())
    }
    for _ in range(int(drawn.rng.integers(0, 4))):
        pair = drawn.anywhere(2)
        if drawn.chance(0.98):
            first, size = drawn.choose(drawn.molecules)
            if size < 2:
                continue
            pair = tuple(int(i) for i in first + drawn.rng.choice(size, 2, replace=False))
        if frozenset(pair) in taken:
            continue
        taken.add(frozenset(pair))
        values = drawn.rng.normal() * 0.1, drawn.rng.uniform(0.1, 0.3), drawn.rng.uniform(0, 1)
        if drawn.chance(0.4):
            values = 0.0, 0.3, 0.0
        force.addException(*pair, *values)
    if drawn.chance(0.02):
        wrong = drawn.choose((-1, drawn.n, -drawn.n))
        force.addException(0, wrong, 0.0, 0.1, 0.0)
    if drawn.chance(0.005) and force.getNumExceptions() > 1:
        force.setExceptionParameters(0, *force.getExceptionParameters(1))


def _table(drawn: Drawn, beside: mm.NonbondedForce) -> mm.CustomNonbondedForce:
    """A Lennard-Jones force in place of that of the other force."""
    end = _TABLES.index(None)
    text, of_types = drawn.choose(_TABLES[:end] if drawn.chance(0.95) else _TABLES[end + 1 :])
    force = mm.CustomNonbondedForce(text)
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(beside.getCutoffDistance() * (1 if drawn.chance(0.98) else 0.9))
    force.setUseSwitchingFunction(beside.getUseSwitchingFunction())
    force.setSwitchingDistance(beside.getSwitchingDistance())
    force.setUseLongRangeCorrection(drawn.chance(0.3))
    if of_types:
        t = 3
        c6 = drawn.rng.uniform(0, 0.01, (t, t))
        c12 = drawn.rng.uniform(0, 1e-6, (t, t))
        if drawn.chance(0.97):
            c6, c12 = c6 + c6.T, c12 + c12.T
        if text.startswith("(a"):
            c12 = np.sqrt(c12)
        for name, values in (("acoef", c12), ("bcoef", c6)):
            table = mm.Discrete2DFunction(t, t, values.T.ravel().tolist())
            force.addTabulatedFunction(name, table)
        force.addPerParticleParameter("type")
    else:
        force.addPerParticleParameter("sigma")
        force.addPerParticleParameter("epsilon")
    for i in range(drawn.n):
        q, sigma, epsilon = beside.getParticleParameters(i)
        if drawn.chance(0.998):
            beside.setParticleParameters(i, q, sigma, 0.0)
        kind = float(drawn.rng.integers(3)) + drawn.choose((0.0, 0.0, 0.3, -0.2))
        if drawn.chance(0.0005):
            kind = drawn.choose((3.0, -1.0))
        force.addParticle([kind] if of_types else [sigma, epsilon])
    for k in range(beside.getNumExceptions()):
        if drawn.chance(0.999):
            i, j = beside.getExceptionParameters(k)[:2]
            force.addExclusion(i, j)
    return force
