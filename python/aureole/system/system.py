# SPDX-License-Identifier: Apache-2.0
"""A system: particles in a box, as pure data in tag order."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.attributes import Called, unchangeable
from aureole.base.digests import digest
from aureole.base.errors import bad_input, nearest
from aureole.base.html_table import html_table
from aureole.base.quantities import of_system
from aureole.base.units import BY_NAME
from aureole.base.values import Table, choice, flag, put

from . import archive
from .box import Box
from .checks import (
    as_charges,
    as_images,
    as_masses,
    as_types,
    as_vectors,
    check_distinct,
    constant,
    frozen,
    with_turns,
)
from .references import References
from .terms import sites_of, terms_of
from .topology import Terms, Topology
from .tuples import SIZES, groups_of, named_tuples, pairs_of
from .user_columns import Columns


@unchangeable
@dataclass(frozen=True, eq=False)
class System(metaclass=Called):
    """Particles in a box; arrays are in tag order and read-only.

    Args:
        box: a Box, or what `Box.of` takes
        position: (n, 3) [length]; wrapped into the box along periodic axes, counted by `image`;
            along the others particles may lie outside
        velocity: (n, 3) [velocity]; None means at rest
        mass: (n,) or one number [mass]; None means 1
        type: (n,) indices into `type_names`, or names; None means the first type
        type_names: names of the types; None means "A", "B", ... as many as needed
        image: (n, 3) how often each particle has crossed the periodic box; None means 0
        columns: other numbers by name, (n,) or (n, 3); ``system.columns["diameter"] = d`` adds one
        charge: (n,) or one number [charge]; None means 0
        bonds, pairs: (m, 2) tags by names, whose parameters specs such as `HarmonicBond` and
            `SpecialPair` give: ``bonds={"backbone": [[0, 1], [1, 2]]}``
        angles: (m, 3) tags by names, likewise
        dihedrals, impropers: (m, 4) tags by names, likewise
        exclusions: (m, 2) pairs without non-bonded interaction; None: the pairs that bonds,
            special pairs, constraints and virtual sites join
        terms: terms given directly, with their parameters: constraints, rigid waters, virtual
            sites, position restraints and any bonded term, as
            ``{"constraint": (pairs, length), "vsite2": (tags, a)}``: (m, k) tags and (p,) or (m, p)
            parameters in the units of the system, by the kinds of `topology.TERMS`
        topology: bonded terms with their parameters, exclusions, constraints, virtual sites and
            names of molecules, and the Lennard-Jones parameters of types, as force fields give them
        groups: tags by names, which thermostats, `Freeze` and others refer to
        references: (n, 3) reference positions of position restraints [length], or `References`;
            None for the positions
        units: "reduced", or "molecular": nm, ps, u, kJ/mol, e, K and bar
        periodic_molecules: molecules are bonded to their own images and are never made whole

    Raises InputError for positions or velocities that are not finite, two particles at the
    same point, masses that are not positive, unknown types, tags that do not exist, or arrays of a
    wrong shape. Particles of a topology may have no mass and share a point, as virtual sites do.
    """

    box: Box
    position: NDArray[np.float64]
    velocity: NDArray[np.float64] = None  # type: ignore[assignment]
    mass: NDArray[np.float64] = None  # type: ignore[assignment]
    type: NDArray[np.int32] = None  # type: ignore[assignment]
    type_names: tuple[str, ...] = None  # type: ignore[assignment]
    image: NDArray[np.int32] = None  # type: ignore[assignment]
    columns: Columns = None  # type: ignore[assignment]
    _: KW_ONLY
    charge: NDArray[np.float64] = None  # type: ignore[assignment]
    bonds: Table = None  # type: ignore[assignment]
    angles: Table = None  # type: ignore[assignment]
    dihedrals: Table = None  # type: ignore[assignment]
    impropers: Table = None  # type: ignore[assignment]
    pairs: Table = None  # type: ignore[assignment]
    exclusions: NDArray[np.int32] | None = None
    terms: dict[str, Terms] = None  # type: ignore[assignment]
    topology: Topology | None = None
    groups: Table = None  # type: ignore[assignment]
    references: References | None = None
    units: str = "reduced"
    periodic_molecules: bool = False

    def __post_init__(self) -> None:
        units = BY_NAME[choice(self.units, "units", tuple(BY_NAME))]
        for name in ("box", "position", "velocity", "mass"):
            put(self, name, of_system(getattr(self, name), name, units))
        put(self, "box", Box.of(self.box))
        position = as_vectors(self.position, "position")
        n = len(position)
        if n == 0:
            raise bad_input("the system is empty", "there is nothing to simulate", "Add particles")
        image = as_images(self.image, n)
        position, turns = self.box.wrap(position)
        put(self, "terms", terms_of(self.terms, n, self.topology))
        molecules = self.topology is not None or bool(sites_of(self.terms).size)
        if not molecules:
            check_distinct(position)
        put(self, "position", frozen(position))
        put(self, "image", frozen(with_turns(image, turns)))
        velocity = constant(0.0, (n, 3), np.float64)
        if self.velocity is not None:
            velocity = as_vectors(self.velocity, "velocity", n)
        put(self, "velocity", frozen(velocity))
        put(self, "mass", frozen(as_masses(self.mass, n, molecules)))
        indices, names = as_types(self.type, self.type_names, n)
        put(self, "type", frozen(indices))
        put(self, "type_names", names)
        put(self, "columns", Columns(n, self.columns))
        self._check_bindings(n)

    def _check_bindings(self, n: int) -> None:
        flag(self.periodic_molecules, "periodic_molecules")
        put(self, "charge", frozen(as_charges(self.charge, n)))
        for name, size in SIZES.items():
            put(self, name, named_tuples(getattr(self, name), size, name, n))
        put(self, "exclusions", pairs_of(self.exclusions, n))
        put(self, "groups", groups_of(self.groups, n))
        if self.references is not None:
            put(self, "references", References.of(self.references, n, self.box))
        if self.topology is None:
            return
        if self.topology.n != n:
            raise bad_input(
                f"the topology has {self.topology.n} particles",
                f"there are {n} positions",
                "Give a topology and positions of one system",
            )
        if self.topology.nonbonded.type_names != self.type_names:
            raise bad_input(
                "topology and system have different types",
                "Lennard-Jones parameters belong to types",
                "Give type_names=topology.nonbonded.type_names, and type accordingly",
            )

    @property
    def interacts(self) -> bool:
        """Whether the system has charges or bonds."""
        return (
            self.topology is not None
            or bool(self.charge.any())
            or self.exclusions is not None
            or bool(self.terms)
            or any(getattr(self, name) for name in SIZES)
        )

    def members(self, group: str) -> NDArray[np.int32]:
        """(m,) tags of a group, or of all particles for "System"; case does not count."""
        for name, tags in self.groups.items():
            if name.lower() == group.lower():
                return np.asarray(tags)
        if group.lower() == "system":
            return np.arange(self.n, dtype=np.int32)
        why, hint = "the system has none of that name", nearest(group, self.groups)
        if group in self.type_names:
            kind, why = self.type_names.index(group), f"{group} is a type of particles"
            members = f"np.flatnonzero(system.type == {kind})"
            hint = f"Add it: system.replace(groups={{{group!r}: {members}}})"
        raise bad_input(f"no group {group!r}", why, hint)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the whole system, without rounding, for `System.load`.

        Args:
            path: the file, a NumPy archive (.npz); an existing one is replaced
        """
        archive.save(self, os.fspath(path))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> System:
        """Load a system that `System.save` wrote.

        Args:
            path: the file

        Raises FileError if it cannot be read or was not written by `System.save`.
        """
        return archive.load(os.fspath(path), System)

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.position)

    @property
    def density(self) -> float:
        """Number density [1/length^3]."""
        return self.n / self.box.volume

    def replace(self, **changes: Any) -> System:
        """A copy with some arrays changed."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return System(**(data | changes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        same = (self.box, self.type_names) == (other.box, other.type_names)
        arrays = ("position", "velocity", "mass", "type", "image")
        same = same and self.columns == other.columns and self.units == other.units
        same = same and np.array_equal(self.charge, other.charge)
        same = same and self._bindings() == other._bindings()
        return same and all(np.array_equal(getattr(self, a), getattr(other, a)) for a in arrays)

    __hash__ = None  # type: ignore[assignment]

    def _bindings(self) -> str:
        """A digest that identifies a topology with its groups and references."""
        tuples = [getattr(self, name) for name in SIZES]
        more = (self.exclusions, self.groups, self.references, self.periodic_molecules)
        own = [self.terms] if self.terms else []
        return digest([self.topology, *tuples, *more, *own])

    def _kinds(self) -> list[str]:
        """Counts and names of the kinds of molecules, or else of the types."""
        if self.topology is not None:
            return [f"{count} {kind.name}" for kind, count in self.topology.blocks]
        counts = np.bincount(self.type, minlength=len(self.type_names))
        return [f"{count} {name}" for count, name in zip(counts, self.type_names, strict=True)]

    def __repr__(self) -> str:
        kinds = ", ".join(self._kinds())
        units = "" if self.units == "reduced" else f"; {self.units} units"
        density = self._density_words()
        return f"System({self.n} particles: {kinds}; density {density}; {self.box}{units})"

    def _density_words(self) -> str:
        units = BY_NAME[self.units]
        value = units.density_of(self.n, float(self.mass.sum()), self.box.volume)
        return f"{value:.6g} {units.symbol('density')}".rstrip()

    def _repr_html_(self) -> str:
        units = BY_NAME[self.units]
        box = " × ".join(f"{length:.5g}" for length in self.box.lengths)
        rows = [
            ("particles", f"{self.n:,}"),
            ("kinds", self._kinds()),
            ("box", f"{box} {units.symbol('length')}".rstrip()),
            ("density", self._density_words()),
            ("units", self.units),
        ]
        return html_table("System", rows)
