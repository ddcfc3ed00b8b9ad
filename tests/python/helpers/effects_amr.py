# SPDX-License-Identifier: Apache-2.0
"""Evidence of effects: the arguments of fluids."""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stderr
from pathlib import Path

import aureole as au
import numpy as np
from aureole import amr
from effects import refuses, shows

N = 32


def line(boundary="periodic", **options) -> amr.Simulation:
    """A gas along a line, with a step in density and pressure."""
    mesh = options.pop("mesh", None) or amr.Mesh(box=[(0, 1)], roots=(4,), boundary=boundary)
    sim = amr.Simulation(mesh, **({"threads": 1} | options))
    return sim.set(
        lambda x: {"density": np.where(x < 0.5, 1, 0.2), "pressure": np.where(x < 0.5, 1, 0.1)}
    )


def profile(steps=20, **options):
    return line(**options).run(steps).get("density")


@shows("amr.Mesh.box", "amr.Mesh.roots", "amr.Mesh.centers.axis", "amr.Simulation.mesh")
def cells_fill_the_box(name):
    mesh = amr.Mesh(box=[(0, 1), (2, 8)], roots=(2, 3))
    assert mesh.cells == (16, 24) and mesh.spacing == (1 / 16, 0.25)
    np.testing.assert_allclose(mesh.centers("y"), 2.125 + 0.25 * np.arange(24))
    assert amr.Simulation(mesh).set(density=2, pressure=1).totals["mass"] == 12.0
    refuses("axis is 'z'", lambda: mesh.centers("z"))


@shows("amr.Mesh.boundary")
def what_leaves_and_what_comes_back(name):
    sums = {}
    for boundary in ("periodic", "outflow", "reflecting"):
        sim = line(boundary)
        sim.set(density=1, pressure=1, velocity=(0.5,))
        sim.run(until=0.2)
        sums[boundary] = sim.totals["momentum"][0], sim.get("velocity_x")
    assert np.allclose(sums["periodic"][1], 0.5) and np.allclose(sums["outflow"][1], 0.5)
    low, high = sums["reflecting"][1][[0, -1]]
    assert abs(low) < 0.05 and abs(high) < 0.05  # at rest beside the walls


@shows("amr.IdealGas.gamma", "amr.Simulation.gas")
def a_gas_that_is_stiffer(name):
    for gamma in (1.4, 5 / 3):
        sim = line(gas=amr.IdealGas(gamma=gamma))
        speed = np.sqrt(gamma * sim.get("pressure") / sim.get("density"))
        np.testing.assert_allclose(sim.get("sound_speed"), speed, rtol=1e-13)
        np.testing.assert_allclose(sim.get("energy"), sim.get("pressure") / (gamma - 1), rtol=1e-13)
    assert np.ptp(profile() - profile(gas=amr.IdealGas(gamma=5 / 3))) > 1e-3


@shows("amr.Scheme.reconstruct", "amr.Scheme.steps", "amr.Simulation.scheme")
def sharper_and_smoother(name):
    """A smooth wave that is carried once around the box comes back with a smaller error."""

    def error(**scheme):
        sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(4,)), scheme=amr.Scheme(**scheme))
        start = 1 + 0.1 * np.sin(2 * np.pi * sim.mesh.centers("x"))
        sim.set(density=start, pressure=1.0, velocity=(1.0,)).run(until=1.0)
        return abs(sim.get("density") - start).mean()

    assert error(reconstruct="ppm", steps="rk3") < 0.1 * error()
    assert (
        error(reconstruct="wenoz", steps="rk3")
        < 0.1 * error()
        < 0.02 * error(reconstruct="constant")
    )
    assert error(reconstruct="ppm", steps="rk2") != error(reconstruct="ppm", steps="rk3")


@shows("amr.Scheme.cfl")
def the_length_of_a_step(name):
    whole, half = (line(scheme=amr.Scheme(cfl=cfl)).run(1).dt for cfl in (0.4, 0.2))
    assert np.isclose(half, whole / 2, rtol=1e-14)


