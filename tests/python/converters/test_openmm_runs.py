# SPDX-License-Identifier: Apache-2.0
"""What comes with OpenMM's systems for runs: integrators, thermostats, constraints, its words."""

from __future__ import annotations

import json
import math
import pickle

import aureole as au
import numpy as np
import pytest

mm = pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
from openmm import app, unit  # noqa: E402
from test_from_openmm import PRECISE, arrays, built, small  # noqa: E402

FS, PS, K = unit.femtosecond, unit.picosecond, unit.kelvin


def taken(integrator, *forces, **options):
    system, topology, x = small()
    for force in forces:
        system.addForce(force)
    return au.from_openmm(system, topology, x, integrator, maxwarn=9, **options)


@pytest.mark.parametrize("kind", [mm.LangevinIntegrator, mm.LangevinMiddleIntegrator])
def test_langevin_integrators(kind):
    given = kind(310 * K, 2 / PS, 1.5 * FS)
    given.setRandomNumberSeed(77)
    sim = taken(given)
    dynamics = sim.integrator
    assert type(dynamics) is au.StochasticDynamics and dynamics.dt == pytest.approx(0.0015)
    assert (dynamics.T, dynamics.tau) == (310, 0.5) and sim.seed == 77
    assert sim.run(5).step == 5
    still = taken(kind(310 * K, 0 / PS, 1 * FS)).integrator
    assert type(still) is au.LeapFrog and still.thermostat is None


def test_verlet_integrators_leave_thermostats_alone():
    sim = taken(mm.VerletIntegrator(1 * FS), mm.AndersenThermostat(305 * K, 2 / PS))
    assert type(sim.integrator) is au.LeapFrog and sim.dt == pytest.approx(0.001)
    assert sim.integrator.thermostat == au.VRescale(T=305, tau=0.5)
    assert taken(mm.VerletIntegrator(1 * FS)).integrator.thermostat is None
    options = {"temperature": 290, "dt": "0.5 fs"}
    sim = taken(mm.VerletIntegrator(1 * FS), **options)
    assert sim.integrator.thermostat.T == 290 and sim.dt == pytest.approx(0.0005)


def test_nose_hoover_integrators():
    """The chain's mass is kT/frequency² there and kT (tau/2 pi)² here."""
    sim = taken(mm.NoseHooverIntegrator(300 * K, 25 / PS, 1 * FS))
    assert type(sim.integrator) is au.VelocityVerlet
    thermostat = sim.integrator.thermostat
    assert thermostat.T == 300 and thermostat.tau == pytest.approx(2 * math.pi / 25)
    assert thermostat.length == 3
    parts = mm.NoseHooverIntegrator(1 * FS)
    parts.addSubsystemThermostat([0], [], 300 * K, 25 / PS, 300 * K, 25 / PS)
    with pytest.raises(au.InputError, match=r"thermostats of parts .* chosen by tc_grps"):
        taken(parts)


def test_options_override_an_integrator():
    given = mm.LangevinMiddleIntegrator(310 * K, 2 / PS, 1.5 * FS)
    dynamics = taken(given, temperature="290 K", tau_t=3, dt="1 fs").integrator
    assert (dynamics.T, dynamics.tau, dynamics.dt) == (290, 3, 0.001)
    assert taken(given, ref_t=280).integrator.T == 280
    assert type(taken("sd", temperature=300).integrator) is au.StochasticDynamics


@pytest.mark.parametrize(
    "integrator, words",
    [
        (mm.BrownianIntegrator(300, 1, 0.001), "is a BrownianIntegrator .*of OpenMM's Verlet"),
        (mm.VariableVerletIntegrator(0.001), "is a VariableVerletIntegrator"),
        (mm.CustomIntegrator(0.001), "is a CustomIntegrator"),
        (np.zeros((3, 3)), "is a ndarray"),
    ],
)
def test_other_integrators_are_answered_by_what_to_write(integrator, words):
    with pytest.raises(au.InputError, match=rf"^integrator {words}.*Write integrator=\"sd\""):
        taken(integrator)


def test_force_groups_of_an_integrator():
    given = mm.VerletIntegrator(1 * FS)
    given.setIntegrationForceGroups({0, 3})
    with pytest.raises(au.InputError, match="VerletIntegrator takes some force groups alone"):
        taken(given)


