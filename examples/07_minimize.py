# SPDX-License-Identifier: Apache-2.0
"""From random positions to a glass: minimise, then move only one of two types.

python examples/07_minimize.py [PARTICLES] [STEPS]
"""

import sys

import aureole as au
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000

mix = au.build.mixture(n, {"mobile": 0.7, "wall": 0.3}, seed=7)
sim = au.Simulation(
    au.build.random(n, density=0.6, min_distance=0.8, seed=7, **mix),
    forces=[au.WCA(epsilon=1.0, sigma=1.0)],
    # A filter selects the particles that move; the others stay fixed.
    integrator=au.Langevin(dt=0.002, kT=0.5, gamma=1.0, filter=au.Type("mobile")),
    observers=[au.Progress()],
    seed=7,
)
result = sim.minimize(au.FIRE(force_tolerance=1e-3, max_steps=5000))
words = "converged" if result.converged else "stopped"
print(f"{words} after {result.steps} steps, largest force {result.max_force:.2e}")

sim.thermalize(kT=0.5)
fixed = sim.snapshot().type == sim.type_names.index("wall")
before = sim.get("position")
sim.run(steps)
moved = np.abs(sim.get("position") - before).max(axis=1)
print(f"walls moved by {moved[fixed].max():.1f}, others by up to {moved[~fixed].max():.2f}")
