# SPDX-License-Identifier: Apache-2.0
"""What a simulation knows of the files of GROMACS that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..integrators import SteepestDescent

if TYPE_CHECKING:
    from .job import Job
    from .mdp_notes import Note
    from .mdp_parameters import RunParameters

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
            force_tolerance=p.minimization.tolerance,
            step=p.minimization.step,
            max_steps=p.n_steps if p.n_steps >= 0 else None,
        )
