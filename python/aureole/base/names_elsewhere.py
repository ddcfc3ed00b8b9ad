# SPDX-License-Identifier: Apache-2.0
"""Names in other programs, with their counterparts here."""

from __future__ import annotations

_OWN = "Add it as a file, which is compiled in: docs/howto/add-a-potential.md"
_PORTING = "docs/howto/from-hoomd-or-lammps.md"
_NOT_THERE = f"It is not there; see {_PORTING}"
_LANGEVIN = 'Use integrator="sd", temperature=300, tau_t=1 of from_openmm, or StochasticDynamics'
_PRESSURE = "Use pressure=1 of from_openmm, or CRescale"
_BAROSTAT = "Use LeapFrog(thermostat=..., barostat=CRescale(...))"

#: Names looked up in the package.
OF_PACKAGE = {
    # OpenMM
    "AndersenThermostat": 'Use tcoupl="v-rescale" of from_openmm, or VRescale',
    "app": "Use `from openmm import app`",
    "CheckpointReporter": 'Use Checkpoint("a.ckpt", every=1000)',
    "DCDReporter": 'Use Trajectory("a.dcd", every=100)',
    "ForceField": "Use from_openmm, which takes what createSystem of OpenMM's ForceField makes",
    "LangevinIntegrator": _LANGEVIN,
    "LangevinMiddleIntegrator": _LANGEVIN,
    "MonteCarloAnisotropicBarostat": _PRESSURE,
    "MonteCarloBarostat": _PRESSURE,
    "MonteCarloMembraneBarostat": _PRESSURE,
    "NoseHooverIntegrator": 'Use tcoupl="nose-hoover" of from_openmm, or NoseHoover',
    "PDBFile": "Use from_openmm, which takes the topology and positions of OpenMM's PDBFile",
    "PDBReporter": 'Use Trajectory("a.pdb", every=100)',
    "Platform": "Use the arguments device, precision and threads",
    "StateDataReporter": 'Use Energies("a.csv", every=100)',
    "unit": "Use `from openmm import unit`",
    "VerletIntegrator": "Use LeapFrog",
    "XTCReporter": 'Use Trajectory("a.xtc", every=100)',
    # HOOMD-blue and LAMMPS
    "BoxResize": f"Make another simulation of a scaled snapshot, as in {_PORTING}",
    "Brownian": _NOT_THERE,
    "Buckingham": _OWN,
    "ConstantPressure": _BAROSTAT,
    "ConstantVolume": "Use NVE, Langevin or Bussi",
    "Custom": f"Use Callback(function, every=1), which changes velocities, as in {_PORTING}",
    "DPD": _NOT_THERE,
    "FENE": "Use FeneBond and WCA",
    "FENEWCA": "Use FeneBond and WCA",
    "GSD": 'Use Trajectory("a.gsd", every=...)',
    "Harmonic": "Use HarmonicBond or HarmonicAngle",
    "LJ": "Use LennardJones",
    "MTTK": "Use VelocityVerlet(thermostat=NoseHoover(...))",
    "Morse": f"Use MorseBond for bonds. {_OWN}",
    "NPT": _BAROSTAT,
    "NVT": "Use Bussi or Langevin",
    "Ramp": "Use Annealing, as in VRescale(T=Annealing(...), tau=...)",
    **dict.fromkeys(
        ("AMR", "Euler", "Fluid", "Hydro", "IdealGas", "Mesh"),
        "Fluids are in aureole.amr: Simulation, Mesh, IdealGas",
    ),
    "Snapshot": "Use System, or for fluids amr.Snapshot",
    "State": "Use System",
    "Table": f"Use Log for tables of energies. Tabulated potentials are not there: {_OWN}",
    "Wall": "Use LennardJonesWall",
    "Yukawa": _OWN,
    "nlist": "Use NeighborList",
}

