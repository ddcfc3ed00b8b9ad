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


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("gamma", [5 / 3, 1.4])
def test_noh_keeps_the_mass_and_the_energy_that_fell_in(dims, gamma):
    """Gas inside of 1 at t = 0.8 was inside of 1.8, and had half its mass as energy."""
    edges = np.linspace(0, 1, 20_001)
    r, shells = (edges[1:] + edges[:-1]) / 2, np.diff(edges**dims) / dims
    flow = amr.exact.noh(r, 0.8, 0.0, gamma, dims=dims)
    came = 1.8**dims / dims
    assert (flow.density * shells).sum() == pytest.approx(came, rel=1e-4)
    energy = flow.pressure / (gamma - 1) + 0.5 * flow.density * flow.velocity**2
    assert (energy * shells).sum() == pytest.approx(came / 2, rel=1e-4)


def test_the_vortex_is_in_balance_and_comes_back():
    r, h = np.linspace(0.1, 3, 50), 1e-5
    flow = amr.exact.vortex(r, 0 * r, 0.0)
    rise = (
        amr.exact.vortex(r + h, 0 * r, 0.0).pressure - amr.exact.vortex(r - h, 0 * r, 0.0).pressure
    ) / (2 * h)
    turning = flow.velocity[:, 1] - 1
    np.testing.assert_allclose(rise, flow.density * turning**2 / r, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(flow.pressure, flow.density**1.4)
    x, y = np.random.default_rng(1).uniform(-5, 5, (2, 100))
    now = amr.exact.vortex(x, y, 0.0)
    for t, dx in ((10.0, 0.0), (3.0, 3.0)):
        then = amr.exact.vortex((x + dx + 5) % 10 - 5, (y + dx + 5) % 10 - 5, t)
        np.testing.assert_allclose(then.density, now.density, rtol=1e-12)


def test_errors_of_the_vortex_fall_with_the_scheme():
    def error(reconstruct, cells):
        problem = amr.vortex(cells)
        steps = "rk2" if reconstruct in ("constant", "plm") else "rk3"
        scheme = amr.Scheme(reconstruct=reconstruct, steps=steps)
        sim = amr.Simulation(problem.mesh(), problem.gas(), scheme, threads=1)
        sim.set(problem).run(until=1.0)
        x, y = np.meshgrid(*[sim.mesh.centers(axis) for axis in "xy"])
        return abs(sim.get("density") - problem.exact(1.0, x, y).density).mean()

    constant, plm, ppm, wenoz = (error(name, 32) for name in ("constant", "plm", "ppm", "wenoz"))
    assert 2 * max(ppm, wenoz) < plm < 0.25 * constant
    assert error("ppm", 64) < 0.3 * ppm  # of second order: values at centres are taken for means


def test_layers_are_those_of_the_paper():
    """McNally et al. (2012), equations 1 and 2, by quarters of the box."""
    y = np.array([0.2, 0.25, 0.3, 0.5, 0.7, 0.75, 0.85])
    flow = amr.kelvin_helmholtz().initial(0 * y + 1 / 8, y)
    far = np.exp(-0.05 / 0.025) / 2
    density = [1 + far, 1.5, 2 - far, 2 - np.exp(-10) / 2, 2 - far, 1.5, 1 + np.exp(-4) / 2]
    np.testing.assert_allclose(flow.density, density, rtol=1e-12)
    np.testing.assert_allclose(flow.velocity[:, 0], 1.5 - np.array(density), rtol=1e-12)
    np.testing.assert_allclose(flow.velocity[:, 1], 0.01)


def test_the_implosion_keeps_its_diagonal():
    problem = amr.implosion(64)
    sim = amr.Simulation(
        problem.mesh(1), problem.gas(), amr.Scheme(reconstruct="ppm", steps="rk3"), threads=1,
        refine=[amr.SecondDerivative("density", 0.3, 0.05)],
    )  # fmt: skip
    sim.set(problem).run(until=0.2)
    assert 16 < sim.blocks.levels.size < 64
    density = sim.get("density", level=1)
    assert np.ptp(density) > 0.5
    assert abs(density - density.T).max() <= 1e-11


def test_problems_without_a_solution_say_so():
    for make in (amr.implosion, amr.kelvin_helmholtz):
        problem = make(32)
        assert amr.Simulation(problem.mesh(), problem.gas()).set(problem).run(1).step == 1
        with pytest.raises(au.InputError, match="no known solution but its start"):
            problem.exact(0.1, np.array([0.1]), np.array([0.1]))
