# SPDX-License-Identifier: Apache-2.0
"""Processes that work together on one machine: started, called, failing, and gone afterwards."""

from __future__ import annotations

import ast
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole.base.errors import FileError, InputError, RankError
from aureole.ranks import team as ranks
from aureole.ranks.processors import divided
from aureole.ranks.team import Team

SIZES = [1, 2, 3, 5]
MOST = 10_000  # bytes of a message


def children() -> set[int]:
    """Processes that this one started and that are still there."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(folder.name))
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Any:
    gc.collect()  # simulations of other tests
    before, processors = children(), os.sched_getaffinity(0)
    yield
    assert children() <= before
    assert os.sched_getaffinity(0) == processors


# What ranks are called to do; they import it from here by its name.


def pass_around(world: Any, text: bytes) -> bytes:
    """Send `text` once around all ranks, each of which adds its number."""
    if world.size == 1:
        return text + b"0"
    if world.rank == 0:
        world.send(1, text.ljust(100) + b"0")
        return bytes(world.receive(world.size - 1, 100 + world.size))
    got = world.receive(world.rank - 1, 100 + world.rank)
    world.send((world.rank + 1) % world.size, got + str(world.rank).encode())
    return b""


def imported(world: Any) -> bytes:
    """What the last rank has imported when it is called, and then finds in the package."""
    if world.rank == 0:
        return bytes(world.receive(world.size - 1, MOST))
    modules = sorted(name for name in sys.modules if name.startswith("aureole."))
    import aureole as au
    from aureole.build import particles

    found = [
        hasattr(au, "no_such_name"),
        au.LennardJones.__name__,
        particles.__name__,
        au.__version__,
    ]
    world.send(0, repr([modules, *found]).encode().ljust(MOST))
    return b""


def fail(world: Any, culprit: int, kind: type[BaseException], text: str) -> None:
    """One rank fails while the others wait."""
    if world.rank == culprit:
        raise kind(text)
    for _ in range(10**6):
        world.barrier()


def die(world: Any, culprit: int, how: str) -> None:
    """One rank comes to an end of some kind while the others wait."""
    for round_ in range(10**6):
        world.barrier()
        if world.rank == culprit and round_ == 50:
            if how == "exit":
                os._exit(7)
            os.kill(os.getpid(), getattr(signal, how))


@pytest.mark.parametrize("size", SIZES)
def test_all_ranks_do_what_the_leader_calls_for(size: int) -> None:
    with Team(size) as team:
        assert team.size == size
        for k in range(5):
            text = b"round %d" % k
            got = team.call(pass_around, text)
            assert got.startswith(text)
            assert got.endswith("".join(map(str, range(size))).encode())


@pytest.mark.parametrize(
    ("kind", "culprit"), [(InputError, 0), (InputError, 2), (FileError, 1), (RankError, 2)]
)
def test_an_error_of_one_rank_is_raised_on_rank_0(
    culprit: int, kind: type[BaseException], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(kind, match=r"^no such thing \(here\). Try another.$"), Team(3) as team:
        team.call(fail, culprit, kind, "no such thing (here). Try another.")
    assert capfd.readouterr() == ("", "")  # followers print nothing


def test_an_error_of_other_code_names_its_rank_and_class() -> None:
    with pytest.raises(RankError, match="rank 1 ended by ZeroDivisionError: by what"), Team(2) as t:
        t.call(fail, 1, ZeroDivisionError, "by what")
    with pytest.raises(ZeroDivisionError), Team(2) as t:
        t.call(fail, 0, ZeroDivisionError, "by what")


@pytest.mark.parametrize(
    ("size", "how", "words"),
    [
        (2, "SIGKILL", r"was killed by signal 9, SIGKILL, while rank"),
        (4, "SIGSEGV", r"was killed by signal 11, SIGSEGV, while rank"),
        (4, "exit", r"exited with code 7 while rank"),
        (2, "SIGSTOP", r"is stopped while rank"),
    ],
)
def test_a_dead_rank_is_named(size: int, how: str, words: str) -> None:
    began = time.monotonic()
    with pytest.raises(RankError, match=rf"rank 1 \(process \d+\) {words}"), Team(size) as team:
        team.call(die, 1, how)
    assert time.monotonic() - began < 60


def killed(team: Team, rank: int) -> None:
    """Return when a follower has been killed and is gone."""
    process = team.world.process(rank)
    os.kill(process, signal.SIGKILL)
    while process in children():
        time.sleep(0.001)


def test_a_rank_that_dies_after_the_last_call_spoils_nothing() -> None:
    team = Team(3)
    team.call(pass_around, b"")
    killed(team, 1)
    words = r"rank 1 \(process \d+\) was killed by signal 9, SIGKILL, .* results are complete"
    with pytest.warns(UserWarning, match=words):
        team.close()
    assert team.ended


def test_nor_does_one_of_a_simulation_that_is_not_needed_any_more() -> None:
    forces = [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)]
    system = au.build.lattice("fcc", n=500, density=0.8)
    device = au.Device(ranks=2, threads=1)
    sim = au.Simulation(system, forces, au.NVE(dt=0.005), device=device, seed=1)
    sim.run(2)
    killed(sim._core._team, 1)
    with pytest.warns(UserWarning, match="SIGKILL, while .* results are complete"):
        del sim
        gc.collect()


class Absent:
    """A process that does not end unless it is killed; who waits lets the clock run."""

    returncode = None

    def __init__(self, clock: list[float]) -> None:
        self.pid, self.clock = 0, clock

    def wait(self, most: float | None = None) -> int:
        if self.returncode is None:
            assert most is not None
            self.clock[0] += most
            raise subprocess.TimeoutExpired("absent", most)
        return self.returncode

    def kill(self) -> None:
        self.returncode = -9


def test_followers_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    team = Team(1)
    monkeypatch.setattr(ranks.time, "monotonic", lambda: clock[0])
    team._followers = followers = [Absent(clock) for _ in range(511)]  # type: ignore[assignment]
    team.close()
    assert clock[0] == pytest.approx(100.0 + ranks._TIME_TO_LEAVE)
    assert all(follower.returncode == -9 for follower in followers)


def test_a_death_at_the_start_lets_the_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "_TIME_TO_LEAVE", 60.0)  # so that none is killed
    started, start = [], Team._start

    def starting(team: Team, rank: int, shares: Any) -> Any:
        started.append(start(team, rank, shares))
        if rank == 1:
            started[0].kill()
        return started[-1]

    monkeypatch.setattr(Team, "_start", starting)
    with pytest.raises(RankError, match=r"rank 1 .* SIGKILL, while rank 0 waited"):
        Team(4)
    assert [process.returncode for process in started] == [-9, 1, 1]


def test_an_error_of_the_script_lets_all_ranks_go() -> None:
    with pytest.raises(KeyError), Team(4) as team:
        team.call(pass_around, b"")
        raise KeyError("the script's own")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_followers_end_with_their_leader(how: signal.Signals, tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from aureole.ranks.team import Team\n"
        "team = Team(3)\n"
        "print(*(team.world.process(r) for r in range(3)), flush=True)\n"
        "time.sleep(600)\n"
    )
    leader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert leader.stdout is not None
    processes = [int(word) for word in leader.stdout.readline().split()]
    leader.send_signal(how)
    leader.wait()
    end = time.monotonic() + 60
    while any(Path(f"/proc/{p}").exists() for p in processes if p > 0):
        assert time.monotonic() < end, "a follower is still there"
        time.sleep(0.05)


def test_a_team_of_another_thread_outlives_it() -> None:
    teams: list[Team] = []
    thread = threading.Thread(target=lambda: teams.append(Team(3)))
    thread.start()
    thread.join()
    with teams[0] as team:
        assert team.call(pass_around, b"x").endswith(b"012")


@pytest.mark.parametrize("size", [0, -3, 1000])
def test_numbers_of_ranks_that_cannot_be(size: int) -> None:
    with pytest.raises(InputError, match="ranks cannot be started"):
        Team(size)


def test_processors_are_divided_side_by_side() -> None:
    assert divided([0, 1, 4, 5], 2, None) == [[0, 1], [4, 5]]
    assert divided([0, 1, 4, 5], 3, None) == [[0], [1], [4]]
    assert divided([0, 1, 4, 5], 2, 1) == [[0], [1]]
    assert divided([0, 1, 4, 5], 2, 3) is None
    assert divided([0, 1], 3, None) is None


def test_followers_import_the_package_once_they_need_it() -> None:
    with Team(2) as team:
        modules, *found = ast.literal_eval(team.call(imported).decode().strip())
    assert found == [False, "LennardJones", "aureole.build.particles", au.__version__]
    assert "aureole.ranks" in modules
    assert not {"aureole.simulation", "aureole.gromacs", "aureole.observers"} & set(modules)


@pytest.mark.parametrize("variable", ["", f"1 {2**64} 1 0 3 4"])
def test_a_follower_alone_says_what_it_is(variable: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aureole.ranks.follower"],
        env={**os.environ, "AUREOLE_RANK": variable, "AUREOLE_RANK_PROCESSORS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ") and "is started by aureole itself" in done.stderr
