# SPDX-License-Identifier: Apache-2.0
"""Fluids from Python: specs, states, fields, runs; wrong use is one clear error."""

from __future__ import annotations

import math
import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole import amr
from aureole.cli.main import main

TUBE = amr.Mesh(box=[(0, 1)], roots=(4,), boundary="outflow")
PLANE = amr.Mesh(
    box=[(-1, 1), (0, 3)], roots=(2, 3), boundary=["periodic", ("reflecting", "outflow")]
)
CUBE = amr.Mesh(box=[(0, 1)] * 3, roots=(1, 2, 1))


def gas(mesh=TUBE, **options):
    """A gas with a bump of density, that moves."""
    sim = amr.Simulation(mesh, **({"threads": 1} | options))
    bump = sum((axis - 0.3) ** 2 for axis in sim._coordinates())
    return sim.set(density=1 + np.exp(-20 * bump), pressure=1.0, velocity=(0.5,) * mesh.dims)


# Specs


def test_specs_print_what_makes_them():
    specs = [PLANE, CUBE, amr.IdealGas(gamma=5 / 3), amr.Scheme(reconstruct="ppm", steps="rk3")]
    for spec in specs:
        assert repr(spec).startswith("amr.") and eval(repr(spec)) == spec
        assert pickle.loads(pickle.dumps(spec)) == spec and hash(spec) == hash(eval(repr(spec)))
    assert repr(amr.Scheme()) == "amr.Scheme()"
    assert repr(au.NVE(dt=0.1)) == "au.NVE(dt=0.1)"


