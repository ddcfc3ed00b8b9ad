# SPDX-License-Identifier: Apache-2.0
"""A topology: what binds particles into molecules, as plain columns that the engine reads.

A `MoleculeType` describes one molecule with particles counted from 0; a `Topology` is the whole
system, its molecule types in blocks of so many copies each. Nothing here knows a file format or
a unit: readers bring the numbers, and one number (`coulomb`) says what a unit of charge is worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.digests import LATER
from aureole.base.engine_schema import BONDED

#: Number of particles and names of parameters of terms that have no leaf file, or one with more
#: parameters: that of restraints has the references behind these.
_OWN: dict[str, tuple[int, tuple[str, ...]]] = {
    "harmonic_restraint": (2, ("r0", "k")),  # a harmonic bond of particles that are not bonded
    "position_restraint": (1, ("kx", "ky", "kz")),  # ½ k (r − reference)², by component
    "flat_bottom_restraint": (1, ("geometry", "radius", "k")),  # ½ k (r − radius)² outside
    # rigid parts
    "constraint": (2, ("length",)),
    "settle": (3, ("d_oh", "d_hh")),  # oxygen, hydrogen, hydrogen
    # virtual sites: the site, then the particles that it is constructed from
    "vsite1": (2, ()),  # on the other particle
    "vsite2": (3, ("a",)),
    "vsite2fd": (3, ("a",)),
    "vsite3": (4, ("a", "b")),
    "vsite3fd": (4, ("a", "d")),
    "vsite3fad": (4, ("theta", "d")),
    "vsite3out": (4, ("a", "b", "c")),
    "vsite4fdn": (5, ("a", "b", "c")),
    "vsiten": (2, ("weight",)),  # one row per (site, parent); weights of a site sum to 1
}
_LEAVES = {
    one["name"]: (one["particles"], tuple(p["name"] for p in one["parameters"])) for one in BONDED
}
#: The order of energies, which is that of sums.
_ORDER = (
    *("harmonic_bond", "harmonic_restraint", "g96_bond", "morse_bond", "fene_bond", "cubic_bond"),
    *("harmonic_angle", "g96_angle", "urey_bradley", "restricted_angle", "quartic_angle"),
    *("cross_bonds", "cross_bond_angle", "periodic_dihedral", "ryckaert_bellemans"),
    *("harmonic_improper", "restricted_dihedral", "bending_torsion", "cmap", "range_restraint"),
    *("angle_restraint", "angle_restraint_z", "dihedral_restraint", "pair"),
)
#: Number of particles and names of parameters of each kind of term, of leaf files outside the
#: sources too. Units and energies stand in the leaf files; angles are in radians, whatever a file
#: format uses.
TERMS = {kind: (_LEAVES | _OWN)[kind] for kind in (*_ORDER, *_OWN, *_LEAVES)}

#: Terms that pull to references.
TO_REFERENCES = ("position_restraint", "flat_bottom_restraint")
#: Terms that hold distances.
RIGID = ("constraint", "settle")


def has_energy(kind: str) -> bool:
    """Whether terms of a kind have an energy; rigid parts and virtual sites have none."""
    return kind not in RIGID and not kind.startswith("vsite")


@dataclass(frozen=True, eq=False)
class Terms:
    """All terms of one kind; many terms share few rows of parameters.

    Args:
        particles: (n, k) int32, particles of each term
        row: (n,) int32, its row in `parameters`
        parameters: (m, p) float64, columns as in `TERMS`
    """

    particles: NDArray[np.int32]
    row: NDArray[np.int32]
    parameters: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of terms."""
        return len(self.particles)


#: Terms, and the shift of their particles in each copy of them.
Piece = tuple[Terms, NDArray[np.int64]]
ONCE = np.zeros(1, dtype=np.int64)  # as they are


