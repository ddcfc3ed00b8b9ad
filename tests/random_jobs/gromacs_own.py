# SPDX-License-Identifier: Apache-2.0
"""Where GROMACS 2022 is known to be off, and by exactly how much: docs/mdrun.md tells of each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from aureole import Box
from aureole.gromacs.job import Job
from aureole.gromacs.translate import electrostatics_of
from numpy.typing import NDArray

Vectors = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Excess:
    """What GROMACS computes too much of.

    Args:
        force: (n, 3) [kJ/mol/nm]
        pressure_volume: of the pressure times the volume [kJ/mol]
    """

    force: Vectors
    pressure_volume: float


def of_switched_exclusions(job: Job, box: Box, position: Vectors) -> Excess:
    """Forces of vdw-modifier = Force-switch between excluded particles.

    The pair kernels leave out r⁻⁷ and r⁻¹³ for these, but not the polynomial that is added to them
    from rvdw-switch on. Energies are without it.
    """
    p, topology = job.parameters, job.topology
    force = np.zeros_like(position)
    if p["vdw-modifier"] != "Force-switch":
        return Excess(force, 0.0)
    exclusions = topology.expand_exclusions()
    first = np.repeat(np.arange(topology.n), np.diff(exclusions.start))
    second = exclusions.partner[: len(first)]
    apart = box.minimum_image(position[first] - position[second])
    r = np.linalg.norm(apart, axis=1)
    begin, end = p["rvdw-switch"], p["rvdw"]
    near = (r > begin) & (r < end)
    first, second, apart, r = first[near], second[near], apart[near], r[near]
    types, table = topology.expand_atoms().type, topology.nonbonded
    pair = types[first], types[second]
    size = 12 * table.c12[pair] * _added(12, r, begin, end)
    size -= 6 * table.c6[pair] * _added(6, r, begin, end)
    pushed = (size / r)[:, None] * apart
    np.add.at(force, first, pushed)
    # Each pair is met from both sides.
    return Excess(force, float((pushed * apart).sum()) / 2 / 3)


def _added(power: int, r: Vectors, begin: float, end: float) -> Vectors:
    """What takes the force of r^-power, over power, to 0 at the end with its slope."""
    unit, width, inside = end ** -(power + 2), end - begin, r - begin
    square = ((power + 1) * begin - (power + 4) * end) * unit / width**2
    cube = ((power + 3) * end - (power + 1) * begin) * unit / width**3
    return (square + cube * inside) * inside**2


def of_net_charge(job: Job, volume: float) -> float:
    """The pressure times the volume [kJ/mol] of the background that neutralizes a mesh.

    With E the energy of it, GROMACS takes E / V [kJ/mol/nm³] for the virial where -E / 2 belongs.
    """
    p = job.parameters
    if p["coulombtype"] != "PME" or not p["epsilon-r"]:
        return 0.0
    net = float(job.topology.expand_atoms().charge.sum())
    strength = job.topology.coulomb / p["epsilon-r"]
    energy = -math.pi * strength * net**2 / (2 * volume * electrostatics_of(p).beta ** 2)
    # The pressure is minus twice the virial over the volume.
    return 2 * energy / volume - energy
