# SPDX-License-Identifier: Apache-2.0
"""Molecules on a shaken lattice, turned at random and then until they do not touch.

What still touches after some rounds is left to a minimiser: centres keep their distance.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.neighbours import pairs
from aureole.system.box import Box

from .molecule_model import Model

Floats = NDArray[np.float64]
Index = NDArray[np.int64]

_SHAKE = 0.05  # of the spacing of the lattice
_ROUNDS = 4
_TRIALS = 3  # orientations that a molecule tries in a round
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
        self._rng, self._box = rng, Box.of(edge)
        self._shapes = [m.position - m.position.mean(axis=0) for m in models]
        self._radii = [_radii(m) for m in models]
        n, sizes = sum(counts), [m.n for m in models]
        self._kind = np.repeat(np.arange(len(models)), counts)
        self._cells = np.array(lattice_shape(n))
        sites = int(np.prod(self._cells))
        site = rng.permutation((np.arange(n, dtype=np.int64) * sites) // n)
        self._home = np.array(np.unravel_index(site, self._cells)).T
        shaken = self._home + 0.5 + rng.uniform(-_SHAKE, _SHAKE, (n, 3))
        self._centre = shaken * (edge / self._cells)
        self._first = np.cumsum(counts) - counts  # molecule of each kind
        # Of all particles, and the same of each kind: views.
        self._molecule = np.repeat(np.arange(n), np.repeat(sizes, counts))
        radii = [np.tile(r, count) for r, count in zip(self._radii, counts, strict=True)]
        self._radius = np.concatenate(radii).astype(np.float32)
        self._position = np.empty((len(self._molecule), 3))
        ends = np.cumsum(np.multiply(sizes, counts))
        blocks = np.split(self._position, ends[:-1])
        self._atoms = [b.reshape(-1, size, 3) for b, size in zip(blocks, sizes, strict=True)]
        for k, atoms in enumerate(self._atoms):
            atoms[:] = self._turned(k, self._first[k] + np.arange(counts[k]))

    def positions(self) -> Floats:
        """(n, 3) of all particles."""
        return self._position

    def separate(self) -> None:
        """Turn molecules that touch, one of eight sublattices after the other."""
        gap = np.concatenate(
            [
                self._gap(k, self._first[k] + np.arange(len(atoms)), atoms)
                for k, atoms in enumerate(self._atoms)
            ]
        )
        colour = (self._home % 2) @ [4, 2, 1]
        for _ in range(_ROUNDS):
            bad = np.flatnonzero(gap < 0.0)
            for c, k in itertools.product(range(8), range(len(self._shapes))):
                self._turn(k, bad[(colour[bad] == c) & (self._kind[bad] == k)], gap)

    def _turn(self, k: int, who: Index, gap: Floats) -> None:
        """Let molecules of one kind take better orientations; `gap` follows."""
        if not len(who) or len(self._shapes[k]) == 1:
            return
        atoms = self._atoms[k]
        gap[who] = self._gap(k, who, atoms[who - self._first[k]])
        for _ in range(_TRIALS):
            who = who[gap[who] < 0.0]
            tried = self._turned(k, who)
            found = self._gap(k, who, tried)
            better = found > gap[who]
            atoms[who[better] - self._first[k]] = tried[better]
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
        """(m,) smallest distance to particles of molecules on sites around less the radii.

        Negative where they touch; infinite where no particle is near.
        """
        gap = np.full(len(who), np.inf)
        radii = self._radii[k]
        for i, j, r in pairs(self._box, atoms.reshape(-1, 3), self._position, 2 * _HEAVY):
            row, at = np.divmod(i, len(radii))
            mine, other = who[row], self._molecule[j]
            steps = np.abs(self._home[mine] - self._home[other])
            near = (np.minimum(steps, self._cells - steps) <= 1).all(axis=1) & (mine != other)
            left = r - self._radius[j] - radii[at]
            np.minimum.at(gap, row[near], left[near])
        return gap


def _radii(model: Model) -> Floats:
    """(k,) contact radii [nm]; virtual sites have none."""
    number = {kind.name: kind.number for kind in model.kinds}
    site = {kind.name: kind.site for kind in model.kinds}
    return np.array(
        [_NOTHING if site[t] else _LIGHT if number[t] == 1 else _HEAVY for t in model.types]
    )
