# SPDX-License-Identifier: Apache-2.0
"""What checkpoints hold of a fluid besides its cells, and how its simulation comes back."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from typing import Any

from aureole import _core
from aureole.base.errors import bad_input, not_ours
from aureole.live.live import Live
from aureole.live.observer import Observer
from aureole.records import record, restart
from aureole.records.restart import Changes, States, spec_of, specs_of
from aureole.records.write_permission import outside
from aureole.specs.device import Device

PARTS = ("mesh", "gas", "scheme", "schedule")  # and refine, a list


@dataclass(frozen=True, eq=False)
class Restored:
    """The parts of a simulation by the names of its arguments, and how far its run was."""

    path: str
    parts: dict[str, Any]
    device: Device
    threads: int
    observers: list[Observer]
    states: States | None
    target: int | None
    target_time: float


def record_of(sim: Live) -> bytes:
    """The specs of the simulation, and what its observers have written, as JSON."""
    until, now = sim.target_time, float(sim.time)
    own: dict[str, Any] = {name: getattr(sim, name).to_dict() for name in PARTS}
    refine: Any = getattr(sim, "refine", ())
    own["refine"] = [region.to_dict() for region in refine]
    own |= {"time": now, "target_time": until if until < math.inf else None}
    return record.packed(sim, record.FLUIDS, own)


def load(path: str, changes: Changes) -> Restored:
    """What a checkpoint says, for `Simulation.from_checkpoint`."""
    path = restart.existing(path)
    with restart.naming_the_previous(path):
        data = read(path)
    device = restart.device_of(path, data, changes)
    observers, states = restart.chosen_observers(path, data, changes)
    until = data["target_time"]
    return Restored(
        path=path,
        parts={
            **{name: spec_of(path, name, data[name], name) for name in PARTS},
            "refine": specs_of(path, "refine", data, "refine"),
        },
        device=device,
        threads=device.threads or restart.same_threads(path, data, ""),
        observers=observers,
        states=states,
        target=data["target"],
        target_time=math.inf if until is None else until,
    )


def read(path: str) -> dict[str, Any]:
    """The record of a checkpoint, every part of the kind that it should be.

    Raises FileError for anything else, InputError for a checkpoint of another application.
    """
    _refuse_snapshots(path)
    data = record.unpacked(path, _core.read_extra(path))
    record.check_application(path, data, record.FLUIDS)
    # With msgspec and all classes of observers, which only readers need.
    from aureole.recorders import kinds  # noqa: F401
    from aureole.records.schema import problem_of

    from .record_schema import Record

    problem = problem_of(data, Record)
    if problem is not None:
        raise not_ours(path, problem)
    return data


def _refuse_snapshots(path: str) -> None:
    try:
        with open(path, "rb") as file:
            head = file.read(4)
    except OSError:
        return  # the reader of checkpoints says why
    if head == b"\x89HDF":
        raise bad_input(
            f"{path} is a snapshot, or another file of HDF5",
            "only checkpoints hold all that a run needs to go on",
            'Give the file of au.Checkpoint("name.ckpt")',
        )


def continuing(sim: Live, path: str) -> str:
    """The command that continues from a checkpoint of a simulation."""
    listed = outside(path, sim.observers)
    more = f" --allow-write {shlex.join(listed)}" if listed else ""
    return f"aureole run {shlex.quote(path)}{more}"
