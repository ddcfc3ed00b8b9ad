# SPDX-License-Identifier: Apache-2.0
"""The input files of a job, checked as grompp does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aureole.base.attributes import unchangeable
from aureole.base.errors import InputError, bad_input
from aureole.base.text_files import Name
from aureole.base.values import put
from aureole.formats.coordinates import Coordinates
from aureole.formats.read_coordinates import read_coordinates
from aureole.gromacs.checks.run_checks import check
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.top.read import read_top
from aureole.system.topology import Topology

from .conventions import OF_GROMACS, Conventions
from .groups import Group, default_groups
from .mass_repartition import repartition
from .ndx import read_ndx
from .notes import Note
from .rigid_bonds import constrain_bonds


@unchangeable
@dataclass(frozen=True, eq=False)
class Job:
    """The input of a job.

    Args:
        coordinates: initial positions, velocities and box
        topology: with constraints in place of the bonds that the run parameters make rigid
        parameters: from the .mdp file
        groups: of the index file, or the default ones
        notes: of run parameters and checks, in the order of their numbers; by default those
            of `parameters`
        remarks: of the readers of coordinates and topology
        references: reference positions of restraints; None for `coordinates`
        files: names of the files read, as "conf", "top", "mdp", "index", "references"; none if
            objects of another program were converted
        conventions: of the program that the job comes from
    """

    coordinates: Coordinates
    topology: Topology
    parameters: RunParameters
    groups: tuple[Group, ...] = ()
    notes: tuple[Note, ...] = ()
    remarks: tuple[str, ...] = ()
    references: Coordinates = None  # type: ignore[assignment]
    files: Mapping[str, str] = field(default_factory=dict)
    conventions: Conventions = OF_GROMACS

    def __post_init__(self) -> None:
        put(self, "notes", self.notes or self.parameters.notes)
        put(self, "references", self.references or self.coordinates)

    def count(self, severity: str) -> int:
        """Number of notes of severity "note", "warning" or "error"."""
        return sum(note.severity == severity for note in self.notes)


def read_job(
    conf: Name, top: Name, mdp: Name, *, index: Name | None = None, references: Name | None = None
) -> Job:
    """Read the files of a job and check them against each other, as grompp does.

    Args:
        conf: coordinates, .gro or .pdb
        top: topology
        mdp: run parameters
        index: groups, .ndx; None for the default ones
        references: reference positions of restraints, if any

    Raises FileError and InputError if a file cannot be understood. If it can be read but not run,
    the notes contain an error.
    """
    parameters = read_mdp(mdp)
    topology = read_top(top, defines=parameters.defines, include=parameters.includes)
    coordinates = read_coordinates(conf)
    if coordinates.n != topology.n:
        raise bad_input(
            f"{os.fspath(conf)} has {coordinates.n} particles, "
            f"but {os.fspath(top)} has {topology.n}",
            "the two must match",
            "Compare the counts of [ molecules ] with the coordinates",
        )
    try:
        topology = constrain_bonds(topology, parameters["constraints"])
        topology = repartition(topology, parameters["mass-repartition-factor"])
    except InputError as error:
        raise InputError(f"{os.fspath(top)}: {error}") from None
    atoms = topology.expand_atoms()
    groups = read_ndx(index, topology.n) if index else default_groups(atoms)
    anchors = read_coordinates(references) if references else None
    names = {"conf": conf, "top": top, "mdp": mdp, "index": index, "references": references}
    return job_of(
        *(topology, coordinates, parameters, groups, anchors),
        remarks=(*coordinates.notes, *topology.notes),
        files={part: os.fspath(name) for part, name in names.items() if name},
    )


def job_of(
    topology: Topology,
    coordinates: Coordinates,
    parameters: RunParameters,
    groups: Sequence[Group],
    references: Coordinates | None,
    *,
    remarks: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Job:
    """The job of parts that have been read, with the notes of the checks.

    Args:
        topology, coordinates, parameters, groups: see `Job`
        references: reference positions of restraints; None if none were given
        remarks: of the readers
        files: names of the files read; None for none
    """
    by_name: dict[str, Group] = {}
    for group in groups:
        by_name.setdefault(group.name, group)  # of groups of one name the first counts
    found = check(
        parameters,
        topology,
        coordinates,
        {name: group.particles for name, group in by_name.items()},
        references,
    )
    notes = sorted((*parameters.notes, *found), key=lambda note: note.number)
    return Job(
        coordinates,
        topology,
        parameters,
        tuple(groups),
        tuple(notes),
        tuple(remarks),
        references,  # type: ignore[arg-type]
        files or {},
    )
