# SPDX-License-Identifier: Apache-2.0
"""Problems with known answers: initial states, meshes and exact solutions.

A `Problem` is what `amr.Simulation` needs and what it should give:

    problem = sod(cells=256)
    sim = amr.Simulation(mesh=problem.mesh(), gas=problem.gas()).set(problem)
    sim.run(until=problem.until)
    problem.exact(sim.time, x)["density"]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from aureole.base.attributes import named
from aureole.base.errors import bad_input
from aureole.base.values import choice, integer

from . import exact
from .flow import Array, Flow
from .mesh import AXES, CELLS
from .names_elsewhere import OF_BLAST, OF_NOH, OF_SQUARE, OF_TUBE
from .problem import Problem

# Sod (1978): density, velocity and pressure on both sides of the diaphragm.
SOD = ((1.0, 0.0, 1.0), (0.125, 0.0, 0.1))
DIAPHRAGM = 0.5
# Octo-Tiger's blast: the source extends over 3.5 cells, and the exact solution is 7e-4 older than
# the run when a cell is 1/32 long, the energy 1 and the density 1.
EXTENT = 3.5
AGE, AGE_CELL = 7e-4, 1 / 32


@named(**OF_TUBE)
def sod(cells: int = 256, axis: str = "x", *, mirrored: bool = False) -> Problem:
    """The shock tube of Sod (1978, J. Comput. Phys. 27, 1): a rarefaction, a contact, a shock.

    A box from 0 to 1 with outflow and gamma = 1.4, a diaphragm at 0.5, density and pressure 1 and 1
    below, 0.125 and 0.1 above; at rest; usually compared at t = 0.25.

    Args:
        cells: along the tube, a multiple of 8
        axis: along which the tube lies, "x", "y" or "z"; the mesh has the axes up to this one, with
            8 cells across
        mirrored: swap both sides
    """
    box, roots = _tube(cells, axis)
    at = partial(_along, axis, _mirrored if mirrored else _sod)
    return Problem(
        box=box,
        roots=roots,
        boundary="outflow",
        gamma=1.4,
        until=0.25,
        at=at,
        uniform=tuple(range(AXES.index(axis))),
        source=DIAPHRAGM,
        made=f'amr.sod({cells}, "{{last}}"{", mirrored=True" if mirrored else ""})',
    )


@named(**OF_TUBE)
def sound_wave(cells: int = 64, axis: str = "x", *, amplitude: float = 1e-6) -> Problem:
    """A sound wave of one wavelength in a periodic box from 0 to 1, which runs to larger x.

    Density 1 and pressure 0.6 with gamma = 5/3, so that sound has speed 1 and the wave is back at
    time 1: the linear wave of Stone et al. (2008, ApJS 178, 137), section 8.1, with the values of
    the tests of Athena++ and AthenaK. These take values at the centres of cells for the means over
    cells, and give the error as the root of the sum, not of the mean, over the conserved fields of
    the squares of their mean absolute errors (`linear_wave.cpp` and `pgen.cpp` of AthenaK).

    Args:
        cells: along the wave, a multiple of 8
        axis: along which the wave runs, "x", "y" or "z"; the mesh has the axes up to this one, with
            8 cells across
        amplitude: relative change of the density
    """
    box, roots = _tube(cells, axis)
    at = partial(_along, axis, partial(_wave, amplitude))
    return Problem(
        box=box,
        roots=roots,
        boundary="periodic",
        gamma=5 / 3,
        until=1.0,
        at=at,
        uniform=tuple(range(AXES.index(axis))),
        made=f'amr.sound_wave({cells}, "{{last}}", amplitude={amplitude!r})',
    )


@named(**OF_BLAST)
def sedov(
    cells: int = 64,
    *,
    dims: int = 3,
    energy: float = 1.0,
    density: float = 1.0,
    pressure: float = 4e-21,
    gamma: float = 1.4,
) -> Problem:
    """The blast of Sedov and Taylor in a box from -1 to 1 with outflow, compared at t = 0.01.

    The defaults are the test *blast* of Octo-Tiger (Marcello et al. 2021, MNRAS 504, 5345;
    `src/test_problems/blast/sedov.cpp` in STEllAR-GROUP/octotiger): gas of density 1 at rest, with
    an energy density of 1e-20; the energy 1 spread evenly over the cells whose centres are less
    than 3.5 cells from the origin, which are 160.

    A source of that size is ahead of a point source. The exact solution at time t is therefore that
    of a point source at t + 7e-4, scaled with the size of the cells, here so that the shock starts
    at the same number of cells from the centre.

    That test compares conserved fields with means of the exact solution over cells
    (`Problem.means`): the mean of the absolute error and the root mean square over all cells of
    the box (`compute_analytic` in `src/grid.cpp`, `compare_analytic` in
    `src/node_server_actions_2.cpp`). It refines the samples of a cell, 2, 4, 8 along an axis, only
    until they change little against the numerical error; here there are always 8.

    Args:
        cells: along each axis, a multiple of 8
        dims: number of axes; in two the energy is per length, in one per area
        energy: of the blast
        density: of the gas
        pressure: of the gas before the shock
        gamma: ratio of specific heats
    """
    reference = exact.sedov_radius(1.0, energy, density, gamma, dims)
    roots = (_roots(cells),) * dims
    cell = 2 / cells
    start = exact.sedov_radius(AGE) * cell / AGE_CELL
    age = (start / reference) ** ((dims + 2) / 2)
    line = (np.arange(-4, 4) + 0.5) * cell
    inside = sum(x**2 for x in np.meshgrid(*[line] * dims)) < (EXTENT * cell) ** 2
    heated = (gamma - 1) * energy / (int(inside.sum()) * cell**dims)
    at = partial(_blast, EXTENT * cell, heated, age, energy, density, pressure, gamma)
    return Problem(
        box=((-1.0, 1.0),) * dims,
        roots=roots,
        boundary="outflow",
        gamma=gamma,
        until=0.01,
        at=at,
        of_cells=True,
        source=0.0,
        symmetric=True,
        made=f"amr.sedov({cells}, dims={{dims}})",
    )


def _roots(cells: int) -> int:
    roots, rest = divmod(integer(cells, "cells", low=CELLS), CELLS)
    if rest:
        raise bad_input(
            f"cells is {cells}",
            f"sub-grids have {CELLS} cells along each axis",
            f"Give a multiple, such as {CELLS * (roots + 1)}",
        )
    return roots


def _tube(cells: int, axis: str) -> tuple[tuple[tuple[float, float], ...], tuple[int, ...]]:
    """Box and roots: 1 long, one sub-grid of the same cells across."""
    across = AXES.index(choice(axis, "axis", tuple(AXES)))
    roots = _roots(cells)
    return ((0.0, 1 / roots),) * across + ((0.0, 1.0),), (1,) * across + (roots,)


def _along(axis: str, flow: Callable[[float, Array], Flow], t: float, *coordinates: Array) -> Flow:
    k = AXES.index(axis)
    found = flow(t, coordinates[k])
    velocity = np.zeros((*found.velocity.shape, len(coordinates)))
    velocity[..., k] = found.velocity
    return Flow(found.density, velocity, found.pressure)


def _sod(t: float, x: Array) -> Flow:
    if t > 0:
        return exact.riemann(*SOD, 1.4, (x - DIAPHRAGM) / t)
    return Flow(*(np.where(x < DIAPHRAGM, left, right) for left, right in zip(*SOD, strict=True)))


def _mirrored(t: float, x: Array) -> Flow:
    found = _sod(t, 1 - x)
    return Flow(found.density, -found.velocity, found.pressure)


def _wave(amplitude: float, t: float, x: Array) -> Flow:
    return exact.sound_wave(x, t, amplitude)


def _blast(
    extent: float,
    heated: float,
    age: float,
    energy: float,
    density: float,
    pressure: float,
    gamma: float,
    t: float,
    *coordinates: Array,
) -> Flow:
    r = np.sqrt(sum(x**2 for x in coordinates))
    if t > 0:
        flow = exact.sedov(
            r, t + age, energy, density, gamma, pressure=pressure, dims=len(coordinates)
        )
    else:
        inside = np.where(r < extent, heated, pressure)
        flow = Flow(np.full(r.shape, density), np.zeros(r.shape), inside)
    return _along_radius(flow, r, coordinates)


@named(**OF_NOH)
def noh(cells: int = 96, *, dims: int = 2, pressure: float = 1e-6) -> Problem:
    """Cold gas that falls to the centre at speed 1 (Noh 1987), in one quadrant, compared at t = 2.

    A box from 0 to 3 between walls, with outflow at the other faces, and gamma = 5/3. The shock
    that runs outwards at speed 1/3 is infinitely strong: see `exact.noh`. Schemes of higher order
    need repairs. Gas that flows in at the outer faces is not that of the solution; until t = 2 this
    does not reach the shock.

    Args:
        cells: along each axis, a multiple of 8
        dims: number of axes
        pressure: of the gas at time 0
    """
    return Problem(
        box=((0.0, 3.0),) * dims,
        roots=(_roots(cells),) * dims,
        boundary=(("reflecting", "outflow"),) * dims,
        gamma=5 / 3,
        until=2.0,
        at=partial(_noh, pressure),
        made=f"amr.noh({cells}, dims={{dims}}, pressure={pressure!r})",
    )


@named(**OF_SQUARE)
def implosion(cells: int = 160) -> Problem:
    """A square box whose corner has less pressure: a jet along the diagonal, at t = 2.5.

    From 0 to 0.3 between walls, gamma = 1.4: density and pressure 1 and 1 where x + y > 0.15, 0.125
    and 0.14 elsewhere. Schemes that are not symmetric to rounding lose the jet. There is no
    solution to compare with. Source: Liska and Wendroff, SIAM J. Sci. Comput. 25, 995 (2003).

    Args:
        cells: along each axis, a multiple of 8
    """
    return Problem(
        box=((0.0, 0.3),) * 2,
        roots=(_roots(cells),) * 2,
        boundary="reflecting",
        gamma=1.4,
        until=2.5,
        at=partial(_start_only, _implosion),
    )


@named(**OF_SQUARE)
def kelvin_helmholtz(cells: int = 128) -> Problem:
    """Two layers that slide past each other and curl up, compared at t = 1.5.

    A periodic box from 0 to 1 with gamma = 5/3 and pressure 2.5: density 2 in the middle, which
    moves at -0.5, density 1 around it, which moves at 0.5, and ramps between; across these the
    velocity 0.01 sin(4πx). It converges as the cells get smaller. There is no solution to compare
    with. Source: McNally, Lyra and Passy, ApJS 201, 18 (2012).

    Args:
        cells: along each axis, a multiple of 8
    """
    return Problem(
        box=((0.0, 1.0),) * 2,
        roots=(_roots(cells),) * 2,
        boundary="periodic",
        gamma=5 / 3,
        until=1.5,
        at=partial(_start_only, _layers),
    )


@named(**OF_SQUARE)
def vortex(cells: int = 64, *, strength: float = 5.0) -> Problem:
    """A vortex that moves along the diagonal of a periodic box, back at t = 10: `exact.vortex`.

    A box from -5 to 5 with gamma = 1.4. Smooth, so that errors fall with the order of the scheme.

    Args:
        cells: along each axis, a multiple of 8
        strength: β; the gas turns at most at β/2π
    """
    return Problem(
        box=((-5.0, 5.0),) * 2,
        roots=(_roots(cells),) * 2,
        boundary="periodic",
        gamma=1.4,
        until=10.0,
        at=partial(_vortex, strength),
    )


def _noh(pressure: float, t: float, *coordinates: Array) -> Flow:
    r = np.sqrt(sum(x**2 for x in coordinates))
    flow = exact.noh(r, t, pressure, dims=len(coordinates))
    return _along_radius(flow, r, coordinates)


def _along_radius(flow: Flow, r: Array, coordinates: tuple[Array, ...]) -> Flow:
    """A flow whose velocity is that along the radius, with components in place of it."""
    per_radius = flow.velocity / np.where(r > 0, r, 1.0)
    return Flow(
        flow.density, np.stack([per_radius * x for x in coordinates], axis=-1), flow.pressure
    )


def _start_only(start: Callable[..., Flow], t: float, *coordinates: Array) -> Flow:
    if t > 0:
        raise bad_input(
            f"t is {t:g}",
            "the problem has no known solution but its start",
            "Compare with a run on more cells",
        )
    return start(*coordinates)


def _implosion(x: Array, y: Array) -> Flow:
    # Cells on the diagonal count as inside, however their coordinates are rounded.
    outside = x + y > 0.15 * (1 + 1e-9)
    still = np.zeros((*x.shape, 2))
    return Flow(np.where(outside, 1.0, 0.125), still, np.where(outside, 1.0, 0.14))


def _layers(x: Array, y: Array) -> Flow:
    half = np.abs(y - 0.5)  # from the middle of the dense layer, whose faces are at 0.25
    ramp = 0.5 * np.exp(-np.abs(half - 0.25) / 0.025)
    part = np.where(half < 0.25, 1 - ramp, ramp)  # 0 outside, 1 in the dense layer
    velocity = np.stack([0.5 - part, 0.01 * np.sin(4 * np.pi * x)], axis=-1)
    return Flow(1 + part, velocity, np.full(x.shape, 2.5))


def _vortex(strength: float, t: float, x: Array, y: Array) -> Flow:
    return exact.vortex(x, y, t, strength)
