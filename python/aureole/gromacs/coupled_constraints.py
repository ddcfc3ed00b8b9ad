# SPDX-License-Identifier: Apache-2.0
"""The strength of couplings of constraints, which decides whether LINCS solves them.

LINCS inverts 1 − A by 1 + A + A² + ..., where A holds the couplings of constraints that share a
particle (Hess et al., J. Comput. Chem. 18, 1463 (1997), equations 16 to 20). The series diverges
if an eigenvalue of A is 1 or more, as happens where angles with hydrogens are constrained.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aureole.system.topology import MoleculeType

Pairs = NDArray[np.int64]
Array = NDArray[np.float64]

#: Matrices up to this size are diagonalised; of larger ones the largest eigenvalue is iterated.
_SMALL = 400
_ITERATIONS = 300
#: Bonds of one particle that are solved exactly (constraints/constraint_job.hpp).
_LARGEST_STAR = 4


def largest_coupling(molecule: MoleculeType, position: Array, box: Array | None) -> float:
    """The largest eigenvalue of A, by size, of constraints that LINCS solves; 0 without any.

    Args:
        molecule: with its constraints
        position: (n, 3) positions of one copy of the molecule
        box: (3, 3) vectors in rows, or None if the molecule is whole
    """
    if "constraint" not in molecule.terms:
        return 0.0
    ends = _of_series(molecule.terms["constraint"].particles.astype(np.int64), molecule.atoms.n)
    if len(ends) == 0:
        return 0.0
    along = position[ends[:, 0]] - position[ends[:, 1]]
    if box is not None:
        for axis in (2, 1, 0):
            along = along - np.rint(along[:, axis] / box[axis, axis])[:, None] * box[axis]
    return _largest(*_couplings(ends, along, molecule.atoms.mass), len(ends))


def _of_series(ends: Pairs, n: int) -> Pairs:
    """Constraints of components, but those that the engine solves exactly: triangles, tetrahedra
    and up to four bonds of one particle.
    """
    root = np.arange(n)
    for _ in range(n):
        low = np.minimum(root[ends[:, 0]], root[ends[:, 1]])
        before = root.copy()
        np.minimum.at(root, ends[:, 0], low)
        np.minimum.at(root, ends[:, 1], low)
        root = root[root]
        if (root == before).all():
            break
    of_ends = root[ends[:, 0]]
    bonds, atoms = np.bincount(of_ends, minlength=n), np.bincount(root, minlength=n)
    most = np.zeros(n, dtype=np.int64)  # bonds of one particle
    np.maximum.at(most, root, np.bincount(ends.reshape(-1), minlength=n))
    star = (most == bonds) & (bonds <= _LARGEST_STAR)
    exact = star | ((bonds == 3) & (atoms == 3)) | ((bonds == 6) & (atoms == 4))
    return ends[~exact[of_ends]]


def _couplings(ends: Pairs, along: Array, mass: Array) -> tuple[Pairs, Pairs, Array]:
    """Rows, columns and values of A."""
    unit = along / np.maximum(np.linalg.norm(along, axis=1), 1e-12)[:, None]
    inverse = np.divide(1.0, mass, out=np.zeros(len(mass)), where=mass > 0)
    scale = 1.0 / np.sqrt(inverse[ends].sum(axis=1))
    of: dict[int, list[tuple[int, int]]] = {}
    for k, (i, j) in enumerate(ends.tolist()):
        of.setdefault(i, []).append((k, 1))
        of.setdefault(j, []).append((k, -1))
    found = [
        (k, m, -sign * other * inverse[i])
        for i, ends_there in of.items()
        for k, sign in ends_there
        for m, other in ends_there
        if k != m
    ]
    row, column = (np.array([one[c] for one in found], dtype=np.int64) for c in (0, 1))
    value = np.array([one[2] for one in found]) * scale[row] * scale[column]
    return row, column, value * (unit[row] * unit[column]).sum(axis=1)


def _largest(row: Pairs, column: Pairs, value: Array, n: int) -> float:
    """The largest eigenvalue, by size, of a symmetric matrix (n, n)."""
    if n <= _SMALL:
        matrix = np.zeros((n, n))
        np.add.at(matrix, (row, column), value)
        return float(np.abs(np.linalg.eigvalsh(matrix)).max())
    vector = np.random.default_rng(1).normal(size=n)
    for _ in range(_ITERATIONS):
        vector /= np.linalg.norm(vector)
        for _ in range(2):  # two eigenvalues of one size and opposite signs would not settle
            vector = np.bincount(row, value * vector[column], minlength=n)
    return float(np.sqrt(np.linalg.norm(vector)))
