# SPDX-License-Identifier: Apache-2.0
"""How a simulation comes back from a checkpoint."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core, confine
from .box import Box
from .driver import Driver
from .errors import Error, FileError, bad_input
from .extra import not_ours, read_extra
from .integrators import Device
from .observers import Observer
from .plain import command_of, one_line
from .spec import from_dict

if TYPE_CHECKING:
    from .simulation import Simulation


def existing(path: str) -> str:
    """The checkpoint itself, or its previous generation where only that one is left."""
    previous = path + ".prev"
    if not os.path.exists(path) and os.path.exists(previous):
        warnings.warn(f"{path} is missing, {previous} is taken instead", stacklevel=4)
        return previous
    return path


def load(
    cls: type[Simulation],
    path: str,
    callbacks: Sequence[Observer],
    device: str | Device | None,
    threads: int | None,
    allow_write: Iterable[str | os.PathLike[str]] = (),
) -> Simulation:
    """A simulation from a checkpoint; see `Simulation.from_checkpoint`."""
    path = existing(path)
    try:
        before = read_extra(path, _core.read_extra(path))
        wanted = device_of(path, before, device, threads)
        core, extra = _core.Simulation.read_checkpoint(
            path, device=wanted.name, threads=wanted.threads or same_threads(path, before)
        )
    except FileError as error:
        previous = path + ".prev"
        if os.path.exists(previous):
            raise FileError(f"{error} The previous checkpoint is {previous}.") from None
        raise
    data = read_extra(path, extra)
    if "job" in data:
        command = command_of(data["continue"], path)
        raise bad_input(
            f"{path} is a checkpoint of molecules",
            "their topology and run parameters stand in files of their own",
            f"Go on with `{command}`",
        )
    specs, states = _observers(path, data, callbacks)
    confine.check(path, specs, states, allow_write)
    sim = cls.__new__(cls)
    sim._prepare(Box(*data["box"], periodic=tuple(data["periodic"])), tuple(data["type_names"]))
    sim._core = core
    sim.seed = data["seed"]
    sim.device = wanted
    sim.neighbors = spec_of(path, "list", data["neighbors"], "neighbors")
    sim.forces = tuple(
        spec_of(path, "force", d, f"forces[{k}]") for k, d in enumerate(data["forces"])
    )
    given = data["integrator"]
    sim._integrator = None if given is None else spec_of(path, "integrator", given, "integrator")
    sim._driver = Driver(sim, specs)
    sim._driver.states = states
    sim._driver.target = data["target"]
    return sim


def spec_of(path: str, family: str, data: dict[str, Any], where: str) -> Any:
    """A spec of the record of a checkpoint."""
    try:
        return from_dict(family, data, where)
    except Error as error:
        raise not_ours(path, error) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise not_ours(path, f"{where}: {error}") from None


def device_of(
    path: str, data: dict[str, Any], device: str | Device | None, threads: int | None
) -> Device:
    """The device of the interrupted run, changed as the user wishes; its precision stays."""
    saved: Device = spec_of(path, "device", data["device"], "device")
    return Device.of(saved if device is None else device, saved.precision, threads)


def same_threads(path: str, data: dict[str, Any]) -> int:
    """As many threads as the interrupted run had, so that sums round alike; 0 if impossible."""
    had, may = int(data["threads"]), int(_core.cpu_info()["usable_threads"])
    if had <= may:
        return had
    warnings.warn(
        f"{path} was written on {had} threads, {may} may be used here: "
        "the run goes on, but sums round differently",
        stacklevel=5,
    )
    return 0


def _observers(
    path: str, data: dict[str, Any], callbacks: Sequence[Observer]
) -> tuple[list[Observer], list[dict[str, Any]]]:
    """Specs and states; functions are taken from `callbacks` in their order."""
    left = list(callbacks)
    specs, states = [], []
    for k, (spec, state) in enumerate(zip(data["observers"], data["states"], strict=True)):
        if spec["kind"] != "Callback":
            specs.append(spec_of(path, "observer", spec, f"observers[{k}]"))
        elif left:
            specs.append(left.pop(0))
        else:
            warnings.warn(
                f"{path}: the callback {one_line(spec.get('function', ''))} is left out "
                "(a file holds no function). Pass it as callbacks=[...].",
                stacklevel=5,
            )
            continue
        states.append(state)
        # Trajectories and logs are continued; other observers have no file that could be missing.
        continued = spec.get("path") if state.get("frames") or state.get("rows") else None
        if continued and not os.path.exists(continued):
            warnings.warn(f"{continued} is not here any more; a new file begins", stacklevel=5)
    if left:
        raise bad_input(
            f"{len(left)} more callbacks than the checkpoint names",
            "their places are unknown",
            "Give as many as the interrupted run had",
        )
    return specs, states
