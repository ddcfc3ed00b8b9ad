# SPDX-License-Identifier: Apache-2.0
"""Ranks that mpirun started. Rank 0 runs a command line, and the others follow; a script may also
run on every rank, see `script_protocol`.

Where ranks are on one machine, MPI is used to start alone: they then talk by shared memory, like
ranks that Aureole starts itself (see `team`). On several machines, where that memory cannot be
opened, and with AUREOLE_TRANSPORT=mpi, MPI carries everything.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from typing import Any

from aureole import _core
from aureole.base.errors import Error, InputError, RankError, exit_code
from aureole.base.stop_signals import CAUGHT

from . import find_launcher
from .follower import follow
from .handshake import about, difference, give, take
from .processors import Processors, divided
from .rendezvous import Watch, note, wait_for_rank_0
from .team import (
    HEAP_BYTES,
    StayingTeam,
    keep_for_ever,
    launched_team,
    set_launched,
    tell,
)

_TIME_TO_PRINT = 0.3  # [s] that launchers get to pass on what was printed, before MPI ends them


class LaunchedTeam(StayingTeam):
    """All ranks of a launcher, as rank 0 has them: one team until the process ends."""

    def __init__(self, world: _core.Ranks, link: _core.MpiLibrary, processors: list[int]) -> None:
        self._begin(world)
        self._link: _core.MpiLibrary | None = link
        Processors.take(processors)

    def leave(self, code: int) -> None:
        """Let the other ranks go; `code`: exit code of this process."""
        complete = not self._ended and self._dismiss()
        if not complete and self._link is not None:
            # Some are gone, so that MPI cannot be finalised.
            sys.stdout.flush()
            sys.stderr.flush()
            time.sleep(_TIME_TO_PRINT)
            self._link.abort(code or 1)
        self.part()

    def disown(self) -> None:
        """See `Team.disown`."""
        super().disown()
        keep_for_ever(self._link)

    def part(self) -> None:
        """Part from the other ranks, which have ended by themselves."""
        self._end()
        let_go(self.world)
        self._link = None  # which finalises MPI


def join() -> None:
    """Make the processes that a launcher of MPI started one team, if there are several.

    Returns on rank 0 alone; the others end with it. Raises as `assemble` does.
    """
    if find_launcher.launched()[1] == 1 or launched_team() is not None:
        return
    begun = connected("aureole")
    if isinstance(begun, LaunchedTeam):
        begun._tell_path()
        return
    world, link = begun
    ignore_signals()
    try:
        follow(world)
    except BaseException as error:
        tell(world, error)
        let_go(world)
        wait_for_rank_0()  # which prints it; launchers may end all ranks with the first
        os._exit(exit_code(error))  # MPI is finalised by all ranks or none
    let_go(world)
    del link
    sys.exit(0)


def let_go(world: _core.Ranks) -> None:
    """Leave MPI if it carries the messages of ranks; the last messages are sent first."""
    if not world.one_memory:
        world.part()


def leave(code: int) -> None:
    """Let the other ranks of a launcher go, if there are any; `code`: exit code of this process."""
    team = launched_team()
    if isinstance(team, LaunchedTeam):
        set_launched(None)
        team.leave(code)


def connected(call: str) -> LaunchedTeam | tuple[_core.Ranks, _core.MpiLibrary]:
    """The team on rank 0; on other ranks their part of it, and the link that keeps MPI.

    Args:
        call: call for which the ranks assemble, in errors
    """
    rank, size = find_launcher.launched()
    with Watch(call) as watch:
        try:
            find_launcher.carries_all()  # invalid values are reported before MPI begins
            if _can_be_loaded(find_launcher.library()):  # otherwise all ranks end now
                watch.wait_for_all()
            link = _loaded(rank, size)
        except Error:
            if rank == 0:
                raise
            watch.stop()  # as rank 0 says why it ends
            wait_for_rank_0()
            sys.exit(2)
        if rank > 0:
            return _follow(link, rank)
        team = _lead(link, size)
    set_launched(team)
    return team


def ignore_signals() -> None:
    """Ignore signals of the terminal: rank 0 decides."""
    if threading.current_thread() is threading.main_thread():
        for number in CAUGHT:
            signal.signal(number, signal.SIG_IGN)


def _can_be_loaded(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _loaded(rank: int, size: int) -> _core.MpiLibrary:
    launcher = find_launcher.name()
    try:
        link = _core.load_mpi(find_launcher.library())
    except RankError as error:
        raise InputError(
            f"{launcher} started {size} processes, but {error} AUREOLE_MPI=none starts one "
            "simulation in each."
        ) from None
    if (link.rank, link.size) != (rank, size):
        which = {
            "mpirun": "the libmpi of the mpirun that starts the ranks",
            "srun": "a libmpi that was built for what --mpi of srun names",
        }
        raise InputError(
            f"{launcher} started {size} processes, but its MPI library counts {link.size}. "
            f"Set AUREOLE_MPI_LIBRARY to {which[launcher]}."
        )
    return link


def _lead(link: _core.MpiLibrary, size: int) -> LaunchedTeam:
    letters = [about(), *(take(link, rank) for rank in range(1, size))]
    masks = [set(letter["processors"]) for letter in letters]
    machines = [letter["machine"] for letter in letters]
    problem = difference(letters)
    apart = find_launcher.carries_all() or len(set(machines)) > 1
    world, shares = None, _shares(masks, machines)
    if problem is None and not apart:
        world = _core.Ranks(size, HEAP_BYTES, own_processors=shares is not None)
    for rank in range(1, size):
        give(
            *(link, rank),
            problem=problem,
            leader=os.getpid(),
            descriptors=[] if world is None else list(world.descriptors),
            processors=sorted(masks[rank] if shares is None else shares[rank]),
            own=shares is not None,
        )
    answers = [take(link, rank)["problem"] for rank in range(1, size)]
    unshared = next(filter(None, answers), None)
    for rank in range(1, size):
        give(link, rank, problem=problem, apart=apart or unshared is not None)
    if problem is not None:
        raise InputError(problem)
    if unshared is not None:
        note(f"ranks cannot share memory ({unshared}); they use MPI messages instead")
        world = None
    if shares is not None:
        os.sched_setaffinity(0, shares[0])
    world = world or _core.Ranks(link, HEAP_BYTES)
    return LaunchedTeam(world, link, sorted(set().union(*masks)))


def _shares(masks: list[set[int]], machines: list[str]) -> list[Any] | None:
    """The processors of each rank: as the launcher bound them, or divided where it did not."""
    shares: list[Any] = [None] * len(masks)
    for machine in set(machines):
        there = [rank for rank, of in enumerate(machines) if of == machine]
        own = [masks[rank] for rank in there]
        everything = set().union(*own)
        divisions: list[Any] | None = [sorted(mask) for mask in own]
        if sum(map(len, own)) != len(everything):
            divisions = divided(sorted(everything), len(own), None)
        if divisions is None:
            return None
        for rank, share in zip(there, divisions, strict=True):
            shares[rank] = share
    return shares


def _follow(link: _core.MpiLibrary, rank: int) -> tuple[_core.Ranks, _core.MpiLibrary]:
    give(link, 0, **about())
    order = take(link, 0)
    problem = None
    descriptors: list[int] = []
    try:
        for number in order["descriptors"]:
            descriptors.append(os.open(f"/proc/{order['leader']}/fd/{number}", os.O_RDWR))
    except OSError as error:
        problem = f"rank {rank} may not open the memory of rank 0 ({error.strerror})"
    give(link, 0, problem=problem)
    decided = take(link, 0)
    if decided["problem"] is not None:
        link = None  # type: ignore[assignment]
        sys.exit(2)
    os.sched_setaffinity(0, order["processors"])
    if decided["apart"]:
        return _core.Ranks(link, HEAP_BYTES), link
    return _core.Ranks(rank, descriptors, order["own"]), link
