# SPDX-License-Identifier: Apache-2.0
"""Columns that users add go with their particles: through sorts, restarts, views, snapshots."""

from __future__ import annotations

import pickle
from pathlib import Path

import aureole as au
import numpy as np
import pytest

N = 500


def system() -> au.System:
    one = au.build.lattice("fcc", n=N, density=0.8)
    dice = np.random.default_rng(3)
    one.columns.add("diameter", 1.0 + 0.1 * dice.random(one.n), unit="length")
    one.columns["spin"] = dice.normal(size=(one.n, 3))
    one.columns["species"] = dice.integers(0, 9, one.n)
    return one


def simulation(algorithm: str, precision: str = "mixed", **options) -> au.Simulation:
    sim = au.Simulation(
        system(),
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.NVE(dt=0.004),
        seed=4,
        threads=2,
        precision=precision,
        device=au.Device(algorithm=algorithm),
        **options,
    )
    sim.thermalize(2.0)
    return sim


@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_columns_go_with_their_particles(here, algorithm, precision):
    start = system()
    sim = simulation(algorithm, precision)
    sim.run(200)
    tags = sim.get("tag", order="local")
    assert not np.array_equal(tags, np.arange(start.n))  # they were sorted
    for name, values in start.columns.items():
        assert np.array_equal(sim.get(name), values)
        assert np.array_equal(sim.get(name, order="local"), values[tags])
        with sim.arrays as a:
            assert np.array_equal(getattr(a, name), values[a.tag])
            assert name in dir(a)
    assert sim.snapshot().columns == start.columns
    sim.set("spin", 2.0 * start.columns["spin"])
    sim.write_checkpoint("a.ckpt")
    other = au.Simulation.from_checkpoint("a.ckpt")
    sim.run(50), other.run(50)
    for one in (sim, other):
        assert np.array_equal(one.get("spin"), 2.0 * start.columns["spin"])
        assert np.array_equal(one.get("species"), start.columns["species"])
        assert one.get("species").dtype == np.int32
    assert np.array_equal(sim.get("position"), other.get("position"))


def test_columns_change_no_bit(here):
    sim = simulation("clusters")
    bare = au.Simulation(
        system().replace(columns=None),
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.NVE(dt=0.004),
        seed=4,
        threads=2,
    )
    bare.thermalize(2.0)
    sim.run(100), bare.run(100)
    assert np.array_equal(sim.get("position"), bare.get("position"))


def test_what_is_no_column(here):
    one = system()
    for name in ("mass", "a b", "1st", "größe", "", 3):
        with pytest.raises(au.InputError, match="column"):
            one.columns[name] = np.zeros(one.n)
    for values in (np.zeros(one.n - 1), np.zeros((one.n, 2)), 1.0, ["a"] * one.n):
        with pytest.raises(au.InputError):
            one.columns["radius"] = values
    with pytest.raises(au.InputError, match="particle 7 is not finite"):
        one.columns["radius"] = np.where(np.arange(one.n) == 7, np.nan, 0.0)
    with pytest.raises(ValueError, match="read-only"):
        one.columns["spin"][0] = 0.0
    sim = simulation("clusters")
    with pytest.raises(au.InputError, match="species"):
        sim.get("specie")
    with pytest.raises(au.InputError, match="not finite"):
        sim.set("diameter", np.full(sim.n, np.inf))
    with pytest.raises(au.InputError, match="species"):
        sim.set("species", np.full(sim.n, 0.5))


def test_systems_compare_their_columns():
    one, other = system(), system()
    assert one == other
    other.columns["spin"] = -one.columns["spin"]
    assert one != other
    del other.columns["spin"]
    assert sorted(other.columns) == ["diameter", "species"] and len(other.columns) == 2
    assert one.replace(velocity=None).columns == one.columns


def test_gsd_files_keep_columns(here):
    one = system()
    au.write("a.gsd", one)
    assert au.read("a.gsd").columns == one.columns


def test_units_of_columns(here):
    start = system()
    start.columns.add("field", np.zeros((start.n, 3)), unit="energy/charge/length")
    assert start.columns.unit("diameter") == "length" and start.columns.unit("spin") == ""
    start.columns["diameter"] = 2.0 * start.columns["diameter"]
    assert start.columns.unit("diameter") == "length"
    assert "diameter: (500,) float64 length" in repr(start.columns)
    assert pickle.loads(pickle.dumps(start)).columns == start.columns
    start.save("a.npz")
    assert au.System.load("a.npz") == start
    bare = system()
    bare.columns.add("diameter", bare.columns["diameter"])
    assert bare != system() and start.replace(velocity=None).columns == start.columns
    for unit in ("metre", "length/", "length time", "1/length^0", 3):
        with pytest.raises(au.InputError, match="unit"):
            start.columns.add("size", np.zeros(start.n), unit=unit)
    sim = au.Simulation(start, forces=[], integrator=au.NVE(dt=0.001))
    sim.run(2)
    sim.write_checkpoint("a.ckpt")
    for one in (sim, au.Simulation.from_checkpoint("a.ckpt")):
        assert one.snapshot().columns == start.columns


def test_checkpoints_of_the_time_of_short_tags(here):
    """Tags had 32 bits; the file was written by the last version with such."""
    old = Path(__file__).parents[2] / "data" / "tags_of_32_bits.checkpoint"
    sim = au.Simulation.from_checkpoint(old, device="host")
    assert (sim.n, sim.step) == (108, 40)
    assert sim.get("tag", order="local").dtype == np.int64
    assert sorted(sim.get("tag", order="local")) == list(range(108))
    start = au.build.lattice("fcc", n=108, density=0.8442)
    moved = start.box.minimum_image(sim.get("position") - start.position)
    assert np.abs(moved).max() < 1.0  # each is near the place that its tag had
    assert sim.energy.potential == pytest.approx(-506.84888526797295, rel=1e-5)
    sim.write_checkpoint("now.ckpt")
    other = au.Simulation.from_checkpoint("now.ckpt", device="host")
    sim.run(20), other.run(20)
    assert np.array_equal(sim.get("velocity"), other.get("velocity"))
