# SPDX-License-Identifier: Apache-2.0
"""A system of molecules that is ready to run, wherever it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..gromacs.constrain import constrain_bonds
from ..gromacs.coordinates import Coordinates
from ..gromacs.groups import default_groups
from ..gromacs.mdp import parameters_of
from ..gromacs.mdp_checks import check
from ..gromacs.mdp_notes import Note
from ..gromacs.mdp_parameters import RunParameters
from ..gromacs.translate import translated
from ..system import System
from ..topology import Topology

if TYPE_CHECKING:
    from ..simulation import Simulation


@dataclass(frozen=True, eq=False)
class MolecularSystem:
    """Molecules with run parameters, in nm, ps, u, kJ/mol and elementary charges.

    Args:
        topology: what binds particles into molecules
        coordinates: where they are, and the box
        parameters: how they interact and move
        notes: notes of the converter
    """

    topology: Topology
    coordinates: Coordinates
    parameters: RunParameters
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of particles."""
        return self.topology.n

    def system(self) -> System:
        """The particles and what binds them, as `Simulation` takes them."""
        return translated(self.topology, self.coordinates, self.parameters).system

    def simulation(self, **options: Any) -> Simulation:
        """A simulation of it; `options` are device, precision and threads."""
        from ..gromacs.start import simulation_of_parts

        groups = default_groups(self.topology.expand_atoms())
        parts = (self.topology, self.coordinates, self.parameters)
        return simulation_of_parts(*parts, groups=groups, **options)

    def check(self) -> tuple[Note, ...]:
        """Notes, warnings and errors that `aureole check` would give, by their numbers."""
        groups: dict[str, NDArray[np.int32]] = {}
        for group in default_groups(self.topology.expand_atoms()):
            groups.setdefault(group.name, group.particles)
        where = self.coordinates
        found = check(self.parameters, self.topology, where, groups, where)
        notes = (*self.parameters.notes, *found)
        return tuple(sorted(notes, key=lambda note: note.number))

    def with_options(self, **options: Any) -> MolecularSystem:
        """The same with other run parameters; names of .mdp options with _ for -, as in
        `system.with_options(tcoupl="v-rescale", tc_grps="System", tau_t=0.1, ref_t=300)`.

        Bonds that `constraints` makes rigid become so; none is made flexible again.
        """
        values = _set_by(self.parameters) | {_name(key): value for key, value in options.items()}
        parameters = parameters_of(values, self.parameters.path)
        topology = constrain_bonds(self.topology, parameters.constraints.which)
        return replace(self, topology=topology, parameters=parameters)

    def __repr__(self) -> str:
        blocks = ", ".join(f"{count} {molecule.name}" for molecule, count in self.topology.blocks)
        return f"MolecularSystem({self.n} particles: {blocks})"


def _set_by(parameters: RunParameters) -> Mapping[str, Any]:
    return {name: parameters.values[name] for name in parameters.lines}


def _name(key: str) -> str:
    return key.replace("_", "-")


def made(
    topology: Topology,
    coordinates: Coordinates,
    settings: Mapping[str, Any],
    options: Mapping[str, Any],
    path: str,
) -> MolecularSystem:
    """The system of a converter; `options` of the user override `settings` of the other program."""
    # Particles come as they are in the other program, where no first step moves them.
    start = {"continuation": "yes"}
    values = start | dict(settings) | {_name(key): value for key, value in options.items()}
    parameters = parameters_of(values, path)
    topology = constrain_bonds(topology, parameters.constraints.which)
    return MolecularSystem(topology, coordinates, parameters, topology.notes)
