# SPDX-License-Identifier: Apache-2.0
"""Reference positions of position restraints, by refcoord-scaling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.formats.coordinates import Coordinates
from aureole.system.references import References
from aureole.system.topology import TO_REFERENCES, Topology

Vectors = NDArray[np.float64]


def weights_of_centre(topology: Topology) -> Vectors:
    """(n,) weight of each particle in the centre that refcoord-scaling = com moves.

    As in GROMACS, this is the centre of mass of the restrained particles in the first molecule of
    each line of [ molecules ], each counted as often as it is restrained. A flat-bottomed restraint
    does not count if that molecule or one before has a harmonic restraint on a particle of the same
    number.
    """
    weights, start = np.zeros(topology.n), 0
    harmonic: set[int] = set()
    for molecule, count in topology.blocks:
        mass = molecule.atoms.mass
        for kind in TO_REFERENCES if count else ():
            if kind in molecule.terms:
                who = molecule.terms[kind].particles[:, 0]
                if kind == "position_restraint":
                    harmonic.update(who.tolist())
                else:
                    who = who[[k not in harmonic for k in who.tolist()]]
                np.add.at(weights, start + who, mass[who])
        start += molecule.atoms.n * count
    return weights


def reference_positions(
    references: Coordinates,
    box: Vectors | None,
    scaling: str,
    weights: Vectors,
    periodic: tuple[bool, bool, bool],
) -> Vectors:
    """(n, 3) points [nm] that particles are drawn to in a box.

    Args:
        references: positions to refer to, and the box that they are from
        box: (3, 3) rows are the vectors of the present box [nm]; None for no periodicity
        scaling: "no" leaves the points alone, "all" moves them with the box, "com" their centre
        weights: (n,) of the particles in that centre, as from `weights_of_centre`
        periodic: which axes repeat; along others nothing moves
    """
    points = references.position
    if scaling == "no" or box is None or references.box is None:
        return points
    now, then = _repeating(box, periodic), _repeating(references.box, periodic)
    if scaling == "all":
        return points @ np.linalg.inv(then) @ now
    centre = _centre(points, weights)
    return points - centre + centre @ np.linalg.inv(then) @ now


def anchors_of(
    points: Vectors, box: Vectors, middle: Vectors, scaling: str, weights: Vectors
) -> References:
    """Points of restraints as the engine keeps them while the box changes, by refcoord-scaling.

    Args:
        points: (n, 3) reference points in the present box [nm]
        box: (3, 3) rows are the vectors of the box [nm]
        middle: (3,) middle of the box [nm], the origin of the engine's coordinates
        scaling, weights: as for `reference_positions`
    """
    inverse = np.linalg.inv(box)
    if scaling == "all":
        return References((points - middle) @ inverse, True, (0.0, 0.0, 0.0))
    start = middle - 0.5 * box.sum(axis=0)  # the corner, which the box does not move
    if scaling == "com":
        start = _centre(points, weights)
    x, y, z = ((start - middle) @ inverse).tolist()
    return References(points - start, False, (x, y, z))


def _centre(points: Vectors, weights: Vectors) -> Vectors:
    whole = weights.sum()
    if not whole > 0:
        raise bad_input(
            "the restrained particles have no centre of mass for refcoord-scaling = com",
            f"their mass in the first molecule of each line of [ molecules ] is {whole:g}",
            "Use refcoord-scaling = all or no, or restrain particles with mass",
        )
    return weights @ points / whole


def _repeating(box: Vectors, periodic: tuple[bool, bool, bool]) -> Vectors:
    """The box, with unit vectors along axes that do not repeat."""
    return np.where(np.array(periodic)[:, None], box, np.eye(3))
