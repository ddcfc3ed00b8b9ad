# SPDX-License-Identifier: Apache-2.0
"""How a simulation of molecules comes back: its state from a checkpoint, its job from its files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _core, restart
from ..driver import Driver
from ..errors import bad_input
from ..extra import read_extra
from ..integrators import Device
from ..observers import Observer
from ..parts import Parts
from ..simulation import Simulation
from ..spec import put
from .fingerprint import check_same, record_of
from .job import Job, read_job
from .origin import Origin
from .translate import seeds_of, translated


@dataclass(frozen=True)
class Saved:
    """What a checkpoint says before its particles are read.

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
    with restart.naming_the_previous(name):
        data = read_extra(name, _core.read_extra(name))
    if "job" not in data:
        raise bad_input(
            f"{name} is no checkpoint of a job of molecules",
            "another kind of run wrote it",
            f"Continue with `aureole run {name}`",
        )
    return Saved(name, data["step"], data["target"], data)


def resume(
    path: str | os.PathLike[str],
    job: Job | None = None,
    *,
    callbacks: Sequence[Observer] = (),
    device: str | Device | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] | None = None,
    append: bool = True,
    part: int | None = None,
    allow_write: Iterable[str | os.PathLike[str]] = (),
) -> Simulation:
    """The simulation that wrote a checkpoint, at the step where it did.

    Args:
        path: the checkpoint
        job: read from the input files again; None reads those that the checkpoint names
        callbacks, device, threads, observers, allow_write: as for `Simulation.from_checkpoint`
        append: whether they continue what observers of the same kind and file had written
        part: number of this part of the run; None for one more than before

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
    specs, states = restart.chosen_observers(
        *(saved.path, saved.data, callbacks, observers, allow_write), append=append
    )
    core = restart.read_core(saved.path, saved.data, wanted)
    sim = Simulation.__new__(Simulation)
    _restore(sim, core, job, saved, wanted)
    assert sim.origin is not None
    sim.origin.remarks = (*job.remarks, *remarks)
    sim.origin.part = saved.part + 1 if part is None else part
    sim._driver = Driver(sim, specs)
    sim._driver.states = states
    sim._driver.target = saved.target
    return sim


def _restore(sim: Simulation, core: Any, job: Job, saved: Saved, device: Device) -> None:
    """Take the state of `core`, and all else from the job."""
    given = translated(*(job.topology, job.coordinates, job.parameters, job.groups, job.references))
    specs = given.specs
    parts = Parts(
        *(given.system, tuple(specs["forces"]), tuple(specs["constraints"]), specs["neighbors"])
    )
    sim._take(parts)
    # They may have been replaced during the run.
    sim._forces = restart.specs_of(saved.path, "force", saved.data, "forces")
    sim._core = core
    put(sim, "device", device)
    put(sim, "seed", saved.data["seed"])
    sim._box = sim._box.resized(core.box)
    changed = saved.data["integrator"]  # replaced during the run
    sim._integrator = (
        specs["integrator"]
        if changed is None
        else restart.spec_of(saved.path, "integrator", changed, "integrator")
    )
    seeds = seeds_of(job.parameters, sim.seed, given.velocity_seed)
    origin = Origin(job.parameters, job, job.notes, record=record_of(job), seeds=seeds)
    put(sim, "origin", origin)
