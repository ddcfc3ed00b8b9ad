# SPDX-License-Identifier: Apache-2.0
"""Scripts that run on every rank: each rank makes the same calls, rank 0 does what they ask for.

A call on another rank serves rank 0, which has the files, the observers and the callbacks, until
rank 0 has made that call; then it returns the result of rank 0. If rank 0 makes another call, all
ranks raise one error that names both. Command lines do not come here: see `launched_team`.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, ParamSpec, TypeVar

from aureole import _core
from aureole.base.errors import Error, InputError, RankError, bad_input
from aureole.base.text import one_line

from .matching_calls import Call, sendable
from .rendezvous import note
from .simulations_of_rank import forget
from .team import Team, tell

P = ParamSpec("P")
R = TypeVar("R")

_NOTE_AFTER = 10.0  # [s] of waiting
#: Functions that tell calls of the engine in words, by the function that makes them on each rank.
WORDS: dict[Callable[..., Any], Callable[..., Call]] = {}
_here: Leader | Server | None = None


def here() -> Leader | Server | None:
    """This rank's part, if the script runs on every rank and the ranks have met."""
    return _here


def begin(part: Leader | Server | None) -> None:
    """Note that all ranks have met, or with None that they have parted."""
    global _here
    _here = part


def server() -> Server | None:
    """This rank, if it is not the first of a script on every rank."""
    return _here if isinstance(_here, Server) else None


def _call_of(
    method: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Call]:
    """The simulation, if it is a method of one; and the call."""
    sim = arguments[0] if arguments and hasattr(arguments[0], "_core") else None
    given = tuple(map(sendable, arguments[sim is not None :]))
    words = {name: sendable(value) for name, value in named.items()}
    if sim is None:
        return None, Call(f"au.{method.__name__}", given, words)
    return sim, Call(f"sim.{method.__name__}", given, words, sim._core._number)


# What rank 0 tells the others, besides the calls of the engine; as functions, which it calls too.


def opened(world: _core.Ranks, call: Call) -> None:
    """A call begins on rank 0; returns when all ranks have made it."""
    world.barrier()


def returned(world: _core.Ranks, result: Any, told: Any) -> None:
    """The call has ended on rank 0; a result of None may stand for the simulation."""


def raised(world: _core.Ranks, error: BaseException) -> None:
    """The call has failed on rank 0."""


def over(world: _core.Ranks, failed: bool) -> None:
    """The script of rank 0 has ended; returns when all others have."""
    world.barrier()


