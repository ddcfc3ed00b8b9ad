# SPDX-License-Identifier: Apache-2.0
"""Options of .mdp files whose effect random numbers hide, or that no program shares with us."""

from __future__ import annotations

import math

import numpy as np
import pytest
from aureole import Device
from aureole.observers.frame_of_simulation import whole_of
from effect_jobs import BOX, JOBS
from effect_runs import moved, simulation

SD = {"integrator": "sd", "tc-grps": "System", "tau-t": "0.001", "ref-t": "0", "dt": "0.0001"}


def after(folder, job, options, steps):
    """Positions and velocities after so many steps."""
    JOBS[job].write(folder, options)
    with simulation(folder) as sim:
        sim.run(steps)
        return sim.get("position"), sim.get("velocity"), sim.temperature


def test_friction_and_noise_of_sd(tmp_path):
    """Friction alone at absolute zero; with noise the temperature that is asked for."""
    far = {"coulombtype": "Cut-off", "epsilon-r": "1e9"}  # hardly a force
    start = JOBS["atoms"].velocity
    for tau in (0.001, 0.002):
        *_, velocity, _ = after(tmp_path, "atoms", SD | far | {"tau-t": str(tau)}, 10)
        scale = (velocity * start).sum() / (start * start).sum()
        assert scale == pytest.approx(math.exp(-0.001 / tau), rel=2e-3)
    for wanted in (100, 400):
        heat = []
        for seed in range(8):
            options = SD | far | {"ref-t": str(wanted), "ld-seed": str(seed)}
            heat.append(after(tmp_path, "atoms", options, 100)[2])
        error = wanted * math.sqrt(2 / (8 * 72))
        assert np.mean(heat) == pytest.approx(wanted, abs=5 * error)


def test_noise_follows_ld_seed(tmp_path):
    one, same, other = (
        after(tmp_path, "atoms", SD | {"ref-t": "300", "ld-seed": seed}, 10)[0]
        for seed in ("7", "7", "8")
    )
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 1e-5


def test_order_and_iterations_of_lincs(tmp_path):
    """Lengths after ten steps are the better met the more is spent on them."""
    wanted = np.array([0.109, 0.152, 0.152, 0.109])
    for key, fixed, values in (
        ("lincs-order", {"lincs-iter": "1"}, (1, 2)),
        ("lincs-iter", {"lincs-order": "12"}, (1, 2, 3)),
    ):
        errors = []
        for value in values:
            options = {"constraints": "all-bonds", **fixed, key: str(value), "dt": "0.002"}
            at = after(tmp_path, "chains", options, 10)[0].reshape(12, 5, 3)
            lengths = np.linalg.norm(moved(at[:, :-1], at[:, 1:], np.diag(BOX)), axis=2)
            errors.append(np.abs(lengths / wanted - 1).max())
        better = np.array(errors[:-1]) / errors[1:]
        assert (better > 2).all(), (key, errors)


def test_drawn_velocities(tmp_path):
    """Their temperature is gen-temp, without any drift of the whole."""

    def drawn(**options):
        JOBS["chains"].write(
            tmp_path,
            {"gen-vel": "yes", "integrator": "md-vv", "continuation": "no"}
            | {key.replace("_", "-"): value for key, value in options.items()},
        )
        with simulation(tmp_path) as sim:
            mass, velocity = sim.get("mass"), sim.get("velocity")
            return velocity, (mass[:, None] * velocity**2).sum(), mass @ velocity

    velocity, twice, drift = drawn(gen_temp="250", gen_seed="3")
    assert twice == pytest.approx(180 * 8.31446261815324e-3 * 250, rel=1e-9)
    assert np.abs(drift).max() < 1e-9
    np.testing.assert_array_equal(drawn(gen_temp="250", gen_seed="3")[0], velocity)
    assert drawn(gen_temp="500", gen_seed="3")[1] == pytest.approx(2 * twice, rel=1e-9)
    assert np.abs(drawn(gen_temp="250", gen_seed="4")[0] - velocity).max() > 0.1
    # The seed of the noise is another one.
    for noise in ("1", "2"):
        np.testing.assert_array_equal(
            drawn(gen_temp="250", gen_seed="3", ld_seed=noise)[0], velocity
        )
    assert np.abs(drawn(gen_temp="250", gen_seed="4", ld_seed="1")[0] - velocity).max() > 0.1
    kept = drawn(gen_vel="no")[0]
    np.testing.assert_allclose(kept, JOBS["chains"].velocity, atol=1e-12)


@pytest.mark.parametrize("value", ["no", "yes"])
def test_molecules_bound_to_their_images(value, tmp_path):
    """Nothing is made whole that has no beginning; forces take the nearest images either way."""
    JOBS["chains"].write(tmp_path, {"periodic-molecules": value})
    with simulation(tmp_path) as sim:
        assert (whole_of(sim, True) is None) == (value == "yes")
        found = sim.energy.potential
    JOBS["chains"].write(tmp_path, {})
    with simulation(tmp_path) as sim:
        assert sim.energy.potential == found


def lists_of(folder, options, algorithm, steps=41):
    """What a run of some steps tells of its pair lists."""
    JOBS["atoms"].write(folder, {"nsteps": str(steps)} | options)
    with simulation(folder, Device(name="host", algorithm=algorithm)) as sim:
        return dict(sim.run(until=sim.end).describe())


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_lists_live_nstlist_steps(algorithm, tmp_path):
    """A search at step 0 and at each multiple of nstlist; with a tolerance at others."""
    for interval in (1, 7, 20):
        about = lists_of(tmp_path, {"nstlist": str(interval)}, algorithm)
        assert about["searches"] == len([step for step in range(42) if step % interval == 0])
        assert about["outer_life"] == interval or interval == 1
    tuned = [
        lists_of(tmp_path, {"nstlist": n, "verlet-buffer-tolerance": "0.005"}, algorithm)
        for n in ("3", "20")
    ]
    assert tuned[0]["searches"] == tuned[1]["searches"] < 14


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_rlist_is_the_radius_of_lists(algorithm, tmp_path):
    tiles = []
    for radius, cut in ((0.84, 0.8), (0.9, 0.8), (0.9, 0.7), (0.97, 0.8)):
        options = {"rlist": str(radius), "rvdw": str(cut), "rcoulomb": str(cut)}
        about = lists_of(tmp_path, options, algorithm, steps=1)
        assert about["outer_buffer"] == pytest.approx(radius - cut, abs=1e-12)
        tiles.append(about["outer_tiles"])
    if algorithm == "clusters":  # the list of 4 x 4 pairs grows with its radius alone
        assert tiles[0] < tiles[1] == tiles[2] < tiles[3]


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_buffers_follow_their_tolerance(algorithm, tmp_path):
    """A smaller drift of the energy needs a wider buffer; -1 leaves that to rlist."""
    name = "inner_buffer" if algorithm == "clusters" else "outer_buffer"
    widths = []
    for tolerance in ("0.05", "0.005", "0.0005"):
        about = lists_of(tmp_path, {"verlet-buffer-tolerance": tolerance}, algorithm, steps=1)
        widths.append(about[name])
    assert 0 < widths[0] < widths[1] < widths[2] < 0.15
    other = lists_of(tmp_path, {"verlet-buffer-tolerance": "-1"}, algorithm, steps=1)
    assert other["outer_buffer"] == pytest.approx(0.15)