def test_cells_of_a_mesh():
    assert (PLANE.cells, PLANE.shape, PLANE.dims) == ((16, 24), (24, 16), 2)
    assert PLANE.spacing == (0.125, 0.125)
    assert PLANE.faces == (("periodic",) * 2, ("reflecting", "outflow"))
    np.testing.assert_allclose(PLANE.centers("y"), 0.0625 + 0.125 * np.arange(24), rtol=1e-15)
    odd = amr.Mesh(box=[(-0.7, 0.7)], roots=(3,)).centers("x")
    np.testing.assert_array_equal(odd, -odd[::-1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: amr.IdealGas(gamma=1), "gamma of IdealGas is 1 (it must be above 1)"),
        (lambda: amr.Scheme(cfl=0), "cfl of Scheme is 0 (it must be above 0)"),
        (lambda: amr.Scheme(cfl=1.5), "cfl of Scheme is 1.5 (it must be at most 1)"),
        (lambda: amr.Scheme(reconstruct="ppn"), "reconstruct of Scheme is 'ppn'.*mean 'ppm'"),
        (lambda: amr.Scheme(riemann="hlcc"), "riemann of Scheme is 'hlcc'.*mean 'hllc'"),
        (lambda: amr.Scheme(steps="rk4"), "steps of Scheme is 'rk4'.*mean 'rk"),
        (lambda: amr.Scheme(cfI=0.3), "Scheme has no argument 'cfI'.*mean 'cfl'"),
        (lambda: amr.Mesh(box=[(1, 0)], roots=(1,)), "box of Mesh along x is (1, 0)"),
        (lambda: amr.Mesh(box=[(0, 1)] * 4, roots=(1,) * 4), "one to three axes"),
        (lambda: amr.Mesh(box=[0, 1], roots=(1,)), "box of Mesh along x is 0"),
        (lambda: amr.Mesh(box=[(0, math.inf)], roots=(1,)), "along x is inf (it must be finite)"),
        (lambda: amr.Mesh(box=[(0, 1)] * 2, roots=(1, 0)), "roots of Mesh along y is 0"),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(1.5,)), "roots of Mesh along x is 1.5.*whole"),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(1, 1)), "the box has 1 axis, and each needs"),
        (lambda: amr.Mesh(box=[(0, 1)], roots=3), "roots of Mesh is 3"),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(1,), boundary="reflect"), "mean 'reflecting'"),
        (
            lambda: amr.Mesh(box=[(0, 1)], roots=(1,), boundary=[("periodic", "outflow")]),
            "periodic at both faces or at none",
        ),
        (
            lambda: amr.Mesh(box=[(0, 1)], roots=(1,), boundary=["outflow", "outflow"]),
            "a list with one item for its axis",
        ),
        (lambda: amr.Mesh(box=[(0, 1)], roots=(1,), boundary=[3]), "boundary of Mesh holds 3"),
        (lambda: TUBE.centers("y"), "axis is 'y' (it must be one of x)"),
        (lambda: amr.Simulation(amr.IdealGas()), "mesh is amr.IdealGas() (it must be an amr.Mesh)"),
        (lambda: amr.Simulation(TUBE, gas=TUBE), "it must be an amr.IdealGas"),
        (lambda: amr.Simulation(TUBE, scheme="ppm"), "scheme is 'ppm' (it must be an amr.Scheme)"),
        (lambda: amr.Simulation(TUBE, schedule="subgrid"), "mean 'subgrids'"),
        (lambda: amr.Simulation(TUBE, schedule="agregate"), "mean 'aggregate'"),
        (lambda: amr.Simulation(TUBE, schedule=amr.Pack), "schedule is <class"),
        (lambda: amr.Subgrids(executors=0), "executors of Subgrids is 0.*at least 1"),
        (lambda: amr.Subgrids(executors=129), "executors of Subgrids is 129.*at most 128"),
        (lambda: amr.Aggregate(most=0), "most of Aggregate is 0.*at least 1"),
        (lambda: amr.Aggregate(most=4097), "most of Aggregate is 4097.*at most 4096"),
        (lambda: amr.Aggregate(most=2.5), "most of Aggregate is 2.5.*whole"),
        (lambda: amr.Subgrids(workers=-1), "workers of Subgrids is -1.*at least 0"),
        (lambda: amr.Subgrids(notice="pol"), "notice of Subgrids is 'pol'.*mean 'poll'"),
        (lambda: amr.Pack(executors=2), "Pack has no argument 'executors'"),
        (lambda: amr.Simulation(TUBE, device=au.Device(algorithm="flat")), "algorithm of the"),
        (lambda: amr.Simulation(TUBE, device=au.Device(ranks=2)), "ranks of the device"),
        (lambda: amr.Simulation(TUBE, device=au.Device(grid=(2, 1, 1))), "ranks of the device"),
        (lambda: amr.Simulation(TUBE, observers=[au.Energies("e.csv")]), "Energies.*particles"),
        (lambda: amr.Simulation(TUBE, observers=[au.Callback(print, "1 ps")]), "every of Callback"),
        (lambda: amr.Simulation(TUBE, precision="mixed"), "has no argument 'precision'"),
        (lambda: au.Simulation(TUBE, []), "system is Mesh"),
        (
            lambda: au.Simulation(au.build.lattice("sc", n=8, density=0.1), [TUBE]),
            "a mesh does not belong there",
        ),
    ],
)  # fmt: skip
def test_wrong_parts_are_named(make, words):
    with pytest.raises(au.InputError, match=re.escape(words).replace(r"\.\*", ".*")):
        make()


# States and fields


def test_what_is_set_is_what_one_gets():
    for mesh in (TUBE, PLANE, CUBE):
        sim = gas(mesh, gas=amr.IdealGas(gamma=5 / 3))
        density = sim.get("density")
        assert density.shape == mesh.shape
        assert sim.get("velocity").shape == (*mesh.shape, mesh.dims)
        np.testing.assert_allclose(sim.get("velocity"), 0.5, rtol=1e-14)
        np.testing.assert_allclose(sim.get("pressure"), 1.0, rtol=1e-13)
        kinetic = 0.125 * mesh.dims * density
        np.testing.assert_allclose(sim.get("energy"), 1.5 + kinetic, rtol=1e-14)
        np.testing.assert_allclose(sim.get("sound_speed"), np.sqrt(5 / 3 / density), rtol=1e-13)
        np.testing.assert_array_equal(sim.get("momentum_x"), sim.get("momentum")[..., 0])
        volume = math.prod(mesh.spacing)
        assert sim.totals["mass"] == pytest.approx(density.sum() * volume, rel=1e-13)
        assert sim.totals["energy"] == pytest.approx(sim.get("energy").sum() * volume, rel=1e-13)
        momentum = (sim.get("momentum") * volume).reshape(-1, mesh.dims).sum(axis=0)
        np.testing.assert_allclose(sim.totals["momentum"][: mesh.dims], momentum, rtol=1e-13)


