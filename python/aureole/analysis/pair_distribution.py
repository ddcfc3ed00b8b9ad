# SPDX-License-Identifier: Apache-2.0
"""The pair distribution function g(r)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.values import integer, number
from aureole.system.system import System

Array = NDArray[np.float64]


def pair_distribution(
    system: System, r_max: float = 5.0, bins: int = 200, centres: int = 2000, seed: int = 0
) -> tuple[Array, Array]:
    """The pair distribution function g(r), around some randomly chosen particles.

    Args:
        system: the particles
        r_max: largest distance, at most half the box [length]
        bins: number of distances
        centres: particles around which neighbours are counted; the more, the smoother
        seed: of the choice

    Returns r (bins,) [length], the middles of the bins, and g (bins,).
    """
    r_max = number(r_max, "r_max", low=0.0, open_low=True)
    if r_max > system.box.widths.min() / 2:
        raise bad_input(
            f"r_max {r_max:g} exceeds half the box {system.box.widths.min() / 2:g}",
            "images would be counted twice",
            "Choose a shorter one",
        )
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(system.n)[: integer(centres, "centres", low=1)]
    edges = np.linspace(0.0, r_max, integer(bins, "bins", low=1) + 1)
    counts = np.zeros(bins)
    # Only particles in a slab around each centre matter: three periodic copies, sorted along x.
    along = system.box.fractions(system.position)[:, 0]
    order = np.argsort(along)
    sorted_along = np.concatenate([along[order] - 1, along[order], along[order] + 1])
    width = r_max / system.box.widths[0]
    for tag in chosen:
        low, high = np.searchsorted(sorted_along, (along[tag] - width, along[tag] + width))
        near = order[np.arange(low, high) % system.n]
        difference = system.box.minimum_image(system.position[near] - system.position[tag])
        r2 = np.einsum("ij,ij->i", difference, difference)
        r = np.sqrt(r2[(r2 < r_max**2) & (r2 > 0)])
        counts += np.bincount((r * (bins / r_max)).astype(int), minlength=bins)[:bins]
    shells = 4 / 3 * math.pi * (edges[1:] ** 3 - edges[:-1] ** 3)
    expected = shells * (system.n - 1) / system.box.volume * len(chosen)
    return (edges[1:] + edges[:-1]) / 2, counts / expected
