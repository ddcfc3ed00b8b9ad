# SPDX-License-Identifier: Apache-2.0
"""The time of fluids: set, added up from steps of any length, never standing still."""

from __future__ import annotations

import math

import aureole as au
import numpy as np
import pytest
from aureole import amr

SCHEDULES = pytest.mark.parametrize("schedule", ["pack", "subgrids", "aggregate"])


def at_rest(pressure=1.0, **options):
    """A gas at rest, whose steps are all of one length."""
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)), threads=1, **options)
    return sim.set(density=1.0, pressure=pressure)


def test_the_time_may_be_set():
    sim = at_rest().run(10)
    then = sim.time
    assert sim.set(time=-2.5).time == -2.5 and sim.step == 10  # alone
    sim.run(until=-2.0)
    assert sim.time == -2.0
    sim.set(density=2.0, pressure=1.0, time=0)
    assert sim.time == 0.0 and (sim.get("density") == 2.0).all()
    sim.set(lambda x: {"density": 1 + 0 * x, "pressure": 1.0}, time=1e3)
    assert sim.run(10).time == pytest.approx(1e3 + then, rel=1e-15)
    sim.set(density=1.0, pressure=1.0)  # the time goes on
    assert sim.time > 1e3
    assert sim.set(time=np.array(4.5)).time == 4.5  # as .npz files have it
    fresh = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(1,)))
    with pytest.raises(au.InputError, match="no state yet"):
        fresh.set(time=1.0).run(1)


@pytest.mark.parametrize("value", [math.nan, math.inf, "1 ps", [1.0], np.ones(1)])
def test_times_that_are_no_numbers_are_refused(value):
    sim = at_rest()
    with pytest.raises(au.InputError, match="time is "):
        sim.set(density=3.0, pressure=1.0, time=value)
    assert sim.time == 0.0 and (sim.get("density") == 1.0).all()  # nothing was changed


@SCHEDULES
def test_steps_near_the_rounding_of_the_time_add_up(schedule):
    """Each is 1.4 times the distance of two times: added alone, one would be 1.0 of it."""
    start = 1e6
    rounding = math.ulp(start)
    sound = 0.4 / 8 / (1.4 * rounding)
    sim = at_rest(sound**2 / 1.4, schedule=schedule).set(time=start)
    seen = []
    sim.observers = [au.Callback(lambda s: seen.append(s.time), every=10)]
    sim.run(500)
    assert sim.dt == pytest.approx(1.4 * rounding, rel=1e-9)
    expected = start + sim.dt * np.arange(0, 501, 10)
    np.testing.assert_allclose(seen, expected, rtol=0, atol=rounding)


def test_a_run_ends_at_a_time_that_short_steps_add_up_to():
    """1,600 steps of 1.25 times the distance of two times make 2,000 of these."""
    start, rounding = 1e6, math.ulp(1e6)
    sound = 0.4 / 8 / (1.25 * rounding)
    sim = at_rest(sound**2 / 1.4).set(time=start)
    sim.run(until=start + 2000 * rounding)
    assert sim.time == start + 2000 * rounding
    assert abs(sim.step - 1600) <= 1


@SCHEDULES
def test_a_step_below_the_rounding_of_the_time_is_an_error(schedule):
    """The gas of the case fluid-time-stands, whose runs stood still without an end."""
    mesh = amr.Mesh(box=[(0, 1)], roots=(4,))
    sim = amr.Simulation(mesh, threads=1, schedule=schedule)
    sim.set(density=1.0, pressure=1e-12).run(until=1e6)
    sim.set(density=1.0, pressure=1e20)
    step = sim.step
    for how in ({"steps": 1000}, {"until": 1e6 + 1e-6}):
        with pytest.raises(au.BlowUpError) as told:
            sim.run(**how)
        words = str(told.value)
        assert "stands still at 1e+06" in words and "time=0" in words
        assert "the time step, 1.05644e-12, is below the rounding of the time, 1.16415e-10" in words
        assert told.value.step == step + 1 and told.value.force == "time step"
        assert told.value.value == pytest.approx(0.4 / 32 / math.sqrt(1.4e20))
        assert (sim.step, sim.time) == (step, 1e6)
    assert sim.set(time=0).run(until=1e-10).time == 1e-10


def test_the_cell_whose_signals_are_too_fast_is_named():
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(4,)), threads=1)
    hot = np.full(32, 1e-4)
    hot[17] = 1e24

    def heat(s):
        if s.step == 5:
            s.set(density=1.0, pressure=hot)

    sim.set(density=1.0, pressure=1e-4, time=1e6)
    sim.observers = [au.Callback(heat, every=1)]
    with pytest.raises(au.BlowUpError, match=r"in step 6 .* in sub-grid 2, cell 1 at \(0\.546875"):
        sim.run(until=1e7)
    assert sim.step == 5 and sim.get("pressure")[17] == pytest.approx(1e24)
