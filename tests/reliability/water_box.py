# SPDX-License-Identifier: Apache-2.0
"""Writes a large box of rigid water as files of GROMACS, and measures what loading it takes."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

SPACING = 0.3107  # nm between oxygens on a cubic lattice, which gives the density of water
WATER = np.array([[0.0, 0.0, 0.0], [0.09572, 0.0, 0.0], [-0.0239987, 0.0926627, 0.0]])
TOP = """\
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 15.9994 -0.834 A 0.315061 0.6364
HW 1  1.008   0.417 A 0.0      0.0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1 -0.834
2 HW 1 SOL HW1 1  0.417
3 HW 1 SOL HW2 1  0.417
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
[ system ]
Water
[ molecules ]
SOL {count}
"""
MDP = """\
integrator = md
dt = 0.002
nsteps = 1000
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
fourierspacing = 0.12
"""


def rows(side: int) -> Iterator[str]:
    """The lines of particles of a .gro file, one layer of molecules after another."""
    dice = np.random.default_rng(1)
    names = ("   OW", "  HW1", "  HW2")
    plane = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1)
    for layer in range(side):
        oxygen = np.full((side * side, 3), (layer + 0.5) * SPACING)
        oxygen[:, :2] = (plane.reshape(-1, 2) + 0.5) * SPACING
        oxygen += dice.uniform(-0.01, 0.01, oxygen.shape)
        for k, places in enumerate((oxygen[:, None, :] + WATER).tolist(), layer * side * side):
            for atom, (x, y, z) in enumerate(places):
                number = (3 * k + atom + 1) % 100_000
                head = f"{(k + 1) % 100_000:5d}SOL  {names[atom]}{number:5d}"
                yield f"{head}{x:8.3f}{y:8.3f}{z:8.3f}\n"


def write(folder: Path, side: int) -> None:
    """conf.gro, topol.top and grompp.mdp of side³ molecules."""
    edge = side * SPACING
    with open(folder / "conf.gro", "w") as file:
        file.write(f"Water\n{3 * side**3}\n")
        file.writelines(rows(side))
        file.write(f"{edge:10.5f}{edge:10.5f}{edge:10.5f}\n")
    (folder / "topol.top").write_text(TOP.format(count=side**3))
    (folder / "grompp.mdp").write_text(MDP)


def load(folder: Path) -> dict[str, float]:
    """Seconds of each stage up to the first energy, and the largest memory before it [bytes]."""
    from aureole.gromacs.job import read_job
    from aureole.jobs.from_gromacs import simulation_of

    times = [time.perf_counter()]
    job = read_job(*(folder / name for name in ("conf.gro", "topol.top", "grompp.mdp")))
    times.append(time.perf_counter())
    sim = simulation_of(job, device="host")
    times.append(time.perf_counter())
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    potential = sim.energy.potential
    times.append(time.perf_counter())
    read, made, computed = np.diff(times).tolist()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "particles": sim.n,
        "read_s": read,
        "made_s": made,
        "first_energy_s": computed,
        "loaded_bytes": loaded,
        "most_bytes": most,
        "potential": potential,
    }


if __name__ == "__main__":
    print(json.dumps(load(Path(sys.argv[1]))))
