# SPDX-License-Identifier: Apache-2.0
"""How a simulation of molecules comes back: its state from a checkpoint, its job from its files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

from aureole import _core
from aureole.base.errors import bad_input
from aureole.engine.model import Model
from aureole.gromacs.job import Job, read_job
from aureole.gromacs.job_record import check_same
from aureole.gromacs.provenance import origin_of
from aureole.gromacs.translate import seeds_of, translated
from aureole.records import restart
from aureole.records.restart import Changes
from aureole.system.archive import STATIC

from .record import read_extra
from .restored import Restored
from .restored_parts import restored_parts


@dataclass(frozen=True)
class Saved:
    """Contents of a checkpoint that are read before its particles.

    Args:
        path: the file that is read, perhaps PATH.prev
        step: at which it was written
        target: to which the run was to go; None where nothing was said
        data: all of it, as `record` has it
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
            f"{name} is not a checkpoint of a GROMACS job",
            "another kind of run wrote it",
            f"Continue with `aureole run {name}`",
        )
    return saved_in(name, data)


def saved_in(path: str, data: dict[str, Any]) -> Saved:
    """The record that was read from a checkpoint of molecules."""
    return Saved(path, data["step"], data["target"], data)


def resume(saved: Saved, job: Job | None, changes: Changes) -> Restored:
    """The start of a simulation that goes on where a checkpoint was written.

    Args:
        saved: the record in the checkpoint
        job: read from the input files again; None reads those that the checkpoint names
        changes: of the user

    Raises InputError where the input is not what it was, FileError for a damaged checkpoint.
    """
    if job is None:
        files = saved.job["files"]
        job = read_job(
            *(files["conf"], files["top"], files["mdp"]),
            index=files.get("index"),
            references=files.get("references"),
        )
    remarks = check_same(saved.path, saved.job, job)
    parts = restored_parts(saved.path, saved.data, changes)
    given = translated(job)
    made = given.specs
    model = Model(
        *(given.system, tuple(made["forces"]), tuple(made["constraints"]), made["neighbors"])
    )
    if parts["integrator"] is None:  # it was not replaced during the run
        parts["integrator"] = made["integrator"]
    seeds = seeds_of(job.parameters, parts["seed"], given.velocity_seed)
    origin = origin_of(job, seeds, part=saved.part + 1)
    return Restored(
        **parts,
        box=given.system.box.resized(parts["core"].box),
        type_names=given.system.type_names,
        constraints=model.constraints,
        stages=(),
        neighbors=model.neighbors,
        static={name: getattr(given.system, name) for name in STATIC},
        units=model.units,
        topology=model.topology,
        origin=replace(origin, remarks=(*job.remarks, *remarks)),
    )
