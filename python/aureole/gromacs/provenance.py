# SPDX-License-Identifier: Apache-2.0
"""Run parameters and files of a job, as a simulation records them."""

from __future__ import annotations

from collections.abc import Mapping

from aureole.engine.provenance import Origin
from aureole.live.live import WITHOUT_END
from aureole.specs.minimizers import SteepestDescent

from .job import Job
from .job_record import record_of
from .mdp.parameters import RunParameters


def origin_of(job: Job, seeds: Mapping[str, int], *, part: int | None = None) -> Origin:
    """The record that a simulation keeps of its job.

    Args:
        job: the job
        seeds: of the run, by their options
        part: number of the part of the run; None for simulation-part
    """
    parameters = job.parameters
    return Origin(
        parameters.dt,
        parameters.t_start,
        end_of(parameters),
        None if parameters.dynamics else minimizer_of(parameters),
        parameters.path,
        parameters.values,
        parameters.lines,
        seeds,
        notes=job.notes,
        remarks=job.remarks,
        record=record_of(job) if job.files else None,
        part=parameters["simulation-part"] if part is None else part,
        job=job,
        parameters=parameters,
    )


def end_of(parameters: RunParameters) -> int:
    """The last step by the run parameters."""
    steps = parameters.n_steps
    return parameters.first_step + steps if steps >= 0 else WITHOUT_END


def minimizer_of(parameters: RunParameters) -> SteepestDescent:
    """The minimiser of the run parameters."""
    return SteepestDescent(
        force_tolerance=parameters["emtol"],
        step=parameters["emstep"],
        max_steps=parameters.n_steps if parameters.n_steps >= 0 else None,
    )