@dataclass(frozen=True, eq=False)
class Exclusions:
    """Non-bonded exclusions: row i is partner[start[i]:start[i + 1]].

    Symmetric, sorted within a row, without the particle itself.
    """

    start: NDArray[np.int64]
    partner: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of words, most of them repeated: words[index[i]]."""

    words: tuple[str, ...]
    index: NDArray[np.int32]

    def __getitem__(self, i: int) -> str:
        return self.words[self.index[i]]

    def array(self) -> NDArray[np.str_]:
        """(n,) the words themselves."""
        return np.array(self.words, dtype=np.str_)[self.index]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Columns of particles, of one molecule or of all; each has n rows.

    Args:
        type: int32, index into the force field's types
        mass: float64 [mass]; 0 for virtual sites
        charge: float64 [charge]
        name: words such as "CA"
        residue_name: words such as "ALA"
        residue: int32, the residue's number as the file gives it (or counted)
        virtual: bool, true for virtual sites, which have no mass
    """

    type: NDArray[np.int32]
    mass: NDArray[np.float64]
    charge: NDArray[np.float64]
    name: Labels
    residue_name: Labels
    residue: NDArray[np.int32]
    virtual: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.type)


@dataclass(frozen=True, eq=False)
class MoleculeType:
    """One molecule; particles count from 0 within it."""

    name: str
    atoms: Atoms
    terms: dict[str, Terms]
    exclusions: Exclusions


@dataclass(frozen=True, eq=False)
class Nonbonded:
    """Lennard-Jones parameters of each pair of types, after combination rules and overrides.

    Args:
        type_names: names of the n types
        c6: (n, n) symmetric [energy length⁶]
        c12: (n, n) symmetric [energy length¹²]
        rule: combination rule that unlisted pairs follow: "geometric" (of c6 and c12, or of sigma
            and epsilon alike) or "lorentz-berthelot"; "none" if overrides leave no rule
    """

    type_names: tuple[str, ...]
    c6: NDArray[np.float64]
    c12: NDArray[np.float64]
    rule: str


@dataclass(frozen=True, eq=False)
class Topology:
    """A whole system: molecule types in blocks, in the order of the particles."""

    title: str
    nonbonded: Nonbonded
    blocks: tuple[tuple[MoleculeType, int], ...]
    coulomb: float  #: energy × length of two unit charges
    cmaps: tuple[NDArray[np.float64], ...] = ()  #: grids (m, m) [energy] over φ, ψ from −π
    intermolecular: dict[str, Terms] = field(default_factory=dict)  #: particles of the system
    notes: tuple[str, ...] = ()  #: remarks of the reader
    redefined: tuple[str, ...] = ()  #: parameters of types that replace other ones, in words
    #: Whether energies between the grid points of maps follow periodic splines, as in OpenMM, or
    #: those of GROMACS.
    periodic_splines: bool = field(default=False, metadata=LATER)

    @property
    def n(self) -> int:
        """Number of particles."""
        return sum(molecule.atoms.n * count for molecule, count in self.blocks)

    @property
    def molecules(self) -> int:
        """Number of molecules."""
        return sum(count for _, count in self.blocks)

    def counts(self) -> dict[str, int]:
        """Number of terms of each kind that occurs."""
        found: dict[str, int] = {}
        terms = [(molecule.terms, count) for molecule, count in self.blocks]
        for of_kinds, count in [*terms, (self.intermolecular, 1)]:
            for kind, of_kind in of_kinds.items():
                found[kind] = found.get(kind, 0) + count * of_kind.n
        return {kind: n for kind, n in found.items() if n}

    def kinds(self) -> set[str]:
        """The kinds of terms that occur."""
        return set(self.counts())

    def molecule_index(self) -> NDArray[np.int32]:
        """(n,) the molecule that each particle belongs to, counted from 0."""
        counts = np.array([count for _, count in self.blocks], dtype=np.int64)
        sizes = np.array([molecule.atoms.n for molecule, _ in self.blocks], dtype=np.int64)
        return np.repeat(np.arange(counts.sum(), dtype=np.int32), np.repeat(sizes, counts))

    def expand_atoms(self) -> Atoms:
        """Columns of all particles; single-residue molecules are numbered consecutively."""
        blocks = [(molecule.atoms, count) for molecule, count in self.blocks]
        return Atoms(
            type=_tiled(blocks, "type", np.int32),
            mass=_tiled(blocks, "mass", np.float64),
            charge=_tiled(blocks, "charge", np.float64),
            name=_tiled_labels(blocks, "name"),
            residue_name=_tiled_labels(blocks, "residue_name"),
            residue=_residues(blocks),
            virtual=_tiled(blocks, "virtual", np.bool_),
        )

    def expand_terms(self, kinds: Iterable[str] = TERMS) -> dict[str, Terms]:
        """All terms of each of the kinds that occurs, particles counted through the system.

        Rows of parameters stand once for a molecule type, however many molecules there are.
        """
        found: dict[str, list[Piece]] = {}
        start = 0
        for molecule, count in self.blocks:
            for kind, terms in molecule.terms.items():
                shifts = start + molecule.atoms.n * np.arange(count)
                found.setdefault(kind, []).append((terms, shifts))
            start += molecule.atoms.n * count
        for kind, terms in self.intermolecular.items():
            found.setdefault(kind, []).append((terms, ONCE))
        found = {kind: some for kind, of in found.items() if (some := [p for p in of if p[0].n])}
        return {kind: joined(found[kind]) for kind in kinds if kind in found}

    def expand_exclusions(self) -> Exclusions:
        """The exclusions of all particles."""
        lengths, partners, start = [np.zeros(1, dtype=np.int64)], [np.empty(0, np.int32)], 0
        for molecule, count in self.blocks:
            one = molecule.exclusions
            lengths.append(np.tile(np.diff(one.start), count))
            shifts = start + molecule.atoms.n * np.arange(count, dtype=np.int64)
            partners.append((one.partner[None, :] + shifts[:, None]).astype(np.int32).reshape(-1))
            start += molecule.atoms.n * count
        return Exclusions(np.cumsum(np.concatenate(lengths)), np.concatenate(partners))


