# SPDX-License-Identifier: Apache-2.0
"""The input of the checks: run parameters and, if known, the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aureole.formats.coordinates import Coordinates
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.system import degrees_of_freedom as freedom
from aureole.system.topology import TO_REFERENCES, MoleculeType, Topology

Groups = Mapping[str, NDArray[np.integer]]


@dataclass(frozen=True)
class Case:
    """The input of the checks.

    Args:
        parameters: of the .mdp file
        topology: as it will be simulated, after bonds have become constraints and masses have
            been repartitioned; or None
        coordinates: particles and box; or None
        groups: particles (counted from 0) of every group by name; or None
        references: reference positions of restraints; or None
    """

    parameters: RunParameters
    topology: Topology | None = None
    coordinates: Coordinates | None = None
    groups: Groups | None = None
    references: Coordinates | None = None

    @property
    def system(self) -> Topology:
        """The topology, for checks that need it."""
        assert self.topology is not None
        return self.topology

    @property
    def frame(self) -> Coordinates:
        """The coordinates, for checks that need them."""
        assert self.coordinates is not None
        return self.coordinates

    @cached_property
    def _groups(self) -> dict[str, NDArray[np.integer]]:
        return {name.lower(): np.asarray(rows) for name, rows in (self.groups or {}).items()}

    def members(self, name: str) -> NDArray[np.integer] | None:
        """Particles of a group, None if there is no such group; case is ignored."""
        found = self._groups.get(name.lower())
        if found is None and name.lower() == "system" and self.topology is not None:
            return np.arange(self.topology.n)
        return found

    @cached_property
    def molecules(self) -> list[MoleculeType]:
        """The molecule types that occur, in the order of the topology."""
        return [molecule for molecule, count in self.system.blocks if count]

    def has(self, kind: str) -> bool:
        """Whether the topology has terms of that kind."""
        return any(kind in one.terms and one.terms[kind].n for one in self.molecules)

    @cached_property
    def restrained(self) -> bool:
        """Whether there are position restraints."""
        return any(self.has(kind) for kind in TO_REFERENCES)

    @cached_property
    def charge(self) -> float:
        """Sum of all charges [e]."""
        blocks = self.system.blocks
        return float(sum(count * molecule.atoms.charge.sum() for molecule, count in blocks))

    @property
    def whole(self) -> bool:
        """Whether the charge is an integer, up to rounding."""
        return abs(self.charge - round(self.charge)) <= 1e-4

    @cached_property
    def charged(self) -> bool:
        """Whether any particle has a charge."""
        return any(molecule.atoms.charge.any() for molecule in self.molecules)

    @cached_property
    def lightest(self) -> float:
        """The lowest mass that is not 0 [amu], without rigid waters; infinite if there is none."""
        masses = [one.atoms.mass for one in self.molecules if "settle" not in one.terms]
        return float(min((m[m > 0].min() for m in masses if (m > 0).any()), default=np.inf))


def labels(case: Case, names: tuple[str, ...]) -> NDArray[np.int64]:
    """(n,) index of the named group that each particle is in; len(names) for none of them.

    Later groups win where groups overlap.
    """
    return freedom.labels(case.system.n, [case.members(name) for name in names])


def times_used(case: Case, names: tuple[str, ...]) -> NDArray[np.int64]:
    """(n,) how often the named groups list each particle."""
    used = np.zeros(case.system.n, dtype=np.int64)
    for name in names:
        rows = case.members(name)
        if rows is not None:
            np.add.at(used, rows[(rows >= 0) & (rows < len(used))], 1)
    return used
