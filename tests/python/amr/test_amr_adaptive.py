# SPDX-License-Identifier: Apache-2.0
"""Meshes that follow the gas: criteria, what they refine, restarts, errors."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole import amr

PLANE = amr.Mesh(box=[(-1, 1)] * 2, roots=(4, 4), boundary="outflow", max_level=2)
PPM = amr.Scheme(reconstruct="ppm", steps="rk3")
BENDS = amr.SecondDerivative("pressure")


def blast(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
    return {"density": 1.0, "pressure": 0.1 + 10.0 * (x * x + y * y < 0.01)}


def gas(refine: object = (BENDS,), mesh: amr.Mesh = PLANE, **options: object) -> amr.Simulation:
    return amr.Simulation(mesh, refine=list(refine), **{"threads": 1, "scheme": PPM, **options})


def finest_around(sim: amr.Simulation) -> float:
    """The largest distance from the middle of the box that the finest sub-grids reach."""
    boxes = sim.blocks.boxes[sim.blocks.levels == sim.mesh.max_level]
    return float(np.abs(boxes).max())


def test_set_refines_until_the_mesh_stays_as_it_is():
    sim = gas().set(blast)
    assert sim.blocks.levels.max() == 2
    assert finest_around(sim) <= 0.5  # of the blast alone
    alone = gas([amr.Region([(-0.05, 0.05)] * 2, 2)]).set(blast)
    assert sim.blocks.levels.size >= alone.blocks.levels.size
    # Again, from the roots.
    assert gas().set(density=1, pressure=1).blocks.levels.max() == 0
    flat = {"density": 1, "pressure": 1}
    assert sim.set(lambda x, y: flat).blocks.levels.max() == 0


def test_arrays_are_of_the_present_mesh():
    """As in a callback that adds a source: nothing else changes."""
    first, second = gas().set(blast).run(6), gas().set(blast).run(6)
    blocks = first.blocks
    first.set(**{name: blocks.cells(name) for name in ("density", "velocity", "pressure")})
    assert np.array_equal(first.blocks.boxes, second.blocks.boxes)
    np.testing.assert_allclose(
        first.get("pressure", level=2), second.get("pressure", level=2), rtol=1e-13
    )
    first.run(20)
    second.run(20)
    assert np.array_equal(first.blocks.boxes, second.blocks.boxes)
    with pytest.raises(au.InputError, match="denisty"):
        first.set(denisty=1.0, pressure=1.0)
    assert first.get("density", level=2).shape == (128, 128)


def test_another_number_of_the_step_leaves_checkpoints_good(tmp_path):
    sim = gas().set(blast).run(10)
    sim.set(step=0).write_checkpoint(tmp_path / "a.ckpt")
    again = amr.Simulation.from_checkpoint(tmp_path / "a.ckpt")
    assert again.step == 0
    assert np.array_equal(again.run(6).blocks.boxes, sim.run(6).blocks.boxes)


MEMORY = """
import resource, sys
sys.path.insert(0, {here!r})
from test_amr_adaptive import gas, blast
import numpy as np
from aureole import amr, Error
mesh = amr.Mesh(box=[(-1, 1)] * 2, roots=(4, 4), boundary="outflow", max_level=5)
refine = [amr.Threshold("density", 1.5), amr.SecondDerivative("pressure", 0.1)]
make = lambda: gas(refine, mesh, schedule={schedule!r}).set(blast).run(4)
expected = make().run(40).blocks.cells("density")
failed = 0
for more in (2, 8):
    sim = make()
    now = int(open("/proc/self/statm").read().split()[0]) * 4096
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + more * 2**19, old[1]))
    try:
        sim.run(40)
    except (Error, MemoryError):
        failed += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old)
    sim.run(44 - sim.step)
    assert np.array_equal(sim.blocks.cells("density"), expected), more
