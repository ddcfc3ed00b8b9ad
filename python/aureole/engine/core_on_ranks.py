# SPDX-License-Identifier: Apache-2.0
"""The engine's simulation on several ranks, as Python has it: calls of it are made on all ranks.

Rank 0 leads. Where a script runs on every rank, the others make the same calls (`script_protocol`).
"""

from __future__ import annotations

import contextlib
import itertools
import math
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from aureole import _core
from aureole.base.errors import bad_input
from aureole.base.user_warnings import warn
from aureole.ranks import find_launcher, script_protocol
from aureole.ranks.matching_calls import Call, sendable
from aureole.ranks.processors import Processors
from aureole.ranks.script import assemble
from aureole.ranks.simulations_of_rank import simulations
from aureole.ranks.team import StayingTeam, Team, launched_team, standing
from aureole.specs.device import Device

#: Members of the core that each rank answers by itself.
_LOCAL = {"ask_to_stop", "box", "columns", "dt", "generation", "give_back", "hold", "n", "profile"}
_LOCAL |= {"start", "step"}
#: Number of ranks where a device names none, set by `aureole run SCRIPT.py --ranks N`.
ranks_of_scripts = 1
_numbers = itertools.count()
_kept: Team | None = None  # see keeping_ranks


class _Agreed:
    """An error that a call raised on all ranks alike, after which they go on together."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def are_needed(device: Device) -> bool:
    """Whether a simulation runs on several ranks, of its device or of a launcher.

    The ranks that a launcher started assemble here, if they have not yet.
    """
    assemble("Simulation")
    return _wanted(device) > 1 or _of_launcher()


def _of_launcher() -> bool:
    return launched_team() is not None or script_protocol.server() is not None


def of_launcher(device: Device) -> Device:
    """The device with as many ranks as a launcher has started, where one has."""
    return device if standing()[1] == 1 else Device.of(device, None, None, standing()[1])


@contextlib.contextmanager
def keeping_ranks(device: Device) -> Iterator[None]:
    """Keep the ranks for all simulations made inside, instead of starting new ones for each."""
    global _kept
    if not are_needed(device) or _of_launcher():
        yield
        return
    with StayingTeam(_wanted(device), device.threads or None) as team:
        _kept = team
        try:
            yield
        finally:
            _kept = None


def make(device: Device, arguments: dict[str, Any]) -> LeadingCore | ServedCore:
    """Start the ranks of a device, and the simulation on all of them."""
    return _begun(device, _make, arguments | {"threads": _threads(device)})[0]


def read_checkpoint(
    path: str, device: Device, threads: int
) -> tuple[LeadingCore | ServedCore, bytes]:
    """As `_core.Simulation.read_checkpoint`, on the ranks of a device, with `threads` on each."""
    threads = threads or _threads(device)
    return _begun(device, _read, path, device.name, threads, {"grid": device.grid})


def _wanted(device: Device) -> int:
    return device.ranks if device.ranks > 1 else ranks_of_scripts


def _threads(device: Device) -> int:
    """Threads of each rank."""
    team = launched_team()
    ranks = _wanted(device) if team is None else team.size
    return device.threads or max(1, len(Processors.now()) // ranks)


def _begun(
    device: Device, begin: Callable[..., Any], *arguments: Any
) -> tuple[LeadingCore | ServedCore, Any]:
    """The simulation that begin(world, number, *arguments) makes on each rank, and its result."""
    server = script_protocol.server()
    if server is None:
        return _led(device, begin, *arguments)
    (number, *_), result = server.serve(script_protocol.words_of(begin, (None, *arguments)), begin)
    return ServedCore(server, number), _checked(result)


def _led(device: Device, begin: Callable[..., Any], *arguments: Any) -> tuple[LeadingCore, Any]:
    if device.name not in ("auto", "host"):
        raise bad_input(
            f"device {device.name} is set with {_wanted(device)} ranks",
            "several ranks run on the host only",
            "Use device='host', or one rank",
        )
    team = _kept or launched_team()
    if team is None:
        team = Team(_wanted(device), device.threads or None)
    elif device.ranks not in (1, team.size):
        raise bad_input(
            f"{device.ranks} ranks were requested, but {find_launcher.name()} started {team.size}",
            "a simulation uses all of them",
            f"Start it with `{find_launcher.start(device.ranks)}`, or omit the number of ranks",
        )
    number = next(_numbers)
    try:
        result = _checked(team.call(begin, number, *arguments))
        return LeadingCore(team, number), result
    except BaseException:
        team.release(number)
        raise


class _CoreOnRanks:
    """A simulation on several ranks, with the interface of `_core.Simulation`."""

    def __init__(self, world: _core.Ranks, number: int) -> None:
        self._world, self._number = world, number
        self._own = simulations[number]

    def describe(self) -> dict[str, Any]:
        """Facts about this rank's part of the simulation, with the number of ranks."""
        facts = dict(self._own.describe())
        size = self._world.size
        busy = min(math.prod(facts.get("grid", (size,))), size)
        of = f"each of {size}" if busy == size else f"{busy} of {size}"
        text = f"{facts['description']} on {of} ranks"
        if not self._world.one_memory:
            text += " with messages by MPI"
        return facts | {"ranks": self._world.size, "description": text}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._own, name) if name in _LOCAL else partial(self._call, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            _checked(self._on_all(_set, self._number, name, value))

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        return _checked(self._on_all(_call, self._number, name, arguments, named))

    def _on_all(self, function: Callable[..., Any], *arguments: Any) -> Any:
        raise NotImplementedError

    def view(self, name: str) -> Any:
        """A column of the particles that this rank owns."""
        # All ranks compute forces.
        return _CoreOnRanks._call(self, "view", name) if name == "force" else self._own.view(name)


class LeadingCore(_CoreOnRanks):
    """The core of rank 0."""

    def __init__(self, team: Team, number: int) -> None:
        super().__init__(team.world, number)
        self._team = team
        # The followers end when nobody needs them any more, at the latest with this process.
        self._end = weakref.finalize(self, _forget, team, number)

    def _on_all(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._team.call(function, *arguments)

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        # Only rank 0 reports the progress of a minimisation.
        elsewhere = tuple(_silent if callable(one) else one for one in arguments)
        here = (self._number, name, arguments, named)
        self._own.hold(False)  # another thread waits, or is told of a run, on rank 0 alone
        try:
            result = self._team.call(_call, self._number, name, elsewhere, named, here=here)
        finally:
            self._own.give_back()
        if remark := self._own.take_remark():
            warn(remark)
        return _checked(result)


class ServedCore(_CoreOnRanks):
    """The core of another rank of a script that runs on every rank; its calls serve rank 0."""

    def __init__(self, server: script_protocol.Server, number: int) -> None:
        super().__init__(server.world, number)
        self._server = server

    def _on_all(self, function: Callable[..., Any], *arguments: Any) -> Any:
        words = script_protocol.words_of(function, arguments)
        return self._server.serve(words, function)[1]


def _checked(result: Any) -> Any:
    if isinstance(result, _Agreed):
        raise result.error
    return result


def _forget(team: Team, number: int) -> None:
    simulations.pop(number, None)
    team.release(number)


def _silent(*_: Any) -> None:
    pass


def _make(world: _core.Ranks, number: int, arguments: dict[str, Any]) -> _Agreed | None:
    def made() -> None:
        simulations[number] = _core.Simulation(**arguments, ranks=world)

    return _agreed(world, made)


def _read(
    world: _core.Ranks, number: int, path: str, device: str, threads: int, options: dict[str, Any]
) -> Any:
    def read() -> bytes:
        simulations[number], extra = _core.Simulation.read_checkpoint(
            path, device=device, threads=threads, ranks=world, options=options
        )
        return extra

    return _agreed(world, read)


def _call(
    world: _core.Ranks, number: int, name: str, arguments: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    method = getattr(simulations[number], name)
    return _agreed(world, lambda: method(*arguments, **named))


def _set(world: _core.Ranks, number: int, name: str, value: Any) -> Any:
    return _agreed(world, lambda: setattr(simulations[number], name, value))


def _agreed(world: _core.Ranks, call: Any) -> Any:
    """The result of a call; an error that all ranks raise alike does not end their work."""
    before = world.calls
    try:
        return call()
    except Exception as error:
        if world.calls != before and not world.agreed:
            raise
        return _Agreed(error)
    except BaseException as signal:  # a run was interrupted: all ranks have stopped at one step
        return _Agreed(signal)


def _of_make(number: int | None, arguments: dict[str, Any]) -> Call:
    same = {name: value for name, value in arguments.items() if name != "threads"}
    return Call("au.Simulation", named=same, in_words=False)


# For ranks that make the same calls.
script_protocol.WORDS |= {
    _make: _of_make,
    _read: lambda _, path, *__: Call("au.Simulation.from_checkpoint", (path,)),
    _call: lambda number, name, given, named: Call(
        f"sim.{name}", tuple(map(sendable, given)), named, number
    ),
    _set: lambda number, name, value: Call(f"setting sim.{name}", (value,), of=number),
}
