# SPDX-License-Identifier: Apache-2.0
"""The schema of the records of particles. Only readers of checkpoints import this module."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, convert, field

import aureole.observers.kinds  # noqa: F401 - makes their classes
from aureole.live.state_types import Count, Text, Whole
from aureole.records import schema
from aureole.records.schema import OfSpec

Vector = tuple[float, float, float]


class Record(schema.Record, kw_only=True):
    """The whole record. Older records lack the fields that have a default."""

    box: tuple[float, float, float, float, float, float]
    periodic: tuple[bool, bool, bool]
    type_names: Annotated[list[Text], Meta(min_length=1)]
    forces: list[OfSpec]
    integrator: OfSpec | None
    neighbors: OfSpec
    seed: Count
    constraints: list[OfSpec] = field(default_factory=list)
    stages: list[OfSpec] = field(default_factory=list)
    system: Text = ""
    corner: Vector = (0.0, 0.0, 0.0)


class Files(Struct):
    """The files of a job by their kind; other kinds are allowed."""

    conf: Text
    top: Text
    mdp: Text


class Job(Struct):
    """The input that a job was made from."""

    files: dict[str, Text]
    sha256: dict[str, Text]
    topology: Text
    options: dict[str, Text]

    def __post_init__(self) -> None:
        convert(self.files, Files)


class RecordOfJob(Record, kw_only=True):
    """The record of a simulation made from GROMACS files."""

    job: Job
    part: Whole
    next_command: Text = field(name="continue")


def problem_of(data: dict[str, Any]) -> str | None:
    """Which part of the record no run writes, and why; None if all is well."""
    return schema.problem_of(data, RecordOfJob if "job" in data else Record)
