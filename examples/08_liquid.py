# SPDX-License-Identifier: Apache-2.0
"""A Lennard-Jones liquid from a lattice, with a thermostat, a checkpoint and a picture.

python examples/08_liquid.py [PARTICLES] [STEPS]

Needs matplotlib. Afterwards `aureole run liquid.ckpt --steps 1000` goes on.
"""

import sys

import aureole as au
import numpy as np
from aureole.analysis import pair_distribution
from aureole.analysis.plot import overview, read_log

n = int(sys.argv[1]) if len(sys.argv) > 1 else 64_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 15_000
density, kT, dt = 0.2 * 6 / np.pi, 1.2, 0.005  # a fifth of the volume in spheres of diameter 1

au.write("start.gsd", au.build.lattice("fcc", n=n, density=density))
sim = au.Simulation(
    au.read("start.gsd"),
    forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=3.0)],
    integrator=au.Bussi(dt=dt, kT=kT, tau=0.5),
    observers=[
        au.Trajectory("liquid.gsd", every=max(1, steps // 9)),
        au.Log("liquid.csv", every=max(1, min(50, steps // 60))),
        au.Checkpoint("liquid.ckpt", every=max(1, steps // 3)),
        au.Progress(),
    ],
    seed=1,
)
sim.thermalize(kT=kT)
with sim:
    sim.run(steps)

# The first third is equilibration; g(r) is the mean over the last frames.
r_max = min(5.0, 0.99 * float(sim.box.widths.min()) / 2)
frames = [au.read("liquid.gsd", frame=-k) for k in (1, 2, 3, 4)]
curves = [pair_distribution(frame, r_max, bins=120, centres=600) for frame in frames]
g = curves[0][0], np.mean([curve for _, curve in curves], axis=0)
title = f"Lennard-Jones liquid: {sim.n:,} particles, density {density:.3f}, kT {kT:g}"
overview(read_log("liquid.csv"), sim.n, g, "liquid.png", title, start=steps * dt / 3)
print(f"liquid.png: the highest peak of g(r) is {g[1].max():.2f} at r = {g[0][g[1].argmax()]:.2f}")