def test_a_thermostat_of_frequency_0_is_off():
    """It does nothing in OpenMM; it was replaced by one that acts within 1 ps."""
    sim = taken(None, mm.AndersenThermostat(300 * K, 0 / PS))
    assert sim.integrator.thermostat is None
    assert sim.remarks == ("AndersenThermostat is off (its frequency is 0)",)


def test_steps_are_made_by_run():
    sim = taken(mm.VerletIntegrator(1 * FS))
    with pytest.raises(TypeError, match=r"the number of the current step, 0 .* sim\.run\(500\)"):
        sim.step(500)
    with pytest.raises(au.InputError, match=r"sim\.run\(1000\)"):
        sim.step()
    sim.run(3)
    assert sim.step == 3 and isinstance(sim.step, int)
    assert f"{sim.step:,} {sim.step!r} {json.dumps(sim.step)}" == "3 3 3"
    assert pickle.loads(pickle.dumps(sim.step)) == 3 and np.array([sim.step]).dtype == np.int64


def test_angles_with_hydrogens_as_constraints():
    """Corrections would not converge, and the run ended at step 1. What is advised does 4 fs."""
    system, topology, context = built("amber14", constraints=app.HAngles)
    positions, _ = arrays(context)
    for make in (au.from_openmm, au.system_from_openmm):
        with pytest.raises(au.InputError, match=r"720 constraints of .* coupling of 1\.38"):
            make(system, topology, positions)
    system, topology, context = built(
        "amber14", constraints=app.HBonds, rigidWater=True, hydrogenMass=3 * unit.amu
    )
    positions, _ = arrays(context)
    sim = au.from_openmm(
        system, topology, positions, dt="4 fs", temperature=300, maxwarn=9, **PRECISE
    )
    sim.minimize(max_steps=30)
    sim.thermalize(seed=1).run(25)
    assert sim.energy.kinetic < 2e5


def ring():
    """A square of bonds with a diagonal, whose coupling is 0.96: LINCS alone leaves 1e-3."""
    turn = 2 * np.pi * np.arange(4) / 4
    x = 1 + 0.11 * np.stack([np.cos(turn), np.sin(turn), 0.3 * (-1.0) ** np.arange(4)], axis=1)
    return x, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], [1.008, 12.0, 1.008, 12.0]


def zigzag():
    """Seven bonds of one mass in angles of 30 degrees, without a ring; their coupling is 0.80."""
    k = np.arange(8)
    x = 1 + np.stack([0.03 * k, 0.112 * (k % 2), 0.002 * k**2], axis=1)
    return x, [(i, i + 1) for i in range(7)], [12.0] * 8


@pytest.mark.parametrize("shape", [ring, zigzag])
def test_coupled_constraints_are_solved_to_the_tolerance_of_openmm(shape):
    x, bonds, mass = shape()
    system, topology = mm.System(), app.Topology()
    residue = topology.addResidue("R", topology.addChain())
    force = mm.NonbondedForce()
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(0.8)
    for one in mass:
        system.addParticle(one)
        force.addParticle(0, 0.1, 0)
        topology.addAtom("C", app.element.carbon, residue)
    system.addForce(force)
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in 2 * np.eye(3)))
    pairs = np.array(bonds)
    lengths = np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    for (i, j), length in zip(pairs.tolist(), lengths, strict=True):
        system.addConstraint(i, j, float(length))
    integrator = mm.VerletIntegrator(2 * FS)
    integrator.setConstraintTolerance(1e-9)
    context = mm.Context(system, integrator, mm.Platform.getPlatformByName("Reference"))
    context.setPositions(x)
    context.setVelocitiesToTemperature(300 * K, 3)
    v = context.getState(velocities=True).getVelocities(asNumpy=True)._value
    v = v - v.mean(axis=0)
    context.setVelocities(v)
    context.applyVelocityConstraints(1e-9)
    v = context.getState(velocities=True).getVelocities(asNumpy=True)._value
    sim = au.from_openmm(system, topology, x, integrator, velocities=v, maxwarn=9, **PRECISE)
    assert type(sim.solver) is au.SHAKE
    sim.run(50)
    integrator.step(50)
    theirs = context.getState(positions=True).getPositions(asNumpy=True)._value
    p = sim.positions()
    now = np.linalg.norm(p[pairs[:, 0]] - p[pairs[:, 1]], axis=1)
    assert np.abs(now / lengths - 1).max() < 1e-5
    assert p == pytest.approx(theirs, abs=1e-5)
