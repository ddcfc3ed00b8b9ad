# SPDX-License-Identifier: Apache-2.0
"""Which meshes and gases the problems of fluids are for."""

from __future__ import annotations

import re

import aureole as au
import numpy as np
import pytest
from aureole import amr


@pytest.mark.parametrize(
    ("problem", "mesh", "gas", "words"),
    [
        (amr.sound_wave(), None, amr.IdealGas(), "gamma 1.4.*meant for 1.66667.*problem.gas"),
        (
            amr.sod(),
            amr.Mesh(box=[(-1, 1)], roots=(32,)),
            None,
            "box.*meant for .*part of it.*problem.mesh",
        ),
        (
            amr.sedov(16, dims=2),
            amr.Mesh(box=[(-1, 1)] * 2, roots=(4, 4), boundary="outflow"),
            None,
            "cells of the mesh are 0.0625 long.*cells of 0.125",
        ),
    ],
)
def test_problems_are_for_their_own_mesh_and_gas(problem, mesh, gas, words):
    sim = amr.Simulation(mesh or problem.mesh(), gas or problem.gas())
    with pytest.raises(au.InputError, match=words):
        sim.set(problem)


OPEN, WALLED = "outflow", "reflecting"
UNIT = [(0, 1)]
SQUARE = [(-1, 1)] * 2


@pytest.mark.parametrize(
    ("problem", "mesh", "words"),
    [
        (amr.sod(), (UNIT, "periodic"), "is periodic at the low face of x .*meant for outflow"),
        (amr.sod(), (UNIT, [(OPEN, WALLED)]), "is reflecting at the high face of x .*outflow"),
        (amr.sod(64, "y"), (UNIT * 2, [OPEN, "periodic"]), "is periodic at the low face of y"),
        (amr.sod(), ([(0.6, 1)], OPEN), "goes from 0.6 to 1 along x .*start at 0.5"),
        (amr.sod(), ([(0.5, 1)], OPEN), "goes from 0.5 to 1 along x .*start at 0.5"),
        (amr.sedov(16, dims=2), (SQUARE, "periodic"), "is periodic at the low face of x"),
        (amr.sedov(16, dims=2), (UNIT * 2, OPEN), "outflow at the low face.*for reflecting there"),
        (amr.sedov(16, dims=2), ([(-0.9375, 0.0625)] * 2, OPEN), "inside a cell of the problem"),
        (amr.sound_wave(), (UNIT, WALLED), "is reflecting at the low face.*meant for periodic"),
        (amr.sound_wave(), ([(0, 0.5)], "periodic"), "part of its box.*another problem"),
    ],
)
def test_problems_are_for_their_own_boundaries(problem, mesh, words):
    box, boundary = mesh
    spacing = problem.mesh().spacing[0]
    roots = [max(1, round((high - low) / (8 * spacing))) for low, high in box]
    sim = amr.Simulation(amr.Mesh(box=box, roots=roots, boundary=boundary), problem.gas())
    with pytest.raises(au.InputError, match=words):
        sim.set(problem)


@pytest.mark.parametrize(
    ("problem", "box", "boundary"),
    [
        (amr.sod(64), [(0.0, 1.0)], OPEN),
        (amr.sod(64), [(0.125, 1.0)], OPEN),
        (amr.sod(64, "y"), [(0.0, 0.125), (0.0, 1.0)], ["periodic", OPEN]),
        (amr.sod(64, "y"), [(0.0, 0.25), (0.0, 1.0)], [WALLED, OPEN]),
        (amr.sound_wave(32, "y"), [(0.0, 0.25), (0.0, 1.0)], [OPEN, "periodic"]),
        (amr.sedov(32, dims=2), [(0.0, 1.0), (-1.0, 1.0)], [(WALLED, OPEN), OPEN]),
        (amr.sedov(32, dims=2), [(-0.5, 0.0), (-0.5, 0.5)], [(OPEN, WALLED), OPEN]),
    ],
)
def test_parts_of_a_problem_that_are_taken_give_the_numbers_of_the_whole(problem, box, boundary):
    """On equal cells, until the waves arrive at a face that the whole does not have."""
    whole = amr.Simulation(problem.mesh(), problem.gas(), threads=1).set(problem)
    spacing = whole.mesh.spacing[0]
    roots = [round((high - low) / (8 * spacing)) for low, high in box]
    mesh = amr.Mesh(box=box, roots=roots, boundary=boundary)
    part = amr.Simulation(mesh, problem.gas(), threads=1).set(problem)
    for sim in (whole, part):
        sim.run(until=0.03)
    along = tuple(
        np.searchsorted(whole.mesh.centers(axis), mesh.centers(axis) - spacing / 2) % n
        for axis, n in zip("xyz", whole.mesh.cells, strict=False)
    )
    expected = whole.get("density")[np.ix_(*along[::-1])]
    np.testing.assert_allclose(part.get("density"), expected, rtol=1e-12)
    assert np.ptp(expected) > 1e-6


def test_problems_without_a_size_of_cells_take_any_mesh_of_their_box():
    tube = amr.sod(64)
    sim = amr.Simulation(amr.Mesh(box=tube.box, roots=(4,), boundary="outflow"), tube.gas())
    assert sim.set(tube).get("density").mean() == pytest.approx(0.5625)


@pytest.mark.parametrize(
    ("problem", "dims", "made"),
    [
        (amr.sedov(16), 2, "amr.sedov(16, dims=2)"),
        (amr.sod(32), 2, 'amr.sod(32, "y")'),
        (amr.sod(32, "y", mirrored=True), 1, 'amr.sod(32, "x", mirrored=True)'),
        (amr.sound_wave(32), 3, 'amr.sound_wave(32, "z", amplitude=1e-06)'),
    ],
)
def test_a_mesh_of_other_axes_is_told_its_problem(problem, dims, made):
    wanted = eval(made)
    sim = amr.Simulation(wanted.mesh(), wanted.gas(), threads=1)
    axes = "1 axis" if dims == 1 else f"{dims} axes"
    with pytest.raises(au.InputError, match=f"the mesh has {axes} .*{re.escape(f'Set {made}')}"):
        sim.set(problem)
    assert sim.set(wanted).mesh.dims == dims


def test_a_problem_is_the_state_of_time_0():
    tube = amr.sod(64)
    sim = amr.Simulation(tube.mesh(), tube.gas(), threads=1)
    with pytest.raises(au.InputError, match=r"time is 0\.1 .*starts at time 0.*time=0"):
        sim.set(tube, time=0.1)
    sim.set(tube).run(2)
    before = sim.get("density")
    with pytest.raises(au.InputError, match=r"time is .* and stays .*time=0"):
        sim.set(tube)
    assert (sim.get("density") == before).all()  # nothing was changed
    again = sim.set(tube, time=0).get("density")
    assert (again == tube.initial(sim.mesh.centers("x")).density).all()


@pytest.mark.parametrize("problem", [amr.sod(), amr.sound_wave(), amr.sedov(dims=1)])
@pytest.mark.parametrize("t", [-1.0, float("nan"), float("inf")])
def test_exact_solutions_start_at_time_0(problem, t):
    with pytest.raises(au.InputError, match=r"^t is "):
        problem.exact(t, np.array([0.25]))
