# SPDX-License-Identifier: Apache-2.0
"""Rigid water at constant pressure, in Python alone, without files of other programs.

python examples/10_water_from_python.py [molecules] [steps]
"""

import sys

import aureole as au

molecules = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
run = int(sys.argv[2]) if len(sys.argv) > 2 else "2 ps"

water = au.build.water(molecules, "spce")
sim = au.Simulation(
    water.system(),  # charges, bonds, rigid molecules, units; from_gromacs makes the same
    forces=[
        au.LennardJones(r_cut="1.0 nm", mode="shift"),
        au.PME(r_cut="1.0 nm", spacing="0.12 nm"),
    ],
    integrator=au.LeapFrog(
        dt="2 fs",
        thermostat=au.VRescale(T="300 K", tau="0.5 ps"),
        barostat=au.CRescale(P="1 bar", tau="2 ps"),
    ),
    observers=[
        au.Trajectory("water.xtc", every="1 ps"),
        au.Energies("water.csv", every="0.1 ps"),
        au.Progress(),
    ],
)
sim.minimize(max_steps=200)
sim.thermalize()
sim.run(run)
print(sim.describe())
print(sim.energy, sim.temperature, sim.pressure, sim.box.volume)
sim.close()
