# SPDX-License-Identifier: Apache-2.0
"""Small runs of particles in reduced units, for tests of their page and of their input files."""

from __future__ import annotations

from typing import Any

import aureole as au
import numpy as np

CHAINS, LENGTH = 16, 8
SIGMA = {("A", "A"): 1.0, ("A", "B"): 0.8, ("B", "B"): 0.88}


def _run(system: au.System, forces: list[Any], integrator: Any, name: str, more: list[Any]) -> None:
    observers = [au.Trajectory(f"{name}.gsd", every=50), au.Log(f"{name}.csv", every=10), *more]
    settings = {"seed": 1, "threads": 1, "observers": observers}
    with au.Simulation(system, forces, integrator, **settings) as sim:
        sim.thermalize(kT=1.0)
        sim.run(300)


def melt(name: str = "melt", n: int = 256) -> None:
    """As examples/01_melt.py: one type, a trajectory and a log."""
    system = au.build.lattice("fcc", n=n, density=0.8442)
    lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=min(2.5, 0.49 * system.box.lengths[0]))
    _run(system, [lj], au.NVE(dt=0.005), name, [])


def mixture(name: str = "mixture", n: int = 500) -> None:
    """As examples/03_mixture.py: two types, and a log with its summary."""
    system = au.build.lattice("fcc", n=n, density=1.2, **au.build.mixture(n, {"A": 4, "B": 1}))
    lj = au.LennardJones(
        epsilon={("A", "A"): 1.0, ("A", "B"): 1.5, ("B", "B"): 0.5},
        sigma=SIGMA,
        r_cut={pair: 2.5 * size for pair, size in SIGMA.items()},
        mode="shift",
    )
    _run(system, [lj], au.Bussi(dt=0.004, kT=1.0, tau=0.4), name, [au.RunLog(f"{name}.log")])


def bead_chains() -> au.System:
    """Zigzags of beads along z, the ends of another type."""
    bead = np.arange(LENGTH)
    shape = np.column_stack([0.3 * (bead % 2), 0 * bead, 0.9 * bead])
    at = 2.2 * np.indices((4, 4)).reshape(2, -1).T
    position = shape + np.column_stack([at, np.zeros(CHAINS)])[:, None]
    first = np.arange(CHAINS * LENGTH).reshape(CHAINS, LENGTH)
    bonds = np.stack([first[:, :-1], first[:, 1:]], axis=2).reshape(-1, 2)
    ends = (bead == 0) | (bead == LENGTH - 1)
    return au.System(
        au.Box.of(8.8),
        position.reshape(-1, 3),
        type=np.tile(ends.astype(int), CHAINS),
        type_names=("mid", "end"),
        bonds={"backbone": bonds},
        exclusions=[],
    )


def chains(name: str = "chains") -> None:
    """Bead-spring chains with a thermostat."""
    forces = [au.WCA(epsilon=1.0, sigma=1.0), au.FeneBond(r_max=1.5, k=30.0)]
    _run(bead_chains(), forces, au.Langevin(dt=0.005, kT=1.0), name, [])
