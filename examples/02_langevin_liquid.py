# SPDX-License-Identifier: Apache-2.0
"""A liquid at constant temperature: means with errors, and the pair distribution function.

python examples/02_langevin_liquid.py [PARTICLES] [STEPS]
"""

import sys

import aureole as au
from aureole.analysis import mean_and_error, pair_distribution

n = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000

pressures = []

sim = au.Simulation(
    au.build.random(n, density=0.382, min_distance=0.85, seed=2),
    forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=3.0, tail_correction=True)],
    integrator=au.Langevin(dt=0.005, kT=1.2, gamma=1.0),
    observers=[
        au.Callback(lambda sim: pressures.append(sim.pressure), every=20),
        au.Progress(),
    ],
    seed=2,
)
sim.minimize(force_tolerance=1.0, max_steps=500)
sim.thermalize(kT=1.2)
sim.run(steps // 4)

pressures.clear()
sim.run(steps)
temperature = sim.temperature
if au.ranks.rank == 0:  # under mpirun, the rank that calls the callback
    mean, error = mean_and_error(pressures)
    print(f"pressure {mean:.4f} ± {error:.4f} at temperature {temperature:.3f}")

r, g = pair_distribution(sim.snapshot(), r_max=3.0, bins=60, centres=500)
print(f"highest peak of g(r): {g.max():.2f} at r = {r[g.argmax()]:.2f}")
