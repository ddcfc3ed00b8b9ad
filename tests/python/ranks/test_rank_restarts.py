# SPDX-License-Identifier: Apache-2.0
"""Checkpoints on several ranks: one file, the same bits on as many ranks, any other number too."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest
from test_rank_molecules import CASES
from test_rank_molecules import simulation as molecules
from test_rank_simulations import simulation, system

INTEGRATORS = [
    au.NVE(dt=0.003),
    au.Langevin(dt=0.003, kT=1.0, gamma=1.0),
    au.Bussi(dt=0.003, kT=1.0, tau=0.5, every=10),
]


def on(ranks: int, precision: str = "double", algorithm: str = "auto") -> au.Device:
    return au.Device(ranks=ranks, threads=1, precision=precision, algorithm=algorithm)


def assert_same(one: au.Simulation, other: au.Simulation) -> None:
    assert one.step == other.step
    for name in ("position", "velocity", "image", "force"):
        np.testing.assert_array_equal(one.get(name), other.get(name), err_msg=name)
    assert one.energy.potential == other.energy.potential


def assert_ranks_go_on_to_the_bit(device: au.Device, integrator: Any, path: Path) -> None:
    sim = simulation(3, integrator=integrator, device=device)
    for cut in (7, 20):
        sim.run(cut)
        sim.write_checkpoint(path)
        again = au.Simulation.from_checkpoint(path)
        assert again.describe()["ranks"] == 3
        for one in (sim, again):
            one.run(31)
        assert_same(sim, again)
        again.close()


@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda one: type(one).__name__)
def test_as_many_ranks_go_on_to_the_bit(integrator: Any, precision: str, tmp_path: Path) -> None:
    assert_ranks_go_on_to_the_bit(on(3, precision), integrator, tmp_path / "state.cpt")


def test_flat_lists_go_on_to_the_bit(tmp_path: Path) -> None:
    device = on(3, "mixed", "flat")
    assert_ranks_go_on_to_the_bit(device, INTEGRATORS[0], tmp_path / "state.cpt")


@pytest.mark.parametrize("case", ["mesh_and_barostat", "stochastic", "velocity_verlet"])
def test_molecules_go_on_to_the_bit(case: str, tmp_path: Path) -> None:
    sim = molecules(tmp_path, *CASES[case], 2)
    sim.minimize(au.SteepestDescent(max_steps=30))
    sim.thermalize("250 K")
    sim.run(13)
    sim.write_checkpoint(tmp_path / "state.cpt")
    again = au.Simulation.from_checkpoint(tmp_path / "state.cpt")
    alone = au.Simulation.from_checkpoint(tmp_path / "state.cpt", device=on(1))
    assert alone.energy.potential == pytest.approx(again.energy.potential, rel=1e-10)
    for one in (sim, again):
        one.run(25)
    assert sim.box == again.box
    assert_same(sim, again)


def test_any_number_of_ranks_reads_what_any_number_wrote(tmp_path: Path) -> None:
    sim = simulation(4)
    sim.run(20)
    sim.write_checkpoint(tmp_path / "of_4.cpt")
    energy, position = sim.energy.potential, sim.get("position")
    for ranks in (1, 2, 3):
        first = au.Simulation.from_checkpoint(tmp_path / "of_4.cpt", device=on(ranks))
        first.write_checkpoint(tmp_path / f"of_{ranks}.cpt")
        back = au.Simulation.from_checkpoint(tmp_path / f"of_{ranks}.cpt", device=on(4))
        for one in (first, back):
            assert one.step == 20
            assert one.energy.potential == pytest.approx(energy, rel=1e-12)
            np.testing.assert_array_equal(one.get("position"), position)
            one.close()


def test_columns_of_users_are_kept(tmp_path: Path) -> None:
    start = system()
    label = start.columns["label"] = np.arange(start.n, dtype=np.float64)
    dimer = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="shift")
    sim = au.Simulation(start, forces=[dimer], integrator=au.NVE(dt=0.003), device=on(3))
    sim.run(10)
    sim.write_checkpoint(tmp_path / "state.cpt")
    for ranks in (1, 3):
        again = au.Simulation.from_checkpoint(tmp_path / "state.cpt", device=on(ranks))
        np.testing.assert_array_equal(again.get("label"), label)


def test_output_goes_on_without_a_gap(tmp_path: Path) -> None:
    log, path = tmp_path / "log.csv", str(tmp_path / "state.cpt")
    observers = [au.Log(str(log), every=5), au.Checkpoint(path, every=20)]
    simulation(2, observers=observers).run(40)
    sim = au.Simulation.from_checkpoint(path, device=on(3))
    sim.run(20)
    steps = [line.split(",")[0] for line in log.read_text().splitlines() if line[0].isdigit()]
    assert steps == [str(5 * k) for k in range(13)]


def test_a_checkpoint_that_cannot_be_written_is_an_error_and_no_more(tmp_path: Path) -> None:
    sim, other = simulation(2), simulation(2)
    for one in (sim, other):
        one.run(10)
    other.write_checkpoint(tmp_path / "state.cpt")
    for place in (tmp_path, tmp_path / "nowhere" / "state.cpt"):
        with pytest.raises(au.FileError, match=str(place)):
            sim.write_checkpoint(place)
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".lock"] == ["state.cpt"]
    for one in (sim, other):
        one.run(10)
    assert_same(sim, other)


def test_altered_files_are_refused_on_ranks(tmp_path: Path) -> None:
    sim = simulation(2)
    sim.run(5)
    path, altered = tmp_path / "state.cpt", tmp_path / "altered.cpt"
    sim.write_checkpoint(path)
    good = path.read_bytes()
    rng = np.random.default_rng(1)
    for at in [0, 20, *rng.integers(len(good), size=10)]:
        bad = bytearray(good)
        bad[at] ^= 1 << int(rng.integers(8))
        altered.write_bytes(bytes(bad))
        with warnings.catch_warnings(), pytest.raises(au.FileError, match=r"altered\.cpt"):
            au.Simulation.from_checkpoint(altered)
    altered.write_bytes(good[: len(good) // 2])
    with pytest.raises(au.FileError, match=r"altered\.cpt"):
        au.Simulation.from_checkpoint(altered)
