# SPDX-License-Identifier: Apache-2.0
"""A system: particles in a box, as pure data in tag order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .attributes import Called, unchangeable
from .bindings import References, groups_of, named_tuples, pairs_of
from .bonded import SIZES
from .box import Box
from .columns import Columns
from .errors import bad_input, nearest
from .exact import reals, whole
from .spec import Table, choice, flag, put
from .terms import sites_of, terms_of
from .topology import Terms, Topology
from .units import BY_NAME


@unchangeable
@dataclass(frozen=True, eq=False)
class System(metaclass=Called):
    """Particles in a box; arrays are in tag order and read-only.

    Args:
        box: a Box, or what `Box.of` takes
        position: (n, 3) [length]; along periodic axes taken into the box, `image` keeping count
        velocity: (n, 3) [velocity]; None means at rest
        mass: (n,) or one number [mass]; None means 1
        type: (n,) indices into `type_names`, or names; None means the first type
        type_names: names of the types; None means "A", "B", ... as many as needed
        image: (n, 3) how often each particle has crossed the box; None means 0
        columns: other numbers by name, (n,) or (n, 3), as ``system.columns["diameter"] = d`` adds
        charge: (n,) or one number [charge]; None means 0
        bonds, pairs: (m, 2) tags by names, whose parameters specs such as `HarmonicBond` and
            `SpecialPair` give: ``bonds={"backbone": [[0, 1], [1, 2]]}``
        angles: (m, 3) tags by names, likewise
        dihedrals, impropers: (m, 4) tags by names, likewise
        exclusions: (m, 2) pairs that do not interact otherwise; None for those that bonds,
            special pairs, constraints and virtual sites join
        terms: what is bound by hand, with its parameters: constraints, rigid waters, virtual
            sites, position restraints and any bonded term, as
            ``{"constraint": (pairs, length), "vsite2": (tags, a)}``: (m, k) tags and (p,) or (m, p)
            parameters in the units of the system, by the kinds of `topology.TERMS`
        topology: bonded terms with their parameters, exclusions, constraints, virtual sites and
            names of molecules, and the Lennard-Jones parameters of types, as force fields give them
        groups: tags by names, which thermostats, `Freeze` and others refer to
        references: (n, 3) points that position restraints pull to [length], or
            `References`; None for the positions
        units: "reduced", or "molecular": nm, ps, u, kJ/mol, e, K and bar
        periodic_molecules: molecules bind to their own images, and are never made whole

    Raises InputError for positions or velocities that are not finite, two particles on one
    point, masses that are not positive, unknown types, tags that do not exist, or arrays of a
    wrong shape. Particles of a topology may be without mass and on one point, as virtual sites are.
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
        put(self, "box", Box.of(self.box))
        position = _vectors(self.position, "position")
        n = len(position)
        if n == 0:
            raise bad_input("the system is empty", "there is nothing to simulate", "Add particles")
        image = _same(0, (n, 3), np.int32) if self.image is None else _images(self.image, n)
        position, turns = self.box.wrap(position)
        _check_open_axes(self.box, position)
        put(self, "terms", terms_of(self.terms, n, self.topology))
        molecules = self.topology is not None or bool(sites_of(self.terms).size)
        if not molecules:
            _check_distinct(position)
        put(self, "position", _frozen(position))
        put(self, "image", _frozen(_add_images(image, turns)))
        velocity = (
            _same(0.0, (n, 3), np.float64)
            if self.velocity is None
            else _vectors(self.velocity, "velocity", n)
        )
        put(self, "velocity", _frozen(velocity))
        put(self, "mass", _frozen(_masses(self.mass, n, molecules)))
        indices, names = _types(self.type, self.type_names, n)
        put(self, "type", _frozen(indices))
        put(self, "type_names", names)
        put(self, "columns", Columns(n, self.columns))
        self._check_bindings(n)

    def _check_bindings(self, n: int) -> None:
        choice(self.units, "units", tuple(BY_NAME))
        flag(self.periodic_molecules, "periodic_molecules")
        put(self, "charge", _frozen(_charges(self.charge, n)))
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
                "Give those that belong together",
            )
        if self.topology.nonbonded.type_names != self.type_names:
            raise bad_input(
                "the topology has other types than the system",
                "Lennard-Jones parameters are by types",
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
        raise bad_input(
            f"no group {group!r}", "the system has none of that name", nearest(group, self.groups)
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all of it, without rounding, to a file that `System.load` reads.

        Args:
            path: the file, a NumPy archive (.npz); one that exists is replaced
        """
        from .systemfile import save

        save(self, os.fspath(path))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> System:
        """A system that `System.save` wrote.

        Args:
            path: the file

        Raises FileError for a file that cannot be read or that nothing here wrote.
        """
        from .systemfile import load

        return load(os.fspath(path))

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
        """What identifies a topology with its groups and references."""
        from .gromacs.fingerprint import digest

        tuples = [getattr(self, name) for name in SIZES]
        more = (self.exclusions, self.groups, self.references, self.periodic_molecules)
        own = [self.terms] if self.terms else []
        return digest([self.topology, *tuples, *more, *own])

    def __repr__(self) -> str:
        kinds = ", ".join(
            f"{np.count_nonzero(self.type == k)} {name}" for k, name in enumerate(self.type_names)
        )
        if self.topology is not None:
            kinds = ", ".join(f"{count} {kind.name}" for kind, count in self.topology.blocks)
        units = "" if self.units == "reduced" else f"; {self.units} units"
        density = f"density {self.density:.6g}"
        return f"System({self.n} particles: {kinds}; {density}; {self.box}{units})"


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _same(value: float, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """An array of equal numbers that takes the memory of one."""
    return np.broadcast_to(np.array(value, dtype=kind), shape)


def _vectors(value: Any, name: str, n: int | None = None) -> NDArray[np.float64]:
    array = reals(value, name)
    wanted = f"({'n' if n is None else n}, 3)"
    if array.ndim != 2 or array.shape[1] != 3 or (n is not None and len(array) != n):
        raise bad_input(
            f"{name} has the shape {array.shape}",
            "one row of three numbers a particle is needed",
            f"Give it the shape {wanted}",
        )
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        tag = int(bad.argmax())
        raise bad_input(
            f"{name} of particle {tag} is ({', '.join(f'{v:g}' for v in array[tag])})",
            f"{np.count_nonzero(bad)} of {len(array)} particles have one that is not finite",
            "Check where the numbers come from",
        )
    return array


def _whole(value: Any, name: str, shape: tuple[int, ...]) -> NDArray[np.int32]:
    array = np.asarray(value)
    if array.shape != shape:
        raise bad_input(
            f"{name} has the shape {array.shape}",
            "it must fit the particles",
            f"Give it the shape {shape}",
        )
    return whole(array, name)


def _images(value: Any, n: int) -> NDArray[np.int32]:
    return _whole(value, "image", (n, 3))


def _add_images(image: NDArray[np.int32], turns: NDArray[np.int32]) -> NDArray[np.int32]:
    if not turns.any():
        return image
    total = image.astype(np.int64) + turns
    if total.size and np.abs(total).max() > 2**31 - 1:
        raise bad_input("image is too large", "it must fit 32 bits", "Check its values")
    return total.astype(np.int32)


def _masses(value: Any, n: int, zeros: bool) -> NDArray[np.float64]:
    array = reals(1.0 if value is None else value, "mass")
    if array.ndim == 0:
        array = _same(float(array), (n,), np.float64)
    if array.shape != (n,):
        raise bad_input(
            f"mass has the shape {array.shape}", "one mass a particle is needed", f"Give {n} masses"
        )
    bad = ~(np.isfinite(array) & ((array > 0) | (zeros & (array == 0))))
    if bad.any():
        tag = int(bad.argmax())
        raise bad_input(
            f"mass of particle {tag} is {array[tag]:g}",
            "it must be positive and finite",
            "Correct it; a particle that shall not move is left out by the integrator's filter",
        )
    return array


def _charges(value: Any, n: int) -> NDArray[np.float64]:
    array = reals(0.0 if value is None else value, "charge")
    if array.ndim == 0:
        array = _same(float(array), (n,), np.float64)
    if array.shape != (n,):
        raise bad_input(
            f"charge has the shape {array.shape}",
            "one charge a particle is needed",
            f"Give {n} charges",
        )
    bad = ~np.isfinite(array)
    if bad.any():
        raise bad_input(
            f"charge of particle {int(bad.argmax())} is not finite",
            "no force could be computed",
            "Check where the numbers come from",
        )
    return array


def _types(
    value: Any, names: Sequence[str] | None, n: int
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    if value is None:
        array = _same(0, (n,), np.int32)
    elif np.asarray(value).dtype.kind in "UO":
        return _types_by_name(np.asarray(value), names, n)
    else:
        array = _whole(value, "type", (n,))
    top = int(array.max())
    if names is None:
        names = tuple(chr(65 + k) if k < 26 else f"T{k}" for k in range(min(top, 9999) + 1))
    names = tuple(str(name) for name in names)
    _check_names(names)
    if int(array.min()) < 0 or top >= len(names):
        tag = int(((array < 0) | (array >= len(names))).argmax())
        raise bad_input(
            f"type of particle {tag} is {array[tag]}",
            f"there are {len(names)} types, counted from 0",
            "Correct it or give more type_names",
        )
    return array, names


def _types_by_name(
    given: NDArray[Any], names: Sequence[str] | None, n: int
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    if given.shape != (n,):
        raise bad_input(
            f"type has the shape {given.shape}", "one type a particle is needed", f"Give {n} types"
        )
    labels = [str(label) for label in given]
    known = tuple(dict.fromkeys(labels)) if names is None else tuple(names)
    _check_names(known)
    index = {name: k for k, name in enumerate(known)}
    for tag, label in enumerate(labels):
        if label not in index:
            raise bad_input(
                f"type of particle {tag} is {label!r}",
                "type_names has no such type",
                nearest(label, known),
            )
    return np.array([index[label] for label in labels], dtype=np.int32), known


def _check_names(names: tuple[str, ...]) -> None:
    if len(set(names)) != len(names) or any(not name or "," in name for name in names):
        raise bad_input(
            f"type_names is {names[:8]}",
            "names of types must differ, be non-empty and hold no comma",
            "Rename them",
        )


def _check_open_axes(box: Box, position: NDArray[np.float64]) -> None:
    if all(box.periodic):
        return
    fractions = box.fractions(position)
    for axis in range(3):
        if box.periodic[axis]:
            continue
        outside = (fractions[:, axis] < 0.0) | (fractions[:, axis] > 1.0)
        if outside.any():
            raise bad_input(
                f"particle {int(outside.argmax())} lies outside the box along {'xyz'[axis]}",
                "that axis is not periodic",
                "Enlarge the box or make the axis periodic",
            )


def _check_distinct(position: NDArray[np.float64]) -> None:
    # Mixing the bits of the three coordinates makes one sortable key; only equal keys are compared.
    bits = np.ascontiguousarray(position + 0.0).view(np.uint64)
    factors = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
    with np.errstate(over="ignore"):
        keys = ((bits ^ (bits >> np.uint64(29))) * factors).sum(axis=1, dtype=np.uint64)
    order = np.argsort(keys, kind="stable")
    equal = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    for k in equal:
        a, b = sorted((int(order[k]), int(order[k + 1])))
        if np.array_equal(position[a], position[b]):
            x, y, z = position[a]
            raise bad_input(
                f"particles {a} and {b} are on one point ({x:g}, {y:g}, {z:g})",
                "the force between them has no direction",
                "Move one of them or remove it",
            )