@shows("amr.Scheme.riemann")
def the_contact_stays(name):
    """HLLC keeps a contact at rest; solvers without a contact wave smear it."""

    def lost(riemann):
        sim = line(scheme=amr.Scheme(riemann=riemann))
        density = sim.get("density")
        sim.set(density=density, pressure=1.0).run(50)
        return abs(sim.get("density") - density).max()

    assert lost("hllc") < 1e-12
    assert 0.1 < lost("hlle") < lost("llf")


@shows("amr.Scheme.repair")
def steps_that_are_made_again(name):
    """Streams that part beside nearly empty gas leave cells without pressure at a CFL of 1."""

    def start(repair):
        sim = line(scheme=amr.Scheme(cfl=1.0, repair=repair))
        dense = sim.mesh.centers("x") < 0.5
        return sim.set(
            density=np.where(dense, 1, 1e-12),
            pressure=np.where(dense, 1e-4, 1e-12),
            velocity=np.where(dense, -40.0, 40.0),
        )

    sim = start(True)
    before = sim.totals
    assert sim.repairs == {"steps": 0, "cells": 0, "floors": 0}
    sim.run(20)
    assert sim.repairs["cells"] >= sim.repairs["steps"] > 0 == sim.repairs["floors"]
    np.testing.assert_allclose(sim.totals["mass"], before["mass"], rtol=1e-13)
    np.testing.assert_allclose(sim.totals["energy"], before["energy"], rtol=1e-13)
    refuses("Let the scheme repair", lambda: start(False).run(20))


@shows("amr.Simulation.observers")
def observers_are_called(name):
    seen = []
    line(observers=[au.Callback(lambda sim: seen.append(sim.step), every=5)]).run(10)
    assert seen == [0, 5, 10]


@shows("amr.Simulation.device", "amr.Simulation.threads")
def where_it_runs(name):
    sims = [line(threads=2), line(device=au.Device(threads=2), threads=None)]
    for sim in sims:
        assert sim.describe()["threads"] == sim.device.threads == 2
        np.testing.assert_array_equal(sim.run(20).get("density"), profile())
    refuses("device is 'gpux'", lambda: line(device="gpux"))


@shows("amr.Simulation.schedule")
def the_schedule(name):
    one, other = (line(schedule=schedule) for schedule in ("subgrids", "pack"))
    assert one.describe()["schedule"] == "subgrids" and other.describe()["schedule"] == "pack"
    np.testing.assert_array_equal(one.run(20).get("energy"), other.run(20).get("energy"))
    assert line(schedule="aggregate").schedule == amr.Aggregate()
    assert line(schedule=amr.Subgrids(most=4)).schedule == amr.Subgrids(most=4)
    refuses("Did you mean 'subgrids'", lambda: line(schedule="subgrid"))


def counted(name, threads=1, **arguments):
    """Counts and fields of a run on queues that work by themselves, with a schedule of tasks."""
    schedule = getattr(amr, name.removeprefix("amr."))(**arguments)
    device = au.Device(name="host", threads=threads, hostile=True)
    sim = line(device=device, threads=None, schedule=schedule).run(10)
    np.testing.assert_array_equal(sim.get("energy"), line().run(10).get("energy"))
    return sim._core.counts()


@shows("amr.Subgrids.most", "amr.Aggregate.most")
def subgrids_that_share_launches(name):
    alone, together = (counted(name, executors=1, most=most) for most in (1, 64))
    assert alone["batches"] == alone["tasks"] == together["tasks"] == 10 * 2 * 4
    assert together["batches"] < alone["batches"]
    assert alone["launches"] - together["launches"] == 5 * (alone["batches"] - together["batches"])
    assert counted(name, executors=1, most=2)["batches"] >= alone["tasks"] / 2
    refuses("most of", lambda: counted(name, most=0))


