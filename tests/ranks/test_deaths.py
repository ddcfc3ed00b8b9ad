# SPDX-License-Identifier: Apache-2.0
"""Ranks that are killed, stopped, exit, raise or find the disk full, in every phase of a run."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from mpirun_jobs import ABLE, launchers, processes_with, rank_of
from systems import Library, on

HERE = Path(__file__).parent
FAULTS = HERE.parents[1] / "build" / "faults.so"
WORKS = ("start", "steps", "gathering", "checkpoint", "callback")
WAYS = ("kill", "stop", "exit", "error", "full disk")
PHASES = (
    "start|next call|update of the pair lists|exchange of positions|exchange of forces|mesh|"
    "sums over the ranks|gathering of results|checkpoint|callback|end"
)
LIMIT = 10.0  # seconds from the death to the end of all
STOPPED = 5.0  # more, until a rank that is stopped is given up
BUSY = 20.0  # more, where others have the processors


@dataclass(frozen=True)
class Death:
    """Who dies, how, when and of what work."""

    work: str
    way: str
    ranks: int
    victim: int
    moment: float

    @classmethod
    def drawn(cls, seed: int, work: str, way: str, most: int) -> Death:
        dice = random.Random(seed)
        ranks = dice.choice([n for n in (2, 3, 4, 8) if n <= most])
        # A leader that is stopped is waited for as long as its user likes.
        lowest = 0 if way == "kill" else 1
        return cls(work, way, ranks, dice.randrange(lowest, ranks), dice.uniform(0, 0.5))

    @property
    def inside(self) -> bool:
        """Whether the rank does it to itself."""
        return self.way not in ("kill", "stop")


def state_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


class Run:
    """The processes of a run in a folder of its own."""

    def __init__(self, death: Death, folder: Path, mpirun: str | None) -> None:
        self.death, self.folder, self.mpirun = death, folder, mpirun
        words = [str(HERE / "dying.py"), str(folder), str(death.ranks)]
        plan = [death.victim, death.moment, death.way] if death.inside else None
        words += ["steps" if death.work == "start" else death.work, json.dumps(plan)]
        command = [sys.executable, "-m", "aureole", "run", *words]
        if mpirun is not None:
            command = [mpirun, "-n", str(death.ranks), *command]
        paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        more = {"PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"}
        if death.way == "full disk":
            more["LD_PRELOAD"] = str(FAULTS)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **ABLE, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def followers(self) -> list[int]:
        """Processes of other ranks than the first, as far as these have been started."""
        found = [n for n in processes_with(str(self.folder)) if n != self.process.pid]
        if self.mpirun is None:
            return found
        return [n for n in found if rank_of(n) not in (None, "0")]

    def strike(self) -> float:
        """Let the victim die; when."""
        death = self.death
        if death.work == "start":
            while not (found := self.followers()):
                assert self.process.poll() is None, self.process.communicate()[1]
                time.sleep(0.001)
            victims = [random.Random(death.moment).choice(found)]
            time.sleep(0.02 + 0.6 * death.moment)  # until it is a program of its own
        else:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            assert line, self.process.communicate()[1]
            victims = [int(line.split()[death.victim])]
            time.sleep(death.moment)
        if not death.inside:
            number = signal.SIGKILL if death.way == "kill" else signal.SIGSTOP
            os.kill(victims[0], number)
        return time.monotonic()

    def end(self) -> tuple[float, str]:
        """Seconds until no process is left, and what was said."""
        died = self.strike()
        most = LIMIT + BUSY + (STOPPED if self.death.way == "stop" else 0)
        try:
            said = "".join(self.process.communicate(timeout=most))
            while left := processes_with(str(self.folder)):
                assert time.monotonic() - died < most, [(n, state_of(n)) for n in left]
                time.sleep(0.02)
        finally:
            self.process.kill()
            for number in processes_with(str(self.folder)):
                os.kill(number, signal.SIGKILL)
        return time.monotonic() - died, said


def check(death: Death, base: Path, folder: Path, mpirun: str | None = None) -> str:
    """One death and all that must be so after it; the phase that was named."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(base, folder / "state.cpt")
    shared = set(Path("/dev/shm").iterdir())
    run = Run(death, folder, mpirun)
    took, said = run.end()
    assert run.process.returncode != 0, death
    ours = [name for name in set(Path("/dev/shm").iterdir()) - shared if "aureole" in str(name)]
    assert not ours, (death, ours)
    assert took < LIMIT + BUSY + STOPPED, death
    # Our launcher leaves nothing; of an mpirun a whole file may be left that was being renamed.
    assert mpirun is not None or not temporaries(folder), death
    for left in temporaries(folder):
        au.Simulation.from_checkpoint(left, device=au.Device(threads=1)).close()
    again = au.Simulation.from_checkpoint(folder / "state.cpt", device=au.Device(threads=1))
    again.run(2)
    assert again.energy.potential < 0, death
    again.write_checkpoint(folder / "state.cpt")
    assert not temporaries(folder), death
    again.close()
    return named(death, said, mpirun is not None)