def test_a_function_gets_the_coordinates_of_cells():
    sim = amr.Simulation(CUBE, threads=1)
    seen = []

    def state(x, y, z):
        seen.extend((x, y, z))
        return {"density": 1 + x, "pressure": 1 + y, "velocity": (0.0, z, 2.0)}

    sim.set(state)
    assert [array.shape for array in seen] == [CUBE.shape] * 3
    np.testing.assert_allclose(sim.get("density")[0, 0], 1 + CUBE.centers("x"))
    np.testing.assert_allclose(sim.get("pressure")[0, :, 0], 1 + CUBE.centers("y"))
    np.testing.assert_allclose(sim.get("velocity_y")[:, 0, 0], CUBE.centers("z"))
    whole = np.stack([sim.get(f"velocity_{axis}") for axis in "xyz"], axis=-1)
    other = amr.Simulation(CUBE, threads=1)
    other.set({"density": seen[0] + 1, "pressure": 1 + seen[1], "velocity": whole})
    np.testing.assert_allclose(other.get("momentum"), sim.get("momentum"), rtol=1e-15)
    other.set(density=2, pressure=1)  # without a velocity at rest
    assert not other.get("momentum").any() and (other.get("density") == 2).all()
    flat = amr.Simulation(TUBE, threads=1).set(density=1, pressure=1, velocity_z=3)
    assert (flat.get("velocity_z") == 3).all() and flat.totals["momentum"][2] == 3.0


def test_a_velocity_along_a_line_may_have_the_shape_of_the_mesh():
    x = TUBE.centers("x")
    for given in (x, list(x), x[:, None], (x,), [x]):
        sim = amr.Simulation(TUBE, threads=1).set(density=1, pressure=1, velocity=given)
        np.testing.assert_array_equal(sim.get("velocity"), x[:, None])
    function = amr.Simulation(TUBE, threads=1).set(
        lambda x: {"density": 1.0, "pressure": 1.0, "velocity": x}
    )
    np.testing.assert_array_equal(function.get("velocity_x"), x)


def bad(mesh=PLANE, **values):
    return lambda: amr.Simulation(mesh, threads=1).set({"density": 1, "pressure": 1} | values)


def one_cell(value):
    cells = np.ones(PLANE.shape)
    cells[3, 5] = value
    return cells


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (bad(density=one_cell(-1)), "density is -1 in cell (5, 3) at x, y = -0.3125, 0.4375"),
        (bad(pressure=one_cell(0)), "pressure is 0 in cell (5, 3)"),
        (bad(velocity_x=one_cell(np.nan)), "velocity_x is nan in cell (5, 3)"),
        (bad(pressure=-one_cell(1)), "pressure is -1 in cell (0, 0).*384 cells are not"),
        (bad(density=np.ones((16, 24))), "density has the shape (16, 24).*(24, 16)"),
        (bad(density="one"), "density is 'one'"),
        (bad(velocity=(1, 2, 3)), "velocity has 3 components (the mesh has 2 axes)"),
        (bad(velocity=np.ones((24, 16))), "velocity has 16 components"),
        (bad(TUBE, velocity=np.ones(31)), "velocity_x has the shape (31,).*(32,)"),
        (bad(TUBE, velocity=(1, 2, 3)), "velocity has 3 components (the mesh has 1 axis)"),
        (bad(TUBE, velocity=np.ones((1, 32))), "velocity has 32 components"),
        (bad(velocity=(1, 1), velocity_x=2), "both velocity and velocity_x are given"),
        (bad(densty=1), "unknown field 'densty' to set.*mean 'density'"),
        (lambda: amr.Simulation(TUBE).set(density=1), "the state has no pressure"),
        (lambda: amr.Simulation(TUBE).set(pressure=1), "the state has no density"),
        (lambda: amr.Simulation(TUBE).set(), "the state has no density"),
        (lambda: amr.Simulation(TUBE).set(lambda x: x), "fields by name are needed"),
        (lambda: amr.Simulation(TUBE).set({}, density=1), "a state and single fields"),
        (lambda: gas().get("preasure"), "unknown field 'preasure'.*mean 'pressure'"),
        (lambda: amr.Simulation(TUBE).get("density"), "the gas has no state yet"),
        (lambda: amr.Simulation(TUBE).run(1), "the gas has no state yet"),
        (lambda: amr.Simulation(TUBE).totals, "the gas has no state yet"),
        (lambda: gas().run(), "run needs a number of steps or a time"),
        (lambda: gas().run(1, until=2), "both steps and until are given"),
        (lambda: gas().run(1.5), "steps is 1.5.*sim.run(until=1.5)"),
        (lambda: gas().run(until=math.inf), "until is inf (it must be finite)"),
        (lambda: gas().run(until="1 ps"), "until is '1 ps' (it must be a number)"),
        (lambda: setattr(gas(), "mesh", CUBE), "Simulation.mesh cannot be assigned"),
    ],
)  # fmt: skip
def test_wrong_states_and_calls_are_named(make, words):
    with pytest.raises(au.InputError, match=re.escape(words).replace(r"\.\*", ".*")):
        make()


