# SPDX-License-Identifier: Apache-2.0
"""The origin of a simulation: the files that it was made from, and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aureole.base.text import place
from aureole.specs.minimizers import SteepestDescent

WITHOUT_END = 2**62  # steps


@dataclass(frozen=True)
class Origin:
    """The contents of a simulation's files besides its system and its specs.

    Args:
        dt, start: time step, and time of step 0 [time]
        end: the step at which a run ends
        minimizer: the descent that the files ask for; None where they ask for steps in time
        path: of the file that has the settings
        settings: all settings by name, with defaults for those that were not given
        lines: line numbers in the file, or words such as "argument dt", by the names of the
            settings that were given
        seeds: seeds that the run uses, by the settings that would reproduce it
        notes: what the checks and the readers of settings had to say
        remarks: what the other readers had to say
        record: record of the files, for checkpoints
        part: counts the pieces in which a run was made, from 1
        command: the command line, which continues the run when `-cpi` is added; or None.
            STEPS_LEFT in it stands for the steps that are left
        job, parameters: as their readers made them, for the user
    """

    dt: float
    start: float
    end: int
    minimizer: SteepestDescent | None
    path: str
    settings: Mapping[str, Any]
    lines: Mapping[str, int | str]
    seeds: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[Any, ...] = ()
    remarks: tuple[str, ...] = ()
    record: dict[str, Any] | None = None
    part: int = 1
    command: str | None = None
    job: Any = None
    parameters: Any = None

    def where(self, name: str) -> str:
        """The place of a setting: "file:line", or the file alone where it has its default."""
        return place(self.path, self.lines[name]) if name in self.lines else self.path


def _of_origin(name: str, otherwise: Any, words: str) -> Any:
    """A property that is of `Simulation.origin`."""

    def value(sim: Provenance) -> Any:
        return otherwise if sim.origin is None else getattr(sim.origin, name)

    return property(value, doc=words)


class Provenance:
    """The part of `Simulation` that says which files it was made from."""

    origin: Origin | None = None

    job: Any = _of_origin("job", None, "The GROMACS input files that it was made from, or None.")
    parameters: Any = _of_origin(
        "parameters", None, "Run parameters of the .mdp file; None without one."
    )
    end: int | None = _of_origin(
        "end", None, "The last step according to the .mdp file; None without one."
    )
    part: int = _of_origin("part", 1, "Number of this part of the run, from 1.")
    notes: tuple[Any, ...] = _of_origin(
        "notes", (), "Notes and warnings of the checks of these files."
    )
    remarks: tuple[str, ...] = _of_origin("remarks", (), "Remarks of the readers of these files.")
