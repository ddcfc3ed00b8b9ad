# SPDX-License-Identifier: Apache-2.0
"""Starting systems: lattices, random fills without overlap, water and solutions."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.neighbours import all_pairs
from aureole.base.errors import bad_input
from aureole.base.values import choice, integer, number
from aureole.system.box import Box
from aureole.system.system import System

Fractions = NDArray[np.float64]

_FCC = [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]
# Sites of the cubic cell, as fractions of its edge.
_CELLS: dict[str, list[tuple[float, float, float]]] = {
    "sc": [(0, 0, 0)],
    "bcc": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "fcc": _FCC,
    "diamond": [*_FCC, *((x + 0.25, y + 0.25, z + 0.25) for x, y, z in _FCC)],
}


def lattice(kind: str, *, n: int, density: float, **options: Any) -> System:
    """A cubic box of exactly `n` particles at the number density, on lattice sites.

    If `n` does not fill whole unit cells, the next larger lattice is used and its surplus sites
    stay empty, spread evenly over the box. The density counts particles, not sites.

    Args:
        kind: "fcc", "bcc", "sc" or "diamond"
        n: number of particles
        density: particles per volume [1/length^3]
        options: further arguments of `System`, such as mass, type, type_names, velocity
    """
    choice(kind, "lattice", tuple(_CELLS))
    if "box" in options:
        raise bad_input(
            "lattice takes no box",
            "its box is the cube of n and density",
            "Give positions of your own to au.System, or use au.build.random(n, box=...)",
        )
    n = _count(n)
    density = number(density, "density", low=0.0, open_low=True)
    basis = np.array(_CELLS[kind])
    cells = next(k for k in itertools.count(1) if len(basis) * k**3 >= n)
    index = np.indices((cells, cells, cells)).reshape(3, -1).T
    sites = (index[:, None, :] + basis[None, :, :] + 0.25 / len(basis)).reshape(-1, 3) / cells
    if len(sites) > n:
        sites = sites[(np.arange(n, dtype=np.int64) * len(sites)) // n]
    box = Box.of(float((n / density) ** (1 / 3)))
    return System(box, box.positions(sites), **options)


def random(
    n: int,
    density: float | None = None,
    *,
    min_distance: float = 0.8,
    box: Any = None,
    seed: int = 0,
    **options: Any,
) -> System:
    """`n` particles at random positions, no two closer than `min_distance`.

    Random sequential addition: a drawn position is kept if no particle is too near. Raises
    InputError if the density exceeds the jamming limit, or if no room is left.

    Args:
        n: number of particles
        density: particles per volume [1/length^3]; or give `box`
        min_distance: smallest distance allowed [length]
        box: a box instead of a cubic one made from `density`
        seed: of the random numbers
        options: further arguments of `System`
    """
    n = _count(n)
    min_distance = number(min_distance, "min_distance", low=0.0)
    if (density is None) == (box is None):
        raise bad_input("random needs either density or box", "each defines the volume", "Give one")
    if density is not None:
        density = number(density, "density", low=0.0, open_low=True)
        box = float((n / density) ** (1 / 3))
    box = Box.of(box)
    # Random sequential addition of spheres jams at a packing fraction of 0.384 (Torquato 2006).
    packing = n * np.pi / 6 * min_distance**3 / box.volume
    if packing > 0.37:
        raise bad_input(
            f"{n} particles at least {min_distance:g} apart fill {packing:.2f} of the volume",
            "random insertion jams near 0.38",
            "Use a shorter min_distance, a lower density, or a lattice",
        )
    rng = np.random.default_rng(integer(seed, "seed", low=0))
    places, drawn = np.empty((0, 3)), 0
    while len(places) < n:
        want = min(max(512, n), 1_000_000)  # each search sorts all places again
        places = _apart(box, places, rng.random((want, 3)), min_distance, n)
        drawn += want
        if drawn > _most_draws(n) and len(places) < n:
            raise bad_input(
                f"only {len(places)} of {n} particles could be placed",
                f"{drawn:,} positions were tried, and min_distance {min_distance:g} leaves no room",
                "Use a shorter min_distance, a lower density, or a lattice",
            )
    return System(box, box.positions(places), **options)


def _most_draws(n: int) -> int:
    """Places that are drawn for n particles: a packing of 0.34 takes some 300 for each.

    From there to 0.37, where none is tried, the number grows beyond all bounds.
    """
    return 20_000 + min(1000 * n, 10_000_000) + 50 * n


def mixture(n: int, composition: Mapping[str, float], *, seed: int = 0) -> dict[str, Any]:
    """Types for `n` particles in the given proportions, shuffled: options for the builders.

    ``au.build.lattice("fcc", n=4000, density=0.8, **au.build.mixture(4000, {"A": 4, "B": 1}))``
    """
    n = _count(n)
    if not isinstance(composition, Mapping) or not composition:
        raise bad_input(
            f"composition is {composition!r}",
            "each type needs a fraction",
            'Give {"A": 0.8, "B": 0.2}',
        )
    shares = np.array([number(v, f"share of {k}", low=0.0) for k, v in composition.items()])
    if not np.isfinite(shares.sum()) or shares.sum() <= 0:
        raise bad_input(
            "all fractions of the composition are 0",
            "no type would have particles",
            "Give at least one type a positive fraction",
        )
    edges = np.rint(np.cumsum(shares) / shares.sum() * n).astype(np.int64)
    types = np.searchsorted(edges, np.arange(n), side="right").astype(np.int32)
    np.random.default_rng(integer(seed, "seed", low=0)).shuffle(types)
    return {"type": types, "type_names": tuple(str(name) for name in composition)}


def _count(n: Any) -> int:
    """A particle number that this machine can hold."""
    n = integer(n, "n", low=1)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    # Positions and what is made from them while a system is built take about this much.
    need = 200 * n
    if n > 2**31 - 1 or need > memory:
        raise bad_input(
            f"n is {n}",
            f"that takes {need / 2**30:.3g} GiB, the machine has {memory / 2**30:.3g}",
            "Give fewer particles",
        )
    return n


def _apart(box: Box, placed: Fractions, drawn: Fractions, distance: float, most: int) -> Fractions:
    """All `placed` and, in their order, the `drawn` places that keep the distance from all others.

    Places are fractions of the edges; at most `most` are returned.
    """
    taken, _, _ = all_pairs(box, box.positions(drawn), box.positions(placed), distance)
    drawn = np.delete(drawn, taken, axis=0)
    places = box.positions(drawn)
    first, second, _ = all_pairs(box, places, places, distance)
    later = first < second
    free = [True] * len(drawn)
    for i, j in zip(first[later].tolist(), second[later].tolist(), strict=True):  # i ascends
        if free[i]:
            free[j] = False
    return np.concatenate([placed, drawn[free]])[:most]
