# SPDX-License-Identifier: Apache-2.0
"""Systems of OpenMM: what its force fields made of AMBER's and CHARMM's formats.

Forces are told apart by their names and taken over term by term; what has no counterpart here
is refused by name. Energies are those of OpenMM, with the exceptions that the notes name.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
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
from .openmm_bonded import BONDED, title
from .openmm_coupling import NAMES, Coupling
from .openmm_nonbonded import NONBONDED_FORCES, Nonbond
from .openmm_restraints import restraints
from .units import box_vectors, plain

#: Virtual sites: their terms, and the number of particles that they are constructed from.
_SITES = {
    "TwoParticleAverageSite": ("vsite2", 2),
    "ThreeParticleAverageSite": ("vsite3", 3),
    "OutOfPlaneSite": ("vsite3out", 3),
}

_STATES = {"positions": "state.getPositions()", "velocities": "state.getVelocities()"}
_IMPLICIT = ("GBSAOBCForce", "CustomGBForce")
#: Forces that are made terms.
TERMS = {**BONDED, "CustomExternalForce": restraints}


def from_openmm(
    system: Any,
    topology: Any,
    positions: Any,
    *,
    velocities: Any = None,
    box: Any = None,
    **options: Any,
) -> Job:
    """A system of OpenMM as a job; see `system_from_openmm`."""
    given = arguments_of("from_openmm", options)
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
    n = system.getNumParticles()
    sites = {i: system.getVirtualSite(i) for i in range(n) if system.isVirtualSite(i)}
    names, residue_names, residues = _labels(topology)
    nonbond = Nonbond(n)
    vectors = _box(system, topology, box, nonbond.notes)
    coupling = Coupling(given, nonbond.notes)
    others = []
    for force in system.getForces():
        name = type(force).__name__
        if name in NONBONDED_FORCES:
            NONBONDED_FORCES[name](nonbond, force)
        elif name in TERMS:
            others.append(force)
        elif name in NAMES:
            coupling.take(force)
        elif name == "CMMotionRemover":
            nonbond.motion = int(force.getFrequency())
        else:
            raise bad_input(
                f"{title(force)} is not supported",
                f"known: {', '.join([*NONBONDED_FORCES, *TERMS, *NAMES, 'CMMotionRemover'])}",
                "Implicit solvent is not supported. Build the system in a box of water"
                if name in _IMPLICIT
                else "Remove it from the system, or use another engine",
            )
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
    nonbond.pairs(sheet)
    for force in others:
        TERMS[type(force).__name__](sheet, force)
    for k in range(system.getNumConstraints()):
        i, j, length = system.getConstraintParameters(k)
        sheet.add("constraint", (i, j), (plain(length),))
    settle_waters(sheet)
    for i, site in sites.items():
        _add_site(sheet, i, site)
    frame = {
        "position": _rows(positions, n, "positions", "nm"),
        "velocity": None if velocities is None else _rows(velocities, n, "velocities", "nm/ps"),
        "box": vectors,
    }
    _check_scale(sheet, frame["position"])
    settings = nonbond.settings(vectors) | coupling.settings
    return converted(sheet, frame, settings, given, "the OpenMM system")


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


def _check_scale(sheet: Sheet, position: Any) -> None:
    """Refuse positions in other units, which bonds show."""
    for kind in ("harmonic_bond", "constraint", "settle"):
        particles, values = sheet.terms(kind)
        if len(particles) == 0:
            continue
        lengths = np.linalg.norm(position[particles[:, 0]] - position[particles[:, 1]], axis=1)
        found, wanted = np.median(lengths), np.median(values[:, 0])
        if found > 7 * wanted > 0:
            raise bad_input(
                f"bonds are {found / wanted:.2g} times as long as they should be",
                "positions without a unit are in nm",
                "Multiply positions in Å by 0.1, or give them with their unit",
            )


def _box(system: Any, topology: Any, box: Any, notes: list[str]) -> NDArray[np.float64]:
    """What is given, or what a new Context of the system has."""
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


def _add_site(sheet: Sheet, i: int, site: Any) -> None:
    name = type(site).__name__
    if name not in _SITES:
        raise bad_input(
            f"particle {i} is a virtual site of the kind {name}",
            f"only {', '.join(_SITES)} are supported",
            "Build the system with a model that has one of these",
        )
    kind, count = _SITES[name]
    if kind == "vsite3out":
        values = [site.getWeight12(), site.getWeight13(), site.getWeightCross()]
    else:
        first, *values = [site.getWeight(k) for k in range(count)]
        whole = math.fsum([first, *values])
        if not math.isclose(whole, 1.0, abs_tol=1e-6):
            raise bad_input(
                f"weights of the virtual site {i} sum to {whole:g}",
                "a site moves with its particles only if they sum to 1",
                "Correct them",
            )
    sheet.add(kind, (i, *(site.getParticle(k) for k in range(count))), values)
