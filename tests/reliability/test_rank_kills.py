# SPDX-License-Identifier: Apache-2.0
"""Ranks that are killed, stopped or fail at random moments: all end soon, and nothing is left."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest

LIMIT = 5.0  # seconds from the death to the error on rank 0, besides those that a stop takes
SCRIPT = """\
import sys
sys.path.insert(0, {folder!r})
import test_rank_kills
sim = test_rank_kills.simulation({ranks})
print(*[sim._core._team.world.process(r) for r in range({ranks})], flush=True)
sim.run(10**9)
"""


def simulation(ranks: int, **more: Any) -> au.Simulation:
    """A small dense fluid that all ranks have a part of."""
    n = 14
    rng = np.random.default_rng(1)
    edge = (1 / 0.8) ** (1 / 3) * n
    lattice = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3)
    position = (lattice + 0.5) / n * edge - edge / 2 + rng.normal(0, 0.05, (n**3, 3))
    system = au.System(
        box=au.Box(edge, edge, edge), position=position, velocity=rng.normal(0, 1, (n**3, 3))
    )
    return au.Simulation(
        system,
        [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)],
        au.Langevin(dt=0.004, kT=1.0, gamma=1.0),
        device=au.Device(ranks=ranks, threads=1),
        **more,
    )


def is_there(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def processes_of(sim: au.Simulation, ranks: int) -> list[int]:
    return [sim._core._team.world.process(r) for r in range(ranks)]


def shared_names() -> set[str]:
    return {path.name for path in Path("/dev/shm").glob("*aureole*")}


def one_death(seed: int, folder: Path) -> None:
    """One follower dies while steps are made, energies summed, arrays gathered and checkpoints
    written, from the last of which a run goes on.
    """
    chance = random.Random(seed)
    ranks = chance.choice([2, 3, 4, 8])
    victim = chance.randrange(1, ranks)
    how = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP])
    sim = simulation(ranks)
    sim.run(2)
    state = folder / f"{seed}.cpt"
    sim.write_checkpoint(state)
    processes = processes_of(sim, ranks)
    died: list[float] = []

    def kill() -> None:
        died.append(time.monotonic())
        os.kill(processes[victim], how)

    timer = threading.Timer(chance.uniform(0, 0.4), kill)
    timer.start()
    with pytest.raises(au.RankError, match=rf"rank {victim} \(process {processes[victim]}\)"):
        while True:
            sim.run(chance.choice([1, 3, 50]))
            sim.get("velocity")
            assert sim.energy.potential < 0
            sim.write_checkpoint(state)
    took = time.monotonic() - died[0]
    stopped = 3.0 + 2.0 if how == signal.SIGSTOP else 0.0
    busy = 20.0  # where other tests have the processors
    assert took < LIMIT + stopped + busy
    assert not any(is_there(process) for process in processes[1:])
    del sim
    gc.collect()
    assert not [path for path in folder.iterdir() if ".tmp-" in path.name]
    again = au.Simulation.from_checkpoint(state, device=au.Device(ranks=chance.choice([1, 2])))
    again.run(3)
    assert again.energy.potential < 0
    again.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_follower_dies(seed: int, tmp_path: Path) -> None:
    before = shared_names()
    one_death(seed, tmp_path)
    assert shared_names() == before


@pytest.mark.validate
def test_followers_die_at_200_moments(tmp_path: Path) -> None:
    for seed in range(100, 300):
        one_death(seed, tmp_path)


@pytest.mark.parametrize(("how", "ranks"), [("SIGKILL", 3), ("SIGTERM", 4), ("SIGKILL", 8)])
def test_the_leader_dies(how: str, ranks: int) -> None:
    folder = str(Path(__file__).parent)
    leader = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(folder=folder, ranks=ranks)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert leader.stdout is not None
    processes = [int(word) for word in leader.stdout.readline().split()]
    assert len(processes) == ranks
    time.sleep(0.3)
    leader.send_signal(getattr(signal, how))
    said = leader.communicate(timeout=60)[1]
    end = time.monotonic() + 30
    while any(is_there(process) for process in processes):
        assert time.monotonic() < end, "a rank is still there"
        time.sleep(0.05)
    assert "Traceback" not in said or how == "SIGTERM"


class Broken(Exception):
    pass


@pytest.mark.parametrize("ranks", [2, 5])
def test_an_error_in_a_callback_leaves_the_ranks_usable(ranks: int) -> None:
    def fail(sim: au.Simulation) -> None:
        if sim.step >= 20:
            raise Broken

    sim = simulation(ranks, observers=[au.Callback(fail, every=10)])
    with pytest.raises(Broken):
        sim.run(100)
    assert sim.step == 20
    assert sim.energy.potential < 0
