# SPDX-License-Identifier: Apache-2.0
"""The other processes that a launcher of MPI started, before they talk to each other.

MPI starts together or not at all: it waits for ever for a process that ended before it took part,
and some launchers end all processes where one ends while others begin. So each shows the others
that it comes, or leaves, by the name of an open file in memory. The others find this file among the
open files of the process, which the system hides from other users.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from aureole.base.errors import InputError

from . import find_launcher

_EVERY = 0.5  # [s] between two looks
_BETWEEN_LOOKS = 0.05  # [s] before all have been seen
_ABSENT = 3.0  # [s] for which a rank is not seen before it counts as ended
_STAGGER = 0.5  # [s] by which later ranks wait longer, so that one of them reports
_NOTE_AFTER = 10.0  # [s]
_TIME_TO_REPORT = 5.0  # [s]
_COMES, _LEAVES = "comes", "leaves"
_has_come = False  # this process, to where ranks meet


class Watch:
    """Ends this process, with an error, if another rank ends before all have come.

    Args:
        call: what this rank does, for the error
    """

    def __init__(self, call: str) -> None:
        self._call = call
        self._sign: int | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        global _has_come
        self._sign, _has_come = _shown(_COMES), True
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop watching: from now on other ranks may end."""
        self._over.set()
        if self._sign is not None:
            os.close(self._sign)
            self._sign = None

    def wait_for_all(self) -> None:
        """Returns when all processes are there and none leaves, as far as they can be seen."""
        rank, size = find_launcher.launched()
        while find_launcher.all_near(size):
            here = living()
            if rank not in here or (len(here) == size and not _others_that_show(_LEAVES)):
                return
            time.sleep(_BETWEEN_LOOKS)

    def _look(self) -> None:
        rank, size = find_launcher.launched()
        began = time.monotonic()
        seen = dict.fromkeys(range(size), began)
        noted = not find_launcher.all_near(size)
        while not self._over.wait(_EVERY) and find_launcher.all_near(size):
            if leaving := _others_that_show(_LEAVES):
                if not self._over.wait(_STAGGER * rank):
                    _end(rank, leaving[0], self._call)
                return
            now, here = time.monotonic(), living()
            if rank not in here:
                return  # other processes cannot be seen
            seen |= dict.fromkeys(here, now)
            gone = [r for r, last in seen.items() if now - last > _ABSENT + _STAGGER * rank]
            if gone and not self._over.is_set():
                _end(rank, gone[0], self._call)
            if not noted and now - began > _NOTE_AFTER and rank == min(here):
                noted = True
                note(f"rank {rank} called {self._call} and waits for the other ranks")


def leave() -> None:
    """Leave, at the end of a process that has not met the others, so that ranks that begin to meet
    report its end before it is gone.
    """
    try:
        _, size = find_launcher.launched()
    except InputError:  # which was told before
        return
    if (
        _has_come or size == 1 or not find_launcher.all_near(size)
    ):  # where it came, it was told why it ends
        return
    _shown(_LEAVES)  # until the process is gone
    end = time.monotonic() + _TIME_TO_REPORT
    while time.monotonic() < end and _others_that_show(_COMES):
        time.sleep(_BETWEEN_LOOKS)


def _shown(what: str) -> int | None:
    """Descriptor of a sign for the other ranks, until it is closed; None if there can be none."""
    try:
        return os.memfd_create(_name(what))
    except OSError:
        return None


def _others_that_show(what: str) -> list[int]:
    mine, _ = find_launcher.launched()
    return sorted({r for r, process in _processes() if r != mine and _is_shown(process, what)})


def _is_shown(process: int, what: str) -> bool:
    sign, folder = f"/memfd:{_name(what)}", f"/proc/{process}/fd"
    try:
        files = os.listdir(folder)
    except OSError:
        return False
    for file in files:
        with contextlib.suppress(OSError):  # it has been closed since
            if os.readlink(f"{folder}/{file}").startswith(sign):
                return True
    return False


def _name(what: str) -> str:
    return f"aureole rank {what}"


def wait_for_rank_0() -> None:
    """Returns when rank 0 has ended, or could have: launchers may end all ranks with the first."""
    end = time.monotonic() + _TIME_TO_REPORT
    while time.monotonic() < end and 0 in living():
        time.sleep(0.1)


def _end(rank: int, gone: int, call: str) -> None:
    _write(
        f"error: rank {gone} ended its script, rank {rank} called {call} (all ranks that mpirun "
        "starts must make the same simulation calls). Make the call on all ranks, or start one "
        "process without mpirun; AUREOLE_MPI=none starts one simulation in each.\n"
    )
    os._exit(2)


def note(text: str) -> None:
    """Print a note, at once."""
    _write(f"note: {text}\n")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def living() -> dict[int, int]:
    """The processes of this launcher that are there, by rank; one for each."""
    found: dict[int, int] = {}
    for rank, process in _processes():
        found.setdefault(rank, process)
    return found


def _processes() -> Iterator[tuple[int, int]]:
    """Rank and number of each process of this launcher, those that ranks started included."""
    by = find_launcher.kind()
    if by is None:
        return
    mine = _own_launcher()
    for folder in Path("/proc").glob("[0-9]*"):
        rank = _rank(int(folder.name), by)
        if rank is not None and _launcher(int(folder.name), by) == mine:
            yield rank, int(folder.name)


def _rank(process: int, by: find_launcher.Kind) -> int | None:
    """The rank of a process of this user and launcher; None for others, and for those that have
    ended.
    """
    try:
        words = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    key = f"{by.rank}=".encode()
    value = next((word[len(key) :] for word in words if word.startswith(key)), b"")
    return int(value) if value.isdigit() and _is_of_this_user(process) else None


def _is_of_this_user(process: int) -> bool:
    """Whether a process is of this user: root also sees others, which may claim anything."""
    return _status(process, "Uid")[1:2] == [str(os.geteuid())]


@functools.cache
def _own_launcher() -> int:
    """The launcher of this process; 0 without one."""
    by = find_launcher.kind()
    return 0 if by is None else _launcher(os.getpid(), by)


def _launcher(process: int, by: find_launcher.Kind) -> int:
    """The nearest ancestor that is no rank."""
    while process > 1:
        process = _parent(process)
        if _rank(process, by) is None:
            break
    return process


def _parent(process: int) -> int:
    return int(next(iter(_status(process, "PPid")), "0"))


def _status(process: int, key: str) -> list[str]:
    """The words for a key in the status that the system has of a process."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(errors="replace").splitlines()
    except OSError:
        return []
    return next((line.split()[1:] for line in lines if line.startswith(f"{key}:")), [])
