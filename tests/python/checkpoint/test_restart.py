# SPDX-License-Identifier: Apache-2.0
"""A restart is no restart: bitwise the same particles, files without a missing or doubled row."""

from __future__ import annotations

import os
from pathlib import Path

import aureole as au
import gsd.hoomd
import numpy as np
import pytest

COLUMNS = ("position", "velocity", "image", "force", "type", "mass")
INTEGRATORS = {
    "NVE": au.NVE(dt=0.005),
    "Langevin": au.Langevin(dt=0.005, kT=1.0),
    "Bussi": au.Bussi(dt=0.005, kT=1.0, tau=0.2, every=3),
}


def observers(name):
    return [
        au.Trajectory(f"{name}.gsd", every=20),
        au.Log(f"{name}.csv", every=5),
        au.Checkpoint(f"{name}.ckpt", every=50),
    ]


def same(one, two):
    assert one.step == two.step
    for column in COLUMNS:
        for order in ("tag", "local"):
            assert np.array_equal(one.get(column, order), two.get(column, order)), column


def frames(path):
    columns = ("position", "velocity", "image", "typeid")
    with gsd.hoomd.open(path, "r") as file:
        return [
            (frame.configuration.step, *(getattr(frame.particles, c).tobytes() for c in columns))
            for frame in file
        ]


@pytest.mark.parametrize("cut", [1, 37, 50, 99])
@pytest.mark.parametrize("kind", INTEGRATORS)
def test_restart_is_bitwise(here, liquid, kind, cut):
    with liquid(integrator=INTEGRATORS[kind], observers=observers("whole")) as whole:
        whole.run(170)
    with liquid(integrator=INTEGRATORS[kind], observers=observers("parts")) as first:
        first.run(cut)  # the end of a run is a checkpoint too
    os.replace("parts.ckpt", "kept.ckpt")
    with au.Simulation.from_checkpoint("kept.ckpt") as second:
        second.run(until=170)
    same(whole, second)
    assert Path("whole.csv").read_text() == Path("parts.csv").read_text()
    assert frames("whole.gsd") == frames("parts.gsd")


def test_files_are_cut_back_to_the_checkpoint(here, liquid):
    with liquid(observers=observers("whole")) as whole:
        whole.run(150)
    with liquid(observers=observers("parts")) as first:
        first.run(50)
        os.replace("parts.ckpt", "kept.ckpt")
        first.run(60)  # these frames and rows lie beyond the checkpoint
    with au.Simulation.from_checkpoint("kept.ckpt") as second:
        assert second.step == 50
        second.run(100)
    same(whole, second)
    assert Path("whole.csv").read_text() == Path("parts.csv").read_text()
    assert frames("whole.gsd") == frames("parts.gsd")
    assert not [name for name in os.listdir() if name.endswith((".new", ".tmp"))]


def test_everything_comes_back(here):
    mix = au.build.mixture(500, {"A": 3, "B": 1})
    sim = au.Simulation(
        au.build.lattice("fcc", n=500, density=0.8, **mix),
        forces=[
            au.LennardJones(epsilon={("A", "A"): 1, ("A", "B"): 1.5, ("B", "B"): 0.5}, sigma=1,
                            r_cut=2.2, mode="shift"),
            au.WCA(epsilon=0.1, sigma=1.0),
        ],
        integrator=au.Langevin(dt=0.004, kT=0.8, gamma=2, filter=au.Type("A"), remove_com_every=7),
        observers=[*observers("a"), au.Progress()],
        seed=9,
        device=au.Device(name="host", precision="double", threads=1),
        neighbors=au.NeighborList(mode="tolerance", buffer=0.4),
    )  # fmt: skip
    sim.thermalize(0.8)
    with sim:
        sim.run(30)
    again = au.Simulation.from_checkpoint("a.ckpt")
    for name in ("forces", "integrator", "observers", "seed", "device", "neighbors", "box",
                 "type_names", "step", "target"):  # fmt: skip
        assert getattr(again, name) == getattr(sim, name), name
    assert again.energy == sim.energy and again.pressure == sim.pressure
    same(sim, again)
    still = again.get("type") == 1
    before = again.get("position")
    sim.run(40), again.run(40)
    same(sim, again)
    assert np.array_equal(again.get("position")[still], before[still])


def test_callbacks_are_given_again(here, liquid):
    seen = []
    specs = [au.Callback(lambda s: None, every=10), au.Checkpoint("a.ckpt", every=50)]
    with liquid(observers=specs) as sim:
        sim.run(50)
    with pytest.warns(UserWarning, match="callback .* is not called"):
        au.Simulation.from_checkpoint("a.ckpt")
    call = au.Callback(lambda s: seen.append(s.step), every=10)
    au.Simulation.from_checkpoint("a.ckpt", callbacks=[call]).run(until=80)
    assert seen == [60, 70, 80]
    with pytest.raises(au.InputError, match="1 more callbacks"):
        au.Simulation.from_checkpoint("a.ckpt", callbacks=[call, call])


def test_an_interrupted_run_is_finished(here, liquid):
    with liquid(observers=[au.Checkpoint("a.ckpt", every=20)]) as sim:
        sim._loop.target = 100
        sim._loop._open()
        sim.write_checkpoint("early.ckpt")
    again = au.Simulation.from_checkpoint("early.ckpt")
    assert again.target == 100
    assert again.run().step == 100


