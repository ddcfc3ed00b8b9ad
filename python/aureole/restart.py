# SPDX-License-Identifier: Apache-2.0
"""How a simulation comes back from a checkpoint."""

from __future__ import annotations

import base64
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import _core, confine, leading
from .box import Box
from .driver import Driver
from .errors import Error, FileError, bad_input, not_ours
from .extra import read_extra
from .integrators import Device
from .observers import Observer
from .parts import solver_of
from .plain import one_line
from .spec import from_dict, put
from .systemfile import STATIC, read_static
from .units import BY_NAME

if TYPE_CHECKING:
    from .gromacs.job import Job
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
    job: Job | None = None,
    *,
    callbacks: Sequence[Observer] = (),
    device: str | Device | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] | None = None,
    allow_write: Iterable[str | os.PathLike[str]] = (),
) -> Simulation:
    """A simulation from a checkpoint; see `Simulation.from_checkpoint`."""
    path = existing(path)
    with naming_the_previous(path):
        data = read_extra(path, _core.read_extra(path))
    if "job" in data:
        from .gromacs.resume import resume

        return resume(
            *(path, job),
            callbacks=callbacks,
            device=device,
            threads=threads,
            observers=observers,
            allow_write=allow_write,
        )
    if job is not None:
        raise bad_input(
            f"{path} is no checkpoint of a job of GROMACS",
            "its simulation was made without one",
            "Leave the job out",
        )
    wanted = device_of(path, data, device, threads)
    core = read_core(path, data, wanted)
    specs, states = chosen_observers(path, data, callbacks, observers, allow_write)
    sim = cls.__new__(cls)
    sim._core = core
    _restore(sim, path, data, wanted)
    sim._driver = Driver(sim, specs)
    sim._driver.states = states
    sim._driver.target = data["target"]
    return sim


def chosen_observers(
    path: str,
    data: dict[str, Any],
    callbacks: Sequence[Observer],
    observers: Sequence[Observer] | None,
    allow_write: Iterable[str | os.PathLike[str]],
    append: bool = True,
) -> tuple[list[Observer], list[dict[str, Any] | None] | None]:
    """The observers of the interrupted run or other ones, and what they had written.

    Args:
        path: of the checkpoint
        data: its record
        callbacks, observers, allow_write: as for `Simulation.from_checkpoint`
        append: whether observers continue what those of their kind and file had written
    """
    if observers is None:
        specs, states = _observers(path, data, callbacks)
        confine.check(path, specs, states, allow_write)
        return specs, (list(states) if append else None)
    specs = list(observers)
    states_of = states_for(specs, data) if append else None
    # Files of observers that are given now were named by the user.
    named = [file for spec in specs for file in confine.files_of(spec)]
    confine.check(path, specs, states_of or [None] * len(specs), [*named, *allow_write])
    return specs, states_of


def states_for(specs: Sequence[Observer], data: dict[str, Any]) -> list[dict[str, Any] | None]:
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


def read_core(path: str, data: dict[str, Any], device: Device) -> Any:
    """The engine's simulation of a checkpoint."""
    with naming_the_previous(path):
        threads = device.threads or same_threads(path, data)
        if leading.are_needed(device):
            return leading.read_checkpoint(path, device, threads)[0]
        return _core.Simulation.read_checkpoint(path, device=device.name, threads=threads)[0]


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


def _restore(sim: Simulation, path: str, data: dict[str, Any], device: Device) -> None:
    """All but the engine's own state, from the record of a checkpoint."""
    corner = tuple(data.get("corner", (0.0, 0.0, 0.0)))
    sim._box = Box(*data["box"], periodic=tuple(data["periodic"]), corner=corner)
    sim._forces = specs_of(path, "force", data, "forces")
    settled = {
        "type_names": tuple(data["type_names"]),
        "seed": data["seed"],
        "device": device,
        "neighbors": spec_of(path, "list", data["neighbors"], "neighbors"),
        "constraints": specs_of(path, "constraint", data, "constraints"),
        "stages": specs_of(path, "stage", data, "stages"),
    }
    settled["solver"] = solver_of(settled["constraints"])
    given = data["integrator"]
    sim._integrator = None if given is None else spec_of(path, "integrator", given, "integrator")
    sim._static, topology = dict.fromkeys(STATIC), None
    sim._static |= {"units": "reduced", "periodic_molecules": False}
    if "system" in data:
        try:
            sim._static, topology = read_static(base64.b85decode(data["system"]))
        except ValueError as error:
            raise not_ours(path, error) from None
    settled |= {"topology": topology, "units": BY_NAME[sim._static["units"]]}
    for name, value in settled.items():
        put(sim, name, value)
    if topology is not None and topology.n != sim.n:
        raise not_ours(path, "its topology is of another number of particles")


def specs_of(path: str, family: str, data: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Specs of a list of the record; older files may lack it."""
    given = data.get(name, [])
    return tuple(spec_of(path, family, d, f"{name}[{k}]") for k, d in enumerate(given))


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
    asked = Device.of(saved if device is None else device, saved.precision, threads)
    if device is not None and asked.ranks > 1:
        return asked  # an error, if a launcher has started another number
    return leading.of_launcher(asked)


def same_threads(path: str, data: dict[str, Any]) -> int:
    """As many threads as the interrupted run had, so that sums round alike; 0 if impossible."""
    had, may = int(data["threads"]), int(_core.cpu_info()["usable_threads"])
    if had <= may:
        return had
    warnings.warn(
        f"{path} was written on {had} threads, {may} may be used here: "
        "the run continues, but sums are rounded differently",
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
            warnings.warn(f"{continued} no longer exists; a new file is started", stacklevel=5)
    if left:
        raise bad_input(
            f"{len(left)} more callbacks than the checkpoint names",
            "their order is unknown",
            "Give as many as the interrupted run had",
        )
    return specs, states