@shows("amr.Subgrids.executors", "amr.Aggregate.executors")
def an_idle_executor_takes_a_subgrid_at_once(name):
    one, enough = (counted(name, executors=executors, most=64) for executors in (1, 8))
    assert one["batches"] < one["tasks"] == enough["batches"] == enough["tasks"]
    refuses("executors of", lambda: counted(name, executors=129))


@shows("amr.Subgrids.notice", "amr.Aggregate.notice")
def how_the_end_of_work_is_noticed(name):
    """The one worker either submits more while the executor is busy, or waits for it."""
    batches = {
        notice: counted(name, executors=1, most=64, notice=notice)["batches"]
        for notice in ("poll", "callback", "wait")
    }
    assert batches["poll"] < batches["wait"] == 80 > batches["callback"]
    refuses("Did you mean 'poll'", lambda: counted(name, notice="pol"))


@shows("amr.Subgrids.workers", "amr.Aggregate.workers")
def who_runs_the_tasks(name):
    assert counted(name, workers=3)["workers"] == 3
    assert counted(name, threads=2)["workers"] == 2  # those of the device
    refuses("workers of", lambda: counted(name, workers=-1))


@shows("amr.Simulation.set.time")
def the_time(name):
    sim = line().set(time=3.0)
    assert sim.time == 3.0 and sim.run(5).time == 3.0 + line().run(5).time
    refuses("time is nan", lambda: sim.set(time=float("nan")))


@shows("amr.Simulation.set.state", "amr.Simulation.set.fields")
def the_state(name):
    one = line()
    two = line().set(density=one.get("density"), pressure=one.get("pressure"))
    three = line().set({"density": 1, "pressure": 1})
    np.testing.assert_array_equal(two.get("density"), one.get("density"))
    assert (three.get("density") == 1).all()


@shows("amr.Simulation.get.name")
def the_fields(name):
    sim = line()
    assert sim.get("density")[0] == 1 and np.isclose(sim.get("pressure")[-1], 0.1)
    refuses("unknown field", lambda: sim.get("entropy"))


@shows("amr.Simulation.run.steps", "amr.Simulation.run.until")
def how_far_it_runs(name):
    sim = line().run(7)
    assert sim.step == 7
    assert sim.run(until=0.1).time == 0.1


@shows("amr.Simulation.stop.why")
def why_it_stopped(name):
    sim = line(observers=[au.Callback(lambda s: s.stop("enough") if s.step else None, every=4)])
    assert sim.run(20).step == 4 and sim._loop.why == "enough"


@shows("amr.Simulation.pace.steps_per_second")
def a_speed(name):
    assert line().pace(1000) == "32,000 cells/s"
    shown = io.StringIO()
    with redirect_stderr(shown):
        line(observers=[au.Progress(lines=True)]).run(5)
    assert re.search(r"time [0-9.]+  [0-9.,]+ steps/s  [0-9.,]+ cells/s", shown.getvalue())


@shows("amr.sod.cells", "amr.sod.axis", "amr.sod.mirrored")
def the_shock_tube(name):
    x = np.array([0.25, 0.75])
    assert list(amr.sod().initial(x)["density"]) == [1, 0.125]
    assert list(amr.sod(mirrored=True).initial(x)["density"]) == [0.125, 1]
    mesh = amr.sod(cells=64, axis="y").mesh()
    assert mesh.cells == (8, 64) and mesh.box[1] == (0, 1)
    refuses("cells is 60", lambda: amr.sod(cells=60))


@shows("amr.sound_wave.cells", "amr.sound_wave.axis", "amr.sound_wave.amplitude")
def the_sound_wave(name):
    problem = amr.sound_wave(cells=32, axis="z", amplitude=1e-3)
    assert problem.mesh().cells == (8, 8, 32)
    z = np.linspace(0, 1, 1001)
    density = problem.initial(0 * z, 0 * z, z)["density"]
    assert np.isclose(density.max() - 1, 1e-3, rtol=1e-4)


