# SPDX-License-Identifier: Apache-2.0
"""Structures of ParmEd: AMBER's prmtop, CHARMM's psf with its parameters, and what else it reads.

ParmEd keeps Å, kcal/mol and degrees, and force constants without the half.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import frozen
from aureole.base.errors import bad_input
from aureole.formats.box_vectors import from_lengths_angles
from aureole.gromacs.job import Job
from aureole.gromacs.mdp.options.table import normal
from aureole.gromacs.top.atoms import labels
from aureole.system.flat_topology import Sheet, settle_waters
from aureole.system.topology import Atoms

from .arguments import arguments_of
from .job import converted
from .parmed_nonbonded import add_pairs, is_site, types_of
from .units import ANGSTROM, KCAL, box_vectors

_PER_AREA = 2.0 * KCAL / ANGSTROM**2
_PER_ANGLE = 2.0 * KCAL
_DEGREE = math.pi / 180.0

#: Extra points as terms.
_SITES = {
    "TwoParticleExtraPointFrame": "vsite2",
    "ThreeParticleExtraPointFrame": "vsite3",
    "OutOfPlaneExtraPointFrame": "vsite3out",
}
#: Terms that have no counterpart here.
_REFUSED = (
    "trigonal_angles",
    "out_of_plane_bends",
    "pi_torsions",
    "stretch_bends",
    "torsion_torsions",
    "chiral_frames",
    "multipole_frames",
)


def from_parmed(
    structure: Any, *, box: Any = None, rigid_water: bool = True, **options: Any
) -> Job:
    """A structure of ParmEd as a job; see `system_from_parmed`."""
    given = arguments_of("from_parmed", options)
    if not hasattr(structure, "atoms"):
        raise bad_input(
            f"from_parmed got {structure!r}",
            "it is not a ParmEd structure",
            "Give a parmed.Structure, such as parmed.load_file(...) returns",
        )
    for name in _REFUSED:
        found = getattr(structure, name, ())
        if len(found):
            raise bad_input(
                f"the structure has {len(found)} {name}",
                "AMOEBA terms are not supported",
                "Use a force field with fixed charges",
            )
    if getattr(structure, "unknown_functional", False):
        raise bad_input(
            "ParmEd does not know the energy functions of the structure",
            "its file defines its own functions",
            "Use an AMBER or CHARMM force field",
        )
    atoms = list(structure.atoms)
    residues = np.array([atom.residue.number for atom in atoms], dtype=np.int64) % 2**31
    nonbonded, types = types_of(structure)
    sheet = Sheet(
        Atoms(
            type=types,
            mass=_masses(atoms),
            charge=np.array([atom.charge for atom in atoms], dtype=np.float64),
            name=labels([atom.name for atom in atoms]),
            residue_name=labels([atom.residue.name for atom in atoms]),
            residue=residues.astype(np.int32),
            virtual=np.array([is_site(atom) for atom in atoms], dtype=np.bool_),
        ),
        nonbonded,
        bonds=[(bond.atom1.idx, bond.atom2.idx) for bond in structure.bonds],
    )
    rigid = _rigid_waters(structure, sheet) if rigid_water else set()
    _bonded(sheet, structure, rigid)
    _cmaps(sheet, structure)
    add_pairs(sheet, structure)
    for atom in atoms:
        if is_site(atom):
            _site(sheet, atom)
    if "DispCorr" not in given and normal(str(given.get("vdw-modifier"))) != "forceswitch":
        sheet.notes.append(
            "the long-range Lennard-Jones correction is off by default, and on in AMBER and OpenMM "
            '(dispcorr="EnerPres")'
        )
    velocities = getattr(structure, "velocities", None)
    frame = {
        "position": _frame(structure.coordinates, len(atoms)),
        "velocity": None if velocities is None else _frame(velocities, len(atoms)),
        "box": _box(structure, box),
    }
    return converted(sheet, frame, {"coulombtype": "PME"}, given, "the ParmEd structure")


def _masses(atoms: list[Any]) -> NDArray[np.float64]:
    mass = np.array([0.0 if is_site(atom) else atom.mass for atom in atoms], dtype=np.float64)
    for atom, one in zip(atoms, mass.tolist(), strict=True):
        if not one > 0.0 and not is_site(atom):
            raise bad_input(
                f"particle {atom.idx} ({atom.name} of {atom.residue.name}) has the mass {one:g}",
                "only extra points may be massless",
                "Give it a positive mass",
            )
    return mass


def _frame(coordinates: Any, n: int) -> NDArray[np.float64]:
    if coordinates is None:
        raise bad_input(
            "the structure has no coordinates",
            "a topology alone has none",
            'Load them too, as in parmed.load_file("a.prmtop", "a.rst7")',
        )
    return ANGSTROM * np.array(coordinates, dtype=np.float64).reshape(-1, n, 3)[0]


def _box(structure: Any, box: Any) -> NDArray[np.float64]:
    if box is not None:
        return box_vectors(box)
    if structure.box is None:
        raise bad_input(
            "the structure has no box",
            "implicit solvent and systems in vacuum are not supported",
            "Build it in a box of solvent, or give the box that it has as box=, in nm",
        )
    lengths, angles = structure.box[:3], structure.box[3:6]
    return from_lengths_angles(ANGSTROM * np.asarray(lengths, dtype=np.float64), angles)


#: Lists of a structure: kind of term, number of particles, and what parameters are multiplied by.
_TERMS: dict[str, tuple[str, int, dict[str, float]]] = {
    "bonds": ("harmonic_bond", 2, {"req": ANGSTROM, "k": _PER_AREA}),
    "urey_bradleys": ("harmonic_restraint", 2, {"req": ANGSTROM, "k": _PER_AREA}),
    "angles": ("harmonic_angle", 3, {"theteq": _DEGREE, "k": _PER_ANGLE}),
    "impropers": ("harmonic_improper", 4, {"psi_eq": _DEGREE, "psi_k": _PER_ANGLE}),
    "dihedrals": ("periodic_dihedral", 4, {"phase": _DEGREE, "phi_k": KCAL, "per": 1.0}),
    "rb_torsions": ("ryckaert_bellemans", 4, {f"c{n}": KCAL for n in range(6)}),
}


def _bonded(sheet: Sheet, structure: Any, rigid: set[int]) -> None:
    """Terms of all lists, but for those within rigid waters and to extra points."""
    for name, (kind, count, factors) in _TERMS.items():
        for term in getattr(structure, name):
            atoms = [getattr(term, f"atom{k}") for k in range(1, count + 1)]
            particles = [atom.idx for atom in atoms]
            if rigid.issuperset(particles) or any(is_site(atom) for atom in atoms):
                continue
            given = _given(term, name, particles)
            for one in given if isinstance(given, list) else [given]:
                values = [factor * getattr(one, of) for of, factor in factors.items()]
                if any(values) if kind == "ryckaert_bellemans" else values[1]:
                    sheet.add(kind, particles, values)


def _given(term: Any, name: str, particles: list[int]) -> Any:
    if term.type is None:
        raise bad_input(
            f"no parameters in {name} for the particles {'-'.join(map(str, particles))}",
            "a structure without parameters has no energy",
            "Load them, as in psf.load_parameters(parameters). If the structure comes from an "
            "OpenMM system, build that system without constraints",
        )
    return term.type


def _cmaps(sheet: Sheet, structure: Any) -> None:
    numbers: dict[int, int] = {}
    for term in structure.cmaps:
        particles = [getattr(term, f"atom{k}").idx for k in range(1, 6)]
        kind = _given(term, "cmaps", particles)
        if id(kind) not in numbers:
            size = int(kind.resolution)
            numbers[id(kind)] = len(sheet.cmaps)
            grid = KCAL * np.array(list(kind.grid), dtype=np.float64)
            sheet.cmaps.append(frozen(grid, shape=(size, size)))
        sheet.add("cmap", particles, (float(numbers[id(kind)]),))


def _rigid_waters(structure: Any, sheet: Sheet) -> set[int]:
    """Particles of waters, which become rigid; lengths are those of bonds and angles."""
    lengths = {
        frozenset((bond.atom1.idx, bond.atom2.idx)): bond.type.req
        for bond in structure.bonds
        if bond.type is not None
    }
    bends = {
        frozenset((angle.atom1.idx, angle.atom3.idx)): angle
        for angle in structure.angles
        if angle.type is not None
    }
    rigid: set[int] = set()
    for residue in structure.residues:
        atoms = [atom for atom in residue.atoms if not is_site(atom)]
        if sorted(atom.element for atom in atoms) != [1, 1, 8]:
            continue
        oxygen, *hydrogens = sorted(atoms, key=lambda atom: -atom.element)
        o, h1, h2 = oxygen.idx, hydrogens[0].idx, hydrogens[1].idx
        one, two = (lengths.get(frozenset((o, h))) for h in (h1, h2))
        if one is None or two is None:
            continue
        base = lengths.get(frozenset((h1, h2)))
        bend = bends.get(frozenset((h1, h2)))
        if base is None and bend is not None:
            cosine = math.cos(math.radians(bend.type.theteq))
            base = math.sqrt(one * one + two * two - 2.0 * one * two * cosine)
        if base is None:
            continue
        for i, j, length in ((o, h1, one), (o, h2, two), (h1, h2, base)):
            sheet.add("constraint", (i, j), (ANGSTROM * length,))
        rigid.update((o, h1, h2))
    settle_waters(sheet)
    return rigid


def _site(sheet: Sheet, atom: Any) -> None:
    frame = atom.frame_type
    name = type(frame).__name__
    if name not in _SITES:
        raise bad_input(
            f"the extra point {atom.idx} has a {name}",
            "only averages of two or three particles and out-of-plane points are supported",
            "Use a model that has one of these",
        )
    particles = (atom.idx, *(parent.idx for parent in frame.get_atoms()))
    first, *values = frame.get_weights()
    if _SITES[name] == "vsite3out":  # the weight of the cross product is one over a length
        values = [first, values[0], values[1] / ANGSTROM]
    sheet.add(_SITES[name], particles, values)
