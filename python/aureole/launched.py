# SPDX-License-Identifier: Apache-2.0
"""Ranks that mpirun started: rank 0 runs the command, the others follow it.

MPI is used to start alone: ranks of one machine then talk by shared memory, as those do that
Aureole starts itself (see `ranks`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from . import _core, leading, mpi
from . import ranks as _ranks
from .errors import Error, RankError
from .ranks import HEAP_BYTES, Team, divided, follow, launched_team, tell

_LETTER = 1 << 16  # bytes of what ranks tell each other at the start


class LaunchedTeam(Team):
    """All ranks of a launcher, as rank 0 has them: one team until the process ends."""

    def __init__(self, world: _core.Ranks, link: _core.MpiLibrary, processors: list[int]) -> None:
        self._begin(world)
        self._link: _core.MpiLibrary | None = link
        self._let_go: list[int] = []
        _ranks._Processors.take_these(processors)
        self._tell_path()

    def call(self, function: Any, *arguments: Any, here: Any = None) -> Any:
        """See `Team.call`."""
        while self._let_go:
            super().call(leading.forget, self._let_go.pop())
        return super().call(function, *arguments, here=here)

    def release(self, number: int) -> None:
        """The others stay, without this simulation from the next call on."""
        self._let_go.append(number)

    def leave(self, code: int) -> None:
        """Let the others go; `code`: that of this process."""
        if self._ended and self._link is not None:
            # Some are gone, so that MPI cannot be finalised.
            sys.stdout.flush()
            sys.stderr.flush()
            self._link.abort(code or 1)
        self.close()
        self._link = None  # which finalises MPI


def join() -> None:
    """Make the processes that a launcher of MPI started one team, if there are several.

    Returns on rank 0 alone; the others end with it. Raises `RankError`, on rank 0, if the MPI
    library cannot be used or the ranks are not on one machine.
    """
    rank, size = mpi.launched()
    if size == 1 or launched_team() is not None:
        return
    try:
        link = _core.load_mpi(mpi.library())
        if (link.rank, link.size) != (rank, size):
            raise RankError(
                f"mpirun started {size} processes, and its MPI library counts {link.size}. "
                "Set AUREOLE_MPI_LIBRARY to the libmpi of the mpirun that starts the ranks."
            )
    except Error:
        if rank == 0:
            raise
        sys.exit(1)
    if rank == 0:
        _ranks._launched.append(_lead(link, size))
        return
    _follow(link, rank)


def leave(code: int) -> None:
    """Let the other ranks go, where a launcher has started some; `code`: that of this process."""
    team = launched_team()
    if isinstance(team, LaunchedTeam):
        _ranks._launched.clear()
        team.leave(code)


def _lead(link: _core.MpiLibrary, size: int) -> LaunchedTeam:
    letters = [_about(), *(_take(link, rank) for rank in range(1, size))]
    masks = [set(letter["processors"]) for letter in letters]
    problem = None
    if any(letter["machine"] != letters[0]["machine"] for letter in letters):
        problem = "the ranks are on several machines, or in several containers"
    world, shares = None, _shares(masks)
    if problem is None:
        world = _core.Ranks(size, HEAP_BYTES, own_processors=shares is not None)
    for rank in range(1, size):
        _give(
            *(link, rank),
            problem=problem,
            leader=os.getpid(),
            descriptors=[] if world is None else list(world.descriptors),
            processors=sorted(masks[rank] if shares is None else shares[rank]),
            own=shares is not None,
        )
    for rank in range(1, size):
        problem = problem or _take(link, rank)["problem"]
    for rank in range(1, size):
        _give(link, rank, problem=problem)
    if problem is not None or world is None:
        raise RankError(
            f"ranks that mpirun starts cannot share memory: {problem}. Ranks of one simulation "
            "work on one machine so far: use fewer, or AUREOLE_MPI=none for one run in each."
        )
    if shares is not None:
        os.sched_setaffinity(0, shares[0])
    return LaunchedTeam(world, link, sorted(set().union(*masks)))


def _shares(masks: list[set[int]]) -> list[Any] | None:
    """The processors of each rank: as the launcher bound them, or divided where it did not."""
    everything = set().union(*masks)
    if sum(map(len, masks)) == len(everything):
        return [sorted(mask) for mask in masks]
    return divided(sorted(everything), len(masks), None)


def _follow(link: _core.MpiLibrary, rank: int) -> None:
    _give(link, 0, **_about())
    order = _take(link, 0)
    problem = order["problem"]
    descriptors: list[int] = []
    try:
        for number in order["descriptors"]:
            descriptors.append(os.open(f"/proc/{order['leader']}/fd/{number}", os.O_RDWR))
    except OSError as error:
        problem = f"rank {rank} may not open the memory of rank 0 ({error.strerror})"
    _give(link, 0, problem=problem)
    if _take(link, 0)["problem"] is not None:
        link = None  # type: ignore[assignment]
        sys.exit(1)
    os.sched_setaffinity(0, order["processors"])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the leader decides
    world = _core.Ranks(rank, descriptors, order["own"])
    try:
        follow(world)
    except BaseException as error:
        tell(world, error)
        os._exit(1)  # MPI cannot be finalised by some ranks alone
    del link
    sys.exit(0)


def _about() -> dict[str, Any]:
    """Machine and processors of this rank; ranks that share memory see each other's processes."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        machine = f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        machine = os.uname().nodename
    return {"machine": machine, "processors": sorted(os.sched_getaffinity(0))}


def _give(link: _core.MpiLibrary, to: int, **words: Any) -> None:
    link.send(to, json.dumps(words).encode().ljust(_LETTER))


def _take(link: _core.MpiLibrary, source: int) -> dict[str, Any]:
    words: dict[str, Any] = json.loads(link.receive(source, _LETTER))
    return words