#: Attributes looked up in a `Simulation`.
OF_SIMULATION = {
    "context": "sim.energy and sim.get(...)",
    "currentStep": "sim.step",
    "density": 'au.Log(quantities=("density",)), or sim.snapshot().density of particles',
    "getPotentialEnergy": "sim.energy.potential",
    "getState": "sim.energy, sim.positions() and sim.get(...)",
    "ke": "sim.energy.kinetic",
    "kinetic": "sim.energy.kinetic",
    "kinetic_energy": "sim.energy.kinetic",
    "loadCheckpoint": "au.Simulation.from_checkpoint(path)",
    "minimizeEnergy": "sim.minimize()",
    "operations": "sim.observers",
    "pe": "sim.energy.potential",
    "potential": "sim.energy.potential",
    "potential_energy": "sim.energy.potential",
    "press": "sim.pressure",
    "reporters": "sim.observers",
    "saveCheckpoint": "sim.write_checkpoint(path)",
    "saveState": "sim.snapshot().save(path)",
    "setPeriodicBoxVectors": "au.from_openmm(..., box=...), which makes another simulation",
    "setPositions": "sim.set_positions(x)",
    "setVelocities": 'sim.set("velocity", v)',
    "setVelocitiesToTemperature": "sim.thermalize()",
    "state": "sim.snapshot()",
    "system": "sim.snapshot()",
    "temp": "sim.temperature",
    "timestep": "sim.step",
    "total_energy": "sim.energy.total",
    "velocities": 'sim.get("velocity")',
    "volume": "sim.box.volume",
}

_WARMER = "replace(sim.integrator, thermostat=replace(sim.integrator.thermostat, T=...))"

#: Attributes looked up in integrators.
OF_INTEGRATOR = {
    "getStepSize": "dt",
    "getTemperature": "integrator.T or integrator.thermostat.T",
    "setFriction": "replace(sim.integrator, tau=...), one over the friction",
    "setStepSize": "replace(sim.integrator, dt=...)",
    "setTemperature": f"replace(sim.integrator, T=...) or {_WARMER}",
    "step": "sim.run",
}

#: Arguments of other programs, by the argument that does the same where a class has it.
ARGUMENTS = {
    # OpenMM
    "friction": {"tau": "Give tau=1/friction"},
    "gamma": {"tau": "Give tau=1/gamma"},
    "maxIterations": {"max_steps": "Give max_steps"},
    "reportInterval": {"every": "Give every, a number of steps or a time"},
    "T": {"thermostat": f"Use {_WARMER}"},
    "temperature": {"T": "Give T", "thermostat": f"Use {_WARMER}"},
    # HOOMD-blue and LAMMPS
    "K": {"k": "Give k; harmonic bonds and angles have k/2, so twice the K of LAMMPS"},
    "R0": {"r_max": "Give r_max"},
    "couple": {"shape": 'Give shape="isotropic", "semiisotropic" or "anisotropic"'},
    "cutoff": {"r_cut": "Give r_cut"},
    "damp": {"gamma": "Give gamma, which is 1 / damp"},
    "default_gamma": {"gamma": "Give gamma, a rate: the drag over the mass"},
    "default_r_cut": {"r_cut": "Give r_cut"},
    "default_r_on": {"r_switch": "Give r_switch"},
    "nlist": {"r_cut": "Omit it: lists are exact and tune themselves"},
    "r_on": {"r_switch": "Give r_switch"},
    "tauS": {"tau": "Give tau"},
    "trigger": {"every": "Give every"},
}

#: Columns of tables.
QUANTITIES = {
    "etotal": "total",
    "ke": "kinetic",
    "kinetic_energy": "kinetic",
    "kinetic_temperature": "temperature",
    "pe": "potential",
    "potential_energy": "potential",
    "press": "pressure",
    "temp": "temperature",
    "tps": "steps_per_second",
    "vol": "volume",
    **{f"p{one}": f"pressure_{one}" for one in ("xx", "yy", "zz", "xy", "xz", "yz")},
}
