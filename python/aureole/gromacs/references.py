# SPDX-License-Identifier: Apache-2.0
"""Where position restraints pull to, by refcoord-scaling."""

from __future__ import annotations

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


def anchored(terms: Terms, points: Vectors) -> Terms:
    """Restraints with their points behind their stiffness: a row of six for each."""
    who = terms.particles[:, 0]
    rows = np.arange(terms.n, dtype=np.int32)
    return Terms(terms.particles, rows, np.hstack([terms.parameters[terms.row], points[who]]))


def _repeating(box: Vectors, periodic: tuple[bool, bool, bool]) -> Vectors:
    """The box, with unit vectors along axes that do not repeat."""
    return np.where(np.array(periodic)[:, None], box, np.eye(3))
