# SPDX-License-Identifier: Apache-2.0
"""A Lennard-Jones liquid from a lattice, with a thermostat, a checkpoint and a picture.

python examples/08_liquid.py [PARTICLES] [STEPS]

Needs matplotlib. `aureole run liquid.ckpt --steps 1000` continues the run afterwards.
"""

import sys

import aureole as au
import matplotlib
import numpy as np
from aureole.analysis import mean_and_error, pair_distribution

matplotlib.use("Agg")  # needs no screen
from matplotlib import pyplot as plt

INK, SOFT = "#22262e", "#8a93a3"
plt.rcParams |= {
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": SOFT,
    "axes.labelcolor": INK, "axes.labelsize": 9.5, "axes.titlesize": 10.5,
    "xtick.color": SOFT, "ytick.color": SOFT, "xtick.labelsize": 8.5, "ytick.labelsize": 8.5,
}  # fmt: skip


def draw_series(axes, time, values, start, label, colour):
    """One quantity against time, with its mean after `start`; the time before is shaded."""
    late = values[time >= start]
    mean, error = mean_and_error(late)
    axes.plot(time, values, color=colour, lw=1.1)
    axes.hlines(mean, start, time[-1], color=INK, lw=0.9, ls=(0, (4, 3)))
    axes.axvspan(time[0], start, color="#eef1f5", lw=0, zorder=0)
    # The start may be far off; the plot shows the relaxation.
    spread = np.ptp(late) or abs(mean) or 1.0
    low, high = late.min() - 1.2 * spread, late.max() + 1.2 * spread
    axes.set_ylim(max(low, values.min() - 0.1 * spread), min(high, values.max() + 0.6 * spread))
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel("time  [τ]")
    axes.grid(axis="y", color="#e6e9ee", lw=0.7)
    axes.set_title(label, loc="left", color=INK, fontweight="bold")
    digits = max(1, 1 - int(np.floor(np.log10(error)))) if error > 0 else 4
    words = f"{mean:.{digits}f} ± {error:.{digits}f}".replace("-", "−")
    axes.set_title(words, loc="right", size=9.5, color=SOFT)


def draw_distribution(axes, r, g, colour):
    """g(r), with its highest peak."""
    axes.fill_between(r, 0, g, color=colour, alpha=0.12, lw=0)
    axes.plot(r, g, color=colour, lw=1.6)
    axes.axhline(1.0, color=INK, lw=0.8, ls=(0, (4, 3)))
    axes.set(xlim=(0, r[-1]), ylim=(0, 1.12 * g.max()), xlabel="distance  [σ]")
    axes.set_title("Pair distribution g(r)", loc="left", color=INK, fontweight="bold")
    peak, words = (r[g.argmax()], g.max()), f"{g.max():.2f} at {r[g.argmax()]:.2f} σ"
    axes.annotate(words, peak, (12, -4), textcoords="offset points", size=9, color=SOFT)


n = int(sys.argv[1]) if len(sys.argv) > 1 else 64_000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 15_000
density, kT, dt = 0.2 * 6 / np.pi, 1.2, 0.005  # a fifth of the volume in spheres of diameter 1

system = au.build.lattice("fcc", n=n, density=density)
au.write("start.gsd", system)
sim = au.Simulation(
    system,
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

log = np.genfromtxt("liquid.csv", delimiter=",", names=True)
quantities = [
    ("Energy per particle  [ε]", (log["potential"] + log["kinetic"]) / sim.n, "#3266ad"),
    ("Temperature  [ε/k]", log["temperature"], "#c4472b"),
    ("Pressure  [ε/σ³]", log["pressure"], "#2e8b6f"),
]
figure, grid = plt.subplots(2, 2, figsize=(10.5, 6.6), constrained_layout=True)
title = f"Lennard-Jones liquid: {sim.n:,} particles, density {density:.3f}, kT {kT:g}"
figure.suptitle(title, x=0.012, ha="left", fontsize=13, color=INK, fontweight="bold")
for axes, (label, values, colour) in zip(grid.flat, quantities, strict=False):
    draw_series(axes, log["time"], values, steps * dt / 3, label, colour)
draw_distribution(grid[1, 1], *g, "#7a4fa3")
figure.savefig("liquid.png", dpi=160, bbox_inches="tight", pad_inches=0.15)
print(f"liquid.png: the highest peak of g(r) is {g[1].max():.2f} at r = {g[0][g[1].argmax()]:.2f}")
