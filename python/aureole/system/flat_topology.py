# SPDX-License-Identifier: Apache-2.0
"""A topology of molecule types in blocks, out of a flat list of particles and terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.units import COULOMB

from .exclusions import exclusions
from .find_molecules import starts_of_molecules
from .topology import TERMS, Atoms, Labels, MoleculeType, Nonbonded, Terms, Topology

Rows = tuple[NDArray[np.int32], NDArray[np.float64]]


@dataclass
class Sheet:
    """All particles and terms of a system, particles counted from 0 through all of it.

    Args:
        atoms: columns of all particles
        nonbonded: Lennard-Jones parameters of their types
        bonds: pairs that belong to one molecule, whatever else binds them
        excluded: pairs that do not interact
        cmaps, periodic_splines: correction maps, as in `Topology`
        notes: remarks for the user
        references: reference positions of restrained particles [length]; by default their own
    """

    atoms: Atoms
    nonbonded: Nonbonded
    bonds: list[tuple[int, int]] = field(default_factory=list)
    excluded: list[tuple[int, int]] = field(default_factory=list)
    cmaps: list[NDArray[np.float64]] = field(default_factory=list)
    periodic_splines: bool = False
    notes: list[str] = field(default_factory=list)
    references: dict[int, tuple[float, ...]] = field(default_factory=dict)
    _terms: dict[str, list[tuple[Sequence[int], Sequence[float]]]] = field(default_factory=dict)

    def add(self, kind: str, particles: Sequence[int], values: Sequence[float]) -> None:
        """Add one term of a kind of `topology.TERMS`."""
        self._terms.setdefault(kind, []).append((particles, values))

    def terms(self, kind: str) -> Rows:
        """Particles and parameters of all terms of a kind."""
        found = self._terms.get(kind, [])
        size, names = TERMS[kind]
        particles = np.array([one for one, _ in found], dtype=np.int32).reshape(-1, size)
        values = np.array([row for _, row in found], dtype=np.float64)
        return particles, values.reshape(-1, len(names))

    def take(self, kind: str) -> list[tuple[Sequence[int], Sequence[float]]]:
        """The terms of a kind, removed from the sheet."""
        return self._terms.pop(kind, [])

    def kinds(self) -> list[str]:
        """The kinds of terms that occur, in the order of `topology.TERMS`."""
        return [kind for kind in TERMS if self._terms.get(kind)]


def assemble(sheet: Sheet, title: str, coulomb: float = COULOMB) -> Topology:
    """The topology; equal molecules share a molecule type, and a block if they are in a row."""
    n = sheet.atoms.n
    parts = {kind: sheet.terms(kind) for kind in sheet.kinds()}
    bonds = np.array(sheet.bonds, dtype=np.int64).reshape(-1, 2)
    excluded = np.array(sheet.excluded, dtype=np.int64).reshape(-1, 2)
    edges = [bonds, excluded]
    for particles, _ in parts.values():
        for column in range(1, particles.shape[1]):
            edges.append(particles[:, [0, column]].astype(np.int64))
    starts = starts_of_molecules(n, np.concatenate(edges))
    cut = _Cut(sheet.atoms, starts, parts, excluded)
    blocks: list[tuple[MoleculeType, int]] = []
    made: dict[bytes, MoleculeType] = {}
    names: dict[str, int] = {}
    for k in range(len(starts)):
        key = cut.signature(k)
        molecule = made.get(key)
        if molecule is None:
            molecule = made[key] = cut.molecule(k, _unused(names, cut.name(k)))
        if blocks and blocks[-1][0] is molecule:
            blocks[-1] = molecule, blocks[-1][1] + 1
        else:
            blocks.append((molecule, 1))
    return Topology(
        title=title,
        nonbonded=sheet.nonbonded,
        blocks=tuple(blocks),
        coulomb=coulomb,
        cmaps=tuple(sheet.cmaps),
        periodic_splines=sheet.periodic_splines,
        notes=tuple(sheet.notes),
    )


class _Cut:
    """Columns and terms sorted by molecule, so that those of one molecule are a slice."""

    def __init__(
        self, atoms: Atoms, starts: NDArray[np.int64], parts: dict[str, Rows], excluded: Any
    ) -> None:
        self._atoms = atoms
        self._bounds = np.append(starts, atoms.n)
        self._terms = {}
        for kind, (particles, values) in parts.items():
            rows, row = np.unique(values, axis=0, return_inverse=True)
            order, ends = _by_molecule(starts, particles)
            sorted_ = particles[order], row.reshape(-1)[order].astype(np.int32)
            self._terms[kind] = (*sorted_, rows, ends)
        order, ends = _by_molecule(starts, excluded)
        self._excluded = excluded[order], ends
        names = atoms.name.index, atoms.residue_name.index
        columns = [atoms.type, atoms.mass, atoms.charge, *names]
        self._columns = np.stack(columns, axis=1, dtype=np.float64)

    def name(self, k: int) -> str:
        """The name of a molecule: that of its residue, if there is only one."""
        first, end = self._bounds[k], self._bounds[k + 1]
        names = {self._atoms.residue_name[i] for i in range(first, min(end, first + 100))}
        return names.pop() if len(names) == 1 else "Molecule"

    def signature(self, k: int) -> bytes:
        """A key that is equal for molecules that are alike."""
        first, end = self._bounds[k], self._bounds[k + 1]
        residues = self._atoms.residue[first:end]
        parts = [self._columns[first:end].tobytes(), (residues - residues[0]).tobytes()]
        for kind, (particles, row, _, ends) in self._terms.items():
            here = slice(ends[k], ends[k + 1])
            if here.start < here.stop:
                parts += [kind.encode(), (particles[here] - first).tobytes(), row[here].tobytes()]
        excluded, ends = self._excluded
        parts.append((excluded[ends[k] : ends[k + 1]] - first).tobytes())
        return b"|".join(parts)

    def molecule(self, k: int, name: str) -> MoleculeType:
        """The molecule type of a molecule."""
        first, end = int(self._bounds[k]), int(self._bounds[k + 1])
        atoms, here = self._atoms, slice(first, end)
        excluded, ends = self._excluded
        listed = (excluded[ends[k] : ends[k + 1]] - first).tolist()
        found = exclusions(end - first, [], listed, 0)
        assert found is not None
        terms = {}
        for kind, (particles, row, rows, ends) in self._terms.items():
            of_this = slice(ends[k], ends[k + 1])
            if of_this.start < of_this.stop:
                used, local = np.unique(row[of_this], return_inverse=True)
                terms[kind] = Terms(
                    particles[of_this] - np.int32(first),
                    local.reshape(-1).astype(np.int32),
                    rows[used],
                )
        return MoleculeType(
            name=name,
            atoms=Atoms(**{name: _own(column, here) for name, column in vars(atoms).items()}),
            terms=terms,
            exclusions=found,
        )


def _by_molecule(starts: NDArray[np.int64], particles: NDArray[Any]) -> tuple[Any, Any]:
    """The order of rows by molecules, and where the rows of each one begin and the last end."""
    molecule = np.searchsorted(starts, particles[:, 0], side="right") - 1
    order = np.argsort(molecule, kind="stable")
    return order, np.searchsorted(molecule[order], np.arange(len(starts) + 1))


def _own(column: NDArray[Any] | Labels, here: slice) -> NDArray[Any] | Labels:
    """Some rows of a column, with the words that occur there."""
    if not isinstance(column, Labels):
        return column[here]
    used, index = np.unique(column.index[here], return_inverse=True)
    words = tuple(column.words[i] for i in used)
    return Labels(words, index.reshape(-1).astype(np.int32))


def _unused(names: dict[str, int], name: str) -> str:
    """The name, with a number behind it if it is taken."""
    names[name] = names.get(name, 0) + 1
    return name if names[name] == 1 else f"{name}_{names[name]}"


def names_of_types(firsts: Iterable[str]) -> tuple[str, ...]:
    """Different names for types, from the names of particles that have them."""
    names: dict[str, int] = {}
    return tuple(_unused(names, name.replace(",", ".") or "X") for name in firsts)


def settle_waters(sheet: Sheet) -> None:
    """Make triangles of constraints with two equal sides rigid waters, the apex first."""
    ends: dict[int, list[tuple[int, float]]] = {}
    constraints = sheet.take("constraint")
    for (i, j), (length,) in constraints:
        ends.setdefault(i, []).append((j, length))
        ends.setdefault(j, []).append((i, length))
    masses = sheet.atoms.mass
    rigid: set[int] = set()
    for i, partners in ends.items():
        if i in rigid or len(partners) != 2:
            continue
        (j, one), (k, two) = partners
        base = [length for other, length in ends[j] if other == k]
        closed = len(base) == 1 and len(ends[j]) == len(ends[k]) == 2
        if closed and abs(one - two) < 1e-9 * one and masses[j] == masses[k]:
            j, k = min(j, k), max(j, k)
            # Of three equal sides and masses any corner may be the apex.
            sheet.add("settle", (i, j, k), (one, base[0]))
            rigid.update((i, j, k))
    for particles, values in constraints:
        if particles[0] not in rigid:
            sheet.add("constraint", particles, values)