@shows("amr.sedov.cells", "amr.sedov.dims", "amr.sedov.energy", "amr.sedov.density",
       "amr.sedov.pressure", "amr.sedov.gamma")  # fmt: skip
def the_blast(name):
    problem = amr.sedov(cells=32, dims=2, energy=3.0, density=2.0, pressure=1e-6, gamma=5 / 3)
    assert problem.mesh().cells == (32, 32)
    sim = amr.Simulation(problem.mesh(), problem.gas()).set(problem)
    assert np.isclose(sim.totals["energy"], 3.0, rtol=1e-4)
    assert np.isclose(sim.totals["mass"], 2.0 * 4)
    assert np.isclose(sim.get("pressure")[0, 0], 1e-6) and problem.gas().gamma == 5 / 3


@shows("amr.noh.cells", "amr.noh.dims", "amr.noh.pressure")
def the_collapse(name):
    problem = amr.noh(cells=48, dims=1, pressure=1e-3)
    sim = amr.Simulation(problem.mesh(), problem.gas()).set(problem)
    assert sim.mesh.cells == (48,) and np.allclose(sim.get("pressure"), 1e-3)
    assert np.allclose(sim.get("velocity_x"), -1)
    assert amr.noh(24).mesh().faces[0] == ("reflecting", "outflow")
    density = sim.run(until=2.0).get("density")
    np.testing.assert_allclose(density[4:9], 4, rtol=0.05)  # ((gamma + 1) / (gamma - 1))^dims
    np.testing.assert_allclose(density[13:], 1, rtol=0.05)


@shows("amr.implosion.cells", "amr.kelvin_helmholtz.cells", "amr.vortex.cells",
       "amr.vortex.strength")  # fmt: skip
def problems_in_squares(name):
    make = getattr(amr, name.split(".")[1])
    assert make(cells=32).mesh().cells == (32, 32)
    speeds = [
        np.ptp(amr.vortex(32, strength=strength).initial(np.array([0.0, 0]), np.array([-1.0, 1]))
               .velocity[:, 0])
        for strength in (0, 2 * np.pi)
    ]  # fmt: skip
    assert np.allclose(speeds, [0, 2])


@shows("amr.Simulation.set.step")
def the_number_of_the_step(name):
    sim = line().run(3).set(step=100)
    assert sim.step == 100 and sim.run(2).step == 102
    refuses("step is -1", lambda: line().set(step=-1))


@shows("amr.Simulation.write_checkpoint.path", "amr.Simulation.from_checkpoint.path",
       "amr.Simulation.from_checkpoint.device", "amr.Simulation.from_checkpoint.threads",
       "amr.Simulation.from_checkpoint.schedule")  # fmt: skip
def runs_go_on(name):
    line().run(8).write_checkpoint("a.ckpt")
    load = amr.Simulation.from_checkpoint
    for sim in (load("a.ckpt"), load("a.ckpt", device="host", threads=2, schedule="aggregate")):
        assert sim.step == 8
        np.testing.assert_array_equal(sim.run(12).get("density"), profile())
    assert sim.describe()["threads"] == 2 and sim.schedule == amr.Aggregate()
    refuses("gpux", lambda: load("a.ckpt", device="gpux"))
    refuses("cannot open", lambda: load("b.ckpt"))


@shows("amr.Simulation.from_checkpoint.callbacks", "amr.Simulation.from_checkpoint.observers",
       "amr.Simulation.from_checkpoint.allow_write")  # fmt: skip
def runs_go_on_with_observers(name):
    seen = []
    call = au.Callback(lambda sim: seen.append(sim.step), every=2)
    log = au.Log(os.path.abspath("log.csv"), every=2)
    os.makedirs("in", exist_ok=True)
    with line(observers=[call, log]) as sim:
        sim.run(2).write_checkpoint("in/a.ckpt")
    load = amr.Simulation.from_checkpoint
    refuses("allow_write", lambda: load("in/a.ckpt", callbacks=[call]))
    seen.clear()
    with load("in/a.ckpt", callbacks=[call], allow_write=[log.path]) as sim:
        sim.run(2)
    assert seen == [4] and len(Path(log.path).read_text().splitlines()) == 4
    assert load("in/a.ckpt", observers=[au.Progress()]).observers == [au.Progress()]


