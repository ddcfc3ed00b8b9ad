# SPDX-License-Identifier: Apache-2.0
"""A chain longer than any rank's part of the box, all of whose bonds are constrained, with elastic
bonds, excluded charges and a virtual site between far atoms: the steps of one rank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest

EDGE = 3.6  # nm
BEADS = 36
SETTINGS = {
    "integrator": "md",
    "dt": 0.001,
    "rcoulomb": 0.9,
    "rvdw": 0.9,
    "coulombtype": "reaction-field",
    "epsilon-rf": 0,
    "tcoupl": "v-rescale",
    "tc-grps": "system",
    "tau-t": 0.5,
    "ref-t": 120,
    "ld-seed": 7,
    "constraints": "all-bonds",
    "verlet-buffer-tolerance": 1e-12,
}
PRESSURE = {"pcoupl": "C-rescale", "tau-p": 1, "compressibility": 4.5e-5, "ref-p": 1}
CASES: dict[str, dict[str, Any]] = {
    "lincs": {},
    "shake": {"constraint-algorithm": "shake", "shake-tol": 1e-10},
    "barostat": PRESSURE | {"nstpcouple": 5},
    "stochastic": {"integrator": "sd"},
    "mesh": {"coulombtype": "PME", "fourierspacing": 0.12},
    "velocity_verlet": {"integrator": "md-vv"},
}


def chain() -> np.ndarray:
    """Carbons that go along z and once around the box, and a hydrogen at each."""
    k = np.arange(BEADS)[:, None]
    along = np.array([0.3, 0.9, 0.1]) + k * np.array([0.018, 0.0, 0.127])
    carbon = along + np.where(k % 2 == 0, 1, -1) * np.array([0.0425, 0.0, 0.0])
    hydrogen = carbon + np.where(k % 2 == 0, 1, -1) * np.array([0.06, 0.091, 0.0])
    return np.concatenate([carbon, hydrogen])


def write(folder: Path, changes: dict[str, Any]) -> None:
    atoms = chain()
    first, last, part = 4, 24, 0.4
    site = atoms[first] + part * (atoms[last] - atoms[first])
    lattice = np.stack(np.meshgrid(*[np.arange(9)] * 3, indexing="ij"), -1).reshape(-1, 3)
    solvent = (lattice + 0.5) * EDGE / 9
    apart = solvent[:, None] - atoms[None]
    apart -= EDGE * np.rint(apart / EDGE)
    solvent = solvent[np.linalg.norm(apart, axis=2).min(1) > 0.3]
    r = np.concatenate([atoms, [site], solvent])
    n = 2 * BEADS + 1
    name = ["C"] * BEADS + ["H"] * BEADS + ["V"]
    mass = {"C": 12.011, "H": 1.008, "V": 0.0}
    charge = {2: -0.2, first + 1: 0.3, last + 1: -0.3, n: 0.2}
    rows = [
        f"{i + 1} {name[i]} 1 CHN {name[i]}{i + 1} {i + 1} {charge.get(i + 1, 0.0)} {mass[name[i]]}"
        for i in range(n)
    ]
    bonds = [f"{i} {i + 1} 1 0.153 250000" for i in range(1, BEADS)]
    bonds += [f"{i} {i + BEADS} 1 0.109 280000" for i in range(1, BEADS + 1)]
    bonds += [f"{i} {i + 12} 6 1.45 300" for i in range(1, BEADS - 12, 3)]
    angles = [f"{i} {i + 1} {i + 2} 1 112 400" for i in range(1, BEADS - 1)]
    blocks = {
        "defaults": ["1 2 yes 0.5 0.5"],
        "atomtypes": [
            "C 6 12.011 0 A 0.33 0.4",
            "H 1 1.008 0 A 0.2 0.06",
            "V 0 0 0 D 0 0",
            "AR 18 39.948 0 A 0.34 0.99",
        ],
        "moleculetype": ["CHN 3"],
        "atoms": rows,
        "bonds": bonds,
        "angles": angles,
        "virtual_sites2": [f"{n} {first + 1} {last + 1} 1 {part}"],
        "exclusions": [f"{first + 1} {last + 1} {n}", f"{n} {last + 1}"],
    }
    text = "".join(f"[ {block} ]\n" + "\n".join(lines) + "\n" for block, lines in blocks.items())
    text += "[ moleculetype ]\nAR 1\n[ atoms ]\n1 AR 1 AR AR 1 0 39.948\n"
    text += f"[ system ]\nchain\n[ molecules ]\nCHN 1\nAR {len(solvent)}\n"
    (folder / "topol.top").write_text(text)
    gro = [f"{1:5d}CHN  {f'{name[i]}{i + 1}':>5s}{i + 1:5d}" for i in range(n)]
    gro += [f"{2 + i:5d}AR   {'AR':>5s}{n + 1 + i:5d}" for i in range(len(solvent))]
    places = [a + "".join(f"{x:12.7f}" for x in at) for a, at in zip(gro, r, strict=True)]
    box = " ".join([f"{EDGE:.7f}"] * 3)
    (folder / "conf.gro").write_text("\n".join(["chain", str(len(r)), *places, box]) + "\n")
    settings = SETTINGS | changes
    (folder / "grompp.mdp").write_text("".join(f"{k} = {v}\n" for k, v in settings.items()))


def simulation(folder: Path, ranks: int, precision: str = "double") -> au.Simulation:
    device = au.Device(ranks=ranks, threads=1, precision=precision)
    files = (folder / name for name in ("conf.gro", "topol.top", "grompp.mdp"))
    return au.from_gromacs(*files, device=device)


@pytest.fixture(scope="module", params=CASES)
def relaxed(request: Any, tmp_path_factory: Any) -> tuple[Path, np.ndarray, np.ndarray]:
    """Folder of a case, positions and velocities after a short relaxation."""
    folder = tmp_path_factory.mktemp(request.param)
    write(folder, CASES[request.param])
    sim = simulation(folder, 1)
    sim.minimize(au.SteepestDescent(max_steps=60))
    sim.thermalize("120 K")
    sim.run(100)
    return folder, np.array(sim.get("position")), np.array(sim.get("velocity"))


def nearest(apart: np.ndarray, box: Any) -> np.ndarray:
    edges = np.array([box.lx, box.ly, box.lz])
    return apart - edges * np.rint(apart / edges)


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_steps_are_those_of_one_rank(relaxed: Any, ranks: int) -> None:
    folder, position, velocity = relaxed
    one, many = (simulation(folder, n) for n in (1, ranks))
    for sim in (one, many):
        sim.set("position", position)
        sim.set("velocity", velocity)
    force = one.get("force")
    scale = float(np.sqrt(np.mean(np.sum(force**2, axis=1))))
    np.testing.assert_allclose(many.get("force"), force, atol=1e-12 * scale)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-11)
    assert many.pressure == pytest.approx(one.pressure, rel=1e-8)
    for sim in (one, many):
        sim.run(200)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-8)
    assert many.temperature == pytest.approx(one.temperature, rel=1e-8)
    assert many.pressure == pytest.approx(one.pressure, rel=1e-6, abs=1e-5)
    moved = nearest(many.get("position") - one.get("position"), one.box)
    assert np.abs(moved).max() < 1e-8
    np.testing.assert_allclose(many.get("velocity"), one.get("velocity"), atol=1e-6)
    carbon = many.get("position")[:BEADS]
    bond = np.linalg.norm(nearest(carbon[1:] - carbon[:-1], many.box), axis=1)
    np.testing.assert_allclose(bond, 0.153, atol=2e-5)


def test_minimisers_go_the_same_way(tmp_path: Path) -> None:
    write(tmp_path, {})
    energy = [
        simulation(tmp_path, ranks).minimize(au.SteepestDescent(max_steps=30)).energy
        for ranks in (1, 3)
    ]
    assert energy[1] == pytest.approx(energy[0], rel=1e-9)
