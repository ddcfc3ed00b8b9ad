# SPDX-License-Identifier: Apache-2.0
"""The other processes that a launcher of MPI started, while they do not talk to each other yet.

MPI starts together or not at all: it waits for ever for a process that ended before it took part.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from . import mpi

_EVERY = 0.5  # [s] between two looks
_ABSENT = 3.0  # [s] for which a rank is not seen before it counts as ended
_STAGGER = 0.5  # [s] by which later ranks wait longer, so that one of them reports
_NOTE_AFTER = 10.0  # [s]
_TIME_TO_REPORT = 5.0  # [s]


class Watch:
    """Ends this process, with an error, if another rank ends before all have come.

    Args:
        call: what this rank does, for the error
    """

    def __init__(self, call: str) -> None:
        self._call = call
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def _look(self) -> None:
        rank, size = mpi.launched()
        began = time.monotonic()
        seen = dict.fromkeys(range(size), began)
        noted = not _all_near(size)
        while not self._over.wait(_EVERY) and _all_near(size):
            now, here = time.monotonic(), living()
            if rank not in here:
                return  # other processes cannot be seen
            seen |= dict.fromkeys(here, now)
            gone = [r for r, last in seen.items() if now - last > _ABSENT + _STAGGER * rank]
            if gone and not self._over.is_set():
                _end(rank, gone[0], self._call)
            if not noted and now - began > _NOTE_AFTER and rank == min(here):
                noted = True
                note(f"rank {rank} called {self._call}, and waits for the other ranks")


def wait_for_rank_0() -> None:
    """Returns when rank 0 has ended, or could have: launchers may end all ranks with the first."""
    end = time.monotonic() + _TIME_TO_REPORT
    while time.monotonic() < end and 0 in living():
        time.sleep(0.1)


def _end(rank: int, gone: int, call: str) -> None:
    _write(
        f"error: rank {gone} ended its script, rank {rank} called {call} (all ranks that mpirun "
        "starts make the same calls of a simulation). Let all of them make it, or start one "
        "process without mpirun; AUREOLE_MPI=none starts one simulation in each.\n"
    )
    os._exit(2)


def note(text: str) -> None:
    """Print a note, at once."""
    _write(f"note: {text}\n")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _all_near(size: int) -> bool:
    """Whether all ranks are on this machine, as far as the launcher tells."""
    by = mpi.kind()
    return by is not None and os.environ.get(by.near) == str(size)


def living() -> dict[int, int]:
    """The processes of this launcher that are there, by rank; one for each."""
    by = mpi.kind()
    if by is None:
        return {}
    mine, found = _launcher(os.getpid(), by), {}
    for folder in Path("/proc").glob("[0-9]*"):
        rank = _rank(int(folder.name), by)
        if rank is not None and rank not in found and _launcher(int(folder.name), by) == mine:
            found[rank] = int(folder.name)
    return found


def _rank(process: int, by: mpi.Kind) -> int | None:
    """That of a process of such a launcher; None for others, and for those that have ended."""
    try:
        words = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    key = f"{by.rank}=".encode()
    value = next((word[len(key) :] for word in words if word.startswith(key)), b"")
    return int(value) if value.isdigit() else None


def _launcher(process: int, by: mpi.Kind) -> int:
    """The nearest ancestor that is no rank."""
    while process > 1:
        process = _parent(process)
        if _rank(process, by) is None:
            break
    return process


def _parent(process: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
        return int(stat.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
