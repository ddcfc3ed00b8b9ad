# SPDX-License-Identifier: Apache-2.0
"""Commands of the checks as processes: nothing outlasts them, and no two runs are in one tree."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from .config import Config, Problem
from .machine import children_of

#: Variables of a caller that would change what is tested, and those of ours that may.
FOREIGN = ("AUREOLE_", "GTEST_", "TESTBRIDGE_", "PYTEST_", "PYTHONOPTIMIZE")
OURS = ("AUREOLE_CHECK_", "AUREOLE_CI_", "AUREOLE_FACTOR", "AUREOLE_GMX", "AUREOLE_LMP")
OURS += ("AUREOLE_MPI", "AUREOLE_PLANTED")
#: prctl: who is left without a parent becomes a child of this process.
PR_SET_CHILD_SUBREAPER = 36


def plain_environment() -> dict[str, str]:
    """That of the caller, without what would choose or change tests."""
    return {k: v for k, v in os.environ.items() if k.startswith(OURS) or not k.startswith(FOREIGN)}


@contextlib.contextmanager
def alone(config: Config) -> Iterator[None]:
    """One run a tree: two would share builds and records, and prove what neither has seen."""
    config.records.mkdir(parents=True, exist_ok=True)
    with (config.records / "lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise Problem(
                f"other checks run in this tree (process {file.read().strip() or 'unknown'}). "
                "Wait for their end."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        adopt()
        yield


class Program:
    """Whether this process is lanes.py itself, rather than one that calls its functions."""

    whole = False
    adopts = False


def adopt() -> None:
    """Makes what commands leave behind children of this process, so that it can be ended."""
    if Program.whole:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            Program.adopts = True


def run(command: list[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, list[str]]:
    """Exit code, and the names of processes that it left behind, which are ended."""
    before = set(children_of(os.getpid()))
    try:
        code = _wait(subprocess.Popen(command, cwd=folder, env=dict(environment)))
    except BaseException:  # Ctrl-C, SIGTERM
        end_all_but(before, patience=2.0)
        raise
    return code, end_all_but(before)


def _wait(command: subprocess.Popen[bytes]) -> int:
    """The command's exit code. Of what was left to us, nothing that ends stays as a zombie: tests
    look whether processes are there."""
    if not Program.adopts:
        return command.wait()
    pid = None
    while pid != command.pid:
        pid, status = os.waitpid(-1, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    return command.returncode


def end_all_but(kept: set[str], patience: float = 0.0) -> list[str]:
    """Ends all children but some; their names. What they start while they end comes to us too."""
    names = []
    while left := set(children_of(os.getpid())) - kept:
        names += end(left, patience)
    return names


def end(pids: set[str], patience: float = 0.0) -> list[str]:
    """Ends some children and all below them; the names of those that ran."""
    names = []
    for pid in pids:
        family = [pid, *_below(pid)]
        with contextlib.suppress(OSError):
            if not all(map(_ended, family)):
                names.append(Path(f"/proc/{pid}/comm").read_text().strip())
        _send(family, signal.SIGTERM)
        until = time.monotonic() + patience
        # Not the child alone: who is below it may have others to end.
        while time.monotonic() < until and not all(map(_ended, family)):
            time.sleep(0.01)
        _send([*family, *_below(pid)], signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(int(pid), 0)
    return names


def _below(pid: str) -> list[str]:
    return [deep for child in children_of(pid) for deep in (child, *_below(child))]


def _send(pids: list[str], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(int(pid), number)


def _ended(pid: str) -> bool:
    """Whether a process is gone, or waits to be waited for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"