@shows("amr.Simulation.from_checkpoint.scheme", "amr.Simulation.from_checkpoint.refine")
def runs_go_on_otherwise(name):
    mesh = amr.Mesh(box=[(0, 1)], roots=(8,), boundary="outflow", max_level=1)
    sim = amr.Simulation(mesh, refine=[amr.Region([(0.3, 0.4)], 1)], threads=1).set(
        amr.sod().initial
    )
    sim.write_checkpoint("a.ckpt")
    load = amr.Simulation.from_checkpoint
    sim.run(4)
    other = load("a.ckpt", scheme=amr.Scheme(reconstruct="constant")).run(4)
    assert np.abs(other.get("density", level=0) - sim.get("density", level=0)).max() > 1e-3
    assert len(load("a.ckpt", refine=[amr.Region([(0.3, 0.6)], 1)]).blocks) == 11
    refuses("refine is 'pressure'", lambda: load("a.ckpt", refine="pressure"))


@shows("amr.Simulation.refine", "amr.Region.box", "amr.Region.level", "amr.Mesh.max_level")
def where_cells_are_finer(name):
    def cells(box, level, most=2):
        mesh = amr.Mesh(box=[(0, 1)], roots=(8,), boundary="outflow", max_level=most)
        sim = amr.Simulation(mesh, refine=[amr.Region(box, level)], threads=1)
        low, high = sim.blocks.boxes[sim.blocks.levels == level, 0].T
        return low.min(), high.max(), len(sim.blocks)

    assert cells([(0.3, 0.4)], 1) == (0.25, 0.5, 10)
    assert cells([(0.6, 0.7)], 1) == (0.5, 0.75, 10)
    assert cells([(0.3, 0.4)], 2) == (0.25, 0.4375, 14)
    refuses("max_level of the mesh is 1", lambda: cells([(0.3, 0.4)], 2, most=1))
    refuses("nothing says what is refined", lambda: line(mesh=amr.Mesh(
        box=[(0, 1)], roots=(4,), max_level=1)))  # fmt: skip


@shows(*(f"amr.{kind}.{name}" for kind in ("SecondDerivative", "Gradient", "Threshold")
         for name in ("field", "above", "below")))  # fmt: skip
def what_criteria_ask_for(name):
    def refined(criterion, steps=0, density=2.0):
        mesh = amr.Mesh(box=[(0, 1)], roots=(8,), boundary="outflow", max_level=1)
        sim = amr.Simulation(mesh, refine=[criterion], threads=1)
        sim.set(lambda x: {
            "density": 1 + (density - 1) * (abs(x - 0.5) < 0.2),
            "pressure": 1 + 1.0 * (abs(x - 0.5) < 0.2),
        })  # fmt: skip
        return (sim.run(steps).blocks.levels == 1).sum()

    kind = getattr(amr, name.split(".")[1])
    low, high = {
        "SecondDerivative": (0.2, 0.99),
        "Gradient": (0.1, 0.6),
        "Threshold": (1.5, 2.5),
    }[kind.__name__]
    assert refined(kind("density", low, 0.0)) > 0
    assert refined(kind("density", high, 0.0)) == 0
    assert refined(kind("density", low, 0.0), density=1.0) == 0
    assert refined(kind("pressure", low, 0.0), density=1.0) > 0
    if kind is amr.Gradient:
        refuses("Choose density or pressure", lambda: kind("velocity_x"))
    else:
        assert refined(kind("velocity_x", low, 0.0)) == 0
    # Nothing becomes coarser with a lower bound of 0.
    assert refined(kind("density", low, low), 200) < refined(kind("density", low, 0.0), 200)


