# SPDX-License-Identifier: Apache-2.0
"""Polymers in every rank's part of the box: a ring of beads, a chain of rigid bonds in water."""

from __future__ import annotations

import aureole as au
import numpy as np
from stacks import Block, Shape, solution

RING_FORCES = [
    au.HarmonicBond(r0={"backbone": 1.05, "tie": 3.0}, k={"backbone": 400, "tie": 2}),
    au.HarmonicAngle(theta0=2.2, k=4),
]


def windings(grid: Shape) -> np.ndarray:
    """How often a closed line goes around the box along each axis, so that it is in each cell."""
    return np.array([1, grid[0], grid[0] * grid[1]])


def ring(grid: Shape, edge: float, side: int) -> au.System:
    """A dense Lennard-Jones fluid near a lattice, some of whose particles are one ring: it winds
    through the box until it meets itself, and springs tie it together across the box.

    Args:
        grid: cells of the box along each axis
        edge: of a cell
        side: particles along it
    """
    random, n = np.random.default_rng(9), side * np.array(grid)
    lattice = np.stack(np.meshgrid(*[np.arange(k) for k in n], indexing="ij"), -1).reshape(-1, 3)
    box = edge * np.array(grid)
    position = (lattice + 0.6) / n * box - box / 2 + random.normal(0, 0.06, lattice.shape)
    velocity = random.normal(0, 1.1, lattice.shape)
    steps = windings(grid) * n  # along each axis, evenly among each other
    order = np.concatenate([(np.arange(s) + 0.5 + 0.01 * k) / s for k, s in enumerate(steps)])
    path = np.cumsum(
        np.eye(3, dtype=int)[np.repeat(np.arange(3), steps)[np.argsort(order)]], axis=0
    )
    tags = np.ravel_multi_index(tuple((path % n).T), tuple(n))
    assert len(np.unique(tags)) == len(tags)
    turned = np.stack([np.roll(tags, -k) for k in range(3)], 1)
    return au.System(
        box=au.Box(*box),
        position=position,
        velocity=velocity,
        bonds={"backbone": turned[:, :2], "tie": ties(position[tags] / box, tags)},
        angles={"ring": turned},
        periodic_molecules=True,
    )


def ties(fraction: np.ndarray, tags: np.ndarray) -> np.ndarray:
    """Pairs of far particles; none is so far that another image of it may become the nearer one."""
    pairs = []
    for i in range(0, len(tags), 5):
        apart = np.abs(fraction - fraction[i] - np.rint(fraction - fraction[i]))
        apart[apart.max(axis=1) > 0.38] = 0
        pairs.append((tags[i], tags[apart.sum(axis=1).argmax()]))
    return np.array(pairs)


BOND, RISE, SIDE = 0.153, 0.1272, 0.109  # nm: of carbons, along the chain, to hydrogens
TYPES = """\
C 6 12.011 0.0 A 0.34 0.36
H 1 1.008 0.0 A 0.20 0.06
V 0 0.0 0.0 V 0.20 0.06
"""


def chain(shape: Shape) -> Block:
    """A chain that passes through each cell, in water; a hydrogen at each carbon, and sites between
    near and between far carbons.
    """
    water = solution({"spce": 115})
    box = np.array(shape) * np.diag(water.box)
    turn = windings(shape) * box
    beads = int((np.linalg.norm(turn) - 0.45) / RISE)  # its ends do not touch
    atoms = zigzag(turn / np.linalg.norm(turn), beads)
    near = [(k, k + 1, k + 2) for k in range(3, beads - 3, 8)]
    span = int(0.45 * box.min() / RISE)  # no parent is ever nearer to another's image
    far = [(k, k + span) for k in range(2, beads - span, 12)]
    sites = [0.6 * atoms[i] + 0.3 * atoms[j] + 0.1 * atoms[k] for i, j, k in near]
    sites += [0.6 * atoms[i] + 0.4 * atoms[j] for i, j in far]
    molecule = np.concatenate([atoms, sites])
    corners = np.array(list(np.ndindex(*shape))) * np.diag(water.box)
    waters = (corners[:, None] + water.position).reshape(-1, 3, 3)
    apart = waters[:, 0, None] - molecule
    apart -= box * np.rint(apart / box)
    waters = waters[np.linalg.norm(apart, axis=2).min(axis=1) > 0.3]
    types, _, rest = water.top.partition("[ moleculetype ]")
    text = types + TYPES + chain_type(beads, near, far) + "[ moleculetype ]"
    text += rest.partition("[ system ]")[0]
    text += f"[ system ]\nchain\n[ molecules ]\nCHN 1\nSOL {len(waters)}\n"
    return Block(text, np.concatenate([molecule, waters.reshape(-1, 3)]), np.diag(box))


def zigzag(along: np.ndarray, beads: int) -> np.ndarray:
    """Carbons, then hydrogens, about a line."""
    across = np.cross(along, [0.3, -0.5, 0.8])
    across /= np.linalg.norm(across)
    sign = np.where(np.arange(beads) % 2 == 0, 1, -1)[:, None]
    off = 0.5 * np.sqrt(BOND**2 - RISE**2)
    carbon = np.arange(beads)[:, None] * RISE * along + sign * off * across
    out = 0.06 * sign * across + np.sqrt(SIDE**2 - 0.06**2) * np.cross(along, across)
    return np.concatenate([carbon, carbon + out])


def chain_type(beads: int, near: list[tuple[int, int, int]], far: list[tuple[int, int]]) -> str:
    """The molecule; particles are counted from 0 in the arguments and from 1 in the text."""
    first, last = 2 * beads + 1, 2 * beads + len(near) + len(far)
    kinds = [("C", -0.1, 12.011)] * beads + [("H", 0.1, 1.008)] * beads
    kinds += [("V", 0.1, 0.0)] * len(near) + [("V", -0.1, 0.0)] * len(far)
    bonds = [(i, i + 1, 1, BOND, 250000) for i in range(1, beads)]
    bonds += [(i, i + beads, 1, SIDE, 280000) for i in range(1, beads + 1)]
    rows: dict[str, list[tuple]] = {
        "moleculetype": [("CHN", 3)],
        "atoms": [(i, k, 1, "CHN", k, i, q, m) for i, (k, q, m) in enumerate(kinds, 1)],
        "bonds": bonds,
        "angles": [(i, i + 1, i + 2, 1, 113, 500) for i in range(1, beads - 1)]
        + [(i + beads, i, i + 1, 1, 109, 300) for i in range(1, beads)],
        "dihedrals": [(i, i + 1, i + 2, i + 3, 1, 0, 6, 3) for i in range(1, beads - 2)],
        "virtual_sites3": [
            (first + k, a + 1, b + 1, c + 1, 1, 0.3, 0.1) for k, (a, b, c) in enumerate(near)
        ],
        "virtual_sites2": [
            (first + len(near) + k, a + 1, b + 1, 1, 0.4) for k, (a, b) in enumerate(far)
        ],
        # Sites would push the atoms that they lie upon.
        "exclusions": [(i, *range(1, i)) for i in range(first, last + 1)],
    }
    return "".join(
        f"[ {section} ]\n" + "".join(" ".join(map(str, row)) + "\n" for row in lines)
        for section, lines in rows.items()
    )
