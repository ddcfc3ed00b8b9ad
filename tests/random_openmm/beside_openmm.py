# SPDX-License-Identifier: Apache-2.0
"""One random system here and in OpenMM: equal, refused, or a remark that says what differs."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field

import aureole as au
import numpy as np
import openmm as mm
from openmm import unit
from openmm_forces import MOST
from openmm_systems import RandomSystem, system_of

TOLERANCE = 1e-6
#: Device lists and threads by the number of a system.
_DEVICES = (
    {"threads": 1},
    {"threads": 2},
    {"threads": 2, "algorithm": "flat"},
)
_OFF = re.compile(r"each torsion differs from OpenMM's by up to (\S+) kJ/mol")


@dataclass
class Outcome:
    """What came of one system.

    Attributes:
        refused: why it was not taken over; "" if it was
        remarks: of the simulation
        failures: what is wrong
    """

    number: int
    refused: str = ""
    remarks: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)


def examine(number: int) -> Outcome:
    """Compare one system."""
    drawn, outcome = system_of(number), Outcome(number)
    simulation = _converted(drawn, outcome)
    if simulation is None:  # OpenMM does not survive all that is refused here
        return outcome
    context = _context(drawn, outcome, simulation)
    if context is not None:
        _compare(drawn, outcome, simulation, context)
    return outcome


def _converted(drawn: RandomSystem, outcome: Outcome) -> au.Simulation | None:
    device = au.Device(name="host", precision="double", **_DEVICES[drawn.number % len(_DEVICES)])
    arguments = drawn.system, drawn.topology, drawn.position * unit.nanometer
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            simulation = au.from_openmm(*arguments, dt="1 fs", maxwarn=99, device=device)
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
    nonbonded = system.getForce(0)
    mesh = nonbonded.getNonbondedMethod() == nonbonded.PME
    alpha = nonbonded.getPMEParameters()[0]._value if mesh else 0.0
    try:
        context = _new_context(system)
        if mesh and not alpha:
            # OpenMM's platforms choose meshes of their own for a tolerance.
            theirs = nonbonded.getPMEParametersInContext(context)
            pme = next(force for force in simulation.forces if isinstance(force, au.PME))
            if not np.isclose(theirs[0], pme.beta, rtol=1e-9):
                outcome.failures.append(f"beta {pme.beta} beside {theirs[0]}")
            if any(ours < least for ours, least in zip(pme.grid, theirs[1:], strict=True)):
                outcome.failures.append(f"mesh {pme.grid} beside {theirs[1:]}")
            nonbonded.setPMEParameters(theirs[0], *pme.grid)
            context = _new_context(system)
        context.setPositions(drawn.position)
        context.computeVirtualSites()
        context.getState(energy=True)
    except mm.OpenMMException as error:
        outcome.failures.append(f"taken here, refused by OpenMM: {error}")
        return None
    return context


def _new_context(system: mm.System) -> mm.Context:
    for k, force in enumerate(system.getForces()):
        force.setForceGroup(k)
    platform = mm.Platform.getPlatformByName("Reference")
    return mm.Context(system, mm.VerletIntegrator(0.001), platform)


def _compare(
    drawn: RandomSystem, outcome: Outcome, simulation: au.Simulation, context: mm.Context
) -> None:
    parts = [
        context.getState(energy=True, groups={k}).getPotentialEnergy()._value
        for k in range(drawn.system.getNumForces())
    ]
    state = context.getState(energy=True, forces=True)
    theirs = state.getPotentialEnergy()._value
    forces = state.getForces(asNumpy=True)._value
    told = [float(found[1]) for found in map(_OFF.search, outcome.remarks) if found]
    allowed = MOST * sum(told)
    scale = max(abs(theirs), max(map(abs, parts)))
    ours = simulation.energy.potential
    if not abs(ours - theirs) <= TOLERANCE * scale + allowed:
        outcome.failures.append(
            f"energy {ours:.10g} beside {theirs:.10g} kJ/mol; by forces here "
            f"{simulation.energy.per_force}, there {parts}"
        )
    real = np.array([not drawn.system.isVirtualSite(i) for i in range(len(forces))])
    off = np.abs(simulation.get("force") - forces)[real].max()
    if not off <= TOLERANCE * np.abs(forces[real]).max() + 1e3 * allowed:
        outcome.failures.append(f"forces differ by {off:.3g} of {np.abs(forces).max():.6g}")
