# SPDX-License-Identifier: Apache-2.0
"""How a simulation of molecules comes back: its state from a checkpoint, its job from its files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .. import _core, confine, restart
from ..driver import Driver
from ..errors import FileError, bad_input
from ..extra import read_extra
from ..integrators import Device
from ..molecular import MolecularSimulation
from ..observers import Observer
from .fingerprint import check_same, record_of
from .job import Job, read_job


@dataclass(frozen=True)
class Saved:
    """What a checkpoint tells before its particles are looked at.

    Args:
        path: the file that is read, perhaps PATH.prev
        step: at which it was written
        target: to which the run was to go; None where nothing was said
        data: all of it, as `aureole.extra` has it
    """

    path: str
    step: int
    target: int | None
    data: dict[str, Any] = field(repr=False)

    @property
    def job(self) -> dict[str, Any]:
        """The record of its job."""
        return self.data["job"]

    @property
    def part(self) -> int:
        """How many parts the run had, this one included."""
        return int(self.data.get("part", 1))

    def outputs(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Observers that write files, and what they had written."""
        pairs = zip(self.data["observers"], self.data["states"], strict=True)
        return [(spec, state) for spec, state in pairs if spec.get("path")]


def look_at(path: str | os.PathLike[str]) -> Saved:
    """The record in a checkpoint of molecules; PATH.prev is taken where it alone is left."""
    name = restart.existing(os.fspath(path))
    with _naming_the_previous(name):
        data = read_extra(name, _core.read_extra(name))
    if "job" not in data:
        raise bad_input(
            f"{name} is no checkpoint of a job of molecules",
            "another kind of run wrote it",
            f"Go on with `aureole run {name}`",
        )
    return Saved(name, data["step"], data["target"], data)


def resume(
    path: str | os.PathLike[str],
    job: Job | None = None,
    *,
    device: str | Device | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] | None = None,
    append: bool = True,
    part: int | None = None,
    allow_write: Iterable[str | os.PathLike[str]] = (),
) -> MolecularSimulation:
    """The simulation that wrote a checkpoint, at the step where it did.

    Args:
        path: the checkpoint
        job: read from the input files again; None reads those that the checkpoint names
        device, threads: other ones than before
        observers: None for those of the interrupted run
        append: whether they continue what observers of the same kind and file had written
        part: number of this part of the run; None for one more than before
        allow_write: files and folders outside of the checkpoint's own folder that observers of the
            interrupted run may write

    Raises InputError where the input is not what it was, FileError for a damaged checkpoint.
    """
    saved = look_at(path)
    if job is None:
        files = saved.job["files"]
        job = read_job(
            *(files["conf"], files["top"], files["mdp"]),
            index=files.get("index"),
            references=files.get("references"),
        )
    remarks = check_same(saved.path, saved.job, job)
    wanted = restart.device_of(saved.path, saved.data, device, threads)
    specs = list(_specs_of(saved) if observers is None else observers)
    states = _states_for(specs, saved) if append else None
    # Files of observers that are given now were named by the user.
    named = [] if observers is None else [p for spec in specs for p in confine.files_of(spec)]
    confine.check(saved.path, specs, states or [None] * len(specs), [*named, *allow_write])
    with _naming_the_previous(saved.path):
        core, _ = _core.Simulation.read_checkpoint(
            saved.path,
            device=wanted.name,
            threads=wanted.threads or restart.same_threads(saved.path, saved.data),
        )
    sim = MolecularSimulation.__new__(MolecularSimulation)
    sim._restore(core, job, wanted, saved.data)
    sim.job, sim.notes, sim.remarks = job, job.notes, (*job.remarks, *remarks)
    sim.record = record_of(job)
    sim.part = saved.part + 1 if part is None else part
    sim._driver = Driver(sim, specs)
    sim._driver.states = states
    sim._driver.target = saved.target
    return sim


@contextmanager
def _naming_the_previous(path: str) -> Iterator[None]:
    """Errors about a checkpoint tell where the one before it is."""
    try:
        yield
    except FileError as error:
        previous = path + ".prev"
        if os.path.exists(previous):
            raise FileError(f"{error} The previous checkpoint is {previous}.") from None
        raise


def _specs_of(saved: Saved) -> list[Observer]:
    return [
        restart.spec_of(saved.path, "observer", spec, f"observers[{k}]")
        for k, spec in enumerate(saved.data["observers"])
        if spec["kind"] != "Callback"
    ]


def _states_for(specs: Sequence[Observer], saved: Saved) -> list[dict[str, Any] | None]:
    """For each observer what one of its kind and file had done; None for a new one."""
    found = {
        (spec["kind"], os.path.abspath(spec["path"])): state for spec, state in saved.outputs()
    }
    return [
        found.get((type(spec).__name__, os.path.abspath(getattr(spec, "path", "") or "")))
        for spec in specs
    ]
