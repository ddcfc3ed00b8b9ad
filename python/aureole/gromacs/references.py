# SPDX-License-Identifier: Apache-2.0
"""Where position restraints pull to, by refcoord-scaling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..topology import Terms
from .coordinates import Coordinates

Vectors = NDArray[np.float64]


def reference_positions(
    references: Coordinates,
    box: Vectors | None,
    scaling: str,
    restrained: NDArray[np.int32],
    periodic: tuple[bool, bool, bool],
) -> Vectors:
    """(n, 3) points [nm] that particles are drawn to in a box.

    Args:
        references: positions to refer to, and the box that they are from
        box: (3, 3) rows are the vectors of the box of now [nm]; None for no periodicity
        scaling: "no" leaves the points alone, "all" moves them with the box, "com" their centre
        restrained: particles with restraints; their plain mean is the centre
        periodic: which axes repeat; along others nothing moves
    """
    points = references.position
    if scaling == "no" or box is None or references.box is None or not len(restrained):
        return points
    now, then = _repeating(box, periodic), _repeating(references.box, periodic)
    if scaling == "all":
        return points @ np.linalg.inv(then) @ now
    centre = points[np.unique(restrained)].mean(axis=0)
    return points - centre + centre @ np.linalg.inv(then) @ now


@dataclass(frozen=True)
class Anchors:
    """Points of restraints as the engine keeps them while the box changes.

    Args:
        points: (n, 3) in parts of the box's vectors, or lengths [nm] that stay
        with_box: whether they are parts
        common: what is added to lengths, in parts of the box's vectors
    """

    points: Vectors
    with_box: bool
    common: tuple[float, float, float]


def anchors_of(
    points: Vectors, box: Vectors, middle: Vectors, scaling: str, restrained: NDArray[np.int32]
) -> Anchors:
    """Anchors by refcoord-scaling.

    Args:
        points: (n, 3) places in the box of now [nm]
        box: (3, 3) rows are its vectors [nm]
        middle: (3,) its middle [nm], where the engine's coordinates begin
        scaling, restrained: as for `reference_positions`
    """
    inverse = np.linalg.inv(box)
    if scaling == "all":
        return Anchors((points - middle) @ inverse, True, (0.0, 0.0, 0.0))
    start = middle - 0.5 * box.sum(axis=0)  # the corner, whose place is not the box's matter
    if scaling == "com" and len(restrained):
        start = points[np.unique(restrained)].mean(axis=0)
    x, y, z = ((start - middle) @ inverse).tolist()
    return Anchors(points - start, False, (x, y, z))


def anchored(terms: Terms, points: Vectors) -> Terms:
    """Restraints with their points behind their stiffness: a row of six for each."""
    who = terms.particles[:, 0]
    rows = np.arange(terms.n, dtype=np.int32)
    return Terms(terms.particles, rows, np.hstack([terms.parameters[terms.row], points[who]]))


def _repeating(box: Vectors, periodic: tuple[bool, bool, bool]) -> Vectors:
    """The box, with unit vectors along axes that do not repeat."""
    return np.where(np.array(periodic)[:, None], box, np.eye(3))
