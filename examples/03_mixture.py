# SPDX-License-Identifier: Apache-2.0
"""The Kob-Andersen mixture: two types, parameters and cut-offs for each pair of types.

    python examples/03_mixture.py [PARTICLES] [STEPS]

Source of the parameters: Kob and Andersen, Phys. Rev. E 51, 4626 (1995).
"""

import sys

import aureole as au
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000

AA, AB, BB = ("A", "A"), ("A", "B"), ("B", "B")
sigma = {AA: 1.0, AB: 0.8, BB: 0.88}
pairs = au.LennardJones(
    epsilon={AA: 1.0, AB: 1.5, BB: 0.5},
    sigma=sigma,
    r_cut={pair: 2.5 * size for pair, size in sigma.items()},
    mode="shift",
)
system = au.build.lattice(
    "fcc", n=n, density=1.2, **au.build.mixture(n, {"A": 0.8, "B": 0.2}, seed=3)
)
sim = au.Simulation(
    system,
    forces=[pairs],
    integrator=au.Bussi(dt=0.004, kT=1.0, tau=0.4),
    observers=[au.Log("mixture.csv", every=100), au.Progress()],
    seed=3,
)
sim.thermalize(kT=2.0)
sim.run(steps)

energies = sim.get("energy")
for k, name in enumerate(system.type_names):
    mine = np.flatnonzero(system.type == k)
    print(f"{name}: {len(mine)} particles, energy per particle {energies[mine].mean():.3f}")
print(f"temperature {sim.temperature:.3f}, pressure {sim.pressure:.3f}")
