# SPDX-License-Identifier: Apache-2.0
"""One random system here and in OpenMM: equal, refused, or a remark that says what differs.

Energies are compared for each kind of terms, and forces for each particle, so that a particle with
a large energy does not hide a wrong term elsewhere.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field, replace

import aureole as au
import numpy as np
import openmm as mm
from numpy.typing import NDArray
from openmm import unit
from openmm_forces import MOST
from openmm_systems import RandomSystem, system_of

TOLERANCE = 1e-6
#: What rounding leaves of sums of energies in parts of the largest, and of forces [kJ/mol/nm].
_ROUNDING, _PUSH = 1e-9, 1e-6
#: Device lists and threads by the number of a system.
_DEVICES = (
    {"threads": 1},
    {"threads": 2},
    {"threads": 2, "algorithm": "flat"},
)
#: The remark that lets energies differ, and by how much those of a torsion may.
_OFF = re.compile(r"each torsion differs from OpenMM's by up to (\S+) kJ/mol")
#: Of that difference, forces on the particles of torsions [1/nm]: levers are not much shorter.
_PER_LENGTH = 1e3
#: Terms of OpenMM's forces, by the names that their energies have here. All others are of pairs.
_KINDS = {
    "bonds": ("harmonic_bond", "harmonic_restraint"),
    "angles": ("harmonic_angle", "g96_angle"),
    "torsions": ("periodic_dihedral", "harmonic_improper", "unwrapped_dihedral",
                 "ryckaert_bellemans"),
    "maps": ("cmap",),
    "restraints": ("position_restraint",),
}  # fmt: skip
_FORCES = {
    "HarmonicBondForce": "bonds",
    "HarmonicAngleForce": "angles",
    "CustomAngleForce": "angles",
    "PeriodicTorsionForce": "torsions",
    "RBTorsionForce": "torsions",
    "CustomTorsionForce": "torsions",
    "CMAPTorsionForce": "maps",
    "CustomExternalForce": "restraints",
}
_COUPLINGS = ("AndersenThermostat", "Barostat")
#: Steps of a short run, and how far forces move particles in one of them [nm].
_STEPS, _FAR = 4, 2e-4
#: Of the way of particles: what LINCS of order 4 leaves where couplings are 0.75, 0.75^5 (stronger
#: ones are solved by SHAKE), and what pairs do that come within the cut-off between two searches,
#: as far as verlet-buffer-tolerance lets lists miss them.
_OF_SERIES, _OF_LISTS = 0.24, 1e-4
_SHIFT = 1e-10  # what rounding leaves of positions [nm]
_LONGEST = 0.3  # constraints [nm], whose lengths SHAKE's tolerance is a part of
_LOST = 1e-6  # lengths off by more, in parts, are of constraints that OpenMM does not solve


@dataclass
class Outcome:
    """What came of one system.

    Attributes:
        refused: why it was not taken over; "" if it was
        remarks: of the simulation
        failures: what is wrong
        told: how far energies of torsions may be off [kJ/mol], by a remark
        ran: whether a short run was compared
    """

    number: int
    refused: str = ""
    remarks: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)
    told: float = 0.0
    ran: bool = False


def examine(number: int) -> Outcome:
    """Compare one system."""
    drawn, outcome = system_of(number), Outcome(number)
    simulation = _converted(drawn, outcome)
    if simulation is None:  # OpenMM does not survive all that is refused here
        return outcome
    context = _context(drawn, outcome, simulation)
    if context is None:
        return outcome
    _compare_settings(drawn, outcome, simulation)
    _compare(drawn, outcome, simulation, context)
    if not outcome.failures and _can_run(drawn, outcome, simulation):
        _compare_runs(drawn, outcome, simulation)
    return outcome


def _converted(drawn: RandomSystem, outcome: Outcome) -> au.Simulation | None:
    device = au.Device(name="host", precision="double", **_DEVICES[drawn.number % len(_DEVICES)])
    arguments = drawn.system, drawn.topology, drawn.position * unit.nanometer, drawn.integrator
    options = {"maxwarn": 99, "device": device}
    if drawn.integrator is None:
        options["dt"] = "1 fs"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            simulation = au.from_openmm(*arguments, **options)
    except au.InputError as error:
        outcome.refused = str(error)
        return None
    except Exception as error:  # whatever else is a fault of the converter
        outcome.failures.append(f"{type(error).__name__}: {error}")
        return None
    outcome.remarks = tuple(simulation.remarks)
    return simulation


def _context(drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation) -> mm.Context | None:
    system = drawn.system
    for k, force in enumerate(system.getForces()):
        force.setForceGroup(k)
    nonbonded = _nonbonded(system)
    mesh = nonbonded.getNonbondedMethod() == nonbonded.PME
    alpha = nonbonded.getPMEParameters()[0]._value if mesh else 0.0
    try:
        context = _new_context(drawn)
        if mesh and not alpha:
            # OpenMM's platforms choose meshes of their own for a tolerance.
            theirs = nonbonded.getPMEParametersInContext(context)
            pme = next(force for force in simulation.forces if isinstance(force, au.PME))
            if not np.isclose(theirs[0], pme.beta, rtol=1e-9):
                outcome.failures.append(f"beta {pme.beta} beside {theirs[0]}")
            if any(ours < least for ours, least in zip(pme.grid, theirs[1:], strict=True)):
                outcome.failures.append(f"mesh {pme.grid} beside {theirs[1:]}")
            nonbonded.setPMEParameters(theirs[0], *pme.grid)
            context = _new_context(drawn)
        context.getState(energy=True)
    except mm.OpenMMException as error:
        outcome.failures.append(f"taken here, refused by OpenMM: {error}")
        return None
    return context


def _nonbonded(system: mm.System) -> mm.NonbondedForce:
    return next(force for force in system.getForces() if isinstance(force, mm.NonbondedForce))


def _new_context(drawn: RandomSystem, dt: float = 0.001) -> mm.Context:
    integrator = mm.VerletIntegrator(dt)
    integrator.setConstraintTolerance(1e-10)
    platform = mm.Platform.getPlatformByName("Reference")
    context = mm.Context(drawn.system, integrator, platform)
    context.setPositions(drawn.position)
    context.computeVirtualSites()
    return context


def _compare_settings(drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation) -> None:
    """Couplings are told of, and the time step is that of the integrator."""
    for force in drawn.system.getForces():
        name = type(force).__name__
        told = any(text.startswith(name) for text in outcome.remarks)
        if name.endswith(_COUPLINGS) and not told:
            outcome.failures.append(f"no remark on {name}")
    dt = 0.001 if drawn.integrator is None else drawn.integrator.getStepSize()._value
    if not np.isclose(simulation.dt, dt, rtol=1e-12):
        outcome.failures.append(f"the time step {simulation.dt} beside {dt}")


def _compare(
    drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation, context: mm.Context
) -> None:
    told = [float(found[1]) for found in map(_OFF.search, outcome.remarks) if found]
    outcome.told = MOST * sum(told)
    count = drawn.system.getNumForces()
    states = [context.getState(energy=True, forces=True, groups={k}) for k in range(count)]
    energies = [state.getPotentialEnergy()._value for state in states]
    _compare_energies(drawn.system, outcome, simulation, energies)
    forces = np.array([state.getForces(asNumpy=True)._value for state in states])
    _compare_forces(drawn.system, outcome, simulation, forces)


def _compare_energies(
    system: mm.System, outcome: Outcome, simulation: au.Simulation, energies: list[float]
) -> None:
    kind_of = {name: kind for kind, names in _KINDS.items() for name in names}
    ours, theirs = {}, {}
    for name, energy in simulation.energy.per_force.items():
        ours.setdefault(kind_of.get(name, "pairs"), []).append(energy)
    for force, energy in zip(system.getForces(), energies, strict=True):
        theirs.setdefault(_kind(force), []).append(energy)
    for kind in {*ours, *theirs}:
        here, there = ours.get(kind, [0.0]), theirs.get(kind, [0.0])
        off = abs(sum(here) - sum(there))
        allowed = TOLERANCE * max(map(abs, there)) + _ROUNDING * (1 + max(map(abs, here)))
        allowed += outcome.told * (kind == "torsions")
        if not off <= allowed:
            outcome.failures.append(
                f"energy of {kind} {sum(here):.10g} beside {sum(there):.10g} kJ/mol; by forces "
                f"here {simulation.energy.per_force}, there {energies}"
            )


def _kind(force: mm.Force) -> str:
    """Of which kind a force's terms are; custom bonds are those of pairs if they divide by r."""
    name = type(force).__name__
    if name == "CustomBondForce":
        return "pairs" if re.search(r"/r\b", force.getEnergyFunction()) else "bonds"
    return _FORCES.get(name, "pairs")


