# SPDX-License-Identifier: Apache-2.0
"""Molecules on a shaken lattice, turned at random and then until they do not touch.

What still touches after some rounds is left to a minimiser: centres keep their distance.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .molecule_model import Model

Floats = NDArray[np.float64]
Index = NDArray[np.int64]

_SHAKE = 0.05  # of the spacing of the lattice
_ROUNDS = 4
_TRIALS = 3  # orientations that a molecule tries in a round
_CHUNK = 4096  # molecules looked at together
#: Radii whose sum two particles should keep [nm].
_HEAVY, _LIGHT, _NOTHING = 0.125, 0.065, -1e3


def place(models: Sequence[Model], counts: Sequence[int], edge: float, seed: int) -> Floats:
    """(n, 3) positions of all particles in a cubic box [nm], molecules whole and in order.

    Args:
        models: the kinds of molecules
        counts: how many of each
        edge: of the box, a corner of which is the origin [nm]
        seed: of the random numbers
    """
    crowd = _Crowd(models, counts, edge, np.random.default_rng(seed))
    crowd.separate()
    return crowd.positions()


def lattice_shape(n: int) -> tuple[int, int, int]:
    """Cells along the axes, nearly alike, that leave the fewest of at least `n` sites empty."""
    low = max(1, int(n ** (1 / 3)) - 1)
    shapes = itertools.combinations_with_replacement(range(low, low + 4), 3)
    fit = [shape for shape in shapes if np.prod(shape) >= n]
    a, b, c = min(fit, key=lambda shape: (shape[2] - shape[0] > 2, np.prod(shape), shape[2]))
    return a, b, c


class _Crowd:
    """All molecules: where they stand, how they are turned, who is next to whom."""

    def __init__(
        self,
        models: Sequence[Model],
        counts: Sequence[int],
        edge: float,
        rng: np.random.Generator,
    ) -> None:
        self._rng, self._edge, self._counts = rng, edge, counts
        self._shapes = [m.position - m.position.mean(axis=0) for m in models]
        self._radii = [_radii(m) for m in models]
        n, most = sum(counts), max(m.n for m in models)
        self._kind = np.repeat(np.arange(len(models)), counts)
        self._cells = np.array(lattice_shape(n))
        sites = int(np.prod(self._cells))
        site = rng.permutation((np.arange(n, dtype=np.int64) * sites) // n)
        self._home = np.array(np.unravel_index(site, self._cells)).T
        # The last row represents an empty site, without radius.
        self._holder = np.full(sites, n, dtype=np.int64)
        self._holder[site] = np.arange(n)
        self._radius = np.full((n + 1, most), _NOTHING, dtype=np.float32)
        self._atoms = np.zeros((n + 1, most, 3))
        shaken = self._home + 0.5 + rng.uniform(-_SHAKE, _SHAKE, (n, 3))
        self._centre = shaken * (edge / self._cells)
        for k, radii in enumerate(self._radii):
            mine = np.flatnonzero(self._kind == k)
            self._radius[mine, : len(radii)] = radii
            self._atoms[mine, : len(radii)] = self._turned(k, mine)

    def positions(self) -> Floats:
        """(n, 3) of all particles."""
        ends = np.cumsum(self._counts)
        parts = [
            self._atoms[end - count : end, : len(shape)].reshape(-1, 3)
            for shape, count, end in zip(self._shapes, self._counts, ends, strict=True)
        ]
        return np.concatenate(parts)

    def separate(self) -> None:
        """Turn molecules that touch, one of eight sublattices after the other."""
        gap = np.empty(len(self._kind))
        for k in range(len(self._shapes)):
            mine = np.flatnonzero(self._kind == k)
            gap[mine] = self._gap(k, mine, self._atoms[mine])
        colour = (self._home % 2) @ [4, 2, 1]
        for _ in range(_ROUNDS):
            bad = np.flatnonzero(gap < 0.0)
            for c, k in itertools.product(range(8), range(len(self._shapes))):
                self._turn(k, bad[(colour[bad] == c) & (self._kind[bad] == k)], gap)

    def _turn(self, k: int, who: Index, gap: Floats) -> None:
        """Let molecules of one kind take better orientations; `gap` follows."""
        width = len(self._shapes[k])
        if not len(who) or width == 1:
            return
        gap[who] = self._gap(k, who, self._atoms[who])
        for _ in range(_TRIALS):
            who = who[gap[who] < 0.0]
            tried = self._turned(k, who)
            found = self._gap(k, who, tried)
            better = found > gap[who]
            self._atoms[who[better], :width] = tried[better]
            gap[who[better]] = found[better]

    def _turned(self, k: int, who: Index) -> Floats:
        """(m, width, 3) particles of molecules of one kind in random orientations."""
        q = self._rng.normal(size=(len(who), 4))
        w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        return np.einsum("ijm,aj->mai", turn, self._shapes[k]) + self._centre[who][:, None, :]

    def _gap(self, k: int, who: Index, atoms: Floats) -> Floats:
        """(m,) smallest distance to particles around less the radii; negative where they touch."""
        gap = np.full(len(who), np.inf)
        radii = self._radii[k]
        for begin in range(0, len(who), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            mine, home = atoms[part, : len(radii)], self._home[who[part]]
            for step in itertools.product((-1, 0, 1), repeat=3):
                there = home + step
                turns, cell = np.divmod(there, self._cells)
                other = self._holder[np.ravel_multi_index(tuple(cell.T), tuple(self._cells))]
                other = np.where(other == who[part], len(self._kind), other)
                moved = self._atoms[other] + (turns * self._edge)[:, None, :]
                square = np.float32(0.0)
                for axis in range(3):
                    apart = mine[:, :, None, axis] - moved[:, None, :, axis]
                    square = square + apart * apart
                left = np.sqrt(square) - self._radius[other][:, None, :] - radii[None, :, None]
                gap[part] = np.minimum(gap[part], left.min(axis=(1, 2)))
        return gap


def _radii(model: Model) -> Floats:
    """(k,) contact radii [nm]; virtual sites have none."""
    number = {kind.name: kind.number for kind in model.kinds}
    site = {kind.name: kind.site for kind in model.kinds}
    return np.array(
        [_NOTHING if site[t] else _LIGHT if number[t] == 1 else _HEAVY for t in model.types]
    )