print("failed", failed)
"""


@pytest.mark.parametrize("schedule", ["pack", "aggregate"])
def test_a_run_goes_on_where_there_was_no_memory_for_a_mesh(schedule: str):
    code = MEMORY.format(here=str(Path(__file__).parent), schedule=schedule)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 0


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_function_that_fails_on_a_finer_mesh_changes_nothing(error: type[BaseException]):
    sim = gas().set(blast).run(6)
    before = sim.step, sim.time, sim.blocks.boxes, sim.blocks.cells("energy")
    calls = []

    def fails(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
        calls.append(x.shape)
        if len(calls) == 3:
            raise error("mine")
        return blast(x, y)

    with pytest.raises(error, match="mine"):
        sim.set(fails, time=5.0)
    assert len(set(calls)) == 3
    after = sim.step, sim.time, sim.blocks.boxes, sim.blocks.cells("energy")
    assert before[:2] == after[:2] and all(map(np.array_equal, before[2:], after[2:]))
    expected = gas().set(blast).run(20)
    assert np.array_equal(sim.run(14).blocks.cells("energy"), expected.blocks.cells("energy"))


def test_threads_that_set_the_state_wait_for_each_other():
    sim = gas().set(blast)
    threads = [threading.Thread(target=lambda: [sim.set(blast) for _ in range(5)]) for _ in "ab"]
    for thread in threads:
        thread.start()
    for _ in range(10):
        sim.run(1)
    for thread in threads:
        thread.join()
    assert len(sim.blocks) > 16


def test_a_function_that_fails_changes_nothing():
    sim = gas().set(blast).run(5)
    before = sim.get("density", level=2)
    with pytest.raises(au.InputError, match="pressure"):
        sim.set(lambda x, y: {"density": 1.0, "pressure": np.where(x < 0, -1.0, 1.0)})
    with pytest.raises(ZeroDivisionError):
        sim.set(lambda x, y: {"density": 1 / 0})
    assert np.array_equal(sim.get("density", level=2), before)
    assert sim.step == 5


def test_finer_subgrids_go_with_the_shock_and_totals_stay():
    sim = gas().set(blast)
    before, mass, energy = finest_around(sim), sim.totals["mass"], sim.totals["energy"]
    inner = sim.blocks.levels.size
    sim.run(until=0.1)
    assert finest_around(sim) > before
    assert sim.blocks.levels.size != inner
    assert sim.totals["mass"] == pytest.approx(mass, abs=1e-12)
    assert sim.totals["energy"] == pytest.approx(energy, abs=1e-12)
    density = sim.get("density", level=2)
    assert np.allclose(density, density[::-1, ::-1].T, rtol=0, atol=1e-11)
    uniform = amr.Simulation(
        amr.Mesh(box=[(-1, 1)] * 2, roots=(16, 16), boundary="outflow"), scheme=PPM, threads=1
    )
    uniform.set(blast).run(until=0.1)
    error = np.abs(density - uniform.get("density")).mean()
    coarse = amr.Simulation(
        amr.Mesh(box=[(-1, 1)] * 2, roots=(4, 4), boundary="outflow"), scheme=PPM, threads=1
    )
    coarse.set(blast).run(until=0.1)
    repeated = coarse.get("density").repeat(4, axis=0).repeat(4, axis=1)
    assert error < 0.1 * np.abs(repeated - uniform.get("density")).mean()


def test_radius_of_a_blast_that_refines_itself():
    """Within a finest cell at 20 cells from the centre, of a cylinder."""
    problem = amr.sedov(128, dims=2)
    radius, cell = 20 / 64, 1 / 64
    until = (radius / amr.exact.sedov_radius(1.0, dims=2)) ** 2
    sim = amr.Simulation(problem.mesh(2), problem.gas(), PPM, refine=[BENDS], threads=1)
    sim.set(problem).run(until=until)
    assert sim.blocks.levels.min() < sim.blocks.levels.max() == 2
    x = -1 + cell * (np.arange(128) + 0.5)
    r = np.hypot(x[:, None], x).ravel()
    density = sim.get("density", level=2).ravel()
    # The front is where the mean of thin shells is half way between outside and its peak.
    at = np.linspace(0.2, 0.4, 81)
    shell = np.array([density[np.abs(r - middle) < cell / 2].mean() for middle in at])
    peak = int(np.argmax(shell))
    front = np.interp(-(1 + shell[peak]) / 2, -shell[peak:], at[peak:])
    assert front == pytest.approx(radius, abs=cell)


@pytest.mark.parametrize(
    ("criterion", "level"),
    [
        (amr.Gradient("density", 0.1), 2),
        (amr.Gradient("density", 10.0), 0),
        (amr.Threshold("density", 1.5), 2),
        (amr.Threshold("density", 2.5), 0),
        (amr.Threshold("velocity_y", 0.5), 0),
        (amr.Threshold("velocity_x", 0.5), 2),
        (amr.SecondDerivative("density", 0.3), 2),
        (amr.SecondDerivative("velocity_y", 0.3), 0),
    ],
)
def test_criteria_look_at_their_field(criterion: object, level: int):
    sim = gas([criterion]).set(
        lambda x, y: {
            "density": 1.0 + (x * x + y * y < 0.05),
            "pressure": 1.0,
            "velocity": (1.0 * (x > 0.9), 0.1 + 0 * x),
        }
    )
    assert sim.blocks.levels.max() == level


@pytest.mark.parametrize(("below", "stays"), [(0.01, True), (4.0, False), (None, False)])
def test_subgrids_are_coarser_where_all_is_below(below: float | None, stays: bool):
    sim = gas([amr.Threshold("pressure", 5.0, below=below)]).set(blast)
    most = sim.blocks.levels.size
    sim.run(until=0.1)
    assert sim.get("pressure", level=0).max() < 4
    assert (sim.blocks.levels.size == most) == stays


def test_regions_stay_fine():
    corner = amr.Region([(0.6, 0.9)] * 2, 1)
    sim = gas([BENDS, corner]).set(density=1, pressure=1)
    sim.run(40)
    assert sim.blocks.levels.max() == 1
    assert sorted(set(sim.blocks.levels.tolist())) == [0, 1]


def test_a_run_goes_on_from_a_checkpoint_to_the_bit(tmp_path):
    whole = gas().set(blast)
    for steps in (3, 4, 5, 8):
        whole.run(steps)
        whole.write_checkpoint(tmp_path / "a.ckpt")
        again = amr.Simulation.from_checkpoint(tmp_path / "a.ckpt", schedule="aggregate", threads=2)
        assert again.refine == (BENDS,)
        again.run(9)
        whole.run(9)
        assert np.array_equal(again.blocks.levels, whole.blocks.levels)
        assert np.array_equal(again.get("density", level=2), whole.get("density", level=2))


def test_the_mesh_is_a_part_of_the_profile_and_the_log(tmp_path):
    sim = gas(observers=[au.Log(tmp_path / "a.csv", quantities=("time", "subgrids"), every=4)]).set(
        blast
    )
    sim.run(80)
    assert sim.profile()["mesh"] > 0
    rows = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True)
    assert len(set(rows["subgrids"])) > 1
    assert rows["subgrids"][-1] == sim.blocks.levels.size


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: amr.SecondDerivative("presure"), "pressure"),
        (lambda: amr.SecondDerivative("pressure", 0.1, 0.2), "below at most the value of above"),
        (lambda: amr.Gradient("density", -1.0), "above"),
        (lambda: amr.Gradient("density", float("nan")), "above"),
        (lambda: amr.Threshold("density", 1.0, below=2.0), "below"),
        (lambda: amr.Gradient("density", threshold=0.1), "Give above"),
        (lambda: gas([amr.Threshold("velocity_z", 1.0)]), "the axes x, y"),
        (lambda: amr.Gradient("velocity_x"), "Choose density or pressure"),
        (lambda: amr.SecondDerivative("density", 1.5), "above of SecondDerivative is 1.5"),
        (
            lambda: gas(mesh=amr.Mesh(box=[(0, 1)], roots=(2,))),
            r"max_level of the mesh is 0.*max_level=3",
        ),
        (
            lambda: gas().set(
                density=1.0, pressure=1.0 + np.indices((32, 32))[0].astype(float) // 16
            ),
            "function of the coordinates",
        ),
    ],
)
def test_wrong_criteria_are_one_clear_error(make, told):
    with pytest.raises((au.Error, TypeError), match=f"(?s){told}"):
        make()
