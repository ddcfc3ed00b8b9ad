# SPDX-License-Identifier: Apache-2.0
"""From the files of GROMACS to a simulation, with the checks of `aureole check` on the way."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Unpack

from aureole.base.errors import InputError, bad_input
from aureole.base.values import put
from aureole.gromacs.job import Job, Name, read_job
from aureole.gromacs.provenance import origin_of
from aureole.gromacs.translate import seeds_of, translated
from aureole.live.observer import Observer
from aureole.simulation.arguments import StartArguments
from aureole.simulation.mesh_of_charges import CoarseMesh
from aureole.simulation.simulation import Simulation
from aureole.specs.device import Device

from .start_state import with_state


def from_gromacs(
    conf: Name,
    top: Name,
    mdp: Name,
    *,
    index: Name | None = None,
    references: Name | None = None,
    state: Name | None = None,
    maxwarn: int = 0,
    device: str | Device = "auto",
    precision: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
) -> Simulation:
    """A simulation of GROMACS input files.

    Args:
        conf: coordinates, .gro or .pdb
        top: topology, .top
        mdp: run parameters, .mdp
        index: groups, .ndx; None for the default groups
        references: reference positions of position restraints, if there are any
        maxwarn: number of warnings to tolerate
        device, precision, threads, observers: as for `Simulation`

    The result's `notes` hold the notes and warnings of the checks. ``sim.run("20 ps")`` runs for
    a time, ``sim.run()`` as long as the .mdp file says. Only observers write files.
    Raises FileError and InputError, with file and line, if the input cannot be understood or
    run, or gives more warnings than `maxwarn`.
    """
    files = {"conf": conf, "top": top, "mdp": mdp}
    for name, value in {**files, "index": index, "references": references, "state": state}.items():
        optional = value is None and name not in files
        if not optional and not isinstance(value, (str, os.PathLike)):
            raise bad_input(
                f"{name} is {value!r}", "it must be a file name", "Give a str or a Path"
            )
    job = read_job(conf, top, mdp, index=index, references=references)
    if state is not None:
        job = with_state(job, state)
    accept(job, maxwarn)
    return simulation_of(
        job, device=device, precision=precision, threads=threads, observers=observers
    )


def simulation_of(job: Job, **start: Unpack[StartArguments]) -> Simulation:
    """The simulation of a job that was accepted; `start` as for `Simulation`."""
    given = translated(job)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CoarseMesh)  # the checks of the job have told
        sim = Simulation(given.system, **start, **given.specs)
    if given.temperature is not None:
        kT = sim.units.boltzmann * given.temperature
        sim.thermalize(f"{float(kT)!r} kJ/mol", seed=given.velocity_seed)
    seeds = seeds_of(job.parameters, given.specs["seed"], given.velocity_seed)
    put(sim, "origin", origin_of(job, seeds))
    return sim


def accept(job: Job, maxwarn: int, *, list_them: bool = True) -> None:
    """Raise InputError for a job with errors, or with more than `maxwarn` warnings.

    Args:
        job: what was read
        maxwarn: number of warnings to tolerate
        list_them: whether the error lists the notes
    """
    for kind, tolerated in (("error", 0), ("warning", max(maxwarn, 0))):
        notes = [note for note in job.notes if note.severity == kind]
        n = len(notes)
        if n <= tolerated:
            continue
        hint = "Correct the input"
        if kind == "warning":
            use = f"-maxwarn {n} (in Python maxwarn={n})" if job.files else f"maxwarn={n}"
            hint = f"Correct the input; or, if it is intended, use {use}"
        few = f", and {tolerated} allowed" if tolerated else ""
        lines = "".join(f"\n  {note}" for note in notes) if list_them else ""
        raise InputError(
            f"the input has {n} {kind}{'s' * (n > 1)}{few} (docs/checks.md explains "
            f"{'them' if n > 1 else 'it'} by number). {hint}{':' if lines else '.'}{lines}"
        )
