# SPDX-License-Identifier: Apache-2.0
"""Fluids on meshes with levels: what is refined, fields of sub-grids, errors, restarts, inflow."""

from __future__ import annotations

from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.cli.main import main

PLM = amr.Scheme(reconstruct="plm", steps="rk2")
PPM = amr.Scheme(reconstruct="ppm", steps="rk3")
PLANE = amr.Mesh(box=[(-1, 1), (0, 3)], roots=(2, 3), boundary="outflow", max_level=2)
CORNER = [amr.Region([(-1, -0.6), (0, 0.3)], level=2)]


def blast(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
    inside = (x + 0.5) ** 2 + (y - 1) ** 2 < 0.3
    return {"density": 1.0, "pressure": np.where(inside, 10.0, 0.01), "velocity": (0.1, -0.2)}


def gas(mesh: amr.Mesh = PLANE, refine: object = CORNER, **options: object) -> amr.Simulation:
    return amr.Simulation(mesh, refine=refine, **{"threads": 1, "scheme": PPM, **options})


def wave(*coordinates: np.ndarray) -> dict[str, object]:
    """Different in all cells."""
    phase = sum((k + 1) * x for k, x in enumerate(coordinates))
    return {"density": 2 + np.sin(3 * phase), "pressure": 1 + 0.5 * np.cos(phase)}


# Sub-grids


def test_sub_grids_cover_the_box_once_and_the_region_is_as_fine_as_asked():
    sim = gas()
    blocks = sim.blocks
    lengths = blocks.boxes[:, :, 1] - blocks.boxes[:, :, 0]
    assert lengths.prod(axis=1).sum() == 6.0
    np.testing.assert_array_equal(lengths, [1, 1] / 2.0 ** blocks.levels[:, None])
    assert blocks.boxes.min(axis=(0, 2)).tolist() == [-1, 0]
    assert blocks.boxes.max(axis=(0, 2)).tolist() == [1, 3]
    inside = (blocks.boxes[:, 0, 0] < -0.6) & (blocks.boxes[:, 1, 0] < 0.3)
    assert set(blocks.levels[inside]) == {2} and len(blocks) == sim.describe()["subgrids"]
    assert sorted(set(blocks.levels)) == [0, 1, 2]
    for axis in range(2):
        centers = blocks.centers("xy"[axis])
        low, high = (blocks.boxes[:, axis, side][:, None, None] for side in (0, 1))
        assert ((centers > low) & (centers < high)).all()
        np.testing.assert_allclose(centers.mean(axis=(1, 2)), ((low + high) / 2)[:, 0, 0])


def test_without_levels_sub_grids_hold_the_cells_of_the_mesh():
    mesh = amr.Mesh(box=[(-0.7, 0.7), (0, 3)], roots=(2, 3))
    sim = gas(mesh, []).set(wave)
    x, y, density = (sim.blocks.centers("x"), sim.blocks.centers("y"), sim.blocks.cells("density"))
    whole = {
        (a, b): value
        for b, row in zip(mesh.centers("y"), sim.get("density"), strict=True)
        for a, value in zip(mesh.centers("x"), row, strict=True)
    }
    found = zip(x.ravel(), y.ravel(), density.ravel(), strict=True)
    assert {(a, b): value for a, b, value in found} == whole


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_fields_of_a_level_repeat_coarser_cells_and_average_finer_ones(dims: int):
    roots = (4, 3, 2)[:dims]
    mesh = amr.Mesh(box=[(0, 1)] * dims, roots=roots, boundary="outflow", max_level=2)
    sim = gas(mesh, [amr.Region([(0, 0.05)] * dims, 2)])
    sim.set(lambda *x: wave(*x) | {"velocity": tuple(np.cos(a) for a in x)})
    blocks, totals = sim.blocks, sim.totals
    assert set(blocks.levels) == {0, 1, 2}
    for level in range(3):
        density, momentum = sim.get("density", level), sim.get("momentum", level=level)
        assert density.shape == tuple(n << level for n in mesh.shape)
        cell = 1 / density.size
        assert density.sum() * cell == pytest.approx(totals["mass"], rel=1e-13)
        np.testing.assert_allclose(
            momentum.reshape(-1, dims).sum(axis=0) * cell, totals["momentum"][:dims], rtol=1e-12
        )
        # Each cell of each sub-grid, by its place.
        sums = np.zeros_like(density)
        places = [blocks.centers(axis) for axis in "xyz"[:dims]]
        cells = blocks.cells("density")
        for n, own in enumerate(blocks.levels):
            if own > level:
                part = 2.0 ** (-dims * (own - level))
                at = tuple(
                    (x[n] * size).astype(int)
                    for x, size in zip(places[::-1], density.shape, strict=True)
                )
                np.add.at(sums, at, cells[n] * part)
            elif own == level:
                at = tuple(
                    (x[n] * size).astype(int)
                    for x, size in zip(places[::-1], density.shape, strict=True)
                )
                np.testing.assert_array_equal(density[at], cells[n])
        finer = sums > 0
        np.testing.assert_allclose(sums[finer], density[finer], rtol=1e-14)
    coarse = np.flatnonzero(blocks.levels == 0)[-1]
    corner = tuple((blocks.boxes[coarse, :, 0] * mesh.cells * 4).round().astype(int))[::-1]
    last = sim.get("density", level=2)[tuple(slice(k, k + 4) for k in corner)]
    assert (last == blocks.cells("density")[(coarse, *(0,) * dims)]).all()


def test_a_state_by_arrays_of_sub_grids_is_that_of_a_function():
    one = gas().set(wave)
    x, y = (one.blocks.centers(axis) for axis in "xy")
    two = gas().set(**wave(x, y))
    three = gas().set(velocity=np.zeros((*x.shape, 2)), **wave(x, y))
    for other in (two, three):
        np.testing.assert_array_equal(one.blocks.cells("energy"), other.blocks.cells("energy"))
    line = gas(amr.Mesh(box=[(0, 1)], roots=(4,), max_level=1), [amr.Region([(0.3, 0.4)])])
    velocity = line.blocks.centers("x")
    line.set(density=1, pressure=1, velocity=velocity)
    np.testing.assert_array_equal(line.blocks.cells("velocity")[..., 0], velocity)
    np.testing.assert_array_equal(line.blocks.cells("velocity_x"), velocity)


# Wrong use


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: gas().set(wave).get("density"), r"several sizes.*level=2\), or sim\.blocks"),
        (
            lambda: gas().set(wave).get("density", level=3),
            "level of get is 3 .it must be at most 2",
        ),
        (lambda: gas().set(wave).get("density", level=-1), "level of get is -1"),
        (lambda: gas().set(wave).blocks.cells("entropy"), "unknown field 'entropy'"),
        (lambda: gas().blocks.cells("density"), "no state yet"),
        (lambda: gas().blocks.centers("z"), "axis is 'z'"),
        (lambda: gas().set(density=np.ones((24, 16)), pressure=1), r"shape \(24, 16\).*, 8, 8\)"),
        (
            lambda: gas().set(lambda x, y: {"density": x + 0.95, "pressure": 1}),
            r"density is -0.0\d* in cell \(0, 0\) of sub-grid 0 at x, y = -0.98",
        ),
        (lambda: gas(refine=[]), "nothing says what is refined"),
        (lambda: gas(refine=CORNER[0]), "it must be a list"),
        (lambda: gas(refine=["corner"]), "must be an amr.Region"),
        (lambda: gas(refine=[amr.Region([(0, 1)] * 2, 3)]), r"level of Region is 3.*max_level=3"),
        (lambda: gas(refine=[amr.Region([(0, 1)], 1)]), "Give .low, high. of the same axes"),
        (
            lambda: gas(refine=[amr.Region([(0, 1), (3, 4)], 1)]),
            r"box of Region along y is \(3, 4\) \(the box of the mesh is \(0, 3\) there\)",
        ),
        (lambda: amr.Region([(1, 0)]), "box of Region along x is"),
        (lambda: amr.Region([(0, 1)], level=-1), "level of Region is -1"),
        (lambda: amr.Region([(0, 1)], lrefine=2), "Give level"),
        (
            lambda: amr.Mesh(box=[(0, 1)], roots=(3,), max_level=19),
            r"max_level of Mesh is 19 .*1,048,576 sub-grids.*it may be 18",
        ),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(2**20 + 1,)), "1,048,576 sub-grids along an axis"),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(4,), levels=3), "Give max_level, and the sim"),
        (
            lambda: gas(amr.Mesh(box=[(0, 1)] * 3, roots=(1024,) * 3), []),
            r"at least 1073741824 sub-grids \(they need .* GB, and .* GB of this machine's",
        ),
        (
            lambda: gas(
                amr.Mesh(box=[(0, 1)] * 3, roots=(1, 1, 1), max_level=20),
                [amr.Region([(0, 1)] * 3, 20)],
            ),
            r"at least \d+ sub-grids .they need",
        ),
    ],
)
def test_wrong_use_is_one_clear_error(make, words):
    with pytest.raises((au.InputError, TypeError), match=words):
        make()


