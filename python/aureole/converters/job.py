# SPDX-License-Identifier: Apache-2.0
"""The job that converters make, with run parameters, as files of GROMACS give one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aureole.base.errors import bad_input
from aureole.formats.coordinates import Coordinates
from aureole.gromacs.conventions import OF_GROMACS, Conventions
from aureole.gromacs.coupled_constraints import largest_coupling
from aureole.gromacs.groups import default_groups
from aureole.gromacs.job import Job, job_of
from aureole.gromacs.mass_repartition import repartition
from aureole.gromacs.mdp.read import parameters_of
from aureole.gromacs.rigid_bonds import constrain_bonds
from aureole.system.flat_topology import Sheet, assemble
from aureole.system.topology import Topology

from .arguments import Arguments, in_python

#: Coupling of constraints beyond which LINCS of few orders leaves errors of 1e-4 and more.
_STRONG = 0.75
_SHAKE_TOL = 1e-5  # OpenMM's


def converted(
    sheet: Sheet,
    frame: Mapping[str, Any],
    settings: Mapping[str, Any],
    options: Arguments,
    source: str,
    conventions: Conventions = OF_GROMACS,
) -> Job:
    """The job of a converter.

    Args:
        sheet: all particles, and what binds them into molecules
        frame: their positions and velocities, and the box, by names of `Coordinates`
        settings: of the other program, by names of .mdp options
        options: of the user, which override these
        source: what errors call the place that all came from
        conventions: of the other program
    """
    atoms, topology = sheet.atoms, assemble(sheet, source)
    labels = {"name": atoms.name, "residue_name": atoms.residue_name, "residue": atoms.residue}
    coordinates = Coordinates(title=source, **labels, **frame)
    # Particles come as they are in the other program, where no first step moves them.
    start = {"continuation": "yes"}
    parameters = parameters_of(start | dict(settings) | options, source, options.places)
    topology = constrain_bonds(
        topology, parameters["constraints"], constant=conventions.constant_terms
    )
    topology = repartition(topology, parameters["mass-repartition-factor"])
    if _coupled(topology, coordinates) and "constraint-algorithm" not in options:
        exact = {"constraint-algorithm": "SHAKE", "shake-tol": _SHAKE_TOL}
        given = start | dict(settings) | exact | options
        parameters = parameters_of(given, source, options.places)
    groups = default_groups(topology.expand_atoms())
    points = coordinates.position.copy()
    for particle, point in sheet.references.items():
        points[particle] = point
    references = replace(coordinates, position=points)
    job = job_of(*(topology, coordinates, parameters, groups, references), remarks=topology.notes)
    # OpenMM removes the motion of the whole at each step unless it is told otherwise.
    kept = [note for note in job.notes if note.number != "A704" or "nstcomm" in options]
    notes = tuple(replace(note, text=in_python(note.text)) for note in kept)
    return replace(job, notes=notes, conventions=conventions)


def _coupled(topology: Topology, coordinates: Coordinates) -> bool:
    """Whether constraints need repeated corrections; refuses those for which these diverge."""
    start, largest = 0, 0.0
    for molecule, count in topology.blocks:
        position = coordinates.position[start : start + molecule.atoms.n]
        coupling = largest_coupling(molecule, position, coordinates.box)
        if coupling >= 1.0:
            raise bad_input(
                f"the {molecule.terms['constraint'].n} constraints of {molecule.name} have a "
                f"coupling of {coupling:.2f}",
                "from 1 on corrections do not converge, as where angles with hydrogens are "
                "constrained",
                "Constrain bonds alone: constraints=app.HBonds of createSystem, or "
                'constraints="h-bonds" here. With heavy hydrogens, by hydrogenMass=3*unit.amu or '
                "mass_repartition_factor=3, 4 fs are possible too",
            )
        start, largest = start + count * molecule.atoms.n, max(largest, coupling)
    return largest > _STRONG
