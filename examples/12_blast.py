# SPDX-License-Identifier: Apache-2.0
"""The blast of Sedov and Taylor: run it, compare with the exact solution, draw a profile."""

import sys

import aureole as au
import numpy as np
from aureole import amr

cells = int(sys.argv[1]) if len(sys.argv) > 1 else 64  # along each axis, a multiple of 8
until = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
blast = amr.sedov(cells)
sim = amr.Simulation(
    mesh=blast.mesh(),
    gas=blast.gas(),
    observers=[au.Progress()],
)
sim.set(blast)
before = sim.totals
sim.run(until=until)

x, y, z = (sim.mesh.centers(axis) for axis in "xyz")
r = np.sqrt(x**2 + y[:, None] ** 2 + z[:, None, None] ** 2)
exact = blast.exact(sim.time, *np.broadcast_arrays(x, y[:, None], z[:, None, None]))
error = np.abs(sim.get("density") - exact["density"]).mean()
print(f"{sim.step} steps to t = {sim.time:g}; mean error of the density {error:.2e}")
print(f"energy changed by {sim.totals['energy'] / before['energy'] - 1:.1e}")

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("No picture: install matplotlib")
else:
    near = r < 0.6
    line = np.linspace(0, 0.6, 1000)
    plt.plot(r[near], sim.get("density")[near], ".", ms=2, label="cells")
    plt.plot(line, blast.exact(sim.time, line, 0 * line, 0 * line)["density"], label="exact")
    plt.xlabel("distance from the centre")
    plt.ylabel("density")
    plt.legend()
    plt.savefig("blast.png", dpi=150)
    print("wrote blast.png")
