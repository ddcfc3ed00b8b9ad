# SPDX-License-Identifier: Apache-2.0
"""Processes that work on one simulation: started here, or by mpirun.

The process that asks for ranks is rank 0 and leads: it calls functions that then run on all ranks.
The others, the followers, run nothing of their own.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from aureole import _core
from aureole.base.errors import (
    BlowUpError,
    DeviceError,
    Error,
    FileError,
    InputError,
    RankError,
    bad_input,
)
from aureole.base.user_warnings import warn

from . import find_launcher, rendezvous
from .processors import Processors, divided
from .simulations_of_rank import forget

#: Address space of a rank's shared memory in bytes; pages are taken as they are touched.
HEAP_BYTES = 64 << 30
MOST_RANKS = 512
VARIABLE = "AUREOLE_RANK"  # of a follower: rank, leader's process, own processors, descriptors
_teams: weakref.WeakSet[Team] = weakref.WeakSet()
_launched: Team | None = None  # the ranks that a launcher started, see `launched_team`
_standing: tuple[int, int] | None = None  # rank and size, where ranks have met
_TIME_TO_LEAVE = 2.0  # [s] that followers get before they are killed
_BETWEEN_LOOKS = 0.002  # [s] at followers that start
_STOPPED_AT_MOST = 3.0  # [s], as later


class Team:
    """Ranks on this machine: this process and its followers.

    Parameters
    ----------
    size: number of ranks, 1 to 512
    threads: processors for each rank; without it they are divided evenly

    Raises `InputError` for an invalid number of ranks, `RankError` if a follower cannot be
    started, `DeviceError` where there is no memory.
    """

    def __init__(self, size: int, threads: int | None = None) -> None:
        if not 1 <= size <= MOST_RANKS:
            raise bad_input(
                f"{size} ranks cannot be started", f"1 to {MOST_RANKS} are possible", "Use fewer"
            )
        if size > 1 and find_launcher.carries_all():
            raise bad_input(
                f"{size} ranks cannot be started by aureole itself",
                "AUREOLE_TRANSPORT=mpi needs ranks started by mpirun",
                "Start with mpirun, or unset AUREOLE_TRANSPORT",
            )
        shares = divided(Processors.now(), size, threads)
        self._begin(_core.Ranks(size, HEAP_BYTES, own_processors=shares is not None))
        Processors.take()
        try:
            for rank in range(1, size):
                self._followers.append(self._start(rank, shares))
        except OSError as error:
            problem = RankError(
                f"rank {len(self._followers) + 1} cannot be started ({error.strerror}). "
                f"Use fewer ranks, or raise the limit of {_limit_behind(error)}."
            )
            self.abandon(problem)
            raise problem from None
        self._see_all_begin()
        if shares is not None:
            os.sched_setaffinity(0, shares[0])
        if size > 1:
            self._tell_path()

    def _begin(self, world: _core.Ranks) -> None:
        self.world = world
        self._one_call = threading.RLock()
        _teams.add(self)
        self._followers: list[subprocess.Popen[bytes]] = []
        self._codes: dict[int, int] = {}  # of followers that have ended, by process
        self._ended = False

    def _tell_path(self) -> None:
        self.world.broadcast(pickle.dumps(sys.path))

    def _start(self, rank: int, shares: Sequence[Sequence[int]] | None) -> subprocess.Popen[bytes]:
        descriptors = self.world.descriptors
        # The system's signal comes when the thread ends that started the process, not the process.
        tied = threading.current_thread() is threading.main_thread()
        words = [rank, os.getpid(), int(tied), int(shares is not None), *descriptors]
        environment = {**os.environ, VARIABLE: " ".join(map(str, words))}
        # They import what this process imported, from wherever it came.
        package = str(Path(__file__).parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(
            [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        )
        # Not from the working folder (-P), where a script may have a module named as one of Python.
        command = [sys.executable, "-P", str(Path(__file__).with_name("follower.py"))]
        mine = Processors.allowed if shares is None else shares[rank]
        environment["AUREOLE_RANK_PROCESSORS"] = " ".join(map(str, mine))
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, pass_fds=descriptors
        )

    def _see_all_begin(self) -> None:
        """Wait until each follower is known to the others, who then watch it."""
        try:
            for rank, follower in enumerate(self._followers, 1):
                stopped = 0.0
                while self.world.process(rank) == 0:
                    code = follower.poll()
                    stopped = stopped + _BETWEEN_LOOKS if _is_stopped(follower.pid) else 0.0
                    if code is not None or stopped > _STOPPED_AT_MOST:
                        manner = "is stopped" if code is None else _manner(code)
                        raise RankError(
                            f"rank {rank} (process {follower.pid}) {manner} while rank 0 waited "
                            "for it (start). Start the run again."
                        )
                    time.sleep(_BETWEEN_LOOKS)
        except BaseException as error:
            self.abandon(error)
            raise

    @property
    def size(self) -> int:
        """Number of ranks."""
        return int(self.world.size)

    @property
    def ended(self) -> bool:
        """Whether the ranks have parted."""
        return self._ended

    def call(self, function: Callable[..., Any], *arguments: Any, here: Any = None) -> Any:
        """Run function(world, *arguments) on all ranks, and return its result here.

        The function must be importable. What it raises on any rank is raised here. `here` are the
        arguments on this rank, if they differ.
        """
        call = pickle.dumps((function, arguments), protocol=5)
        with self._one_call:  # of all threads
            try:
                self.world.broadcast(call)
                return function(self.world, *(arguments if here is None else here))
            except RankError as error:
                self._end()
                raise self._explained(error) from None
            except BaseException as error:
                self.abandon(error)
                raise

    def abandon(self, error: BaseException) -> None:
        """Have all followers raise this error, and wait for their end."""
        tell(self.world, error)
        self._end()

    def close(self) -> None:
        """Let the followers go. If one has died since the last call, a warning tells of it."""
        try:
            self._dismiss()
        finally:
            self._end()

    def _dismiss(self) -> bool:
        """Tell the followers that no more calls come; return whether all are there to hear it."""
        if self.size == 1 or self._ended:
            return not self._ended
        try:
            self.world.broadcast(pickle.dumps(None))
        except RankError as error:
            self._end()
            warn(
                f"{self._explained(error)}. All calls had returned before: results are complete.",
            )
            return False
        return True

    def release(self, number: int) -> None:
        """Release a simulation, and the ranks that were started for it."""
        self.close()

    def __enter__(self) -> Team:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is not None:
            self.abandon(error)
        else:
            self.close()

    def _end(self) -> None:
        """Wait for the followers a little, together; kill those that are still there."""
        end = time.monotonic() + _TIME_TO_LEAVE
        for follower in self._followers:
            try:
                follower.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                follower.kill()
        for follower in self._followers:
            follower.wait()
        self._codes |= {f.pid: f.returncode for f in self._followers}
        self._followers = []
        if not self._ended:
            Processors.give_back()
        self._ended = True

    def disown(self) -> None:
        """Leave the ranks to the parent, in a forked child.

        Their memory is never given back: the threads that this would wait for do not exist there.
        """
        keep_for_ever(self.world)
        self._followers, self._ended = [], True

    def _explained(self, error: RankError) -> RankError:
        """The error, with words on how the process that it names ended."""
        text = str(error)
        for process, code in self._codes.items():
            old = f"(process {process}) died"
            if old in text:
                text = text.replace(old, f"(process {process}) {_manner(code)}")
        return RankError(text)


def keep_for_ever(thing: object) -> None:
    """Keep an object from being collected: what it would end is another process's too."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _limit_behind(error: OSError) -> str:
    files = error.errno in (errno.EMFILE, errno.ENFILE)
    return "open files (ulimit -n)" if files else "processes (ulimit -u)"


