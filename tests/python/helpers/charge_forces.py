# SPDX-License-Identifier: Apache-2.0
"""Errors of electrostatic forces: of our meshes and of LAMMPS' beside a direct Ewald sum.

All forces here are divided by the Coulomb constant of their program, so that they have the unit
charge^2/length^2. The error of a set of forces is the root mean square of the lengths of its
deviations, as in LAMMPS, whose accuracy is this error over the force between two unit charges at a
distance of one unit of length (`units real`: 1 Angstrom).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
from aureole.base.units import BY_NAME
from lammps_tool import run, write_data
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Charges:
    """Charges at points in a rectangular periodic box, and what their forces are measured by.

    Args:
        system: the charges
        excluded: (m, 2) pairs without interaction
        bonds: (k, 2) bonds by which LAMMPS excludes them, as neighbours and their neighbours
        style: `units` of LAMMPS
        unit: its unit of length, in that of the system
    """

    system: au.System
    excluded: NDArray[np.int64]
    bonds: NDArray[np.int64]
    style: str
    unit: float

    @cached_property
    def exact(self) -> Array:
        """(n, 3) forces by Ewald's sums."""
        return ewald(self)

    def error(self, force: Array) -> float:
        """That of forces, over the force between unit charges at LAMMPS' unit of length."""
        return rms(force - self.exact) * self.unit**2


def rms(vectors: Array) -> float:
    """Root mean square of their lengths."""
    return float(np.sqrt((vectors**2).sum(axis=1).mean()))


def electrolyte(n: int = 2000, density: float = 0.5, seed: int = 1) -> Charges:
    """Charges of +1 and -1 with Lennard-Jones cores, reduced units, after a short run at kT = 1."""
    start = au.build.random(n, density=density, min_distance=0.9, seed=seed)
    charge = np.where(np.arange(n) % 2, -1.0, 1.0)
    system = start.replace(charge=charge)
    forces = [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5), au.PME(r_cut=2.5, spacing=0.5)]
    with au.Simulation(system, forces, au.Langevin(dt=0.002, kT=1.0), seed=seed, threads=1) as sim:
        sim.thermalize(kT=1.0)
        sim.run(300)
        system = sim.snapshot()
    none = np.empty((0, 2), int)
    return Charges(system, none, none, "lj", 1.0)


def water(n: int = 512, seed: int = 1) -> Charges:
    """Rigid SPC/E water after a short run at 300 K, in nm and e."""
    with au.Simulation(
        au.build.water(n, "spce", seed=seed).system(),
        [au.LennardJones(r_cut="0.9 nm"), au.PME(r_cut="0.9 nm")],
        au.LeapFrog(dt="1 fs", thermostat=au.VRescale(T="300 K", tau="0.1 ps")),
        seed=seed,
        threads=1,
    ) as sim:
        sim.minimize(force_tolerance=1000.0)
        sim.thermalize("300 K")
        sim.run(300)
        system = sim.snapshot()
    oxygen = 3 * np.arange(n)
    bonds = np.concatenate([np.column_stack([oxygen, oxygen + k]) for k in (1, 2)])
    others = np.column_stack([oxygen + 1, oxygen + 2])
    return Charges(system, np.concatenate([bonds, others]), bonds, "real", 0.1)


def ewald(charges: Charges) -> Array:
    """(n, 3) forces by Ewald's two sums, each to 12 digits; metallic surroundings.

    Source: de Leeuw, Perram and Smith, Proc. R. Soc. Lond. A 373, 27 (1980).
    """
    system, edges = charges.system, charges.system.box.lengths
    enough = 5.3  # exp(-5.3^2) = 6e-13
    alpha = 2 * enough / edges.min()
    force = _direct(system.position, system.charge, edges, alpha)
    force += _reciprocal(system.position, system.charge, edges, alpha, 2 * alpha * enough)
    a, b = charges.excluded.T
    d = system.position[a] - system.position[b]
    d -= edges * np.round(d / edges)
    pull = (system.charge[a] * system.charge[b] / np.linalg.norm(d, axis=1) ** 3)[:, None] * d
    np.add.at(force, a, -pull)
    np.add.at(force, b, pull)
    return force


