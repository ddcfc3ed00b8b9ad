# SPDX-License-Identifier: Apache-2.0
"""What restarts of all applications have in common."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from aureole import _core
from aureole.base.errors import Error, FileError, bad_input, not_ours
from aureole.base.text import one_line
from aureole.base.user_warnings import warn
from aureole.live.observer import Observer
from aureole.specs.device import Device
from aureole.specs.spec import KINDS, from_dict

from . import folder_of_run, write_permission

States = list[dict[str, Any] | None]


@dataclass(frozen=True)
class Changes:
    """Changes to the interrupted run; see `Simulation.from_checkpoint`.

    Without `append` observers begin anew, also where one of the same kind and file had written.
    """

    callbacks: Sequence[Observer] = ()
    device: str | Device | None = None
    threads: int | None = None
    observers: Sequence[Observer] | None = None
    allow_write: Iterable[str | os.PathLike[str]] = ()
    append: bool = True


def existing(path: str) -> str:
    """The checkpoint itself, or its previous generation where only that one is left."""
    previous = path + ".prev"
    if not os.path.exists(path) and os.path.exists(previous):
        warn(f"{path} is missing; {previous} is used instead")
        return previous
    return path


@contextmanager
def naming_the_previous(path: str) -> Iterator[None]:
    """Errors about a checkpoint say where the previous one is."""
    try:
        yield
    except FileError as error:
        previous = path + ".prev"
        if os.path.exists(previous):
            raise FileError(f"{error} The previous checkpoint is {previous}.") from None
        raise


def chosen_observers(
    path: str, data: dict[str, Any], changes: Changes
) -> tuple[list[Observer], States | None]:
    """The observers of the interrupted run or other ones, and what they had written."""
    if changes.observers is None:
        folder_of_run.check(path, data)
        specs, states = _observers(path, data, changes.callbacks)
        write_permission.check(path, specs, states, changes.allow_write)
        return specs, (list(states) if changes.append else None)
    specs = list(changes.observers)
    states_of = _states_for(specs, data) if changes.append else None
    # Files of observers that are given now were named by the user.
    named = [file for spec in specs for file in write_permission.files_of(spec)]
    allowed = [*named, *changes.allow_write]
    write_permission.check(path, specs, states_of or [None] * len(specs), allowed)
    return specs, states_of


def _states_for(specs: Sequence[Observer], data: dict[str, Any]) -> States:
    """For each observer what one of its kind and file had done; None for a new one."""
    found = {
        (spec["kind"], os.path.abspath(spec["path"])): state
        for spec, state in zip(data["observers"], data["states"], strict=True)
        if spec.get("path")
    }
    return [
        found.get((type(spec).__name__, os.path.abspath(getattr(spec, "path", "") or "")))
        for spec in specs
    ]


def specs_of(path: str, family: str, data: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Specs of a list of the record; older files may lack it."""
    given = data.get(name, [])
    return tuple(spec_of(path, family, d, f"{name}[{k}]") for k, d in enumerate(given))


def spec_of(path: str, family: str, data: dict[str, Any], where: str) -> Any:
    """A spec of the record of a checkpoint, whose class has been imported."""
    try:
        return from_dict(family, data, where)
    except Error as error:
        raise not_ours(path, error) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise not_ours(path, f"{where}: {error}") from None


def device_of(path: str, data: dict[str, Any], changes: Changes) -> Device:
    """The device of the interrupted run, changed as the user wishes; its precision stays."""
    saved: Device = spec_of(path, "device", data["device"], "device")
    given = changes.device
    return Device.of(saved if given is None else given, saved.precision, changes.threads)


def same_threads(path: str, data: dict[str, Any], why: str) -> int:
    """As many threads as the interrupted run had; 0 if there are not so many, with a warning that
    says `why` that matters, if it does.
    """
    had, may = int(data["threads"]), int(_core.cpu_info()["usable_threads"])
    if had <= may:
        return had
    if why:
        warn(f"{path} was written on {had} threads, but only {may} are available here: {why}")
    return 0


def _observers(
    path: str, data: dict[str, Any], callbacks: Sequence[Observer]
) -> tuple[list[Observer], list[dict[str, Any]]]:
    """Specs and states; functions are taken from `callbacks` in their order."""
    left = list(callbacks)
    specs, states = [], []
    for k, (spec, state) in enumerate(zip(data["observers"], data["states"], strict=True)):
        kind: Any = KINDS["observer"].get(str(spec["kind"]))
        if kind is None:
            raise bad_input(
                f"{path} has the observer {one_line(spec['kind'])}",
                "no class of that name is known",
                "Import the module that defines it first (for the commands: in AUREOLE_IMPORT), "
                "or give other observers",
            )
        if kind.is_data:
            specs.append(spec_of(path, "observer", spec, f"observers[{k}]"))
        elif left:
            specs.append(left.pop(0))
        else:
            warn(
                f"{path}: the callback {one_line(spec.get('function', ''))} is not called "
                "(a checkpoint cannot hold a function). Pass it as callbacks=[...].",
            )
            continue
        states.append(state)
        # Trajectories and logs are continued; other observers have no file that could be missing.
        continued = spec.get("path") if state.get("frames") or state.get("rows") else None
        if continued and not os.path.exists(continued):
            warn(f"{continued} no longer exists; a new file is started")
    if left:
        raise bad_input(
            f"{len(left)} more callbacks were given than the checkpoint names",
            "callbacks are matched by their order",
            "Give as many as the interrupted run had",
        )
    return specs, states