class Leader:
    """Rank 0 of a script on every rank."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.failed: BaseException | None = None  # what ended the script
        self._turn = threading.RLock()
        self._depth = 0

    def make(self, method: Callable[..., R], arguments: Any, named: dict[str, Any]) -> R:
        """Make a call for all ranks. Calls within it are made on rank 0 alone."""
        if not self._turn.acquire(timeout=1):
            raise bad_input(
                f"{method.__name__} was called by a second thread",
                "ranks follow one thread at a time",
                "Wait until the other call has returned",
            )
        try:
            if self._depth > 0:
                return method(*arguments, **named)
            self._depth += 1
            try:
                return self._make(method, arguments, named)
            finally:
                self._depth -= 1
        finally:
            self._turn.release()

    def _make(self, method: Callable[..., R], arguments: Any, named: dict[str, Any]) -> R:
        sim, call = _call_of(method, arguments, named)
        with _CLOCK.waiting(f"rank 0 called {call} and waits for the other ranks"):
            self.team.call(opened, call)
        try:
            result = method(*arguments, **named)
        except BaseException as error:
            if not self.team.ended:
                self.team.call(raised, _sendable(error))
            raise
        told = None if sim is None else sim._told() | {"is_itself": result is sim}
        self.team.call(returned, None if result is sim else result, told)
        return result


class Server:
    """Another rank of a script on every rank."""

    def __init__(self, world: _core.Ranks) -> None:
        self.world = world
        self.dead = False  # an error ended the work of all ranks
        self.failed: BaseException | None = None  # what ended the script

    def make(self, method: Callable[..., R], arguments: Any, named: dict[str, Any]) -> R:
        """Serve rank 0 until it has made this call."""
        sim, call = _call_of(method, arguments, named)
        rank = self.world.rank
        with _CLOCK.waiting(f"rank {rank} called {call} and waits for rank 0", rank == 1):
            self._agree(call)
        while True:
            function, values = self._next()
            if function is raised:
                raise values[0]
            if function is over:  # rank 0 failed in the midst of it
                self.differ(f"rank {self.world.rank} called {call}", function, values)
            if function is returned:
                result, told = values
                itself = sim is not None and told.pop("is_itself")
                if sim is not None:
                    sim._hear(told)
                return sim if itself else result  # type: ignore[no-any-return]
            self._do(function, values)

    def _agree(self, call: Call) -> None:
        function, values = self._next()
        if function is not opened:
            self.differ(f"rank {self.world.rank} called {call}", function, values)
        problem = call.difference(self.world.rank, values[0])
        if problem is not None:
            self.refuse(problem)
        self._waiting(self.world.barrier)

    def serve(self, call: Call, function: Callable[..., Any]) -> tuple[tuple[Any, ...], Any]:
        """Make a call of the engine with rank 0; return the arguments there and the result here."""
        theirs, values = self._next()
        if theirs is not function:
            self.differ(f"rank {self.world.rank} called {call}", theirs, values)
        problem = call.difference(self.world.rank, words_of(theirs, values))
        if problem is not None:
            self.refuse(problem)
        return values, self._do(theirs, values)

    def leave(self) -> bool:
        """Wait, at the end of the script, for the end of rank 0's; return whether that failed."""
        function, values = self._next()
        if function is not over and self.failed is not None:
            text = one_line(self.failed)
            name = type(self.failed).__name__ + (f": {text}" if text else "")
            self.end(
                RankError(
                    f"rank {self.world.rank} ended by {name} (rank 0 called "
                    f"{words_of(function, values)}). All ranks must reach this call."
                )
            )
        if function is not over:
            self.differ(f"rank {self.world.rank} ended its script", function, values)
        self._waiting(self.world.barrier)
        return bool(values[0])

    def differ(self, mine: str, function: Any, values: Any) -> NoReturn:
        """Raise an error on all ranks: rank 0 made another call than this rank."""
        theirs = "ended its script" if function is over else f"called {words_of(function, values)}"
        self.refuse(f"{mine}, rank 0 {theirs}")

    def refuse(self, problem: str) -> NoReturn:
        """Raise, on all ranks, that their calls differ."""
        self.end(
            bad_input(
                problem,
                "all ranks of a script must make the same simulation calls",
                "Make this call on all ranks, outside any `if au.ranks.rank == 0`",
            )
        )

    def end(self, error: Error) -> NoReturn:
        """Raise an error on all ranks."""
        self.dead = True
        tell(self.world, error)
        raise error

    def _next(self) -> tuple[Any, Any]:
        while True:
            function, values = pickle.loads(self._waiting(self.world.broadcast, b""))
            if function is not forget:
                return function, values
            function(self.world, *values)

    def _waiting(self, call: Callable[..., R], *arguments: Any) -> R:
        try:
            return call(*arguments)
        except BaseException:
            self.dead = True
            raise

    def _do(self, function: Callable[..., Any], values: Any) -> Any:
        try:
            return function(self.world, *values)
        except BaseException as error:
            self.dead = True
            tell(self.world, error)
            raise


def words_of(function: Any, values: Any) -> Call:
    """A call of the engine as the script made it, more or less."""
    if isinstance(values[0], Call):
        return values[0]
    return WORDS[function](*values)


def _sendable(error: BaseException) -> BaseException:
    """An error in a form that can be sent, with its class where that is possible."""
    try:
        copy = pickle.loads(pickle.dumps(error, protocol=5))
        return error if type(copy) is type(error) else RankError(str(error))
    except Exception:
        name = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
        return RankError(f"{name}{error}")


class _Clock:
    """A thread that looks once a second whether another one still waits, and says so once."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._since = 0.0
        self._runs = False
        self._told = False

    @contextlib.contextmanager
    def waiting(self, text: str, speaks: bool = True) -> Iterator[None]:
        """Mark a block in which something is waited for; `speaks`: whether this rank says so."""
        if speaks and not self._told:
            self._since, self._text = time.monotonic(), text
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._look, daemon=True).start()
        try:
            yield
        finally:
            self._text = None

    def _look(self) -> None:
        while not self._told:
            time.sleep(1)
            text = self._text
            if text is not None and time.monotonic() - self._since > _NOTE_AFTER:
                self._told = True
                note(text)


_CLOCK = _Clock()