def test_the_deepest_mesh_that_may_be():
    mesh = amr.Mesh(box=[(0, 1)], roots=(1,), boundary="outflow", max_level=20)
    sim = gas(mesh, [amr.Region([(0, 1e-7)], 20)])
    assert max(sim.blocks.levels) == 20 and len(sim.blocks) == 21
    sim.set(density=1, pressure=1).run(2)
    np.testing.assert_allclose(sim.blocks.cells("density"), 1, rtol=1e-13)


def test_a_problem_that_is_made_of_cells_has_the_finest_ones():
    problem = amr.sedov(64, dims=2, energy=3.0)
    region = amr.Region([(-0.1, 0.1)] * 2, 2)
    for refine in ([region], [amr.Region([(-0.2, -0.1)] * 2, 2)]):  # or in coarse cells, as means
        sim = amr.Simulation(problem.mesh(2), problem.gas(), refine=refine, threads=1)
        assert sim.set(problem).totals["energy"] == pytest.approx(3.0, rel=1e-12)
    fine = amr.Simulation(problem.mesh(), problem.gas(), threads=1).set(problem)
    sim = amr.Simulation(problem.mesh(2), problem.gas(), refine=[region], threads=1).set(problem)
    np.testing.assert_array_equal(sim.get("pressure", level=2), fine.get("pressure"))
    other = amr.Mesh(box=problem.box, roots=problem.roots, boundary="outflow", max_level=1)
    with pytest.raises(au.InputError, match=r"finest cells of the mesh are 0\.0156"):
        amr.Simulation(other, problem.gas(), refine=[amr.Region([(0, 0.1)] * 2)]).set(problem)
    with pytest.raises(au.InputError, match="cannot be halved so often"):
        problem.mesh(4)


