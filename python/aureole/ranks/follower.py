# SPDX-License-Identifier: Apache-2.0
"""The program that other ranks than the first run; see `team`. It imports only what it must."""

from __future__ import annotations

import os
import pickle
import signal
import stat
import sys
from typing import NoReturn

from aureole import _core
from aureole.base.stop_signals import CAUGHT
from aureole.ranks.team import MOST_RANKS, VARIABLE, tell


def follow(world: _core.Ranks) -> None:
    """Do what the leader calls for, until it lets this rank go."""
    sys.path[:] = pickle.loads(world.broadcast(b""))
    while (call := pickle.loads(world.broadcast(b""))) is not None:
        function, arguments = call
        function(world, *arguments)


def _numbers(variable: str) -> list[int]:
    """Numbers that the leader passes in a variable. Raises `ValueError` for other text.

    Numbers of processes, processors and descriptors have less than ten digits.
    """
    words = os.environ.pop(variable, "").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise ValueError(variable)
    return [int(word) for word in words]


def _is_memory(descriptor: int) -> bool:
    """Whether a descriptor may be that of shared memory of ranks."""
    about = os.fstat(descriptor)
    name = os.readlink(f"/proc/self/fd/{descriptor}")
    shared = "memfd:" in name or name.startswith("/dev/shm/")
    return shared and stat.S_ISREG(about.st_mode) and about.st_size > 0


def live_as_follower() -> NoReturn:
    """Run this process as a follower, whose errors the leader prints."""
    try:
        rank, leader, tied, own_processors, *descriptors = _numbers(VARIABLE)
        processors = _numbers("AUREOLE_RANK_PROCESSORS")
        if tied:
            _core.end_with(leader)
        if not 0 < rank < len(descriptors) <= MOST_RANKS or not all(map(_is_memory, descriptors)):
            raise ValueError
        os.sched_setaffinity(0, processors)
    except (ValueError, OSError, OverflowError):
        sys.stderr.write(
            "error: aureole.ranks.follower is started by aureole itself: see "
            "au.Device(ranks=...).\n"
        )
        sys.exit(2)
    for number in CAUGHT:
        signal.signal(number, signal.SIG_IGN)  # the leader decides
    world = _core.Ranks(rank, descriptors, bool(own_processors))
    try:
        follow(world)
    except BaseException as error:
        tell(world, error)
        sys.exit(1)
    sys.exit(0)


if __name__ == "__main__":
    live_as_follower()