def temporaries(folder: Path) -> list[Path]:
    """What a writer left that did not finish."""
    return [path for path in folder.iterdir() if ".tmp-" in path.name]


def named(death: Death, said: str, mpirun: bool) -> str:
    """The phase of an error, which is one line and names the rank."""
    if death.victim == 0 or death.work == "start":
        return ""
    lines = [line for line in said.splitlines() if line.startswith("error: ")]
    if mpirun and not lines:  # it was faster than rank 0, which it has ended
        return "mpirun"
    assert len(lines) == 1 and "Traceback" not in said, (death, said)
    if death.way == "full disk":
        assert "No space left" in lines[0], (death, said)
        return "checkpoint"
    assert f"rank {death.victim} " in lines[0], (death, said)
    if death.way == "error":
        assert "ended by Broken" in lines[0], (death, said)
        return ""
    words = {"kill": "SIGKILL", "stop": "is stopped", "exit": "exited with code 3"}
    # How it ended is unknown where mpirun has already waited for it.
    unknown = mpirun and death.way != "stop" and ") died while" in lines[0]
    assert words[death.way] in lines[0] or unknown, (death, said)
    found = re.search(rf"waited for it \(({PHASES})", lines[0])
    assert found, (death, said)
    return found[1]


@pytest.fixture(scope="module")
def base(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of molecules with a mesh and a thermostat, for any number of ranks up to 8."""
    path = tmp_path_factory.mktemp("base") / "state.cpt"
    with library.simulation("mesh", (2, 2, 2), on((1, 1, 1), "mixed")) as sim:
        sim.run(5)
        sim.write_checkpoint(path)
    return path


def possible(work: str, way: str) -> bool:
    """The disk is full where something is written; nothing is armed before the start."""
    if way == "full disk":
        return work == "checkpoint" and FAULTS.exists()
    return work != "start" or way in ("kill", "stop")


ALL = [(work, way) for work in WORKS for way in WAYS if possible(work, way)]
#: One who is stopped is given up after three seconds.
SOME = [one for one in ALL if one[1] != "stop" or one[0] in ("start", "steps")]


@pytest.mark.parametrize(("work", "way"), SOME)
def test_a_rank_dies(work: str, way: str, base: Path, tmp_path: Path) -> None:
    check(Death.drawn(len(work + way), work, way, 4), base, tmp_path / "run")


@pytest.mark.validate
@pytest.mark.parametrize("part", range(8))
def test_ranks_die_at_200_moments(part: int, base: Path, tmp_path: Path) -> None:
    seen: dict[str, int] = {}
    for k in range(25):
        work, way = ALL[(25 * part + k) % len(ALL)]
        phase = check(Death.drawn(1000 * part + k, work, way, 8), base, tmp_path / "run")
        seen[phase] = seen.get(phase, 0) + 1
    print(seen)


OF_MPI = [("steps", "kill"), ("checkpoint", "exit"), ("gathering", "error"), ("callback", "stop")]


@pytest.mark.parametrize(("work", "way"), OF_MPI)
@pytest.mark.parametrize("mpirun", launchers() or [None])
def test_a_rank_of_mpirun_dies(
    mpirun: str | None, work: str, way: str, base: Path, tmp_path: Path
) -> None:
    if mpirun is None:
        pytest.skip("no mpirun was found. Install: pip install mpich, or apt install mpich")
    check(Death.drawn(3, work, way, 4), base, tmp_path / "run", mpirun)


@pytest.mark.validate
@pytest.mark.parametrize("mpirun", launchers() or [None])
def test_ranks_of_mpirun_die_at_40_moments(mpirun: Any, base: Path, tmp_path: Path) -> None:
    if mpirun is None:
        pytest.skip("no mpirun was found. Install: pip install mpich, or apt install mpich")
    # Before ranks have met, MPI waits for one that is stopped.
    able = [one for one in ALL if one != ("start", "stop")]
    for k in range(40):
        work, way = able[k % len(able)]
        check(Death.drawn(k, work, way, 4), base, tmp_path / "run", mpirun)