def test_other_attributes_are_errors_that_name_the_nearest():
    with pytest.raises(AttributeError, match=r"no attribute 'tme'. Did you mean 'time'"):
        gas().tme  # noqa: B018


# Runs


def test_a_run_ends_exactly_at_a_time_and_goes_on():
    sim = gas(PLANE)
    sim.run(until=0.1)
    assert sim.time == 0.1 and sim.step > 2 and 0 < sim.dt < 0.1
    steps = sim.step
    sim.run(until=0.05)
    assert (sim.step, sim.time) == (steps, 0.1)
    assert sim.run(3).step == steps + 3 and sim.time > 0.1 and sim.steps_per_second > 0
    again = gas(PLANE).run(steps - 1)
    assert again.time < 0.1
    again.run(until=0.1).run(3)
    np.testing.assert_array_equal(again.get("energy"), sim.get("energy"))


TASKS = [
    {"executors": 1, "most": 1, "notice": "wait", "workers": 1},
    {"executors": 1, "most": 7, "notice": "callback", "workers": 2},
    {"executors": 1, "most": 64, "notice": "poll", "workers": 3},
    {"executors": 8, "most": 1, "notice": "callback", "workers": 4},
    {"executors": 8, "most": 7, "notice": "poll", "workers": 1},
    {"executors": 8, "most": 64, "notice": "wait", "workers": 2},
    {"executors": 128, "most": 1, "notice": "poll", "workers": 4},
    {"executors": 128, "most": 7, "notice": "wait", "workers": 3},
]


@pytest.mark.parametrize("arguments", TASKS, ids=lambda given: "-".join(map(str, given.values())))
@pytest.mark.parametrize("kind", [amr.Subgrids, amr.Aggregate])
def test_schedules_of_tasks_have_the_bits_of_pack(kind, arguments):
    """On queues that work by themselves, with delays, on memory that is filled with NaN."""
    schedule = kind(**arguments)
    device = au.Device(name="host", threads=2, hostile=True)
    sim = gas(PLANE, device=device, threads=None, schedule=schedule)
    assert sim.schedule == schedule and ("schedule", repr(schedule)) in sim.header_rows()
    expected = gas(PLANE)
    for _ in range(2):  # in two pieces
        sim.run(2), expected.run(2)
    assert sim.time == expected.time
    assert sim._core.conserved().tobytes() == expected._core.conserved().tobytes()
    counts = sim._core.counts()
    assert counts["workers"] == arguments["workers"]
    assert counts["tasks"] == 4 * 2 * 6 >= counts["batches"] >= 48 / arguments["most"]


@pytest.mark.parametrize("schedule", ["pack", "subgrids", "aggregate"])
def test_schedules_by_name_have_the_bits_of_pack(schedule):
    expected = gas(PLANE).run(3)._core.conserved().tobytes()
    for hostile in (False, True):
        device = au.Device(name="host", threads=2, hostile=hostile)
        sim = gas(PLANE, device=device, threads=None, schedule=schedule).run(3)
        assert sim._core.conserved().tobytes() == expected
        assert sim.describe()["schedule"] == schedule


