# SPDX-License-Identifier: Apache-2.0
"""The model of a simulation: a system and specs, and the topology that both give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.units import BY_NAME, Units
from aureole.specs.bonded import BondedTerm
from aureole.specs.constraints import LINCS, Constraints, Freeze
from aureole.specs.electric_field import ElectricField
from aureole.specs.electrostatics import Electrostatics
from aureole.specs.neighbor_list import NeighborList
from aureole.specs.pair import PairPotential
from aureole.system.flat_topology import Sheet, assemble
from aureole.system.system import System
from aureole.system.terms import rigid_pairs, sites_of
from aureole.system.topology import (
    ONCE,
    Atoms,
    Labels,
    Nonbonded,
    Piece,
    Terms,
    Topology,
    joined,
)
from aureole.system.tuples import SIZES

T = TypeVar("T")


@dataclass(frozen=True)
class Model:
    """A system and the specs that it is simulated by.

    Args:
        system: the particles at the start
        forces: specs of forces
        constraints: specs of solvers and of frozen groups
        neighbors: spec of the pair lists
    """

    system: System
    forces: tuple[Any, ...] = ()
    constraints: tuple[Any, ...] = ()
    neighbors: NeighborList = field(default_factory=NeighborList)

    def of(self, kind: type[T]) -> list[T]:
        """The forces of a kind."""
        return [force for force in self.forces if isinstance(force, kind)]

    def one(self, kind: type[T]) -> T | None:
        """The only force of a kind, or None; raises InputError where there are several."""
        found = self.of(kind)
        if len(found) > 1:
            raise bad_input(
                f"forces holds {found[0]!r} and {found[1]!r}",
                "only one such force is possible",
                "Keep one of them",
            )
        return found[0] if found else None

    @property
    def units(self) -> Units:
        """The units of the system."""
        return BY_NAME[self.system.units]

    @property
    def electrostatics(self) -> Electrostatics | None:
        """The spec of how charges interact; None without one."""
        return self.one(Electrostatics)

    @property
    def interacts(self) -> bool:
        """Whether there is more than pair potentials of particles without charges or bonds."""
        others = (Electrostatics, BondedTerm, ElectricField)
        return (
            self.system.interacts
            or any(isinstance(force, others) for force in self.forces)
            or any(force.of_types for force in self.of(PairPotential))
        )

    @property
    def solver(self) -> Constraints:
        """The spec of the constraint solver."""
        return solver_of(self.constraints)

    def frozen(self) -> NDArray[np.bool_]:
        """(n, 3) whether each particle is frozen along each axis."""
        frozen = np.zeros((self.system.n, 3), dtype=bool)
        for spec in self.constraints:
            if isinstance(spec, Freeze):
                frozen[self.system.members(spec.group)] |= np.array([a in spec.axes for a in "xyz"])
        return frozen

    @cached_property
    def topology(self) -> Topology | None:
        """The topology of the system, with the terms that specs give parameters."""
        system, named = self.system, self._named_terms()
        if system.topology is None:
            return _made(system, named) if self.interacts else None
        if not named:
            return system.topology
        return _with_terms(system.topology, named)

    def _named_terms(self) -> dict[str, Terms]:
        """Terms of named tuples by their kinds. Raises InputError for names without parameters."""
        found: dict[str, list[Piece]] = {}
        for kind, terms in self.system.terms.items():
            found[kind] = [
                _alike(terms.particles[terms.row == k], row)
                for k, row in enumerate(terms.parameters)
            ]
        for where in SIZES:
            tuples = getattr(self.system, where)
            known: set[str] = set()
            for spec in self.of(BondedTerm):
                if spec.tuples == where:
                    rows = spec.rows(tuple(tuples))
                    if not rows:
                        raise bad_input(
                            f"{type(spec).__name__} has nothing to act on",
                            f"the system has no {where}",
                            f"Give System(..., {where}=...), or leave the spec out",
                        )
                    known |= set(rows)
                    given = found.setdefault(spec.kind, [])
                    given += [_alike(tuples[name], row) for name, row in rows.items()]
            for name in tuples:
                if name not in known:
                    raise bad_input(
                        f"{where} {name!r} of the system have no parameters",
                        "no spec in forces covers that name",
                        f"Add a spec such as au.{_EXAMPLE[where]}, or remove them from the system",
                    )
        return {kind: joined(given) for kind, given in found.items() if given}


_EXAMPLE = {
    "bonds": "HarmonicBond(r0=..., k=...)",
    "angles": "HarmonicAngle(theta0=..., k=...)",
    "dihedrals": "PeriodicDihedral(phi0=..., k=..., n=...)",
    "impropers": "HarmonicImproper(xi0=..., k=...)",
    "pairs": "SpecialPair(c6=..., c12=..., qq=...)",
}


def _alike(tags: NDArray[np.int32], parameters: NDArray[np.float64]) -> Piece:
    """Terms that all have the same parameters."""
    return Terms(tags, np.zeros(len(tags), dtype=np.int32), parameters[None]), ONCE


def _with_terms(topology: Topology, named: dict[str, Terms]) -> Topology:
    """The topology with further terms between any particles."""
    both = dict(topology.intermolecular)
    for kind, new in named.items():
        old = both.get(kind)
        if old is not None and old.n:
            new = joined([(old, ONCE), (new, ONCE)])
        both[kind] = new
    return replace(topology, intermolecular=both)


def _made(system: System, named: dict[str, Terms]) -> Topology:
    """The topology of named terms; particles that terms or exclusions join are one molecule."""
    n, types = system.n, np.asarray(system.type, dtype=np.int32)
    names = Labels(system.type_names, types)
    none = np.zeros((len(system.type_names),) * 2)
    sheet = Sheet(
        Atoms(
            type=types,
            mass=np.asarray(system.mass),
            charge=np.asarray(system.charge),
            name=names,
            residue_name=names,
            residue=np.arange(1, n + 1, dtype=np.int32),
            virtual=np.isin(np.arange(n), sites_of(system.terms)),
        ),
        Nonbonded(system.type_names, none, none, "none"),
    )
    joined = [tags for field in ("bonds", "pairs") for tags in getattr(system, field).values()]
    joined += rigid_pairs(system.terms)
    excluded = joined if system.exclusions is None else [system.exclusions]
    sheet.excluded = [(int(i), int(j)) for tags in excluded for i, j in tags]
    for kind, terms in named.items():
        for tags, row in zip(terms.particles.tolist(), terms.row.tolist(), strict=True):
            sheet.add(kind, tags, terms.parameters[row].tolist())
    return assemble(sheet, "particles", BY_NAME[system.units].coulomb)


def solver_of(constraints: Iterable[Any]) -> Constraints:
    """The solver among specs of constraints, or the usual one."""
    found = [spec for spec in constraints if isinstance(spec, Constraints)]
    if len(found) > 1:
        raise bad_input(
            f"constraints holds {found[0]!r} and {found[1]!r}",
            "one solver handles all constraints",
            "Keep one of them",
        )
    return found[0] if found else LINCS()


FORCE_KINDS = (
    "Use for example au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5), or add a potential of "
    "your own (docs/howto/add-a-potential.md)"
)
