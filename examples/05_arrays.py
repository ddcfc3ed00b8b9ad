# SPDX-License-Identifier: Apache-2.0
"""Your own analysis of the engine's arrays: diffusion and velocity autocorrelation.

python examples/05_arrays.py [PARTICLES] [STEPS]
"""

import sys

import aureole as au
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 4_000
every = max(1, steps // 40)


def unwrapped(sim: au.Simulation) -> np.ndarray:
    """Unwrapped positions: the images count how often each face was crossed."""
    return sim.get("position") + sim.get("image") @ sim.box.matrix.T


times, spread, memory = [], [], []


def measure(sim: au.Simulation) -> None:
    """Called during the run."""
    times.append((sim.step - begin) * sim.dt)
    moved = unwrapped(sim) - origin
    spread.append((moved**2).sum(axis=1).mean())
    memory.append((sim.get("velocity") * first).sum() / (first**2).sum())


sim = au.Simulation(
    au.build.lattice("fcc", n=n, density=0.8),
    forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5, mode="shift")],
    integrator=au.NVE(dt=0.004),
    observers=[],
    seed=5,
)
sim.thermalize(kT=2.2)
sim.run(steps)

start = sim.snapshot()
watched = au.Simulation(
    start,
    forces=sim.forces,
    integrator=sim.integrator,
    observers=[au.Callback(measure, every=every), au.Progress()],
)
begin, origin, first = watched.step, unwrapped(watched), watched.get("velocity")
watched.run(steps)

if au.ranks.rank == 0:  # under mpirun, the rank that calls the callback
    slope = np.polyfit(times[len(times) // 2 :], spread[len(times) // 2 :], 1)[0]
    print(f"diffusion coefficient {slope / 6:.4f}, final autocorrelation {memory[-1]:+.3f}")

# Local order, without a copy: particles are sorted in space, so neighbours are close in memory.
with watched.arrays as a:
    speed = np.linalg.norm(a.velocity, axis=1)
    fastest = int(speed.argmax())
    print(f"fastest particle: tag {a.tag[fastest]}, speed {speed[fastest]:.2f}")
