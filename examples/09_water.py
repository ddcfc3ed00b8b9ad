# SPDX-License-Identifier: Apache-2.0
"""Water from GROMACS files: build, write, minimise, and run at 300 K.

python examples/09_water.py [MOLECULES] [STEPS]
"""

import sys

import aureole as au

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000

steep = "integrator = steep\nemtol = 1000\nnsteps = 1000\ncoulombtype = PME\n"
motion = f"""
integrator = md
dt         = 0.002
nsteps     = {steps}
nstenergy  = 50
nstcalcenergy = 50
nstxout-compressed = 100
coulombtype = PME
tcoupl = V-rescale
tc-grps = System
tau-t = 0.1
ref-t = 300
gen-vel = yes
gen-temp = 300
gen-seed = 1
ld-seed = 1
"""
system = au.build.water(n, "spce", seed=1)  # or use your own conf.gro and topol.top
system.write_gromacs("water", motion)
with open("water/steep.mdp", "w") as file:
    file.write(steep)

with au.from_gromacs("water/conf.gro", "water/topol.top", "water/steep.mdp") as sim:
    found = sim.minimize()
    au.write_frame("water/steep.gro", sim)
    print(f"{found.steps} minimisation steps, largest force {found.max_force:.0f} kJ/mol/nm")

sim = au.from_gromacs(
    "water/steep.gro",
    "water/topol.top",
    "water/grompp.mdp",
    observers=[
        au.Frames("water/traj.xtc", every=100),
        au.Energies("water/ener.csv", every=50),
        au.RunLog("water/md.log", every=1000),
        au.Progress(),
    ],
)
with sim:
    sim.run()
    energy, temperature = sim.energy.potential / n, sim.temperature
print(f"potential energy   {energy:.2f} kJ/mol per molecule")
print(f"temperature        {temperature:.1f} K")
print(f"speed              {sim.ns_per_day:.3g} ns/day")
