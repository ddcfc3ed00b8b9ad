# SPDX-License-Identifier: Apache-2.0
"""Simulations on ranks in scripts with threads and forked children, and after refused calls."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import aureole as au
import pytest
from mpirun_jobs import ended, launchers

MAKE = """\
import os, sys, threading
import aureole as au

def make():
    system = au.build.lattice("fcc", n=2048, density=0.8)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    {device}
    return au.Simulation(system, [force], au.NVE(dt=0.003), device=device)

sim = make()
sim.run(5)
"""
DEVICES = {1: "device = au.Device(threads=1)", 2: "device = au.Device(ranks=2, threads=1)"}
#: What a forked child does, and what it says.
CHILDREN = {
    "sys.exit(0)": "",
    "globals().pop('sim'); sys.exit(0)": "",
    "sim.run(5)": "belongs to the process that created it",
    "other = make(); other.run(5); print('made'); sys.exit(0)": "made",
}
FORK = """
child = os.fork()
if child == 0:
    {what}
os.waitpid(child, 0)
sim.run(5)
print("went on to", sim.step)
"""


def script(text: str, ranks: int, **more: object) -> subprocess.CompletedProcess[str]:
    Path("job.py").write_text(MAKE.format(device=DEVICES[ranks]) + text)
    return subprocess.run(
        [sys.executable, "job.py"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **more,  # type: ignore[call-overload]
    )


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("what", CHILDREN)
@pytest.mark.parametrize("ranks", DEVICES)
def test_a_forked_child_leaves_the_ranks_alone(ranks: int, what: str) -> None:
    done = script(FORK.format(what=what), ranks)
    assert done.returncode == 0, done.stderr
    assert "went on to 10" in done.stdout
    assert CHILDREN[what] in done.stdout + done.stderr


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("mpirun", launchers()[:1] or [None])
def test_a_forked_child_of_a_rank_of_mpirun(mpirun: str | None, rank: int) -> None:
    if mpirun is None:
        pytest.skip("no mpirun was found. Install: pip install mpich, or apt install mpich")
    fork = f"""
if au.ranks.rank == {rank}:
    child = os.fork()
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)
sim.run(5)
sys.stdout.write(f"went on to {{sim.step}}\\n")
"""
    Path("job.py").write_text(MAKE.format(device=DEVICES[1]) + fork)
    code, out, err = ended(mpirun, 2, "job.py")
    assert (code, err) == (0, "")
    assert out.count("went on to 10") == 2


def test_threads_take_turns() -> None:
    threads = """
seen = []
def look():
    for _ in range(50):
        seen.append(sim.energy.total)
        seen.append(sim.get("position").shape)
workers = [threading.Thread(target=look) for _ in range(3)]
for one in workers: one.start()
for one in workers: one.join()
print(len(seen), len(set(seen)))
"""
    done = script(threads, 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["300", "2"]


def test_another_thread_is_refused_during_a_run() -> None:
    """As on one rank; the run goes on."""
    errors: list[str] = []

    def use(sim: au.Simulation) -> None:
        try:
            sim.get("position")
        except au.InputError as error:
            errors.append(str(error))

    def look(sim: au.Simulation) -> None:
        other = threading.Thread(target=use, args=(sim,))
        other.start()
        other.join(20)
        assert not other.is_alive()

    with simulation(observers=[au.Callback(look, every=10)]) as sim:
        sim.run(20)
        assert sim.step == 20
    assert errors
    assert all("in use by another thread" in one for one in errors)


def simulation(**more: object) -> au.Simulation:
    system = au.build.lattice("fcc", n=2048, density=0.8)
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    device = au.Device(ranks=2, threads=1)
    return au.Simulation(system, [force], au.NVE(dt=0.003), device=device, **more)


def test_a_refused_minimisation_leaves_the_simulation_usable() -> None:
    system = au.System(
        box=au.Box(9, 9, 9),
        position=[[0, 0, 0], [1, 0, 0], [4, 4, 4], [-4, -4, -4]],
        terms={"constraint": ([[0, 1]], (1.0,))},
    )
    force = au.LennardJones(epsilon=1, sigma=1, r_cut=2.0)
    device = au.Device(ranks=2, threads=1)
    with au.Simulation(
        system, [force], au.LeapFrog(dt=0.001), constraints=[au.LINCS()], device=device
    ) as sim:
        sim.run(2)
        for _ in range(2):
            with pytest.raises(au.InputError, match="FIRE cannot minimise with constraints"):
                sim.minimize(au.FIRE(max_steps=5))
        sim.run(3)
        assert sim.step == 5


def test_followers_import_nothing_from_the_working_folder() -> None:
    Path("scripts").mkdir()
    for name in ("numpy", "random", "copy", "types", "string", "token"):
        Path(f"{name}.py").write_text("raise RuntimeError('of the working folder')\n")
    Path("scripts/job.py").write_text(MAKE.format(device=DEVICES[2]) + "print(sim.step)\n")
    done = subprocess.run(
        [sys.executable, "scripts/job.py"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "5\n"), done.stderr


@pytest.mark.parametrize("closed", [(0,), (0, 1), (0, 1, 2)])
def test_closed_streams(closed: tuple[int, ...]) -> None:
    def close() -> None:
        for stream in closed:
            os.close(stream)

    text = "open('seen', 'w').write(str(sim.step))\n"
    done = script(text, 2, preexec_fn=close)
    assert done.returncode == 0, done.stderr
    assert Path("seen").read_text() == "5"