# Runs


def test_mirrored_states_stay_so_to_the_bit():
    """Sums over finer cells beside coarser ones do not depend on the direction."""
    mesh = amr.Mesh(box=[(-1, 1)] * 3, roots=(4,) * 3, boundary="outflow", max_level=1)
    sim = gas(mesh, [amr.Region([(-0.3, 0.3)] * 3, 1)])
    sim.set(lambda *x: {"density": 1.0, "pressure": 1 + 0.3 * np.cos(
        7 * abs(x[0]) + 3 * abs(x[1]) + 5 * abs(x[2]))})  # fmt: skip
    pressure = sim.run(4).get("pressure", level=1)
    for axis in range(3):
        np.testing.assert_array_equal(pressure, np.flip(pressure, axis))


def test_a_shock_tube_has_the_errors_of_the_finest_cells():
    """128 cells where the waves are, half as many elsewhere, beside 128 and 64."""
    problem = amr.sod(64)
    errors = []
    for cells, level in ((64, 0), (64, 1), (128, 0)):
        mesh = amr.Mesh(box=[(0, 1)], roots=(cells // 8,), boundary="outflow", max_level=level)
        refine = [amr.Region([(0.2, 0.97)])] if level else []
        sim = amr.Simulation(mesh, problem.gas(), PPM, refine=refine, threads=1)
        sim.set(problem).run(until=0.25)
        volume = 2.0 ** -sim.blocks.levels[:, None] / cells
        wrong = abs(
            sim.blocks.cells("density") - problem.exact(0.25, sim.blocks.centers("x")).density
        )
        errors.append((wrong * volume).sum())
    coarse, refined, fine = errors
    assert refined < 1.05 * fine < 0.75 * coarse


LONG = pytest.mark.validate


@pytest.mark.parametrize(
    ("roots", "scheme", "axes", "bar"),
    [
        pytest.param((8, 4, 4), PLM, 1, 5e-5, marks=LONG, id="plm-slab"),
        pytest.param((8, 4, 4), PPM, 3, 1.2e-5, marks=LONG, id="ppm-cube"),
        pytest.param((4, 2, 2), PLM, 1, 1.3e-4, id="plm-slab-coarse"),
        pytest.param((4, 2, 2), PPM, 3, 7.5e-6, id="ppm-cube-coarse"),
    ],
)
def test_sound_goes_obliquely_through_a_refined_middle(roots, scheme, axes, bar):
    """Along (1, 2, 2), with a wavelength of one, once through the box (Athena++'s linear wave).

    Without refinement the error is 6.4e-5 with plm and 8 roots along x.
    """
    box = [(0, 3), (0, 1.5), (0, 1.5)]
    middle = [(low + 0.25 * (high - low), low + 0.75 * (high - low)) for low, high in box[:axes]]
    middle += box[axes:]
    mesh = amr.Mesh(box=box, roots=roots, max_level=1)
    sim = amr.Simulation(
        mesh, amr.IdealGas(gamma=5 / 3), scheme, refine=[amr.Region(middle)], threads=1
    )
    blocks = sim.blocks
    x, y, z = (blocks.centers(axis) for axis in "xyz")
    size = np.broadcast_to((3 / 8 / roots[0] * 2.0**-blocks.levels).reshape(-1, 1, 1, 1), x.shape)
    means = np.prod([np.sinc(k * size / 3) for k in (1, 2, 2)], axis=0)  # of cells
    rise = 1e-3 * means * np.sin(2 * np.pi * (x + 2 * y + 2 * z) / 3)
    sim.set(density=1 + rise, pressure=0.6 + rise, velocity=(rise / 3, rise * 2 / 3, rise * 2 / 3))

    def state() -> np.ndarray:
        now = sim.blocks
        scalars = [now.cells(name)[..., None] for name in ("density", "energy")]
        return np.concatenate([*scalars, now.cells("momentum")], axis=-1)

    before = state()
    sim.run(until=1.0)
    volume = size[..., None] ** 3 / 6.75
    error = np.linalg.norm((abs(state() - before) * volume).sum(axis=(0, 1, 2, 3)))
    assert 0.3 * bar < error < bar


def same(a: amr.Simulation, b: amr.Simulation) -> None:
    assert (a.step, a.time, a.dt) == (b.step, b.time, b.dt)
    np.testing.assert_array_equal(a.blocks.boxes, b.blocks.boxes)
    for name in ("density", "velocity", "energy"):
        np.testing.assert_array_equal(a.blocks.cells(name), b.blocks.cells(name))


def test_runs_go_on_to_the_bit_with_another_schedule(tmp_path: Path, capsys):
    path = str(tmp_path / "a.ckpt")
    whole = gas().set(blast).run(6)
    whole.write_checkpoint(path)
    for schedule in ("pack", "subgrids", "aggregate"):
        again = amr.Simulation.from_checkpoint(path, schedule=schedule, threads=2)
        assert (again.refine, again.mesh) == (tuple(CORNER), PLANE)
        same(whole, again)
        same(gas(schedule=schedule).set(blast).run(11), again.run(5))
    same(whole.run(5), again)
    assert main(["info", path]) == 0
    assert main(["run", path, "--steps", "2"]) == 0
    told = capsys.readouterr().out
    cells, blocks = f"{whole.describe()['cells']:,}", len(whole.blocks)
    assert f"{cells} in {blocks} sub-grids of levels up to 2" in told
    assert repr(whole).startswith(f"Simulation({cells} cells")


def test_a_log_counts_the_sub_grids_of_levels(tmp_path: Path):
    path = str(tmp_path / "a.csv")
    names = ("step", "mass", "kinetic", "subgrids", "subgrids_0", "subgrids_1", "subgrids_2")
    with gas(observers=[au.Log(path, every=2, quantities=names)]).set(blast) as sim:
        sim.run(2)
        levels = sim.blocks.levels
        speed = (sim.get("velocity", level=2) ** 2).sum(axis=-1)
    row = np.loadtxt(path, delimiter=",", skiprows=1)[-1]
    assert row[3:].tolist() == [len(levels), *((levels == k).sum() for k in range(3))]
    assert row[1] == pytest.approx(sim.totals["mass"], rel=1e-11)
    # Cells of the kinetic energy are those of the finest level: means of squares are larger.
    mean = 6 * 0.5 * float((sim.get("density", level=2) * speed).mean())
    assert row[2] == pytest.approx(mean, rel=1e-9)
    with pytest.raises(au.InputError, match="unknown quantity 'subgrids_3'"):
        gas(observers=[au.Log(path, quantities=("subgrids_3",))]).set(blast).run(1)


# Gas that flows in


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("dims", [1, 2])
def test_what_flows_in_and_out_is_what_is_there(dims: int, level: int):
    """Above the speed of sound, nothing else passes the faces."""
    inflow = amr.Fixed(density=2, pressure=1, velocity=(3, 0)[:dims])
    boundary = [(inflow, "outflow"), "periodic"][:dims]
    mesh = amr.Mesh(box=[(0, 1)] * dims, roots=(4, 2)[:dims], boundary=boundary, max_level=level)
    refine = [amr.Region([(0, 0.1)] * dims)] if level else []
    sim = gas(mesh, refine).set(density=1, pressure=1, velocity=(3, 0)[:dims])
    sim.run(until=0.1)
    assert sim.totals["mass"] == pytest.approx(1 + 0.1 * 3 * (2 - 1), rel=1e-12)
    np.testing.assert_allclose(sim.blocks.cells("pressure"), 1, rtol=1e-11)
    density = sim.get("density", level=0)
    assert density[..., 0] == pytest.approx(2) and density[..., -1] == pytest.approx(1, rel=1e-9)


def test_fixed_states_are_kept_by_specs_and_checkpoints(tmp_path: Path):
    wind = amr.Fixed(density=1, pressure=2.0, velocity=0.5)
    assert wind.velocity == (0.5,) and eval(repr(wind)) == wind
    for boundary in (wind, [wind], [(wind, "outflow")]):
        mesh = amr.Mesh(box=[(0, 1)], roots=(2,), boundary=boundary)
        assert eval(repr(mesh)) == mesh and mesh.faces[0][0] == wind
        sim = amr.Simulation(mesh, threads=1).set(density=1, pressure=1).run(3)
        sim.write_checkpoint(str(tmp_path / "a.ckpt"))
        again = amr.Simulation.from_checkpoint(str(tmp_path / "a.ckpt"))
        assert again.mesh == mesh
        np.testing.assert_array_equal(sim.run(3).get("energy"), again.run(3).get("energy"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: amr.Fixed(density=0, pressure=1), "density of Fixed is 0"),
        (lambda: amr.Fixed(density=1, pressure=float("inf")), "pressure of Fixed is inf"),
        (lambda: amr.Fixed(density=1, pressure=1, velocity=(1, 2, 3, 4)), "one to three"),
        (lambda: amr.Fixed(density=1, pressure=1, velocity="fast"), "velocity of Fixed is 'fast'"),
        (lambda: amr.Fixed(rho=1), "Give density"),
        (
            lambda: amr.Mesh(
                box=[(0, 1)] * 2,
                roots=(1, 1),
                boundary=[amr.Fixed(density=1, pressure=1, velocity=1), "periodic"],
            ),
            "velocity of boundary of Mesh along x is .1.0,.",
        ),
        (
            lambda: amr.Mesh(
                box=[(0, 1)], roots=(1,), boundary=[(amr.Fixed(density=1, pressure=1), "periodic")]
            ),
            "periodic at both faces or at none",
        ),
    ],
)
def test_states_that_cannot_flow_in(make, words):
    with pytest.raises((au.InputError, TypeError), match=words):
        make()
