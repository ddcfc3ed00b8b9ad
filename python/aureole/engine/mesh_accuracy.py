# SPDX-License-Identifier: Apache-2.0
"""The mesh of PME for an accuracy of the forces, where a spec leaves it open."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from aureole.base.engine_schema import LIMITS
from aureole.base.errors import bad_input
from aureole.base.units import Units
from aureole.specs.electrostatics import PME
from aureole.system.box import Box

from .mesh import Mesh, mesh_of

#: Accuracy for charges in reduced units, which have no usual mesh.
ACCURACY = 1e-5
#: Orders of splines to choose from: odd ones vanish on the last mode of a mesh, and have large
#: errors next to it.
ORDERS = (4, 6, 8)
#: Fraction of the allowed error to aim at, as estimates are for charges at random places.
_AIM = 0.8
#: Costs [ns] by measurements of 4,000 waters: of each point within the range of a charge's spline,
#: and of the transforms for each point of the mesh.
_OF_SPLINE, _OF_POINT = 1.2, 14.0


def accurate(pme: PME, box: Box, charge: np.ndarray, coulomb: float, units: Units) -> PME:
    """The spec with the mesh, order and tolerance that give the accuracy it asks for.

    A spec that asks for no accuracy, or leaves nothing to find, is returned unchanged.

    Args:
        pme: how charges interact
        box: with its periodic edges [length]
        charge: (n,) charges [charge]
        coulomb: energy × length of two unit charges
        units: of the system

    Raises InputError where the settings that the spec fixes cannot give its accuracy.
    """
    accuracy = pme.accuracy
    if accuracy is None and not units.physical and not pme.has_mesh:
        accuracy = ACCURACY
    known = pme.has_mesh and pme.order is not None and pme.tolerance is not None
    if accuracy is None or known or not charge.any() or not pme.epsilon_r:
        return pme
    angstrom = 0.1 if units.physical else 1.0  # of length
    squares, n = float(charge @ charge), int(np.count_nonzero(charge))

    def mesh(given: PME) -> Mesh:
        found = mesh_of(given, box, squares, n, coulomb)
        assert found is not None, "there are charges"
        return found

    return _found(replace(pme, accuracy=accuracy), box, accuracy * coulomb / angstrom**2, n, mesh)


def _found(pme: PME, box: Box, error: float, n: int, mesh: Callable[[PME], Mesh]) -> PME:
    """The spec with half of the squared error for pairs, and the cheapest mesh for the rest."""
    aim, given = _AIM * error, pme.tolerance
    if pme.tolerance is None:
        pme = replace(pme, tolerance=_tolerance(pme, aim / math.sqrt(2), mesh))
    of_pairs = mesh(_fine(pme)).pair_error
    if of_pairs >= aim:
        raise bad_input(
            f"PME cannot have an accuracy of {pme.accuracy:g} with r_cut = {pme.r_cut:g}",
            f"with a tolerance of {pme.tolerance:g}, the pairs beyond the cut-off leave an error "
            f"of {of_pairs / error:.2g} times that",
            "Leave tolerance out, or choose a smaller one"
            if pme.tolerance == given
            else "Allow a larger error or a longer cut-off",
        )
    left = math.sqrt(aim**2 - of_pairs**2)
    orders = ORDERS if pme.order is None else (pme.order,)
    choices = [
        found for order in orders if (found := _grid(replace(pme, order=order), box, n, left, mesh))
    ]
    if not choices:
        raise bad_input(
            f"PME cannot have an accuracy of {pme.accuracy:g} with r_cut = {pme.r_cut:g}",
            "the mesh that is given errs by more"
            if pme.has_mesh
            else "the mesh would be too large",
            "Allow a larger error, a longer cut-off, a higher order or a finer mesh",
        )

    def cost(one: PME) -> float:
        assert one.grid is not None and one.order is not None, "they were found"
        return n * _OF_SPLINE * one.order**3 + _OF_POINT * math.prod(one.grid)

    return min(choices, key=cost)


def _fine(pme: PME) -> PME:
    """The spec with so fine a mesh that its error is quickly found."""
    return replace(pme, order=4, grid=None, spacing=0.2 / pme.beta)


def _tolerance(pme: PME, error: float, mesh: Callable[[PME], Mesh]) -> float:
    """The largest tolerance, to three digits, for which pairs err by at most `error`."""
    low, high = -35.0, 0.0  # of its logarithm, below which β r_cut hardly changes
    for _ in range(16):
        middle = 0.5 * (low + high)
        small = mesh(_fine(replace(pme, tolerance=math.exp(middle)))).pair_error <= error
        low, high = (middle, high) if small else (low, middle)
    return float(f"{math.exp(low):.3g}")


def _grid(pme: PME, box: Box, n: int, error: float, mesh: Callable[[PME], Mesh]) -> PME | None:
    """The spec with the coarsest mesh that errs by at most `error`, or with its own; else None."""
    if pme.has_mesh:
        fixed = mesh(pme)
        return replace(pme, grid=fixed.grid, spacing=None) if fixed.mesh_error <= error else None
    most = LIMITS["mesh_points"] + LIMITS["mesh_points_each"] * n
    widest = float(np.linalg.norm(box.matrix, axis=0).max())

    def of(points: int) -> Mesh:
        return mesh(replace(pme, spacing=widest / points))

    # Half the points of the first try are too few: β times the spacing would be 8.
    enough = max(8, int(widest * pme.beta / 4))
    while True:
        if enough > LIMITS["mesh_edge"]:
            return None
        found = of(enough)
        if found.mesh_error <= error:
            break
        if math.prod(found.grid) > most:
            return None
        enough *= 2
    few = enough // 2
    while enough - few > 1:
        middle = (enough + few) // 2
        few, enough = (few, middle) if of(middle).mesh_error <= error else (middle, enough)
    grid = of(enough).grid
    return replace(pme, grid=grid, spacing=None) if math.prod(grid) <= most else None
