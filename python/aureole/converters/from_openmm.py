# SPDX-License-Identifier: Apache-2.0
"""Systems of OpenMM: what its force fields made of AMBER's and CHARMM's formats.

Forces are told apart by their names and taken over term by term; what has no counterpart here
is refused by name. Energies are those of OpenMM, with the exceptions that the notes name.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import InputError, bad_input
from aureole.base.quantities import numbers_in
from aureole.gromacs.job import Job
from aureole.gromacs.top.atoms import labels
from aureole.system.flat_topology import Sheet, settle_waters
from aureole.system.topology import Atoms, Labels

from .arguments import arguments_of
from .job import converted
from .openmm_bonded import BONDED
from .openmm_coupling import NAMES, Coupling
from .openmm_custom import CUSTOM
from .openmm_integrators import with_integrator
from .openmm_nonbonded import NONBONDED_FORCES, Nonbond, check_method
from .openmm_restraints import restraints
from .openmm_sites import add_sites
from .openmm_terms import BOND, Conversion, nearest_image, title
from .units import box_vectors, plain

_STATES = {"positions": "state.getPositions()", "velocities": "state.getVelocities()"}
_IMPLICIT = ("GBSAOBCForce", "CustomGBForce")
#: Forces that are made terms.
TERMS = {**BONDED, **CUSTOM}
_EXTERNAL = "CustomExternalForce"  # of position restraints
_MOTION = "CMMotionRemover"


def from_openmm(
    system: Any,
    topology: Any,
    positions: Any,
    integrator: Any = None,
    *,
    velocities: Any = None,
    box: Any = None,
    **options: Any,
) -> Job:
    """A system of OpenMM as a job; see `system_from_openmm`."""
    given = arguments_of("from_openmm", with_integrator(integrator, options))
    _check_parts(system, topology)
    _check_surroundings(system.getForces())
    n = system.getNumParticles()
    sites = {i: system.getVirtualSite(i) for i in range(n) if system.isVirtualSite(i)}
    names, residue_names, residues = _labels(topology)
    nonbond = Nonbond(n)
    vectors = _box(system, topology, box, nonbond.notes)
    coupling = Coupling(given, nonbond.notes)
    bonded, external = _sorted(system.getForces(), nonbond, coupling)
    table, types, charges = nonbond.finish(names)
    sheet = Sheet(
        Atoms(
            type=types,
            mass=_masses(system, sites),
            charge=charges,
            name=names,
            residue_name=residue_names,
            residue=residues,
            virtual=np.isin(np.arange(n), list(sites)),
        ),
        table,
        bonds=[(a.index, b.index) for a, b in topology.bonds()],
        notes=nonbond.notes,
    )
    velocity = None if velocities is None else _rows(velocities, n, "velocities", "nm/ps")
    to = Conversion(sheet, _rows(positions, n, "positions", "nm"), vectors)
    nonbond.pairs(to)
    for force in bonded:
        TERMS[type(force).__name__](to, force)
    _add_constraints(to, system)
    add_sites(to, sites)
    _check_scale(to)
    to.check_images()
    for force in external:
        restraints(to, force)
    settle_waters(sheet)
    frame = {"position": to.position, "velocity": velocity, "box": vectors}
    settings = nonbond.settings(vectors) | coupling.settings
    conventions = nonbond.conventions(given)
    return converted(sheet, frame, settings, given, "the OpenMM system", conventions)


def _check_parts(system: Any, topology: Any) -> None:
    """Refuse other objects, and a topology of another system."""
    for what, part, method in (
        ("system", system, "getNumParticles"),
        ("topology", topology, "getNumAtoms"),
    ):
        if not hasattr(part, method):
            raise bad_input(
                f"from_openmm got {reprlib.repr(part)} as {what}",
                f"it is not an openmm.{'System' if what == 'system' else 'app.Topology'}",
                "Give an openmm.System, its openmm.app.Topology and the positions"
                + "; openmm.XmlSerializer.deserialize(text) reads text" * isinstance(part, str),
            )
    if system.getNumParticles() != topology.getNumAtoms():
        raise bad_input(
            f"the system has {system.getNumParticles()} particles",
            f"the topology has {topology.getNumAtoms()}",
            "Give a system and its own topology",
        )


def _check_surroundings(forces: Iterable[Any]) -> None:
    """Refuse implicit solvent and vacuum, ahead of the boxes that such systems do not have."""
    methods = []
    for force in forces:
        if type(force).__name__ in _IMPLICIT:
            raise bad_input(
                f"{title(force)} is not supported",
                "implicit solvent and systems in vacuum are not supported, with a box or without",
                "Build the system in a box of water, with nonbondedMethod=PME",
            )
        if type(force).__name__ == "NonbondedForce":
            methods.append(force)
    for force in methods:
        check_method(force)


def _sorted(
    forces: Iterable[Any], nonbond: Nonbond, coupling: Coupling
) -> tuple[list[Any], list[Any]]:
    """Bonded forces, and external ones; all others are taken by those whose they are."""
    bonded, external = [], []
    for force in forces:
        name = type(force).__name__
        if name in NONBONDED_FORCES:
            NONBONDED_FORCES[name](nonbond, force)
        elif name in TERMS:
            bonded.append(force)
        elif name == _EXTERNAL:
            external.append(force)
        elif name in NAMES:
            coupling.take(force)
        elif name == _MOTION:
            nonbond.motion = int(force.getFrequency())
        else:
            raise bad_input(
                f"{title(force)} is not supported",
                f"known: {', '.join([*NONBONDED_FORCES, *TERMS, _EXTERNAL, *NAMES, _MOTION])}",
                "Remove it from the system, or use another engine",
            )
    return bonded, external


def _add_constraints(to: Conversion, system: Any) -> None:
    terms = to.terms("constraint {}", BOND)
    seen: set[frozenset[int]] = set()
    for k in range(system.getNumConstraints()):
        *pair, length = system.getConstraintParameters(k)
        particles = terms.known(k, pair)
        if frozenset(pair) in seen:
            raise bad_input(
                f"constraint {k} is of the particles {pair[0]} and {pair[1]}",
                "another constraint is of them too",
                "Keep one of them",
            )
        seen.add(frozenset(pair))
        terms.add(k, particles)
        to.sheet.add("constraint", particles, (plain(length),))


def _rows(values: Any, n: int, what: str, unit: str) -> NDArray[np.float64]:
    try:
        array = np.array(numbers_in(values, unit, what), dtype=np.float64)
    except InputError:
        raise
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim == 0:
        raise bad_input(
            f"{what} is {values!r}",
            "rows of three numbers are needed",
            f"Give ({n}, 3), as {_STATES[what]} has it",
        )
    if array.shape != (n, 3):
        raise bad_input(
            f"{what} has the shape {array.shape}",
            f"the system has {n} particles",
            f"Give it the shape ({n}, 3)",
        )
    return array


def _check_scale(to: Conversion) -> None:
    """Refuse positions in other units, which bonds show."""
    for kind in ("harmonic_bond", "constraint", "settle"):
        particles, values = to.sheet.terms(kind)
        if len(particles) == 0:
            continue
        apart = to.position[particles[:, 0]] - to.position[particles[:, 1]]
        lengths = np.linalg.norm(nearest_image(apart, to.vectors), axis=1)
        found, wanted = np.median(lengths), np.median(values[:, 0])
        if found > 7 * wanted > 0:
            raise bad_input(
                f"bonds are {found / wanted:.2g} times as long as they should be",
                "positions without a unit are in nm",
                "Multiply positions in Å by 0.1, or give them with their unit",
            )


def _box(system: Any, topology: Any, box: Any, notes: list[str]) -> NDArray[np.float64]:
    """The box vectors that are given, or those that a new Context of the system has."""
    if box is not None:
        return box_vectors(box)
    others = topology.getPeriodicBoxVectors()
    if system.usesPeriodicBoundaryConditions():
        vectors = numbers_in(system.getDefaultPeriodicBoxVectors(), "nm", "box")
        if others is not None and not np.allclose(vectors, numbers_in(others, "nm", "box")):
            notes.append(
                "the box vectors are the system's; the topology has others, which OpenMM does not "
                "use either (box=topology.getPeriodicBoxVectors() takes those)"
            )
        return box_vectors(vectors)
    if others is None:
        raise bad_input(
            "the system has no box",
            "periodic boundaries need one",
            "Give box=, three vectors in nm, and build the system with a periodic cut-off or PME",
        )
    return box_vectors(others)


def _masses(system: Any, sites: Mapping[int, Any]) -> NDArray[np.float64]:
    n = system.getNumParticles()
    mass = np.array([plain(system.getParticleMass(i)) for i in range(n)], dtype=np.float64)
    frozen = [i for i in np.flatnonzero(mass == 0.0).tolist() if i not in sites]
    if frozen:
        raise bad_input(
            f"particle {frozen[0]} has no mass",
            f"OpenMM keeps its {len(frozen)} massless particles fixed",
            "Give them masses, and freeze them with freezegrps and freezedim",
        )
    mass[list(sites)] = 0.0
    return mass


def _labels(topology: Any) -> tuple[Labels, Labels, NDArray[np.int32]]:
    names, residue_names, residues = [], [], []
    for residue in topology.residues():
        text = str(residue.id).strip()
        number = int(text) if text.lstrip("-").isdecimal() else residue.index + 1
        for atom in residue.atoms():
            names.append(str(atom.name))
            residue_names.append(str(residue.name))
            residues.append(number)
    order = np.argsort([atom.index for r in topology.residues() for atom in r.atoms()])
    columns = [[words[i] for i in order] for words in (names, residue_names)]
    numbers = np.array(residues, dtype=np.int64)[order] % 2**31
    return labels(columns[0]), labels(columns[1]), numbers.astype(np.int32)
