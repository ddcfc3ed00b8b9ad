# SPDX-License-Identifier: Apache-2.0
"""The schema of the specs and states in a checkpoint.

Checksums tell that nothing was altered by accident. Anyone who writes a checkpoint by hand can sign
it as well as we do, so that the kind of everything is checked before it is used. Only readers of
checkpoints import this module.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, field

from aureole.live.state_types import Count, State, Text, Whole
from aureole.observers.kinds import KINDS

Vector = tuple[float, float, float]


class Spec(Struct):
    """The record of a spec of any family."""

    kind: Text


class OfObserver(Spec):
    """The record of an observer."""

    path: Text | None = None
    function: Text = ""


class Record(Struct, kw_only=True):
    """The whole record. Older records lack the fields that have a default."""

    box: tuple[float, float, float, float, float, float]
    periodic: tuple[bool, bool, bool]
    type_names: Annotated[list[Text], Meta(min_length=1)]
    forces: list[Spec]
    integrator: Spec | None
    observers: list[OfObserver]
    states: list[dict[str, Any]]
    device: Spec
    neighbors: Spec
    threads: Count
    seed: Count
    target: Count | None
    step: Count
    constraints: list[Spec] = []
    stages: list[Spec] = []
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
    try:
        record = convert(data, RecordOfJob if "job" in data else Record)
    except (ValidationError, OverflowError, UnicodeError) as error:
        return _words(error, "")
    if len(record.observers) != len(record.states):
        return "field 'states': one entry per observer is needed"
    for k, (spec, state) in enumerate(zip(record.observers, record.states, strict=True)):
        kind = KINDS["observer"].get(spec.kind)
        try:
            convert(state, State)
            if kind is not None:  # of another program, it fails when it is made
                convert(state, kind.state_schema())
        except (ValidationError, OverflowError, UnicodeError) as error:
            return _words(error, f"states[{k}]")
    return None


def _words(error: Exception, within: str) -> str:
    """An error of msgspec, which says "Expected ... - at `$.box[0]`", in our words."""
    why, _, place = str(error).partition(" - at `$")
    part = (within + place.rstrip("`")).lstrip(".")
    name = f"field {part!r}" if part else "the record"
    return f"{name}: {why[:1].lower()}{why[1:]}"