def launched_team() -> Team | None:
    """The ranks that a launcher of MPI started, where there are some."""
    return _launched


def set_launched(team: Team | None) -> None:
    """Set the team of the ranks that a launcher of MPI started; None: they have parted."""
    global _launched
    _launched = team


def stand_as(rank: int, size: int) -> None:
    """Note that this process is rank `rank` of `size` on which a script runs."""
    global _standing
    _standing = rank, size


def _leave() -> None:
    """Leave, at the end of a process of mpirun that has not met the others."""
    if _standing is None and _launched is None:
        rendezvous.leave()


atexit.register(_leave)


def _disown_all() -> None:
    """Make a forked child no rank."""
    global _standing
    for team in list(_teams):
        team.disown()
    set_launched(None)
    _standing = None
    Processors.give_all_back()
    if find_launcher.kind() is not None:
        find_launcher.work_alone()


os.register_at_fork(after_in_child=_disown_all)


def standing() -> tuple[int, int]:
    """Rank of this process among those that mpirun started, and their number."""
    return _standing or find_launcher.launched()


def tell(world: _core.Ranks, error: BaseException) -> None:
    """Have all other ranks raise this error where they wait."""
    if isinstance(error, BlowUpError) and hasattr(error, "particle"):
        where = (error.step, error.particle, error.partner)
        world.tell_blow_up(str(error), *where, error.force, error.value)
        return
    kinds = {"input": InputError, "file": FileError, "device": DeviceError}
    kind = next((name for name, one in kinds.items() if isinstance(error, one)), "rank")
    text = str(error)
    if not isinstance(error, Error):
        name = type(error).__name__
        text = f"rank {world.rank} ended by {name}" + (f": {text}" if text else "")
    world.tell_failure(kind, text)


def _is_stopped(process: int) -> bool:
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] in "tT"


def _manner(code: int) -> str:
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by signal {-code}, {signal.Signals(-code).name},"
    except ValueError:
        return f"was killed by signal {-code}"


class StayingTeam(Team):
    """Ranks that stay from one simulation to the next."""

    def _begin(self, world: _core.Ranks) -> None:
        super()._begin(world)
        self._let_go: list[int] = []

    def call(self, function: Callable[..., Any], *arguments: Any, here: Any = None) -> Any:
        """See `Team.call`."""
        while self._let_go:
            super().call(forget, self._let_go.pop())
        return super().call(function, *arguments, here=here)

    def release(self, number: int) -> None:
        """Release a simulation: the ranks stay, and forget it at the next call."""
        self._let_go.append(number)