@shows("amr.Snapshot.path", "amr.Snapshot.every", "amr.Snapshot.every_time")
def files_of_cells(name):
    import h5py

    def times(**every):
        with line(observers=[amr.Snapshot("cells", **every)]) as sim:
            sim.run(8)
        files = sorted(Path().glob("cells.0*.phdf"))
        found = [h5py.File(file)["Info"].attrs["NCycle"] for file in files]
        for file in Path().glob("cells.0*"):
            file.unlink()
        return found, sim.time

    steps, end = times(every=4)
    assert steps == [0, 4, 8]
    assert len(times(every_time=end / 2)[0]) in (2, 3)
    refuses("Give 'cells'", lambda: amr.Snapshot("cells.phdf"))


@shows(*(f"amr.picture.{name}" for name in
         ("sim", "field", "path", "axis", "at", "borders", "log", "width")))  # fmt: skip
def what_pictures_show(name):
    def drawn(dims=2, **options):
        mesh = amr.Mesh(box=[(0, 1)] * dims, roots=(2,) * dims, boundary="outflow")
        sim = amr.Simulation(mesh, threads=1)
        sim.set(lambda *x: {"density": 1 + x[0] + 2 * x[-1], "pressure": 1 + x[1] * x[-1]})
        amr.picture(sim, **{"path": "a.png", **options})
        return Path("a.png").read_bytes()

    usual = drawn()
    assert usual == drawn(field="density") and len({
        usual, drawn(field="pressure"), drawn(log=True), drawn(borders=False), drawn(width=500)
    }) == 5  # fmt: skip
    assert len({drawn(3), drawn(3, axis="x"), drawn(3, axis="y"), drawn(3, at=0.1)}) == 4
    amr.picture(line(), path="b.svg")
    assert Path("b.svg").read_text().startswith("<?xml")


@shows("amr.Simulation.get.level", "amr.Blocks.cells.name", "amr.Blocks.centers.axis")
def cells_of_a_level(name):
    sim = line()
    np.testing.assert_array_equal(sim.get("density", level=0), sim.get("density"))
    mesh = amr.Mesh(box=[(0, 1)], roots=(4,), max_level=1)
    sim = amr.Simulation(mesh, refine=[amr.Region([(0, 0.1)])], threads=1)
    sim.set(lambda x: {"density": 1 + x, "pressure": 1})
    coarse, fine = sim.get("density", level=0), sim.get("density", level=1)
    np.testing.assert_allclose(coarse, 1 + mesh.centers("x"), rtol=1e-15)
    np.testing.assert_allclose(fine[:16], 1 + (np.arange(16) + 0.5) / 64, rtol=1e-15)
    np.testing.assert_array_equal(sim.blocks.cells("density"), 1 + sim.blocks.centers("x"))
    assert (sim.blocks.cells("pressure") == 1).all()
    refuses("axis is 'y'", lambda: sim.blocks.centers("y"))
    refuses("several sizes", lambda: sim.get("density"))


@shows("amr.Fixed.density", "amr.Fixed.pressure", "amr.Fixed.velocity")
def what_flows_in(name):
    """Into a box whose other end is open; faster than sound, so that all of it comes in."""

    def gains(**changes):
        state = {"density": 1, "pressure": 1, "velocity": 3} | changes
        sim = line([(amr.Fixed(**state), "outflow")]).set(density=1, pressure=1, velocity=(3,))
        before, until = sim.totals, 0.05
        after = sim.run(until=until).totals
        return [(after[k] - before[k]) / until for k in ("mass", "energy")]

    assert np.allclose(gains(), 0, atol=1e-9)
    assert np.allclose(gains(density=2), [3, 3 * 4.5], atol=1e-9)
    assert np.allclose(gains(pressure=1.5), [0, 3 * 0.5 * 3.5], atol=1e-9)
    assert np.allclose(gains(velocity=3.5)[0], 0.5, atol=1e-9)
