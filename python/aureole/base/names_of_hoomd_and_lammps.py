# SPDX-License-Identifier: Apache-2.0
"""What users of HOOMD-blue and LAMMPS write, and what it is here."""

from __future__ import annotations

_PAGE = "docs/howto/from-hoomd-or-lammps.md"
_OWN = "Add it as a file, which is compiled in: docs/howto/add-a-potential.md"

#: Classes, as attributes of the package.
NAMES = {
    "Brownian": f"It is not there; see {_PAGE}",
    "Buckingham": _OWN,
    "ConstantPressure": "Use LeapFrog(thermostat=..., barostat=CRescale(...))",
    "ConstantVolume": "Use NVE, Langevin or Bussi",
    "DPD": f"It is not there; see {_PAGE}",
    "FENE": "Use FeneBond and WCA",
    "FENEWCA": "Use FeneBond and WCA",
    "GSD": 'Use Trajectory("a.gsd", every=...)',
    "Harmonic": "Use HarmonicBond or HarmonicAngle",
    "LJ": "Use LennardJones",
    "MTTK": "Use VelocityVerlet(thermostat=NoseHoover(...))",
    "Morse": "Use MorseBond for bonds. " + _OWN,
    "NPT": "Use LeapFrog(thermostat=..., barostat=CRescale(...))",
    "NVT": "Use Bussi or Langevin",
    "Ramp": "Use Annealing, as in VRescale(T=Annealing(...), tau=...)",
    "Snapshot": "Use System",
    "State": "Use System",
    "Table": "Use Log for tables of energies. Tabulated potentials are not there: " + _OWN,
    "Wall": "Use LennardJonesWall",
    "Yukawa": _OWN,
    "nlist": "Use NeighborList",
}

#: Arguments, and which one of a class takes their place; the words say how.
ARGUMENTS = {
    "K": ("k", "Write k; harmonic bonds and angles have k/2, so twice the K of LAMMPS"),
    "R0": ("r_max", "Write r_max"),
    "couple": ("shape", 'Write shape="isotropic", "semiisotropic" or "anisotropic"'),
    "cutoff": ("r_cut", "Write r_cut"),
    "damp": ("gamma", "Write gamma, which is 1 / damp"),
    "default_gamma": ("gamma", "Write gamma, a rate: the drag over the mass"),
    "default_r_cut": ("r_cut", "Write r_cut"),
    "default_r_on": ("r_switch", "Write r_switch"),
    "nlist": ("r_cut", "Omit it: lists are exact and tune themselves"),
    "r_on": ("r_switch", "Write r_switch"),
    "tauS": ("tau", "Write tau"),
    "trigger": ("every", "Write every"),
}

#: Attributes of a simulation.
ATTRIBUTES = {
    "ke": "sim.energy.kinetic",
    "operations": "sim.observers",
    "pe": "sim.energy.potential",
    "press": "sim.pressure",
    "temp": "sim.temperature",
    "timestep": "sim.step",
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
