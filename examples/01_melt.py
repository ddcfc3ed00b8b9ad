# SPDX-License-Identifier: Apache-2.0
"""Melt a crystal: constant energy, a trajectory and a log.

python examples/01_melt.py [PARTICLES] [STEPS]
"""

import sys

import aureole as au

n = int(sys.argv[1]) if len(sys.argv) > 1 else 32_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000

system = au.build.lattice("fcc", n=n, density=0.8442)  # or au.read("start.gsd")
sim = au.Simulation(
    system,
    forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
    integrator=au.NVE(dt=0.005),
    observers=[
        au.Trajectory("melt.gsd", every=1000),
        au.Log("melt.csv", every=100),
        au.Progress(),
    ],
    seed=1,
)
sim.thermalize(kT=1.44)
sim.run(steps)

print(f"potential energy per particle  {sim.energy.potential / system.n:.4f}")
print(f"temperature                    {sim.temperature:.4f}")
print(f"pressure                       {sim.pressure:.4f}")
print(f"steps per second               {sim.steps_per_second:.0f}")
with sim.arrays as a:
    print(a.position.shape, a.force[:3])
