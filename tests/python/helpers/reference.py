# SPDX-License-Identifier: Apache-2.0
"""Forces, energies and virials of all pairs in double precision: the other way of knowing them."""

from __future__ import annotations

from dataclasses import dataclass

import aureole as au
import numpy as np
from aureole.specs.pair import PairPotential
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Result:
    """energy [energy], force (n, 3), virial (3, 3), and energy (n,) of each particle."""

    energy: float
    force: Array
    virial: Array
    energies: Array


def lj(r2: Array, epsilon: Array, sigma: Array) -> tuple[Array, Array]:
    """Lennard-Jones energy and force over distance."""
    s6 = (sigma * sigma / r2) ** 3
    return 4 * epsilon * s6 * (s6 - 1), 24 * epsilon * s6 * (2 * s6 - 1) / r2


def wca(r2: Array, epsilon: Array, sigma: Array) -> tuple[Array, Array]:
    """Weeks-Chandler-Andersen: Lennard-Jones raised by epsilon, up to its minimum."""
    u, f = lj(r2, epsilon, sigma)
    return u + epsilon, f


PAIRS = {"LennardJones": lj, "WCA": wca}


def smooth(
    mode: str, r2: Array, u: Array, f: Array, edge: tuple[Array, Array], cut: Array, switch: Array
) -> tuple[Array, Array]:
    """The energy and force over distance as a mode changes them; `edge` is (u, f) at the cut."""
    u_cut, f_cut = edge
    r = np.sqrt(r2)
    if mode == "shift":
        return u - u_cut, f
    if mode == "force-shift":
        # The force at the cut-off, F_c = f_cut * cut, is taken off everywhere.
        return u - u_cut + (r - cut) * f_cut * cut, f - f_cut * cut / r
    if mode == "xplor":
        c2, s2 = cut**2, switch**2
        inside = r2 > s2
        width = np.where(inside, (c2 - s2) ** 3, 1.0)
        s = np.where(inside, (c2 - r2) ** 2 * (c2 + 2 * r2 - 3 * s2) / width, 1.0)
        # dS/d(r2), so that -d(uS)/dr / r = f S - 2 u dS/d(r2)
        ds = np.where(inside, 6 * (c2 - r2) * (s2 - r2) / width, 0.0)
        return u * s, f * s - 2 * u * ds
    return u, f


def forces(system: au.System, spec: PairPotential, position: Array | None = None) -> Result:
    """All pairs, all within the cut-off, each with its nearest image."""
    pair = PAIRS[spec.kind]
    position = np.asarray(system.position if position is None else position, dtype=float)
    parameters, r_cut, r_switch = spec.tables(system.type_names)
    n = len(position)
    force = np.zeros((n, 3))
    energies = np.zeros(n)
    virial = np.zeros((3, 3))
    for i in range(n - 1):
        d = system.box.minimum_image(position[i] - position[i + 1 :])
        r2 = np.einsum("ij,ij->i", d, d)
        kinds = system.type[i + 1 :]
        cut = r_cut[system.type[i], kinds]
        near = np.flatnonzero(r2 < cut**2)
        if near.size == 0:
            continue
        d, r2, cut = d[near], r2[near], cut[near]
        columns = parameters[system.type[i], kinds[near]].T
        switch = r_switch[system.type[i], kinds[near]]
        u, f = smooth(spec.mode, r2, *pair(r2, *columns), pair(cut**2, *columns), cut, switch)
        others = near + i + 1
        push = f[:, None] * d
        force[i] += push.sum(axis=0)
        force[others] -= push
        energies[i] += u.sum() / 2
        energies[others] += u / 2
        virial += push.T @ d
    return Result(float(energies.sum()), force, virial, energies)
