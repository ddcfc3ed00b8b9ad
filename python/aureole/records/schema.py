# SPDX-License-Identifier: Apache-2.0
"""The schema of what records of all applications have in common.

Checksums tell that nothing was altered by accident. Anyone who writes a checkpoint by hand can sign
it as well as we do, so that the kind of everything is checked before it is used. Only readers of
checkpoints import this module.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, ValidationError, convert

from aureole.live.state_types import Count, State, Text
from aureole.specs.spec import KINDS


class OfSpec(Struct):
    """The record of a spec of any family."""

    kind: Text


class OfObserver(OfSpec):
    """The record of an observer."""

    path: Text | None = None
    function: Text = ""


class Record(Struct, kw_only=True):
    """What all records have. Older ones lack the fields that have a default."""

    observers: list[OfObserver]
    states: list[dict[str, Any]]
    device: OfSpec
    threads: Count
    target: Count | None
    step: Count
    application: Text = "particles"


def problem_of(data: dict[str, Any], kind: type[Record]) -> str | None:
    """Which part of a record of some kind no run writes, and why; None if all is well."""
    try:
        record = convert(data, kind)
    except (ValidationError, OverflowError, UnicodeError) as error:
        return _words(error, "")
    if len(record.observers) != len(record.states):
        return "field 'states': one entry per observer is needed"
    for k, (spec, state) in enumerate(zip(record.observers, record.states, strict=True)):
        known: Any = KINDS["observer"].get(spec.kind)
        try:
            convert(state, State)
            if known is not None:  # of another program, it fails when it is made
                convert(state, known.state_schema())
        except (ValidationError, OverflowError, UnicodeError) as error:
            return _words(error, f"states[{k}]")
    return None


def _words(error: Exception, within: str) -> str:
    """An error of msgspec, which says "Expected ... - at `$.box[0]`", in our words."""
    why, _, place = str(error).partition(" - at `$")
    part = (within + place.rstrip("`")).lstrip(".")
    name = f"field {part!r}" if part else "the record"
    return f"{name}: {why[:1].lower()}{why[1:]}"
