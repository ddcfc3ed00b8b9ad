# SPDX-License-Identifier: Apache-2.0
"""Problems with a known answer, and the meshes and gases that they are meant for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aureole.base.errors import bad_input
from aureole.base.text import counted
from aureole.base.values import integer, number

from .flow import Array, Flow
from .gas import IdealGas
from .mesh import AXES, Mesh

#: Part of a cell by which ends of boxes and faces of cells may differ.
ROUNDING = 1e-6


@dataclass(frozen=True, kw_only=True)
class Problem:
    """An initial state, the mesh and gas that it is meant for, and the solution.

    As a function of the coordinates of cells it is its initial state, so that `sim.set(problem)`
    takes it.

    Args:
        box: (low, high) of each axis
        roots: sub-grids of 8 cells along each axis
        boundary: of all faces, but for those across `uniform` axes; or a pair of names for each
            axis
        gamma: ratio of specific heats
        until: the time at which results are usually compared
        at: density, velocity and pressure as functions of time and coordinates, at time 0 the
            initial state: a `Flow`, or another mapping with these names
        of_cells: whether the initial state depends on the size of cells, so that it is for
            meshes whose finest cells are the problem's own; coarser ones get the means of these
        uniform: axes, from 0, along which the state never changes; meshes may have any length and
            any boundary along these
        source: the coordinate, along each other axis, from which waves move outwards, so that a
            mesh may be a part of the box that has the source inside; None if nothing is known
        symmetric: whether the state is its own mirror image at `source`, so that a part of the
            box may also begin or end there, with a reflecting boundary
        made: the call that makes it for a mesh of `{dims}` axes, of which `{last}` is the last; ""
            where there is none
    """

    box: tuple[tuple[float, float], ...]
    roots: tuple[int, ...]
    boundary: str | tuple[tuple[str, str], ...]
    gamma: float
    until: float
    at: Callable[..., Mapping[str, Array]]
    of_cells: bool = False
    uniform: tuple[int, ...] = ()
    source: float | None = None
    symmetric: bool = False
    made: str = ""

    def mesh(self, max_level: int = 0) -> Mesh:
        """The mesh; with levels its finest cells are those of the problem.

        Args:
            max_level: the highest level of refinement
        """
        max_level = integer(max_level, "max_level", low=0)
        roots = tuple(n >> max_level for n in self.roots)
        if any(n << max_level != whole for n, whole in zip(roots, self.roots, strict=True)):
            raise bad_input(
                f"max_level is {max_level}",
                f"the finest level of the problem has {self.roots} sub-grids along its axes, which "
                f"cannot be halved so often",
                "Lower max_level, or make the problem with more cells",
            )
        return Mesh(box=self.box, roots=roots, boundary=self.boundary, max_level=max_level)

    def gas(self) -> IdealGas:
        """The gas."""
        return IdealGas(gamma=self.gamma)

    def check(self, mesh: Mesh, gas: IdealGas) -> None:
        """Raise InputError for a mesh or gas that the initial state is not meant for.

        The mesh has the problem's box and boundaries, or is a part of the box: see `Problem`.
        """
        if gas.gamma != self.gamma:
            raise bad_input(
                f"the gas has gamma {gas.gamma:g}",
                f"the problem is meant for {self.gamma:g}",
                "Make the simulation with gas=problem.gas()",
            )
        self._check_dims(mesh)
        axes = [k for k in range(len(self.box)) if k not in self.uniform]
        if any(mesh.box[k][0] < self.box[k][0] or mesh.box[k][1] > self.box[k][1] for k in axes):
            raise bad_input(
                f"the mesh has the box {mesh.box}",
                f"the problem is meant for {self.box}, or a part of it",
                "Make the simulation with problem.mesh(), or give set() a function of your own",
            )
        for k in axes:
            self._check_source(mesh, k)
            self._check_faces(mesh, k)
        if self.of_cells:
            self._check_cells(mesh)

    def _check_dims(self, mesh: Mesh) -> None:
        if mesh.dims == len(self.box):
            return
        advice = "Make the simulation with problem.mesh()"
        if self.made:
            other = self.made.format(dims=mesh.dims, last=AXES[mesh.dims - 1])
            advice = f"Set {other}, or make the simulation with problem.mesh()"
        raise bad_input(
            f"the mesh has {counted(mesh.dims, 'axis', 'axes')}",
            f"the problem is meant for {len(self.box)}",
            advice,
        )

    def _check_source(self, mesh: Mesh, axis: int) -> None:
        """Refuse a part of the box into which waves would have to come from outside."""
        if self.source is None:
            return
        (low, high), rounding = mesh.box[axis], ROUNDING * mesh.spacing[axis]
        if self.symmetric and low - rounding < self.source < high + rounding:
            return
        if not low + rounding < self.source < high - rounding:
            raise bad_input(
                f"the mesh goes from {low:g} to {high:g} along {AXES[axis]}",
                f"the waves of the problem start at {self.source:g}",
                "Make the simulation with problem.mesh(), or a part of it with that inside",
            )

    def _check_faces(self, mesh: Mesh, axis: int) -> None:
        """Refuse boundaries of the mesh at which the solution is another one."""
        ends = zip(("low", "high"), mesh.faces[axis], mesh.box[axis], self.box[axis], strict=True)
        for side, name, place, whole in ends:
            given = self.boundary
            wanted = given if isinstance(given, str) else given[axis][side == "high"]
            if not _same(mesh, axis, place, whole):
                if wanted == "periodic":
                    raise bad_input(
                        f"the mesh has the box {mesh.box}",
                        f"the problem is periodic along {AXES[axis]}: a part of its box, "
                        f"{self.box}, is another problem",
                        "Make the simulation with problem.mesh()",
                    )
                at_source = self.source is not None and _same(mesh, axis, place, self.source)
                wanted = "reflecting" if self.symmetric and at_source else wanted
            if name != wanted:
                raise bad_input(
                    f"the boundary of the mesh is {name} at the {side} face of {AXES[axis]}",
                    f"the problem is meant for {wanted} there",
                    f"Make the simulation with problem.mesh(), or give the mesh {wanted!r} there",
                )

    def _check_cells(self, mesh: Mesh) -> None:
        """Refuse other cells than those of the problem's own mesh, or of a part of it."""
        own = self.mesh().spacing
        finest = np.ldexp(mesh.spacing, -mesh.max_level)
        if not np.allclose(finest, own, rtol=ROUNDING):
            raise bad_input(
                f"the {'finest ' if mesh.max_level else ''}cells of the mesh are "
                f"{finest[0]:g} long",
                f"the source of this problem is made of cells of {own[0]:g}",
                "Give amr.sedov() the number of cells that the mesh has, or would have, in its box",
            )
        for axis, (low, _), (first, _), size in zip(AXES, mesh.box, self.box, own, strict=False):
            shift = (low - first) / size
            if abs(shift - round(shift)) > ROUNDING:
                raise bad_input(
                    f"the mesh begins at {low:g} along {axis}, inside a cell of the problem",
                    f"its cells have faces at {first:g}, {first + size:g}, ...",
                    "Let it begin at one of these",
                )

    def initial(self, *coordinates: npt.ArrayLike) -> Flow:
        """Density, pressure and velocity at time 0; velocities have a last axis of components.

        Args:
            coordinates: of the centres of cells, x, y and z as far as the box has them, of one
                shape
        """
        return self.exact(0.0, *coordinates)

    def exact(self, t: float, *coordinates: npt.ArrayLike) -> Flow:
        """The fields of `initial` at time t, by the exact solution; the time starts at 0."""
        t = number(t, "t", low=0.0)
        if len(coordinates) != len(self.box):
            raise bad_input(
                f"{len(coordinates)} coordinates are given",
                f"the box has {len(self.box)} axes",
                f"Give {', '.join(AXES[: len(self.box)])}",
            )
        return Flow(**self.at(t, *(np.asarray(x, float) for x in coordinates)))

    def means(self, t: float, *coordinates: npt.ArrayLike, samples: int = 8) -> dict[str, Array]:
        """Means over cells of the exact density, momentum and energy, of a unit of volume.

        Cells in which the solution is uniform may be left out: their means are its values.

        Args:
            t: time
            coordinates: as in `initial`, of the cells of the problem's own mesh
            samples: along each axis of a cell, at the middles of as many parts
        """
        centres = [np.asarray(x, float) for x in coordinates]
        offsets = (2 * np.arange(samples) + 1 - samples) / (2 * samples)
        shifts = np.meshgrid(*[offsets * d for d in self.mesh().spacing], indexing="ij")
        size = max(1, 2**18 // shifts[0].size)
        parts = []
        for first in range(0, centres[0].size, size):
            some = [x.reshape(-1, 1)[first : first + size] for x in centres]
            fields = self.exact(t, *(x + d.ravel() for x, d in zip(some, shifts, strict=True)))
            parts.append([u.mean(axis=1) for u in _conserved(fields, self.gamma)])
        density, momentum, energy = (np.concatenate(part) for part in zip(*parts, strict=True))
        shape = centres[0].shape
        return {
            "density": density.reshape(shape),
            "momentum": momentum.reshape(*shape, -1),
            "energy": energy.reshape(shape),
        }

    __call__ = initial


def _conserved(fields: Flow, gamma: float) -> tuple[Array, Array, Array]:
    momentum = fields.density[..., None] * fields.velocity
    kinetic = 0.5 * (momentum * fields.velocity).sum(axis=-1)
    return fields.density, momentum, fields.pressure / (gamma - 1) + kinetic


def _same(mesh: Mesh, axis: int, place: float, other: float) -> bool:
    """Whether two places along an axis differ by rounding at most."""
    return abs(place - other) <= ROUNDING * mesh.spacing[axis]
