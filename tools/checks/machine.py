# SPDX-License-Identifier: Apache-2.0
"""How fast this machine is, and how much time of its processors something took."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from pathlib import Path

from .config import Config, Problem

UNIT = Path(__file__).with_name("factor.cpp")
#: Seconds of processor that UNIT takes on a Zen 5 core with GCC 12: from a machine on which three
#: units of md, whose times on a Zen 5 are known, took 1.08 to 1.14 times as long, and UNIT 1.6 s.
SECONDS_ON_ZEN_5 = 1.45
#: A factor that was measured this long ago is taken again: `make test` and what follows it.
FRESH = 3600.0


def children_seconds() -> float:
    """User and system time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_once() -> float:
    compiler = os.environ.get("CXX", "c++")
    before = children_seconds()
    command = [compiler, "-std=c++20", "-O2", "-c", str(UNIT), "-o", os.devnull]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Problem(f"{compiler} cannot be started ({error}). Install a C++ compiler.") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Problem(f"{compiler} refuses {UNIT.name} ({last}). Use GCC 12 or newer.")
    return children_seconds() - before


def factor(config: Config) -> float:
    """How many times longer than a Zen 5 core this machine takes; measured at most once an hour."""
    if given := os.environ.get("AUREOLE_FACTOR"):
        try:
            found = float(given)
        except ValueError:
            found = 0.0
        if not 0.1 < found < 100:
            raise Problem(f"AUREOLE_FACTOR={given} (it is no factor of a machine). Leave it out.")
        return found
    place = config.records / "machine.json"
    if (found := _measured(place)) is not None:
        return found
    found = min(compile_once() for _ in range(3)) / SECONDS_ON_ZEN_5
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps({"factor": found}))
    part.replace(place)
    return found


def _measured(place: Path) -> float | None:
    """What was measured not long ago; None too if the clock was set back, or nothing is there."""
    try:
        if 0 <= time.time() - place.stat().st_mtime < FRESH:
            return float(json.loads(place.read_text())["factor"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def cores() -> int:
    return len(os.sched_getaffinity(0))


def _ticks(pid: int | str, first: int = 11) -> float:
    """Seconds of a process and of the children it has waited for; from 13, of those alone."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, words[first:15])) / os.sysconf("SC_CLK_TCK")


def children_of(pid: int | str) -> list[str]:
    found: list[str] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
    except OSError:
        pass
    return found


def _descendants_seconds(pid: int | str) -> float:
    return sum(_ticks(child) + _descendants_seconds(child) for child in children_of(pid))


def own_seconds() -> float:
    """Time of this process and of all below it, those that are still running included."""
    return time.process_time() + children_seconds() + _descendants_seconds(os.getpid())


def seconds_of(pid: int) -> float:
    """The same of a child of ours."""
    try:
        own = time.clock_gettime((~pid << 3) | 2)  # the clock of a process, as clock_getcpuclockid
    except OSError:
        return 0.0
    return own + _ticks(pid, first=13) + _descendants_seconds(pid)
