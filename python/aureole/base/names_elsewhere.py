# SPDX-License-Identifier: Apache-2.0
"""What users of other programs look for, and what it is here."""

from __future__ import annotations

_LANGEVIN = 'integrator="sd", temperature=300, tau_t=1 of au.from_openmm, or au.StochasticDynamics'
_PRESSURE = "pressure=1 of au.from_openmm, or au.CRescale"

#: Of the package.
OF_PACKAGE = {
    "AndersenThermostat": 'tcoupl="v-rescale" of au.from_openmm, or au.VRescale',
    "app": "`from openmm import app`",
    "CheckpointReporter": 'au.Checkpoint("a.ckpt", every=1000)',
    "DCDReporter": 'au.Trajectory("a.dcd", every=100)',
    "ForceField": "au.from_openmm, which takes what createSystem of OpenMM's ForceField makes",
    "LangevinIntegrator": _LANGEVIN,
    "LangevinMiddleIntegrator": _LANGEVIN,
    "MonteCarloAnisotropicBarostat": _PRESSURE,
    "MonteCarloBarostat": _PRESSURE,
    "MonteCarloMembraneBarostat": _PRESSURE,
    "NoseHooverIntegrator": 'tcoupl="nose-hoover" of au.from_openmm, or au.NoseHoover',
    "PDBFile": "au.from_openmm, which takes the topology and positions of OpenMM's PDBFile",
    "PDBReporter": 'au.Trajectory("a.pdb", every=100)',
    "Platform": "the arguments device, precision and threads",
    "StateDataReporter": 'au.Energies("a.csv", every=100)',
    "unit": "`from openmm import unit`",
    "VerletIntegrator": "au.LeapFrog",
    "XTCReporter": 'au.Trajectory("a.xtc", every=100)',
}

#: Of a `Simulation`.
OF_SIMULATION = {
    "context": "sim.energy and sim.get(...)",
    "currentStep": "sim.step",
    "density": 'au.Log(quantities=("density",)), or sim.snapshot().density of particles',
    "getPotentialEnergy": "sim.energy.potential",
    "getState": "sim.energy, sim.positions() and sim.get(...)",
    "kinetic": "sim.energy.kinetic",
    "kinetic_energy": "sim.energy.kinetic",
    "loadCheckpoint": "au.Simulation.from_checkpoint(path)",
    "minimizeEnergy": "sim.minimize()",
    "operations": "sim.observers",
    "potential": "sim.energy.potential",
    "potential_energy": "sim.energy.potential",
    "reporters": "sim.observers",
    "saveCheckpoint": "sim.write_checkpoint(path)",
    "saveState": "sim.snapshot().save(path)",
    "setPeriodicBoxVectors": "au.from_openmm(..., box=...), which makes another simulation",
    "setPositions": "sim.set_positions(x)",
    "setVelocities": 'sim.set("velocity", v)',
    "setVelocitiesToTemperature": "sim.thermalize()",
    "state": "sim.snapshot()",
    "system": "sim.snapshot()",
    "timestep": "sim.step",
    "total_energy": "sim.energy.total",
    "velocities": 'sim.get("velocity")',
    "volume": "sim.box.volume",
}

_WARMER = "replace(sim.integrator, thermostat=replace(sim.integrator.thermostat, T=...))"

#: Of integrators.
OF_INTEGRATOR = {
    "getStepSize": "dt",
    "getTemperature": "integrator.T or integrator.thermostat.T",
    "setFriction": "replace(sim.integrator, tau=...), one over the friction",
    "setStepSize": "replace(sim.integrator, dt=...)",
    "setTemperature": f"replace(sim.integrator, T=...) or {_WARMER}",
    "step": "sim.run",
}

#: Arguments, by those that do the same where a class has them.
ARGUMENTS = {
    "friction": {"tau": "Give tau=1/friction"},
    "gamma": {"tau": "Give tau=1/gamma"},
    "maxIterations": {"max_steps": "Give max_steps"},
    "reportInterval": {"every": "Give every, a number of steps or a time"},
    "T": {"thermostat": f"Use {_WARMER}"},
    "temperature": {"T": "Give T", "thermostat": f"Use {_WARMER}"},
}