def test_each_face_has_its_own_boundary():
    """Wind towards low y: it piles up at the wall there, and comes in at the open face."""
    sim = amr.Simulation(PLANE, threads=1).set(density=1, pressure=1, velocity=(0.3, -0.5))
    density = sim.run(until=0.3).get("density")
    np.testing.assert_allclose(density, np.repeat(density[:, :1], 16, axis=1), rtol=1e-12)
    assert density[0, 0] > 1.3 and density[-1, 0] == pytest.approx(1, rel=1e-12)


def test_periodic_gas_keeps_mass_momentum_and_energy():
    sim = gas(CUBE)
    before = sim.totals
    sim.run(10)
    for name, value in sim.totals.items():
        np.testing.assert_allclose(value, before[name], rtol=1e-13)
    assert abs(sim.get("density") - gas(CUBE).get("density")).max() > 0.01


def test_observers_act_and_never_shorten_a_step(capsys):
    seen = []
    plain = gas(PLANE).run(until=0.1)
    call = au.Callback(lambda sim: seen.append((sim.step, sim.time)), every=2)
    sim = gas(PLANE, observers=[call, au.Progress(lines=True)])
    sim.run(until=0.1)
    assert (sim.step, sim.time) == (plain.step, plain.time)
    assert [step for step, _ in seen] == list(range(0, sim.step + 1, 2))
    line = capsys.readouterr().err
    assert f"100.0 %  step {sim.step:,}  time 0.1  " in line and "cells/s" in line
    sim.observers = [au.Callback(lambda sim: sim.stop(), every=1)]
    assert sim.run(5).step == plain.step  # it is due where the run begins


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_run_is_finished():
    def interrupt(sim):
        if sim.step == 4:
            os.kill(os.getpid(), signal.SIGINT)

    sim = gas(PLANE, observers=[au.Callback(interrupt, every=1)])
    with pytest.raises(KeyboardInterrupt, match=r"at step 4, time 0\.0.* of 0\.1 by SIGINT"):
        sim.run(until=0.1)
    assert sim.step == 4 and sim.target_time == 0.1
    sim.run()
    np.testing.assert_array_equal(sim.get("density"), gas(PLANE).run(until=0.1).get("density"))


def test_a_signal_ends_a_long_run():
    code = (
        "import sys; from aureole import amr; import aureole as au\n"
        "sim = amr.Simulation(amr.Mesh(box=[(0, 1)] * 2, roots=(8, 8)))\n"
        "sim.set(density=1, pressure=1, velocity=(1, 1))\n"
        "sim.observers.append(au.Callback(lambda sim: print('go', flush=True), 10**9))\n"
        "sim.run(10**9)"
    )
    done = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert done.stdout is not None and done.stdout.readline() == "go\n"
    done.send_signal(signal.SIGTERM)
    _, err = done.communicate(timeout=60)
    assert done.returncode == 143 and not err


def test_a_gas_that_blows_up_says_where():
    """Noh's problem, a cold gas that falls in, needs repairs with PPM."""
    mesh = amr.Mesh(box=[(0, 1)] * 2, roots=(8, 8), boundary=[("reflecting", "outflow")] * 2)
    scheme = amr.Scheme(reconstruct="ppm", steps="rk3", repair=False)
    sim = amr.Simulation(mesh, amr.IdealGas(gamma=5 / 3), scheme, threads=1)
    x, y = sim._coordinates()
    r = np.hypot(x, y)
    start = {"density": 1.0, "pressure": 1e-3, "velocity": (-x / r, -y / r)}
    with pytest.raises(
        au.BlowUpError, match=r"pressure became -.* in step 1 \(sub-grid 0, cell 9 at \(0\.02"
    ) as told:
        sim.set(start).run(200)
    assert "at (0.0234375, 0.0234375)" in told.value.place
    assert sim.step == 0 and (sim.get("density") == 1).all()
    assert sim.set(density=1, pressure=1).run(2).step == 2


