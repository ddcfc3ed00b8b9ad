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

#: Particles and parameters (with units) of each kind of term; energies as written in
#: the reference manual of GROMACS, section "Interaction function and force fields".
#: Angles are in radians here, whatever a file format uses.
TERMS: dict[str, tuple[int, tuple[str, ...]]] = {
    # bonded energies
    "harmonic_bond": (2, ("r0", "k")),  # ½ k (r − r0)²
    "harmonic_restraint": (2, ("r0", "k")),  # the same between particles that are not bonded
    "g96_bond": (2, ("r0", "k")),  # ¼ k (r² − r0²)²
    "morse_bond": (2, ("r0", "depth", "beta")),  # D (1 − exp(−β (r − r0)))²
    "fene_bond": (2, ("r_max", "k")),  # −½ k r_max² ln(1 − (r / r_max)²)
    "cubic_bond": (2, ("r0", "k", "k3")),  # k (r − r0)² + k k3 (r − r0)³
    "harmonic_angle": (3, ("theta0", "k")),  # ½ k (θ − θ0)²
    "g96_angle": (3, ("theta0", "k")),  # ½ k (cos θ − cos θ0)²
    "urey_bradley": (3, ("theta0", "k", "r13", "k13")),  # harmonic in θ and in the 1–3 distance
    "restricted_angle": (3, ("theta0", "k")),  # ½ k (cos θ − cos θ0)² / sin² θ
    "quartic_angle": (3, ("theta0", "c0", "c1", "c2", "c3", "c4")),  # Σ cn (θ − θ0)ⁿ
    "cross_bonds": (3, ("r12", "r32", "k")),  # k (r12 − r12_0) (r32 − r32_0)
    "cross_bond_angle": (3, ("r12", "r32", "r13", "k")),  # k Δr13 (Δr12 + Δr32)
    "periodic_dihedral": (4, ("phi0", "k", "n")),  # k (1 + cos(n φ − φ0)), φ = 0 is cis (IUPAC)
    "ryckaert_bellemans": (4, ("c0", "c1", "c2", "c3", "c4", "c5")),  # Σ cn cosⁿ(φ − π)
    "harmonic_improper": (4, ("xi0", "k")),  # ½ k (ξ − ξ0)²
    "restricted_dihedral": (4, ("phi0", "k")),  # ½ k (cos φ − cos φ0)² / sin² φ
    "bending_torsion": (4, ("c0", "c1", "c2", "c3", "c4")),  # sin³θ₁ sin³θ₂ Σ cn cosⁿ φ
    "cmap": (5, ("grid",)),  # number of the grid in `Topology.cmaps`
    # restraints of distances, angles and dihedrals
    "range_restraint": (2, ("low", "up1", "up2", "k")),  # ½ k (r − low)² or (r − up1)², then linear
    "angle_restraint": (4, ("theta0", "k", "n")),  # k (1 − cos(n (θ − θ0))), of two pairs
    "angle_restraint_z": (2, ("theta0", "k", "n")),  # the same of a pair and the z axis
    "dihedral_restraint": (4, ("phi0", "width", "k")),  # ½ k (|φ − φ0| − width)² beyond the width
    # non-bonded energies of chosen pairs, without a cut-off
    "pair": (2, ("c6", "c12", "qq")),  # c12/r¹² − c6/r⁶ + coulomb qq/r
    # energies of single particles
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


#: Terms, and what is added to their particles in each copy of them.
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
        virtual: bool, is placed by others and carries no mass
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

    @property
    def n(self) -> int:
        """Number of particles."""
        return sum(molecule.atoms.n * count for molecule, count in self.blocks)

    @property
    def molecules(self) -> int:
        """Number of molecules."""
        return sum(count for _, count in self.blocks)

    def counts(self) -> dict[str, int]:
        """How many terms it has of each kind that occurs."""
        found: dict[str, int] = {}
        terms = [(molecule.terms, count) for molecule, count in self.blocks]
        for of_kinds, count in [*terms, (self.intermolecular, 1)]:
            for kind, of_kind in of_kinds.items():
                found[kind] = found.get(kind, 0) + count * of_kind.n
        return {kind: n for kind, n in found.items() if n}

    def kinds(self) -> set[str]:
        """The kinds of the terms that it has."""
        return set(self.counts())

    def molecule_index(self) -> NDArray[np.int32]:
        """(n,) the molecule that each particle belongs to, counted from 0."""
        counts = np.array([count for _, count in self.blocks], dtype=np.int64)
        sizes = np.array([molecule.atoms.n for molecule, _ in self.blocks], dtype=np.int64)
        return np.repeat(np.arange(counts.sum(), dtype=np.int32), np.repeat(sizes, counts))

    def expand_atoms(self) -> Atoms:
        """Columns of all particles; molecules of a single residue are numbered through."""
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

    def expand_terms(self) -> dict[str, Terms]:
        """All terms of each kind that occurs, particles counted through the system.

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
        others = [kind for kind in found if kind not in TERMS]  # of leaves outside the sources
        return {kind: joined(found[kind]) for kind in (*TERMS, *others) if kind in found}

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
