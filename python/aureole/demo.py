# SPDX-License-Identifier: Apache-2.0
"""The demonstration behind `make demo`: a Lennard-Jones liquid in about a minute."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

import numpy as np

from . import __version__, build, report
from .analysis import pair_distribution
from .errors import Error, InputError, Terminated
from .gsdfile import read, write
from .integrators import Bussi
from .observers import Checkpoint, Log, Progress, Trajectory
from .plot import overview, read_log
from .potentials import CLASSES
from .simulation import Simulation

# Packing fraction 0.2 of spheres of diameter 1, as in the benchmark of the same name.
DENSITY = 0.2 * 6 / np.pi
KT = 1.2
DT = 0.005


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m aureole.demo", description="A Lennard-Jones liquid in about a minute."
    )
    parser.add_argument("--folder", default="demo", help="where the results go")
    parser.add_argument("-n", type=int, default=64_000, help="number of particles")
    parser.add_argument("--equilibrate", type=int, default=5_000, help="steps before")
    parser.add_argument("--steps", type=int, default=10_000, help="steps shown")
    return parser.parse_args(given)


def run(folder: str, n: int, equilibrate: int, steps: int) -> Simulation:
    """Make the start file, equilibrate, run, and draw; everything goes into `folder`."""
    say = _say
    paint = report.Paint(sys.stdout)
    os.makedirs(folder, exist_ok=True)
    start, log = os.path.join(folder, "start.gsd"), os.path.join(folder, "liquid.csv")
    say(f"{paint('1', 'bold')}  {n:,} particles on a lattice at density {DENSITY:.4f}: {start}")
    write(start, build.lattice("fcc", n=n, density=DENSITY))

    every = max(1, min(50, steps // 60))
    sim = Simulation(
        read(start),
        forces=[CLASSES["LennardJones"](epsilon=1.0, sigma=1.0, r_cut=3.0)],
        integrator=Bussi(dt=DT, kT=KT, tau=0.5),
        observers=[
            Trajectory(os.path.join(folder, "liquid.gsd"), every=max(1, steps // 6)),
            Log(log, every=every),
            Checkpoint(os.path.join(folder, "restart.ckpt"), every=max(1, steps // 3)),
            Progress(),
        ],
        seed=1,
    )
    sim.thermalize(kT=KT)
    say(report.header(sim, __version__, paint))
    say(f"{paint('2', 'bold')}  melting and equilibrating, then the liquid: "
        f"{equilibrate:,} + {steps:,} steps")  # fmt: skip
    began = time.perf_counter()
    with sim:
        sim.run(equilibrate + steps)
    say(report.summary(sim, equilibrate + steps, time.perf_counter() - began, paint))
    say(f"{paint('3', 'bold')}  g(r) and the plot")
    _draw(sim, folder, log, equilibrate)
    return sim


def _draw(sim: Simulation, folder: str, log: str, equilibrate: int) -> None:
    r_max = min(5.0, 0.99 * float(sim.box.widths.min()) / 2)
    path = os.path.join(folder, "liquid.gsd")
    curves = [pair_distribution(read(path, frame=-k), r_max, 120, 600) for k in (1, 2, 3, 4)]
    g = curves[0][0], np.mean([curve for _, curve in curves], axis=0)
    title = f"Lennard-Jones liquid: {sim.n:,} particles, density {DENSITY:.3f}, kT {KT:g}"
    overview(read_log(log), sim.n, g, os.path.join(folder, "liquid.png"), title, equilibrate * DT)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _next_steps(folder: str) -> str:
    rows = [
        (f"{folder}/liquid.png", "energy, temperature, pressure and g(r): look at it"),
        (f"{folder}/liquid.gsd", "trajectory: opens in OVITO, freud, HOOMD-blue"),
        (f"{folder}/liquid.csv", "the numbers of the plot"),
        (f"{folder}/restart.ckpt", f"go on: aureole run {folder}/restart.ckpt --steps 10000"),
        ("examples/", "numbered programs to start from"),
    ]
    return "What now?\n" + report.table(rows, report.Paint(sys.stdout))


def main(given: Sequence[str] | None = None) -> int:
    """Run the demonstration; returns the exit code."""
    arguments = _arguments(given)
    try:
        run(arguments.folder, arguments.n, arguments.equilibrate, arguments.steps)
    except Error as error:
        sys.stderr.write(f"error: {error}\n")
        return 2 if isinstance(error, InputError) else 1
    except Terminated as ended:
        sys.stderr.write(f"ended: {ended}\n")
        return 143
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"ended: {stopped}\n")
        return 130
    _say(_next_steps(arguments.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
