# SPDX-License-Identifier: Apache-2.0
"""The mesh of PME as it is used, with the expected errors of its forces."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aureole import _core
from aureole.specs.electrostatics import PME
from aureole.system.box import Box

#: Size of the piece of a mesh whose errors are computed, as errors hardly depend on the size of the
#: box: at most so many points along an edge, and so many widths 1/β. With splines of odd orders,
#: errors grow with the number of points: the modes next to the last one, on which such a spline
#: vanishes, have ever larger errors.
_POINTS, _WIDTHS = {"even": 40, "odd": 2048}, {"even": 16, "odd": 64}
_MOST_OF_ODD = 1 << 21
#: Errors of the mesh's forces as fractions of the forces between neighbours: a mesh with more than
#: `COARSE` is too coarse; the spacing advised instead has less than `GOOD`. In water, with cut-offs
#: of 0.9 to 1.2 nm, meshes of GROMACS' default, 0.12 nm and order 4, err by 0.1 to 0.3 %, meshes of
#: 0.16 nm by 0.3 to 1.1 %, and a mesh of 0.8 nm by 26 to 58 %.
COARSE, GOOD = 0.05, 0.003


@dataclass(frozen=True)
class Mesh:
    """The mesh of PME, to which charges are spread.

    Args:
        grid: points along the three box vectors
        order: of the splines
        spacing: largest distance between neighbouring points [length]
        beta: Ewald's splitting parameter [1/length]
        mesh_error: expected r.m.s. error of the mesh's forces [force]
        pair_error: expected r.m.s. error of the pair forces, from pairs beyond the cut-off [force]
        neighbours: force between charges of usual size and distance, at most r_cut [force]
        for_gpu: the sizes follow from a spacing, without prime factors above 7
    """

    grid: tuple[int, int, int]
    order: int
    spacing: float
    beta: float
    mesh_error: float
    pair_error: float
    neighbours: float
    for_gpu: bool = False

    @property
    def error(self) -> float:
        """Expected r.m.s. error of all forces between charges [force]."""
        return math.hypot(self.mesh_error, self.pair_error)

    @property
    def share(self) -> float:
        """Error of the mesh's forces as a fraction of the forces between neighbours."""
        return self.mesh_error / self.neighbours

    @property
    def coarse(self) -> bool:
        """Whether the mesh is too coarse for its forces to mean much."""
        return self.share > COARSE

    def about(self, physical: bool) -> str:
        """The points, order and error of the mesh in a few words."""
        points = " × ".join(map(str, self.grid))
        unit = " kJ/mol/nm" if physical else ""
        if self.for_gpu:
            points += " (no factor above 7, for the GPU)"
        return (
            f"{points} points, order {self.order}, estimated r.m.s. force error "
            f"{_two_digits(self.error)}{unit} (of charges at random places)"
        )

    def words(self, nm: str, force: str) -> str:
        """A sentence about a mesh that is too coarse.

        Args:
            nm, force: units with a blank before them
        """
        points = " × ".join(map(str, self.grid))
        return (
            f"the mesh of {points} points, up to {self.spacing:.2g}{nm} apart, errs by up to about "
            f"{_two_digits(self.mesh_error)}{force} in each force "
            f"({_two_digits(100 * self.share)} % of that between neighbouring charges)"
        )


def _two_digits(number: float) -> str:
    rounded = float(f"{number:.2g}")
    return f"{rounded:.0f}" if 100 <= rounded < 1e6 else f"{rounded:g}"


def mesh_in_use(sim: Any) -> tuple[PME, Mesh] | None:
    """The mesh of a running simulation, and how it was asked for; None without one."""
    pme = next((force for force in sim.forces if isinstance(force, PME)), None)
    grid = sim._core.describe().get("mesh")
    if pme is None or grid is None:
        return None
    charge = sim.get("charge")
    squares, n = float(charge @ charge), int(np.count_nonzero(charge))
    coulomb = sim.units.coulomb if sim.topology is None else sim.topology.coulomb
    found = mesh_of(replace(pme, grid=grid), sim.box, squares, n, coulomb)
    if found is None:
        return None
    by_spacing = pme.usual.grid is None and sim.device.name not in ("auto", "host")
    return pme.usual, replace(found, for_gpu=by_spacing)


def mesh_of(pme: PME, box: Box, squares: float, n: int, coulomb: float) -> Mesh | None:
    """The mesh of a simulation; None without charges, or between charges that do not act.

    Args:
        pme: how charges interact
        box: with its periodic edges [length]
        squares: sum of the squares of all charges [charge²]
        n: number of charged particles
        coulomb: energy × length of two unit charges

    The errors are those expected for charges at random places: for the mesh, sums over all modes
    that splines alias or the mesh leaves out; for pairs Kolafa and Perram, Mol. Simul. 9, 351
    (1992). Raises InputError for a mesh that cannot be.
    """
    if not n or not pme.epsilon_r:
        return None
    pme = pme.usual
    given = pme.grid or (0, 0, 0)
    grid = given
    if not all(given):
        grid = _core.mesh_for_spacing(box.six, float(pme.spacing), pme.order, given)
    strength, r_cut = coulomb / pme.epsilon_r, float(pme.r_cut)
    edges = np.linalg.norm(box.matrix, axis=0)
    spacing = edges / grid
    points = _piece(np.array(grid), spacing, pme)
    shares = points / np.array(grid)  # of each edge
    part = float(np.prod(shares))
    lx, ly, lz, *tilts = box.six
    piece = (lx * shares[0], ly * shares[1], lz * shares[2], *tilts)
    errors = _core.ewald_force_errors(
        *(piece, tuple(map(int, points)), pme.order, pme.beta, r_cut),
        *(strength, squares * part, n * part),
    )
    # Few charges in a large box are far from each other, and their errors matter where they meet.
    distance = min((box.volume / n) ** (1 / 3), r_cut)
    neighbours = strength * squares / n / distance**2
    return Mesh(grid, pme.order, float(spacing.max()), pme.beta, *errors, neighbours)


def _piece(grid: np.ndarray, spacing: np.ndarray, pme: PME) -> np.ndarray:
    """Points along each edge of a piece whose errors are those of the whole mesh."""
    assert pme.order is not None, "a mesh has one"
    parity = "odd" if pme.order % 2 else "even"
    extent = np.ceil(_WIDTHS[parity] / (pme.beta * spacing)).astype(int)
    points = np.minimum(grid, np.clip(extent, pme.order, _POINTS[parity]))
    while points.prod() > _MOST_OF_ODD:
        points[points.argmax()] = (points.max() + 1) // 2
    return points


def good_spacing(pme: PME, box: Box, squares: float, n: int, coulomb: float) -> float:
    """A spacing of one digit whose mesh errs by less than `GOOD`; arguments as for `mesh_of`."""
    widest = float(np.linalg.norm(box.matrix, axis=0).max())
    scale = 10 ** math.floor(math.log10(widest))
    choices = [scale * 10**-power * digits for power in range(5) for digits in range(9, 0, -1)]
    for spacing in choices:
        found = mesh_of(replace(pme, spacing=spacing, grid=None), box, squares, n, coulomb)
        if found is not None and found.spacing < 1.01 * spacing and found.share < GOOD:
            return spacing
    return choices[-1]