def _direct(r: Array, q: Array, edges: Array, alpha: float) -> Array:
    """Nearest images up to half of the shortest edge."""
    force = np.zeros_like(r)
    for i in range(len(r) - 1):
        d = r[i] - r[i + 1 :]
        d -= edges * np.round(d / edges)
        square = np.einsum("ij,ij->i", d, d)
        near = np.flatnonzero(square < 0.25 * edges.min() ** 2)
        d, square = d[near], square[near]
        x = alpha * np.sqrt(square)
        tail = np.fromiter(map(math.erfc, x.tolist()), float, len(x))
        strength = tail / x + 2 / math.sqrt(math.pi) * np.exp(-x * x)
        pull = (q[i] * q[i + 1 + near] * alpha * strength / square)[:, None] * d
        force[i] += pull.sum(axis=0)
        force[i + 1 + near] -= pull
    return force


def _reciprocal(r: Array, q: Array, edges: Array, alpha: float, k_max: float) -> Array:
    """Waves up to `k_max`, of each pair of opposite ones one."""
    most = np.floor(k_max * edges / (2 * math.pi)).astype(int)
    whole = np.indices(2 * most + 1).reshape(3, -1).T - most
    half = whole[len(whole) // 2 + 1 :]  # what follows 0 in lexical order
    k = 2 * math.pi * half / edges
    square = np.einsum("ij,ij->i", k, k)
    force = np.zeros_like(r)
    inside = square < k_max**2
    for waves in _parts(k[inside], 500):
        squares = np.einsum("ij,ij->i", waves, waves)
        phase = np.exp(1j * (r @ waves.T))
        weight = 8 * math.pi / edges.prod() * np.exp(-squares / (4 * alpha**2)) / squares
        amplitude = weight * (q @ phase).conj()
        force += q[:, None] * ((phase * amplitude).imag @ waves)
    return force


def _parts(rows: Array, size: int) -> Iterator[Array]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def ours(charges: Charges, spec: Any) -> Array:
    """(n, 3) forces of charges by a spec such as `au.PME`, in double precision."""
    system = charges.system
    bare = au.System(
        system.box,
        system.position,
        charge=system.charge,
        exclusions=charges.excluded,
        units=system.units,
    )
    with au.Simulation(bare, [spec], precision="double", threads=1) as sim:
        return sim.get("force") / BY_NAME[system.units].coulomb


@dataclass(frozen=True)
class Pppm:
    """What LAMMPS' mesh gives.

    Args:
        force: (n, 3), as `ours`
        mesh: points along the axes
        estimate: of the error by LAMMPS, over the force between two unit charges
    """

    force: Array
    mesh: tuple[int, int, int]
    estimate: float


PPPM = """\
units {units}
atom_style full
read_data charges.data
{bonded}pair_style coul/long {r_cut!r}
pair_coeff * *
pair_modify table 0
kspace_style pppm {accuracy!r}
timestep 0
dump forces all custom 1 force.dump fx fy fz
dump_modify forces sort id format float %.17g
run 0
"""
EXCLUDED = "bond_style zero\nbond_coeff *\nspecial_bonds lj/coul 0 0 1\n"
#: Coulomb constants of `units`, in LAMMPS' update.cpp.
QQR2E = {"lj": 1.0, "real": 332.06371}


def pppm(folder: Path, charges: Charges, accuracy: float, r_cut: float) -> Pppm:
    """Forces by `kspace_style pppm`; the cut-off has the unit of the system."""
    system, unit, style = charges.system, charges.unit, charges.style
    box = au.Box.of((system.box.lengths / unit).tolist())
    there = au.System(box, system.position / unit, charge=system.charge)
    bonds = {"all": charges.bonds} if charges.bonds.size else {}
    write_data(folder / "charges.data", there, bonds=bonds)
    bonded = EXCLUDED if bonds else ""
    script = PPPM.format(units=style, bonded=bonded, r_cut=r_cut / unit, accuracy=accuracy)
    text = run(folder, script)
    force = np.loadtxt(folder / "force.dump", skiprows=9) / QQR2E[style] / unit**2
    mesh = re.search(r"grid = (\d+) (\d+) (\d+)", text)
    estimate = re.search(r"estimated relative force accuracy = (\S+)", text)
    return Pppm(force, tuple(map(int, mesh.groups())), float(estimate[1]))
