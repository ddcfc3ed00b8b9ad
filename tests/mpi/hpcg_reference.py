# SPDX-License-Identifier: Apache-2.0
"""HPCG's method in numpy: another way to the residuals that `aureole bench hpcg` prints.

Arrays have the shape of the whole grid; blocks are the cells of each rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

LEVELS, DIAGONAL = 4, 26.0
Block = tuple[slice, slice, slice]


def blocks(shape: Sequence[int], ranks: Sequence[int]) -> Iterator[Block]:
    """The cells of each rank of a grid of ranks."""
    for at in np.ndindex(*ranks):
        own = [n // of for n, of in zip(shape, ranks, strict=True)]
        yield tuple(slice(k * n, (k + 1) * n) for k, n in zip(at, own, strict=True))


def cubes(padded: np.ndarray) -> np.ndarray:
    """The sum of each cell and its 26 neighbours; the outermost layer is left out."""
    for axis in range(3):
        n = padded.shape[axis]
        padded = sum(padded.take(range(k, n - 2 + k), axis) for k in range(3))
    return padded


def operator(x: np.ndarray) -> np.ndarray:
    """The operator times a vector."""
    return (DIAGONAL + 1) * x - cubes(np.pad(x, 1))


def smooth(right: np.ndarray, x: np.ndarray, ranks: Sequence[int]) -> np.ndarray:
    """A symmetric sweep by eight colours; each block sees the others' values from before it."""
    swept = np.empty_like(x)
    before = np.pad(x, 1)
    for block in blocks(x.shape, ranks):
        own = before[tuple(slice(of.start, of.stop + 2) for of in block)].copy()
        inner = own[1:-1, 1:-1, 1:-1]
        for colour in [*range(8), *reversed(range(8))]:
            bits = (colour >> 2, colour >> 1, colour)
            cells = tuple(
                slice((bit + of.start) % 2, None, 2) for bit, of in zip(bits, block, strict=True)
            )
            new = (right[block] + cubes(own) - inner) / DIAGONAL
            inner[cells] = new[cells]
        swept[block] = inner
    return swept


def cycle(right: np.ndarray, ranks: Sequence[int], level: int = 0) -> np.ndarray:
    """A cycle of multigrid from zero on: injection between levels, a sweep before and after."""
    x = smooth(right, np.zeros_like(right), ranks)
    if level == LEVELS - 1:
        return x
    every_second = (slice(None, None, 2),) * 3
    x[every_second] += cycle((right - operator(x))[every_second], ranks, level + 1)
    return smooth(right, x, ranks)


def residuals(shape: Sequence[int], ranks: Sequence[int], iterations: int) -> list[float]:
    """Norms of residuals of conjugate gradients, for the right-hand side whose solution is 1."""
    x = np.zeros(shape)
    r = operator(np.ones(shape))
    p, rz = np.zeros(shape), 1.0
    norms = [float(np.linalg.norm(r))]
    for k in range(iterations):
        z = cycle(r, ranks)
        before, rz = rz, float(np.vdot(r, z))
        p = z + (rz / before if k else 0.0) * p
        product = operator(p)
        alpha = rz / float(np.vdot(p, product))
        x, r = x + alpha * p, r - alpha * product
        norms.append(float(np.linalg.norm(r)))
    assert abs(x - 1).max() < norms[-1]
    return norms


def flops(shape: Sequence[int], iterations: int) -> int:
    """As HPCG counts them, of entries of the operator that are counted one by one."""
    entries = [
        round(float(cubes(np.pad(np.ones([n >> k for n in shape]), 1)).sum()))
        for k in range(LEVELS)
    ]
    of_vectors = 2 * (3 * iterations + 1) * 2 * int(np.prod(shape))
    of_cycle = 10 * sum(entries[:-1]) + 4 * entries[-1]
    return of_vectors + (iterations + 1) * 2 * entries[0] + iterations * of_cycle
