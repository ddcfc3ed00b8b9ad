# SPDX-License-Identifier: Apache-2.0
"""From the files of GROMACS to a simulation, with the checks of `aureole check` on the way."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError
from ..integrators import Device
from ..molecular import MolecularSimulation
from ..observers import Observer
from .fingerprint import record_of
from .job import Job, Name, read_job


def from_gromacs(
    conf: Name,
    top: Name,
    mdp: Name,
    *,
    index: Name | None = None,
    references: Name | None = None,
    maxwarn: int = 0,
    device: str | Device = "auto",
    precision: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
) -> MolecularSimulation:
    """A simulation of what the input files of GROMACS describe.

    Args:
        conf: coordinates, .gro or .pdb
        top: topology, .top
        mdp: run parameters, .mdp
        index: groups, .ndx; None for the default ones
        references: positions to which restraints refer; None for `conf`
        maxwarn: how many warnings may pass
        device, precision, threads, observers: as for `Simulation`

    The remarks of the checks are in `notes` of the result. ``sim.run("20 ps")`` runs,
    ``sim.run()`` as long as the .mdp file says. Nothing is written but what observers write.
    Raises FileError and InputError, with file and line, where the input cannot be understood or
    run, and where it gives more warnings than `maxwarn`.
    """
    job = read_job(conf, top, mdp, index=index, references=references)
    accept(job, maxwarn)
    return simulation_of(
        job, device=device, precision=precision, threads=threads, observers=observers
    )


def simulation_of(
    job: Job,
    *,
    device: str | Device = "auto",
    precision: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
) -> MolecularSimulation:
    """The simulation of a job that was accepted."""
    sim = MolecularSimulation(
        job.topology,
        job.coordinates,
        job.parameters,
        groups=job.groups,
        references=job.references,
        device=device,
        precision=precision,
        threads=threads,
        observers=observers,
    )
    sim.job, sim.notes, sim.remarks = job, job.notes, job.remarks
    sim.record = record_of(job)
    return sim


def accept(job: Job, maxwarn: int) -> None:
    """Raise InputError for a job with errors, or with more than `maxwarn` warnings."""
    errors = [note for note in job.notes if note.severity == "error"]
    if errors:
        raise _refused(f"{_counted(errors, 'error')} in the input", errors, "Mend them")
    warnings = [note for note in job.notes if note.severity == "warning"]
    if len(warnings) > maxwarn:
        more = f"; {maxwarn} may pass" if maxwarn else ""
        raise _refused(
            f"{_counted(warnings, 'warning')} about the input{more}",
            warnings,
            f"Mend them; or, if all are harmless, let them pass with maxwarn {len(warnings)}",
        )


def _counted(notes: Sequence[object], word: str) -> str:
    return f"{len(notes)} {word}{'' if len(notes) == 1 else 's'}"


def _refused(problem: str, notes: Sequence[object], suggestion: str) -> InputError:
    lines = "".join(f"\n  {note}" for note in notes)
    return InputError(f"{problem} (docs/checks.md explains them). {suggestion}:{lines}")
