# SPDX-License-Identifier: Apache-2.0
"""What a simulation knows of the files that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aureole.specs.minimizers import SteepestDescent

#: As readers of files have them: run parameters, a note of a check, all files of a job.
RunParameters = Note = Job = Any

WITHOUT_END = 2**62  # steps


def end_of(parameters: RunParameters) -> int:
    """The step at which the run parameters end a run."""
    steps = parameters.n_steps
    return parameters.first_step + steps if steps >= 0 else WITHOUT_END


@dataclass
class Origin:
    """The job of a simulation.

    Args:
        parameters: of the .mdp file
        job: what was read; None where the parts were given singly
        notes: what the checks had to say
        remarks: what the readers had to say
        record: of the job for checkpoints
        part: counts the pieces in which a run was made, from 1
        command: of the command line, which goes on when `-cpi` is added; or None. STEPS_LEFT in it
            stands for the steps that are left
        seeds: that the run uses, by the options that would make it again
    """

    parameters: RunParameters
    job: Job | None = None
    notes: tuple[Note, ...] = ()
    remarks: tuple[str, ...] = ()
    record: dict[str, Any] | None = None
    part: int = 1
    command: str | None = None
    seeds: dict[str, int] | None = None

    @property
    def end(self) -> int:
        """The step at which the run parameters end a run."""
        return end_of(self.parameters)

    @property
    def minimizer(self) -> SteepestDescent:
        """The descent that the run parameters ask for."""
        p = self.parameters
        return SteepestDescent(
            force_tolerance=p["emtol"],
            step=p["emstep"],
            max_steps=p.n_steps if p.n_steps >= 0 else None,
        )


class Provenance:
    """The part of `Simulation` that says which files it was made from."""

    origin: Origin | None = None

    @property
    def job(self) -> Job | None:
        """The files of GROMACS that it was made from; None where it was not."""
        return None if self.origin is None else self.origin.job

    @property
    def parameters(self) -> RunParameters | None:
        """Run parameters of the .mdp file; None without one."""
        return None if self.origin is None else self.origin.parameters

    @property
    def end(self) -> int | None:
        """The last step according to the .mdp file; None without one."""
        return None if self.origin is None else self.origin.end

    @property
    def part(self) -> int:
        """Counts the pieces in which a run was made, from 1."""
        return 1 if self.origin is None else self.origin.part

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes and warnings of the checks of these files."""
        return () if self.origin is None else self.origin.notes

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks of the readers of these files."""
        return () if self.origin is None else self.origin.remarks