def _compare_forces(
    system: mm.System, outcome: Outcome, simulation: au.Simulation, forces: NDArray[np.float64]
) -> None:
    """Forces (forces, n, 3) on each particle, in parts of the largest of those on it."""
    real = np.array([not system.isVirtualSite(i) for i in range(forces.shape[1])])
    off = np.linalg.norm(simulation.get("force") - forces.sum(axis=0), axis=1)
    size = np.linalg.norm(forces, axis=2).max(axis=0)
    allowed = TOLERANCE * size + _PUSH
    allowed[_twisted(system)] += _PER_LENGTH * outcome.told
    wrong = real & ~(off <= allowed)
    if wrong.any():
        i = int(np.argmax(np.where(wrong, off / size, 0)))
        outcome.failures.append(
            f"forces on {wrong.sum()} particles, {i} among them, differ by {off[i]:.3g} of "
            f"{size[i]:.6g} kJ/mol/nm"
        )


def _twisted(system: mm.System) -> list[int]:
    """Particles of custom torsions."""
    return sorted(
        {
            i
            for force in system.getForces()
            if isinstance(force, mm.CustomTorsionForce)
            for k in range(force.getNumTorsions())
            for i in force.getTorsionParameters(k)[:4]
        }
    )


def _can_run(drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation) -> bool:
    """Whether both programs move particles by forces and constraints alone."""
    own = simulation.integrator
    plain = type(own) is au.LeapFrog and own.thermostat is None and own.barostat is None
    acts = any(_acts(force) for force in drawn.system.getForces())
    return plain and not acts and not drawn.moved and not outcome.told


