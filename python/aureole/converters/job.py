# SPDX-License-Identifier: Apache-2.0
"""What converters make: a job with run parameters, as files of GROMACS give one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.formats.coordinates import Coordinates
from aureole.gromacs.groups import default_groups
from aureole.gromacs.job import Job, job_of
from aureole.gromacs.mdp.read import parameters_of
from aureole.gromacs.rigid_bonds import constrain_bonds
from aureole.gromacs.translate import translated
from aureole.system.flat_topology import Sheet, assemble
from aureole.system.system import System


def converted(
    sheet: Sheet,
    position: NDArray[np.float64],
    velocity: NDArray[np.float64] | None,
    box: NDArray[np.float64],
    settings: Mapping[str, Any],
    options: Mapping[str, Any],
    source: str,
) -> Job:
    """The job of a converter.

    Args:
        sheet: particles and what binds them
        position: (n, 3) where they are [nm]
        velocity: (n, 3) [nm/ps], or None
        box: (3, 3) its rows are the vectors [nm]
        settings: of the other program, by names of .mdp options
        options: of the user, which override these; names may have _ for -
        source: what errors call the place that all came from
    """
    atoms = sheet.atoms
    coordinates = Coordinates(
        source, atoms.residue, atoms.residue_name, atoms.name, position, velocity, box
    )
    # Particles come as they are in the other program, where no first step moves them.
    start = {"continuation": "yes"}
    named = {name.replace("_", "-"): value for name, value in options.items()}
    parameters = parameters_of(start | dict(settings) | named, source)
    topology = constrain_bonds(assemble(sheet, source), parameters["constraints"])
    groups = default_groups(topology.expand_atoms())
    return job_of(*(topology, coordinates, parameters, groups, coordinates), remarks=topology.notes)


def system_of(job: Job) -> System:
    """The particles of a job and what binds them."""
    parts = (job.topology, job.coordinates, job.parameters, job.groups)
    return translated(*parts).system
