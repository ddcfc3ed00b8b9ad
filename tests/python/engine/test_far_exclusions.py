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
1 A 1 R A 1 1.0 16
2 A 1 R A 2 -1.0 16
3 A 1 R A 3 0.5 16
4 A 1 R A 4 -0.5 16
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


def reaction_field_energy(x: NDArray[np.float64]) -> float:
    """Of a conductor beyond 0.9 nm; excluded pairs and charges themselves feel the field alone."""
    cut_off, total = 0.9, 0.0
    k, c = 0.5 / cut_off**3, 1.5 / cut_off
    for i, j in product(range(len(x)), repeat=2):
        d = x[i] - x[j]
        r = float(np.linalg.norm(d - EDGE * np.round(d / EDGE)))
        excluded = i == j or {i, j} in ({0, 1}, {2, 3})
        if r < cut_off:
            pair = (0.0 if excluded else 1 / r) + k * r * r - c
            total += 0.5 * CHARGE[i] * CHARGE[j] * pair
    return F * total


def job(
    folder: Path, x: NDArray[np.float64], rtol: str, v: NDArray[np.float64] | None = None
) -> tuple[str, str, str]:
    v = np.zeros_like(x) if v is None else v
    lines = [
        f"{max(1, i - 2):5d}{'RING' if i < 4 else 'NULL':<5}{'A':>5}{i + 1:5d}"
        + "".join(f"{number:13.7f}" for number in row)
        + "".join(f"{number:13.8f}" for number in speed)
        for i, (row, speed) in enumerate(zip(x, v, strict=True))
    ]
    (folder / "conf.gro").write_text(
        "\n".join(["ions", f"{len(x)}", *lines, f"{EDGE} {EDGE} {EDGE}\n"])
    )
    (folder / "topol.top").write_text(TOP)
    (folder / "grompp.mdp").write_text(MDP.format(rtol=rtol))
    return "conf.gro", "topol.top", "grompp.mdp"


@pytest.mark.parametrize(
    ("algorithm", "distance"),
    [
        ("clusters", 0.8999),
        ("clusters", 0.9001),
        ("clusters", 1.2),
        ("flat", 1.2),
        ("flat", 1.55),
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


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize(
    ("options", "energy"),
    [
        ("", lambda x: lattice_energy(x, 3.0)),
        ("coulombtype = reaction-field\nepsilon-rf = 0\n", reaction_field_energy),
    ],
    ids=["mesh", "field"],
)
def test_a_pair_that_comes_within_the_cut_off_while_a_list_lives(here, options, energy, algorithm):
    """Lists without a buffer: no tile holds the pair until the list is made anew.

    Neutral atoms without dispersion make each partner's cluster compact, so that no other pair
    keeps their tile.
    """
    ions = np.array([[1.5, 1.5, 1.0], [1.5, 1.5, 1.97], [1.5, 1.5, 2.95], [1.5, 1.6, 3.05]])
    beside = np.array([[0.05, 0.0, 0.02], [-0.05, 0.0, 0.04], [0.0, 0.05, 0.06]])
    atoms = [ions[0] - beside, ions[1] + beside, ions[2] + [0.0, 0.05, 0.03], ions[2] + beside[0]]
    x = np.vstack([ions, *atoms])
    v = np.zeros_like(x)
    v[0, 2], v[1, 2] = 8.0, -8.0
    job(here, x, "1e-8", v)
    top = TOP.replace(
        "[ system ]", "[ moleculetype ]\nNULL 1\n[ atoms ]\n1 A 1 N A 1 0 16\n[ system ]"
    )
    Path("topol.top").write_text(f"{top}NULL {len(x) - 4}\n")
    kept = [
        line
        for line in MDP.format(rtol="1e-8").splitlines(keepends=True)
        if line.split(" ")[0] not in ("dt", "verlet-buffer-tolerance", "nsteps")
        and not (options and line.startswith("coulombtype"))
    ]
    Path("grompp.mdp").write_text(
        "".join(kept) + options + "dt = 0.001\nnsteps = 40\n"
        "verlet-buffer-tolerance = 1000\nnstlist = 40\n"
    )
    device = au.Device(algorithm=algorithm)
    files = ("conf.gro", "topol.top", "grompp.mdp")
    sim = au.from_gromacs(*files, device=device, precision="double", threads=1)
    wrong, inside = {}, 0
    for step in range(1, 21):
        sim.run(1)
        now = sim.get("position")[:4]
        inside += int(np.linalg.norm(now[0] - now[1]) < 0.9)
        error = sim.energy.potential - energy(now)
        if abs(error) > 3e-4:
            wrong[step] = error
    assert inside > 10
    assert not wrong


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
