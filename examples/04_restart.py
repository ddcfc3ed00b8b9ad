# SPDX-License-Identifier: Apache-2.0
"""Stop and continue: a run in two parts is bitwise identical to a run in one part.

python examples/04_restart.py [PARTICLES] [STEPS]
"""

import sys

import aureole as au
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000


def simulation(name: str) -> au.Simulation:
    """The same initial state each time; only the file names differ."""
    sim = au.Simulation(
        au.build.lattice("fcc", n=n, density=0.8),
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.Langevin(dt=0.005, kT=1.0),
        observers=[
            au.Trajectory(f"{name}.gsd", every=steps // 4),
            au.Log(f"{name}.csv", every=steps // 20),
            au.Checkpoint(f"{name}.ckpt", every=steps // 2),
        ],
        seed=4,
    )
    sim.thermalize(kT=1.0)
    return sim


with simulation("whole") as whole:
    whole.run(steps)

# The second run stops half-way. Only its files remain.
with simulation("parts") as parts:
    parts.run(steps // 2)
del parts

with au.Simulation.from_checkpoint("parts.ckpt") as again:
    print(f"continuing from step {again.step}")
    again.run(until=steps)

same = np.array_equal(again.get("position"), whole.get("position"))
print("positions are bitwise identical:", same)
with open("whole.csv") as one, open("parts.csv") as other:
    print("logs are identical:", one.read() == other.read())
sys.exit(0 if same else 1)
