# SPDX-License-Identifier: Apache-2.0
"""Boxes as GROMACS has them, three vectors from a corner, beside `aureole.Box`, which is centred.

Vectors are the rows of a (3, 3) array [nm]: (v1x, 0, 0), (v2x, v2y, 0), (v3x, v3y, v3z).
"""

from __future__ import annotations

import math
import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aureole.base.errors import bad_input
from aureole.base.text_files import Name, at
from aureole.system.box import Box

Vectors = NDArray[np.float64]

#: Factor by which a vector may lean beyond half of an edge before GROMACS takes a shorter one.
SKEW_MARGIN = 1.0005
#: Number of times that GROMACS takes an edge off a vector; beyond it, the box is refused.
MOST_TURNS = 9
# Off-diagonal entries (row, column), at most half of the edge in that column; GROMACS' order.
_LEANS = ((2, 1), (2, 0), (1, 0))
# Order of the nine numbers of a .gro file: v1x v2y v3z v1y v1z v2x v2z v3x v3y.
_GRO_ORDER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))


def problem_of(vectors: Vectors) -> tuple[str, str, str] | None:
    """The problem of a box with reason and suggestion; None if GROMACS takes the box."""
    if vectors.shape != (3, 3) or not np.isfinite(vectors).all():
        return ("the box is not three vectors of finite numbers", "it has no volume", "Give three")
    for axis in range(3):
        if vectors[axis, axis] <= 0.0:
            return (
                f"the box is {vectors[axis, axis]:g} nm long along {'xyz'[axis]}",
                "edges must be longer than 0",
                "Correct the box",
            )
    for row, column in ((0, 1), (0, 2), (1, 2)):
        if vectors[row, column] != 0.0:
            return (
                f"box vector {row + 1} has the component {vectors[row, column]:g} nm along "
                f"{'xyz'[column]}",
                "the first vector must lie along x, the second in the xy plane",
                "Rotate the system accordingly",
            )
    if not 0.0 < math.prod(float(edge) for edge in np.diagonal(vectors)) < math.inf:
        return ("the volume of the box is not a number", "its edges are out of range", "Correct it")
    if _reduced(vectors)[1] > MOST_TURNS:
        return (
            "the box is tilted too far",
            f"more than {MOST_TURNS} times an edge in one direction",
            "Use shorter vectors of the same lattice",
        )
    return None


def check_box(vectors: ArrayLike) -> Vectors:
    """The `reduced` (3, 3) box vectors [nm]. Raises InputError if GROMACS would refuse them."""
    box = np.array(vectors, dtype=np.float64)
    wrong = problem_of(box)
    if wrong is not None:
        raise bad_input(*wrong)
    return reduced(box)


def reduced(vectors: Vectors) -> Vectors:
    """Vectors of the same lattice that lean by at most half an edge, as GROMACS reduces them."""
    return _reduced(vectors)[0]


def accepted(path: Name, line: int, vectors: Vectors) -> tuple[Vectors, tuple[str, ...]]:
    """The `reduced` box vectors of a file, and a note if reduction changes them.

    Raises FileError, with the number of the line, for a box that GROMACS refuses.
    """
    wrong = problem_of(vectors)
    if wrong is not None:
        raise at(path, line, *wrong)
    better = reduced(vectors)
    if np.array_equal(better, vectors):
        return better, ()
    words = " ".join(f"{value:.5f}" for value in gro_numbers(better))
    note = f"the box is tilted by more than half an edge; its reduced vectors are {words}"
    return better, (f"{os.fspath(path)}: {note}",)


def _reduced(vectors: Vectors) -> tuple[Vectors, float]:
    """The vectors, and the largest number of times that an edge was subtracted."""
    box, most = np.array(vectors, dtype=np.float64), 0.0
    with np.errstate(all="ignore"):
        for row, column in _LEANS:
            lean = box[row, column] / box[column, column]
            if not abs(lean) <= 0.5 * SKEW_MARGIN:
                turns = np.rint(lean)
                box[row] -= turns * box[column]
                most = max(most, float(abs(turns))) if np.isfinite(turns) else np.inf
    return box, most


def to_box(vectors: ArrayLike, periodic: tuple[bool, bool, bool] = (True, True, True)) -> Box:
    """The `aureole.Box` of box vectors [nm]; positions move by `-centre(vectors)` with it."""
    v = check_box(vectors)
    x, y, z = np.diagonal(v).tolist()
    xy, xz, yz = float(v[1, 0]) / y, float(v[2, 0]) / z, float(v[2, 1]) / z
    return Box(x, y, z, xy=xy, xz=xz, yz=yz, periodic=periodic)


def from_box(box: Box) -> Vectors:
    """(3, 3) the vectors of a box as rows; positions move by `centre` of them."""
    return np.ascontiguousarray(box.matrix.T)


def centre(vectors: Vectors) -> Vectors:
    """(3,) the middle of a box that has a corner in the origin [nm]."""
    return np.asarray(0.5 * np.asarray(vectors).sum(axis=0))


def gro_numbers(vectors: Vectors) -> list[float]:
    """The three or nine numbers of a box, in the order of .gro files [nm]."""
    nine = [float(vectors[place]) for place in _GRO_ORDER]
    return nine if any(nine[3:]) else nine[:3]


def from_gro_numbers(values: list[float]) -> Vectors:
    """(3, 3) box vectors [nm] from the three or nine numbers of a .gro file."""
    vectors = np.zeros((3, 3))
    for place, value in zip(_GRO_ORDER, values, strict=False):
        vectors[place] = value
    return vectors


def from_lengths_angles(lengths: ArrayLike, angles: ArrayLike) -> Vectors:
    """(3, 3) box vectors from three lengths and the angles α (v2, v3), β (v1, v3), γ (v1, v2).

    Args:
        lengths: (3,) [nm]
        angles: (3,) [degree]

    A right angle gives exact zeros. Angles that no three vectors have give NaN.
    """
    a, b, c = (float(value) for value in np.asarray(lengths))
    given = [float(value) for value in np.asarray(angles)]
    if not all(0.0 < value < 180.0 for value in given):
        return np.full((3, 3), np.nan)
    cos_a, cos_b, cos_g = (0.0 if v == 90.0 else math.cos(math.radians(v)) for v in given)
    sin_g = 1.0 if given[2] == 90.0 else math.sin(math.radians(given[2]))
    third = np.array([cos_b, (cos_a - cos_b * cos_g) / sin_g, 0.0])
    height = 1.0 - float(third @ third)
    if height <= 0.0:
        return np.full((3, 3), np.nan)
    third[2] = math.sqrt(height)
    return np.array([[a, 0.0, 0.0], [b * cos_g, b * sin_g, 0.0], c * third])


def lengths_angles(vectors: Vectors) -> tuple[Vectors, Vectors]:
    """(3,) lengths [nm] and (3,) angles α, β, γ [degree] of box vectors."""
    lengths = np.linalg.norm(vectors, axis=1)
    angles = []
    for i, j in ((1, 2), (0, 2), (0, 1)):
        cosine = float(vectors[i] @ vectors[j]) / float(lengths[i] * lengths[j])
        right = cosine == 0.0
        angles.append(90.0 if right else math.degrees(math.acos(max(-1.0, min(1.0, cosine)))))
    return lengths, np.array(angles)