def joined(pieces: Iterable[Piece]) -> Terms:
    """Terms of one kind, one after the other, each once for every shift of its particles."""
    particles, rows, parameters = [], [], []
    first_row: dict[int, int] = {}
    height = 0
    for terms, shifts in pieces:
        if id(terms) not in first_row:
            first_row[id(terms)] = height
            height += len(terms.parameters)
            parameters.append(terms.parameters)
        copies = terms.particles[None, :, :] + shifts[:, None, None]
        particles.append(copies.astype(np.int32).reshape(-1, terms.particles.shape[1]))
        rows.append(np.tile(terms.row + np.int32(first_row[id(terms)]), len(shifts)))
    return Terms(*map(np.concatenate, (particles, rows, parameters)))


_Blocks = list[tuple[Atoms, int]]


def _tiled(blocks: _Blocks, column: str, kind: Any) -> NDArray[Any]:
    parts = [np.tile(getattr(atoms, column), count) for atoms, count in blocks]
    return np.concatenate([np.empty(0, dtype=kind), *parts]).astype(kind, copy=False)


def _tiled_labels(blocks: _Blocks, column: str) -> Labels:
    words: dict[str, int] = {}
    parts = [np.empty(0, dtype=np.int32)]
    for atoms, count in blocks:
        labels: Labels = getattr(atoms, column)
        places = [words.setdefault(word, len(words)) for word in labels.words]
        parts.append(np.tile(np.array(places, dtype=np.int32)[labels.index], count))
    return Labels(tuple(words), np.concatenate(parts))


def _residues(blocks: _Blocks) -> NDArray[np.int32]:
    """Numbers as the molecule types give them; molecules of one residue count on from there."""
    single = [bool((atoms.residue == atoms.residue[:1]).all()) for atoms, _ in blocks]
    given = [
        int(atoms.residue.max()) for (atoms, _), one in zip(blocks, single, strict=True) if not one
    ]
    number = max(given, default=0) + 1
    parts = [np.empty(0, dtype=np.int32)]
    for (atoms, count), one in zip(blocks, single, strict=True):
        if one:
            numbers = np.arange(number, number + count, dtype=np.int64) % 2**31
            parts.append(np.repeat(numbers.astype(np.int32), atoms.n))
            number += count
        else:
            parts.append(np.tile(atoms.residue, count))
    return np.concatenate(parts)
