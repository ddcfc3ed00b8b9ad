# SPDX-License-Identifier: Apache-2.0
"""Excluded charges farther apart than the cut-off, through whole jobs, beside a plain Ewald sum.

GROMACS cannot be asked: its grompp refuses them ("missing long-range corrections").
"""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from numpy.typing import NDArray

F = 138.935458  # kJ/mol nm of two unit charges, as GROMACS has it
EDGE = 3.2  # nm
CHARGE = np.array([1.0, -1.0, 0.5, -0.5])

TOP = """\
[ defaults ]
1 2 yes 1 1
[ atomtypes ]
A 18 39.9 0.0 A 0.3 0.0
[ moleculetype ]
RING 1
[ atoms ]
1 A 1 R A1 1 1.0 16
2 A 1 R A2 2 -1.0 16
3 A 1 R A3 3 0.5 16
4 A 1 R A4 4 -0.5 16
[ bonds ]
[ exclusions ]
1 2
3 4
[ system ]
ions
[ molecules ]
RING 1
"""
MDP = """\
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
pme-order = 8
fourierspacing = 0.07
ewald-rtol = {rtol}
dt = 1e-6
nsteps = 0
verlet-buffer-tolerance = -1
rlist = 1.0
"""


def lattice_energy(x: NDArray[np.float64], beta: float) -> float:
    """Ewald's sum over all pairs and images less f q q/r of the excluded pairs' nearest images."""
    turns = np.array(list(product(range(-2, 3), repeat=3))) * EDGE
    total = 0.0
    for i, j in product(range(len(x)), repeat=2):
        r = np.linalg.norm(x[i] - x[j] + turns, axis=1)
        r = r[r > 1e-9]
        total += 0.5 * CHARGE[i] * CHARGE[j] * sum(math.erfc(beta * d) / d for d in r)
    waves = np.array([n for n in product(range(-14, 15), repeat=3) if any(n)]) / EDGE
    m2 = (waves**2).sum(1)
    amplitude = np.abs(np.exp(2j * np.pi * waves @ x.T) @ CHARGE) ** 2
    weight = np.exp(-((np.pi / beta) ** 2) * m2) / m2
    total += (weight * amplitude).sum() / (2 * np.pi * EDGE**3)
    total -= beta / math.sqrt(math.pi) * (CHARGE**2).sum()
    for i, j in ((0, 1), (2, 3)):
        d = x[i] - x[j]
        d -= EDGE * np.round(d / EDGE)
        total -= CHARGE[i] * CHARGE[j] / np.linalg.norm(d)
    return F * total


def force_on_first(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """By differences of the energy."""
    force, h = np.zeros(3), 1e-4
    for axis in range(3):
        up, down = x.copy(), x.copy()
        up[0, axis] += h
        down[0, axis] -= h
        force[axis] = -(lattice_energy(up, 3.0) - lattice_energy(down, 3.0)) / (2 * h)
    return force


def job(folder: Path, x: NDArray[np.float64], rtol: str) -> tuple[str, str, str]:
    lines = [
        f"{1:5d}{'RING':<5}{'A':>5}{i + 1:5d}" + "".join(f"{v:13.7f}" for v in row)
        for i, row in enumerate(x)
    ]
    (folder / "conf.gro").write_text("\n".join(["ions", "4", *lines, f"{EDGE} {EDGE} {EDGE}\n"]))
    (folder / "topol.top").write_text(TOP)
    (folder / "grompp.mdp").write_text(MDP.format(rtol=rtol))
    return "conf.gro", "topol.top", "grompp.mdp"


@pytest.mark.parametrize(
    ("algorithm", "distance"),
    [
        ("clusters", 0.8999),
        ("clusters", 0.9001),
        ("clusters", 1.2),
        ("lanes", 1.2),
        ("lanes", 1.55),
    ],
)
def test_any_distance(here, algorithm, distance):
    x = np.array([[0.2, 0.3, 0.4], [0.2, 0.3, 0.4], [1.9, 2.9, 1.1], [0.9, 2.6, 2.9]])
    x[1] += distance * np.array([2.0, -1.0, 2.0]) / 3.0  # across a face
    x[1] %= EDGE
    x = np.round(x, 7)
    wanted = lattice_energy(x, 3.0)
    assert wanted == pytest.approx(lattice_energy(x, 2.5), abs=1e-8)
    slope = force_on_first(x)
    device = au.Device(algorithm=algorithm)
    # What the mesh errs by; single precision has seven digits of some hundred kJ/mol.
    for precision, rtol, least in (("double", "1e-8", 3e-4), ("mixed", "1e-8", 1e-3)):
        files = job(here, x, rtol)
        sim = au.from_gromacs(*files, device=device, precision=precision, threads=1)
        assert sim.energy.potential == pytest.approx(wanted, abs=least), precision
        assert np.abs(sim.get("force")[0] - slope).max() < 10 * least, precision


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_small_tolerances_are_met(here, precision):
    """Down to 1e-15, where beta r_c is 5.7; smaller ones are refused by name."""
    x = np.array([[0.2, 0.3, 0.4], [0.7, 0.5, 0.1], [0.9, 0.9, 0.6], [0.3, 0.9, 0.8]])
    wanted = lattice_energy(x, 3.0)
    for rtol in ("1e-8", "1e-10", "1e-15"):
        text = MDP.replace("0.07", "0.05")
        files = job(here, x, rtol)
        Path(files[2]).write_text(text.format(rtol=rtol))
        sim = au.from_gromacs(*files, precision=precision, threads=1)
        assert sim.energy.potential == pytest.approx(wanted, abs=2e-3), rtol
    job(here, x, "1e-16")
    with pytest.raises(au.InputError, match="1e-15"):
        au.from_gromacs(*files, precision=precision, threads=1)
