# SPDX-License-Identifier: Apache-2.0
"""A small job of GROMACS, chains with every kind of bonded term, and its simulation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from aureole import Simulation
from aureole.gromacs.job import Job, read_job
from aureole.jobs.from_gromacs import simulation_of

TOP = """\
[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
O 8 15.9994 -0.68 A 0.31 0.65
C 6 12.011 0.145 A 0.35 0.3
H 1 1.008 0.4 A 0.0 0.0
[ moleculetype ]
MOL 3
[ atoms ]
1 H 1 MOL H1 1 0.4
2 O 1 MOL O1 1 -0.68
3 C 1 MOL C1 1 0.28
4 C 1 MOL C2 1 -0.28
5 O 1 MOL O2 1 -0.12
6 H 1 MOL H2 1 0.4
[ bonds ]
1 2 1 0.0945 400000
2 3 1 0.141 260000
3 4 2 0.153 5e6
4 5 1 0.141 260000
5 6 1 0.0945 400000
[ angles ]
1 2 3 1 108 460
2 3 4 5 109 400 0.24 9000
3 4 5 2 109 420
4 5 6 1 108 460
[ dihedrals ]
1 2 3 4 3 -0.4 2.1 0.3 -3.4 0 0
2 3 4 5 9 0 3.1 3
2 3 4 5 9 180 1.2 2
3 4 5 6 1 0 1.5 1
[ pairs ]
1 4 1
2 5 1
3 6 1
[ system ]
bent chains
[ molecules ]
MOL 27
"""
MDP = """\
integrator = md-vv
dt = 0.0005
nsteps = 10
rcoulomb = 0.9
rvdw = 0.9
constraints = none
"""
FORMS = {
    "reaction field": "coulombtype = reaction-field\nepsilon-rf = 60\nvdw-modifier = force-switch\n"
    "rvdw-switch = 0.7\n",
    "mesh": "coulombtype = pme\nfourierspacing = 0.06\newald-rtol = 1e-6\npme-order = 4\n",
    "cut-off": "coulombtype = cut-off\nvdw-modifier = potential-switch\nrvdw-switch = 0.7\n",
}


def coordinates() -> str:
    """27 chains on a lattice, each turned and shaken by its own random numbers."""
    random = np.random.default_rng(1)
    chain = np.array(
        [
            [-0.09, 0.02, 0],
            [0, 0, 0],
            [0.06, 0.128, 0],
            [0.2, 0.12, 0.05],
            [0.27, 0.24, 0.03],
            [0.36, 0.22, 0.06],
        ]
    ) - [0.13, 0.1, 0.02]
    lines = []
    for k in range(27):
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        place = (np.array([k // 9, k // 3 % 3, k % 3]) + 0.5) * 0.64
        for atom, x in enumerate(chain @ turn + place + random.normal(0, 0.004, (6, 3))):
            name = ("H1", "O1", "C1", "C2", "O2", "H2")[atom]
            number = 6 * k + atom + 1
            lines.append(
                f"{k + 1:5d}{'MOL':<5}{name:>5}{number:5d}" + "".join(f"{v:9.4f}" for v in x)
            )
    return "\n".join(["bent chains", "162", *lines, "   1.92000   1.92000   1.92000", ""])


def job_of(folder: Path, form: str) -> Job:
    names = ("conf.gro", "topol.top", "grompp.mdp")
    for name, text in zip(names, (coordinates(), TOP, MDP + FORMS[form]), strict=True):
        (folder / name).write_text(text)
    return read_job(*(folder / name for name in names))


def simulation(job: Job, precision: str, threads: int = 1) -> Simulation:
    assert not job.count("error"), [str(note) for note in job.notes]
    return simulation_of(job, precision=precision, threads=threads)
