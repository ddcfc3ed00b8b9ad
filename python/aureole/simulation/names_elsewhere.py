# SPDX-License-Identifier: Apache-2.0
"""What users of other programs look for in a simulation, and what it is here."""

from __future__ import annotations

OF_SIMULATION = {
    "context": "sim.energy and sim.get(...)",
    "currentStep": "sim.step",
    "getState": "sim.energy, sim.positions() and sim.get(...)",
    "loadCheckpoint": "au.Simulation.from_checkpoint(path)",
    "minimizeEnergy": "sim.minimize()",
    "operations": "sim.observers",
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
    "velocities": 'sim.get("velocity")',
}
