# SPDX-License-Identifier: Apache-2.0
"""The pair distribution function g(r)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.values import integer, number
from aureole.system.system import System

from .neighbours import pairs

Array = NDArray[np.float64]


def pair_distribution(
    system: System, r_max: float = 5.0, bins: int = 200, centres: int = 2000, seed: int = 0
) -> tuple[Array, Array]:
    """The pair distribution function g(r), around some randomly chosen particles.

    Args:
        system: the particles
        r_max: largest distance, at most half the box [length]
        bins: number of distances
        centres: number of central particles; more give a smoother curve
        seed: of their random choice

    Returns r (bins,) [length], the middles of the bins, and g (bins,).
    """
    r_max = number(r_max, "r_max", low=0.0, open_low=True)
    if r_max > system.box.widths.min() / 2:
        raise bad_input(
            f"r_max {r_max:g} exceeds half the box {system.box.widths.min() / 2:g}",
            "images would be counted twice",
            "Choose a smaller r_max",
        )
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(system.n)[: integer(centres, "centres", low=1)]
    edges = np.linspace(0.0, r_max, integer(bins, "bins", low=1) + 1)
    counts = np.zeros(bins)
    for _, _, r in pairs(system.box, system.position[chosen], system.position, r_max):
        apart = r[r > 0]
        counts += np.bincount((apart * (bins / r_max)).astype(int), minlength=bins)[:bins]
    shells = 4 / 3 * math.pi * (edges[1:] ** 3 - edges[:-1] ** 3)
    expected = shells * (system.n - 1) / system.box.volume * len(chosen)
    return (edges[1:] + edges[:-1]) / 2, counts / expected
