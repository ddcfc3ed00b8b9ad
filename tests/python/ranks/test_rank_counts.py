# SPDX-License-Identifier: Apache-2.0
"""What runs take beside computing is counted: collectives, early renewals, steps made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest

COUNTS = (
    *("steps_made", "steps_taken_back", "renewals", "early_renewals"),
    *("collectives", "collectives_of_renewals", "prunings", "searches"),
)


def shot_through(n: int = 10) -> au.System:
    """A cold crystal of n³ particles with a few that fly through it."""
    rng = np.random.default_rng(11)
    edge = (1 / 0.8) ** (1 / 3) * n
    lattice = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3)
    position = (lattice + 0.5) / n * edge - edge / 2
    velocity = rng.normal(0, 0.3, (n**3, 3))
    velocity[5::97] *= 40
    return au.System(box=au.Box(edge, edge, edge), position=position, velocity=velocity)


def simulation(device: au.Device, **more: Any) -> au.Simulation:
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5, mode="shift")
    return au.Simulation(
        shot_through(), [force], **({"integrator": au.NVE(dt=0.001), "device": device} | more)
    )


def counts(sim: au.Simulation) -> dict[str, int]:
    about = sim.describe()
    return {name: about[name] for name in COUNTS}


def since(before: dict[str, int], sim: au.Simulation) -> dict[str, int]:
    return {name: value - before[name] for name, value in counts(sim).items()}


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_agree_once_a_step(ranks: int) -> None:
    """A flag of each step, a wish of each renewal, and one number of each call of run()."""
    with simulation(au.Device(ranks=ranks, threads=1)) as sim:
        sim.run(1)
        before = counts(sim)
        for _ in range(60):
            sim.run(1)
        seen = since(before, sim)
    assert seen["steps_made"] == 60
    assert seen["renewals"] == seen["prunings"] > 0
    assert 0 < seen["early_renewals"] <= seen["renewals"]
    between = seen["collectives"] - seen["collectives_of_renewals"]
    assert between == 60 + 60 + seen["renewals"]
    assert (seen["collectives_of_renewals"] > 0) == (seen["searches"] > 0)
    assert seen["steps_taken_back"] == 0


def test_tolerance_lists_agree_on_nothing_between_searches() -> None:
    neighbors = au.NeighborList(mode="tolerance", buffer=0.6)
    with simulation(au.Device(ranks=2, threads=1), neighbors=neighbors) as sim:
        # Until lists have proven to last, the motion of particles is looked at in each step.
        sim.run(500)
        before = counts(sim)
        for _ in range(40):
            sim.run(1)
        seen = since(before, sim)
    # Those of run(), and a look before each renewal.
    assert seen["collectives"] - seen["collectives_of_renewals"] == 40 + seen["renewals"]
    assert seen["early_renewals"] == 0


def test_one_rank_agrees_with_nobody() -> None:
    with simulation(au.Device(name="host", threads=1)) as sim:
        sim.run(1)
        before = counts(sim)
        sim.run(100)
        seen = since(before, sim)
    assert seen["collectives"] == 0
    assert seen["steps_made"] == 100
    assert seen["renewals"] == seen["prunings"] >= seen["early_renewals"] > 0
    assert seen["steps_taken_back"] == 0  # a host looks at every step


def test_expired_flat_lists_take_steps_back() -> None:
    """Segments are made without looking; on ranks each step is looked at."""
    one = simulation(au.Device(name="host", algorithm="flat", threads=1))
    two = simulation(au.Device(ranks=2, algorithm="flat", threads=1))
    for sim in (one, two):
        sim.run(200)
    alone, shared = counts(one), counts(two)
    assert alone["early_renewals"] > 0 and shared["early_renewals"] > 0
    assert alone["steps_taken_back"] >= alone["early_renewals"]
    assert shared["steps_taken_back"] == 0
    assert alone["steps_made"] == shared["steps_made"] == one.step == 200


def test_minimisations_are_not_counted() -> None:
    with simulation(au.Device(name="host", threads=1)) as sim:
        sim.run(1)
        before = counts(sim)
        sim.minimize(max_steps=50)
        seen = since(before, sim)
    assert seen["steps_made"] == seen["renewals"] == seen["steps_taken_back"] == 0


def test_the_log_of_ranks_prints_them(tmp_path: Path) -> None:
    for ranks in (1, 2):
        log = au.RunLog(str(tmp_path / f"{ranks}.log"), 50)
        device = au.Device(ranks=ranks, threads=1)
        with simulation(device, observers=[log]) as sim:
            sim.run(100)
            about = sim.describe()
        said = json.loads((tmp_path / f"{ranks}.json").read_text())["ranks"]
        text = (tmp_path / f"{ranks}.log").read_text()
        if ranks == 1:
            assert said is None
            assert "collectives" not in text
            continue
        assert said["ranks"] == 2 and sorted(said["grid"]) == [1, 1, 2]
        assert said["list_renewals"] == about["renewals"]
        assert said["renewals_ahead_of_plan"] == about["early_renewals"] > 0
        assert said["steps_taken_back"] == 0
        assert 0 <= said["load_imbalance"] <= 1
        between = said["collectives_per_step_between_renewals"]
        assert 1 < between <= said["collectives_per_step"]
        assert said["collectives_per_step"] == pytest.approx(about["collectives"] / 100)
        for words in (
            f"collectives per step  {said['collectives_per_step']:.3f}, of which {between:.3f} ",
            f"early list renewals   {about['early_renewals']} of {about['renewals']}: ",
            f"load imbalance        {100 * said['load_imbalance']:.1f} %: ",
            "steps taken back      0\n",
            "Means over the ranks; halo and sums include waiting",
        ):
            assert words in text, words


def test_each_rank_has_a_profile() -> None:
    with simulation(au.Device(ranks=2, threads=1)) as sim:
        sim.run(20)
        own, each = sim.profile(), sim.profiles()
    assert len(each) == 2
    assert each[0] == own
    assert all(one["force"] > 0 and one["halo_positions"] > 0 for one in each)
    with simulation(au.Device(name="host", threads=1)) as sim:
        sim.run(20)
        assert sim.profiles() == [sim.profile()]
