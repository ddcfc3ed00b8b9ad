# SPDX-License-Identifier: Apache-2.0
"""Types of the states of recorders in checkpoints. Only readers of checkpoints import this."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

Whole = Annotated[int, Meta(gt=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e12)]
Text = Annotated[str, Meta(pattern=r"\A[^\0]*\Z")]


class State(Struct):
    """State of any recorder, each key where the recorder has it; other keys are its own."""

    #: Keys that need others beside them.
    together: ClassVar[dict[str, tuple[str, ...]]] = {"bytes": ("pieces",)}
    last: Whole | UnsetType = UNSET
    rows: Count | UnsetType | None = UNSET
    frames: Count | UnsetType = UNSET
    bytes: Count | UnsetType = UNSET
    pieces: Count | UnsetType = UNSET
    waiting: list[Text] | UnsetType = UNSET
    tail: tuple[Count, Text] | UnsetType = UNSET
    mark: tuple[Count, Count] | UnsetType = UNSET

    def __post_init__(self) -> None:
        for key, others in self.together.items():
            missing = [name for name in others if getattr(self, name) is UNSET]
            if missing and getattr(self, key) is not UNSET:
                raise ValueError(f"Object with `{key}` and without `{missing[0]}`")


class OfFrames(State):
    """State of trajectories."""

    together = {"first": ("frames", "bytes")}
    first: Whole | UnsetType = UNSET
    molecular: bool | UnsetType = UNSET
    digest: Text | UnsetType | None = UNSET
    size: Count | UnsetType = UNSET


class OfSnapshots(State):
    """State of series of files with numbers."""

    files: Annotated[int, Meta(ge=0, le=10**9)] | UnsetType = UNSET


class OfColumns(State):
    """State of tables whose columns are `Quantities`."""

    together = {"terms": ("groups", "conserved", "last")}
    terms: list[Text] | UnsetType = UNSET
    groups: list[Text] | UnsetType = UNSET
    conserved: bool | UnsetType = UNSET
    molecular: bool | UnsetType = UNSET
    tilted: bool | UnsetType = UNSET
    written: Count | UnsetType = UNSET
    digest: Text | UnsetType | None = UNSET


Row = list[float]


class Averages(Struct):
    """State of `analysis.averages`; all rows have the same length."""

    levels: list[tuple[Count, Row, Row, Row | None]]
    line: tuple[float, float, Row, float, float]

    def __post_init__(self) -> None:
        rows = [row for level in self.levels for row in level[1:] if row is not None]
        if any(len(row) != len(self.line[2]) for row in rows):
            raise ValueError("Rows of different widths")
        if any(square < 0 for level in self.levels for square in level[2]):
            raise ValueError("Squares below 0")


class Effort(Struct):
    """Seconds, steps and profile of a `RunLog`."""

    seconds: Seconds
    steps: Count
    profile: dict[str, tuple[Seconds, Count | None]]


class OfRunLog(OfColumns):
    """State of a `RunLog`."""

    together = OfColumns.together | {"averages": ("terms", "bytes")}
    averages: Averages | UnsetType = UNSET
    effort: Effort | UnsetType = UNSET
    replaced: list[Text] | UnsetType = UNSET