def test_previous_checkpoint_is_kept(here, liquid):
    with liquid(observers=[au.Checkpoint("a.ckpt", every=20)]) as sim:
        sim.run(60)
    assert au.Simulation.from_checkpoint("a.ckpt.prev").step == 40
    os.remove("a.ckpt")
    with pytest.warns(UserWarning, match=r"a\.ckpt is missing"):
        assert au.Simulation.from_checkpoint("a.ckpt").step == 40


@pytest.mark.parametrize("mass", [5e300, 0.0, -1.0])
def test_a_state_that_could_not_go_on_is_not_saved(here, liquid, mass):
    """The run ends, names what is wrong and the last good checkpoint, and keeps that."""

    def spoil(sim):
        if sim.step == 20:
            sim._core.set("mass", np.full(sim.n, mass), order="tag")  # `set` refuses it

    watching = [au.Callback(spoil, every=10), au.Checkpoint("a.ckpt", every=10)]
    sim = liquid(integrator=INTEGRATORS["NVE"], observers=watching)
    with pytest.raises(au.BlowUpError) as caught:
        sim.run(40)
    assert "no checkpoint is written at step 20 (the run could not go on" in str(caught.value)
    assert f"block 'mass': that of particle 0 is {mass:g}" in str(caught.value)
    assert "The last checkpoint is a.ckpt, written at step 10." in str(caught.value)
    assert au.Simulation.from_checkpoint("a.ckpt", callbacks=[watching[0]]).step == 10
    assert [name for name in os.listdir() if "rescue" in name] == []


@pytest.mark.parametrize("mass", [0.0, -1.0, 5e300])
def test_masses_that_no_system_may_have_are_not_set(here, liquid, mass):
    """As at construction, in the order of the engine too; massless are those that stay."""
    sim = liquid(n=108)
    given = np.ones(sim.n)
    given[3] = mass
    for order, who in (("tag", "particle"), ("local", "the particle at local index")):
        with pytest.raises(
            au.InputError, match=rf"mass of {who} 3 is {mass:g} \(".replace("+", ".")
        ):
            sim.set("mass", given, order=order)
    assert (sim.get("mass") == 1).all()
    start = sim.snapshot().replace(groups={"wall": [3]})
    wall = au.Simulation(start, sim.forces, au.NVE(dt=1e-3), constraints=[au.Freeze(group="wall")])
    if mass == 0:
        wall.set("mass", given)
        wall.write_checkpoint("a.ckpt")
        assert au.Simulation.from_checkpoint("a.ckpt").get("mass")[3] == 0
    else:
        with pytest.raises(au.InputError, match="mass of particle 3"):
            wall.set("mass", given)


def test_changed_checkpoints_are_refused(here, liquid):
    with liquid(observers=[au.Checkpoint("a.ckpt", every=50)]) as sim:
        sim.run(100)
    data = bytearray(Path("a.ckpt").read_bytes())
    rng = np.random.default_rng(1)
    for at in rng.integers(0, len(data), 100):
        changed = data.copy()
        changed[at] ^= 1 << int(rng.integers(8))
        Path("a.ckpt").write_bytes(changed)
        with pytest.raises(au.FileError, match=r"a\.ckpt.*previous checkpoint is a\.ckpt\.prev"):
            au.Simulation.from_checkpoint("a.ckpt")
    for size in (0, 10, len(data) // 2, len(data) - 1):
        Path("a.ckpt").write_bytes(data[:size])
        with pytest.raises(au.FileError):
            au.Simulation.from_checkpoint("a.ckpt")


def test_changed_outputs_are_refused(here, liquid):
    with liquid(observers=observers("a")) as sim:
        sim.run(60)
    os.truncate("a.csv", 20)
    with pytest.raises(au.FileError, match=r"a\.csv: is shorter than"):
        au.Simulation.from_checkpoint("a.ckpt").run(10)
    os.remove("a.csv")
    with pytest.warns(UserWarning, match=r"a\.csv no longer exists"):
        again = au.Simulation.from_checkpoint("a.ckpt")
    with again:
        again.run(10)
    assert Path("a.csv").read_text().splitlines()[1].startswith("65,")


def test_trajectories_are_no_checkpoints(here):
    au.write("a.gsd", au.build.lattice("sc", n=8, density=1.0))
    with pytest.raises(au.InputError, match="is a GSD file, not a checkpoint"):
        au.Simulation.from_checkpoint("a.gsd")


def test_a_foreign_file_is_no_checkpoint(here):
    Path("a.ckpt").write_text("nothing")
    with pytest.raises(au.FileError, match=r"a\.ckpt"):
        au.Simulation.from_checkpoint("a.ckpt")
    with pytest.raises(au.FileError, match=r"none\.ckpt"):
        au.Simulation.from_checkpoint("none.ckpt")


@pytest.mark.parametrize("elsewhere", ["out", "other"])
def test_another_folder_than_that_of_the_run(here, liquid, monkeypatch, elsewhere):
    """Files would begin anew there, so the command for the right one is told."""
    for folder in ("out", "other"):
        os.mkdir(folder)
    outputs = [au.Log("out/a.csv", every=2), au.Checkpoint("out/a.ckpt", every=4)]
    with liquid(observers=outputs) as sim:
        sim.run(4)
    monkeypatch.chdir(elsewhere)
    before = sorted(os.listdir())
    path = os.path.relpath(here / "out/a.ckpt")
    with pytest.raises(au.InputError, match=f"cd {here} && aureole run out/a.ckpt`"):
        au.Simulation.from_checkpoint(path, allow_write=["."])
    assert sorted(os.listdir()) == before
    monkeypatch.chdir(here)
    assert au.Simulation.from_checkpoint("out/a.ckpt").step == 4