def _acts(force: mm.Force) -> bool:
    """Whether a force changes velocities or the box at other steps than here.

    Both programs remove the motion of the whole every n steps, but after the first here and
    before it there, which is alike for n = 1 alone.
    """
    if isinstance(force, mm.AndersenThermostat):
        return force.getDefaultCollisionFrequency()._value > 0
    if isinstance(force, mm.CMMotionRemover):
        return force.getFrequency() > 1
    return type(force).__name__.endswith("Barostat") and force.getFrequency() > 0


def _compare_runs(drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation) -> None:
    """Places after some steps from rest, so short that rounding does not grow."""
    mass = np.array([drawn.system.getParticleMass(i)._value for i in range(len(drawn.position))])
    with np.errstate(divide="ignore", invalid="ignore"):
        pace = np.linalg.norm(simulation.get("force"), axis=1) / mass
    pace = pace[mass > 0].max()
    dt = float(min(0.001, np.sqrt(_FAR / max(pace, 1e-9))))
    if dt < 1e-6:
        return
    context = _new_context(drawn, dt)
    theirs = drawn.position
    for _ in range(_STEPS):  # OpenMM does not survive steps after one that diverges
        context.getIntegrator().step(1)
        theirs = context.getState(positions=True).getPositions(asNumpy=True)._value
        if not _off_constraints(drawn.system, theirs) < _LOST:
            return
    outcome.ran = True
    simulation.integrator = replace(simulation.integrator, dt=dt)
    simulation.run(_STEPS)
    vectors = np.array([row._value for row in drawn.system.getDefaultPeriodicBoxVectors()])
    off = simulation.positions() - theirs
    off -= np.rint(off @ np.linalg.inv(vectors)) @ vectors
    way = np.abs(theirs - drawn.position).max()
    part = _OF_SERIES if drawn.system.getNumConstraints() else _OF_LISTS
    allowed = part * way + _SHIFT
    if isinstance(simulation.solver, au.SHAKE):
        allowed += simulation.solver.tolerance * _LONGEST
    if not np.abs(off).max() <= allowed:
        outcome.failures.append(f"particles are off by {np.abs(off).max():.3g} nm of {way:.3g}")


def _off_constraints(system: mm.System, position: NDArray[np.float64]) -> float:
    """How far lengths are from those of constraints, in parts; not a number where one is none."""
    found = [0.0]
    for k in range(system.getNumConstraints()):
        i, j, length = system.getConstraintParameters(k)
        found.append(np.linalg.norm(position[i] - position[j]) / length._value - 1.0)
    return float(np.abs(found).max())