def test_a_function_of_the_wrong_coordinates_is_named():
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)))
    with pytest.raises(au.InputError, match=r"cannot be called with x .*1 axis.*function of x"):
        sim.set(lambda x, y: {"density": 1.0, "pressure": 1.0})


def test_counts_of_launches_and_tasks():
    problem = amr.sod(64)
    steps = 3
    sim = amr.Simulation(
        problem.mesh(), problem.gas(), schedule=amr.Subgrids(), device=au.Device(hostile=True)
    )
    before = sim.set(problem).counts
    sim.run(steps)
    found = {name: n - before[name] for name, n in sim.counts.items()}
    assert found["tasks"] == found["batches"] == 8 * 2 * steps
    assert found["launches"] == 5 * found["tasks"] and found["copies"] == 2 * found["tasks"]
    assert not any("nothing is shared" in words for _, words in sim.header_rows())
    alone = amr.Simulation(problem.mesh(), schedule="aggregate", device="host")
    assert any("nothing is shared" in words for _, words in alone.header_rows())


def test_words_about_it():
    sim = gas(PLANE).run(2)
    assert repr(sim).startswith("Simulation(16 × 24 cells, amr.IdealGas(), amr.Scheme(), step 2")
    about = sim.describe()
    assert (about["cells"], about["subgrids"], about["schedule"]) == (384, 6, "pack")
    assert about["threads"] == 1 and sim.device == au.Device(threads=1, precision="double")


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_that_no_float_holds_are_not_finite(sign):
    for make in (
        lambda x: amr.IdealGas(gamma=x),
        lambda x: amr.Scheme(cfl=x),
        lambda x: amr.Mesh(box=[(0, x)], roots=(1,)),
    ):
        with pytest.raises(au.InputError, match="finite"):
            make(sign * 10**400)


@pytest.mark.parametrize(
    "value",
    [1j * np.ones(16), "1.0", ["1"] * 16, True, np.ma.masked_equal([1.0] * 15 + [2.0], 2.0)],
)
def test_values_that_are_no_real_numbers_are_refused(value):
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(2,)))
    with pytest.raises(au.InputError, match=r"pressure is .* \(it must be a real number or"):
        sim.set(density=1.0, pressure=value)


def test_lines_are_not_spread_over_planes():
    """A field along y would become one along x."""
    sim = amr.Simulation(amr.Mesh(box=[(0, 1), (0, 1)], roots=(2, 2)))
    y = sim.mesh.centers("y")
    with pytest.raises(au.InputError, match=r"density has the shape \(16,\) \(the cells"):
        sim.set(density=1 + y, pressure=1.0)
    sim.set(density=(1 + y)[:, None], pressure=1.0)
    assert np.ptp(sim.get("density"), axis=1).max() == 0 < np.ptp(sim.get("density"))


def test_pressures_keep_their_digits_where_squares_underflow():
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)))
    sim.set(density=1e-170, pressure=1e-170, velocity_x=10.0)
    assert sim.get("pressure") == pytest.approx(1e-170, rel=1e-12)


@pytest.mark.parametrize("wrong", [{"gas": 0}, {"scheme": ()}])
def test_empty_parts_are_no_defaults(wrong):
    with pytest.raises(au.InputError, match=r"it must be an amr\."):
        amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)), **wrong)


def test_meshes_that_are_too_large():
    with pytest.raises(au.InputError, match=r"sub-grids \(there may be 2,147,483,647\)"):
        amr.Mesh(box=[(0, 1)] * 2, roots=(2**31, 2))


SCRIPT = """
from aureole import amr
problem = amr.sod(64)
amr.Simulation(problem.mesh(), problem.gas()).set(problem).run(2)
"""


def test_the_command_runs_scripts_of_fluids(here, capfd):
    Path("sod.py").write_text(SCRIPT)
    assert main(["run", "sod.py"]) == 0
    said = capfd.readouterr().out
    assert "64 in 8 sub-grids" in said and "amr.Scheme()" in said
    assert main(["run", "--ranks", "2", "sod.py"]) == 2
    assert "--ranks has no effect on amr.Simulation" in capfd.readouterr().err
