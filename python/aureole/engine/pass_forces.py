# SPDX-License-Identifier: Apache-2.0
"""Passing a system and specs to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole import _core
from aureole.base.errors import bad_input
from aureole.specs.device import Device
from aureole.specs.electric_field import ElectricField
from aureole.specs.electrostatics import PME, Electrostatics, ReactionField
from aureole.specs.pair import SWITCHED, PairPotential
from aureole.system.references import References
from aureole.system.system import System
from aureole.system.topology import TO_REFERENCES, Terms, Topology, has_energy

from . import core_on_ranks, pass_motion
from .model import Model
from .pass_external import add_externals


def make(model: Model, device: Device, seed: int) -> Any:
    """The engine's simulation, with forces and lists, without motion."""
    arguments = _arguments(model.system, device, seed)
    make_core = core_on_ranks.make if core_on_ranks.are_needed(device) else _alone
    core = make_core(device, arguments)
    for name, values in model.system.columns.items():
        core.add_column(name, model.system.columns.unit(name), values)
    _add_forces(core, model)
    core.set_list(*model.neighbors.settings())
    return core


def replace_forces(core: Any, model: Model) -> None:
    """Replace the forces on the same particles, whose motion goes on."""
    core.clear_forces()
    _add_forces(core, model)
    pass_motion.set_field(core, model)
    pass_motion.set_tail(core, model)


def _add_forces(core: Any, model: Model) -> None:
    if model.interacts:
        _set_molecules(core, model)
    else:
        for force in model.of(PairPotential):
            _add_pair(core, force, model.system)
    add_externals(core, model.system, model.forces)


def _alone(_: Device, arguments: dict[str, Any]) -> Any:
    return _core.Simulation(**arguments)


#: Names of the core and of checkpoints, where they differ.
_ALGORITHMS = {"flat": "lanes"}


def _arguments(system: System, device: Device, seed: int) -> dict[str, Any]:
    charged = {"charge": system.charge} if system.interacts else {}
    return charged | dict(
        box=system.box.six,
        periodic=system.box.periodic,
        position=system.position,
        velocity=system.velocity,
        mass=system.mass,
        type=system.type,
        image=system.image,
        type_names=list(system.type_names),
        device=device.name,
        precision=device.precision,
        threads=device.threads,
        pin=device.pin,
        hostile=device.hostile,
        seed=seed,
        options={
            "algorithm": _ALGORITHMS.get(device.algorithm, device.algorithm),
            "grid": device.grid,
        },
    )


def check_cut_off(kind: str, r_cut: NDArray[np.float64], system: System) -> None:
    """Refuse a cut-off for which a particle would interact with two images of another."""
    widths = np.where(system.box.periodic, system.box.widths, np.inf)
    half = widths.min() / 2
    longest = float(r_cut.max(initial=0.0))
    if longest > half:
        raise bad_input(
            f"cut-off {longest:g} of {kind} exceeds half the box {half:g}",
            "a particle would interact with two images of another",
            "Enlarge the box or shorten the cut-off",
        )


def _add_pair(core: Any, force: PairPotential, system: System) -> None:
    parameters, r_cut, r_switch = force.tables(system.type_names)
    check_cut_off(force.kind, r_cut, system)
    core.add_pair(force.kind, parameters, r_cut, r_switch, force.mode, force.tail_correction)


# Molecules


def _set_molecules(core: Any, model: Model) -> None:
    system, topology = model.system, model.topology
    assert topology is not None, "where something interacts there is a topology"
    charges, attraction = model.electrostatics, _attraction(model)
    _check_nothing_left_out(model)
    if attraction is not None or charges is not None:
        c6, c12 = _coefficients(attraction, system, topology)
        core.set_nonbonded(c6, c12, _nonbonded(model, attraction, charges, topology))
    if isinstance(charges, PME) and system.charge.any():
        _set_mesh(core, charges)
    exclusions = topology.expand_exclusions()
    core.set_exclusions(exclusions.start, exclusions.partner)
    terms = topology.expand_terms()
    constants: dict[str, Any] = {"maps": list(topology.cmaps)}
    constants["periodic_splines"] = topology.periodic_splines
    if attraction is None and charges is None:  # else the non-bonded forces own it
        constants["coulomb"] = _coulomb(None, topology)
    references = _references(system)
    if terms.keys() & set(TO_REFERENCES):
        constants |= {"anchors_with_box": references.with_box, "anchors": references.origin}
    core.set_bonded_constants(**constants)
    for kind, of_kind in terms.items():
        if not has_energy(kind):
            continue
        if kind in TO_REFERENCES:
            of_kind = anchored(of_kind, references.points)
        # A restraint is a bond that neither excludes nor becomes rigid.
        name = "harmonic_bond" if kind == "harmonic_restraint" else kind
        core.add_bonded(name, of_kind.particles, of_kind.row, of_kind.parameters)
    for force in model.of(PairPotential):
        if force is not attraction:
            _add_pair(core, force, system)


def anchored(terms: Terms, points: NDArray[np.float64]) -> Terms:
    """Restraints with their reference points behind their parameters: a row for each."""
    who = terms.particles[:, 0]
    rows = np.arange(terms.n, dtype=np.int32)
    return Terms(terms.particles, rows, np.hstack([terms.parameters[terms.row], points[who]]))


def _references(system: System) -> References:
    if system.references is not None:
        return system.references
    return References.of(system.position, system.n, system.box)


def _attraction(model: Model) -> PairPotential | None:
    """The potential that the kernel of molecules computes; others are from leaf files."""
    able = [force for force in model.of(PairPotential) if force.may_be_of_types]
    of_types = [force for force in able if force.of_types]
    if len(of_types) > 1 or (of_types and len(able) > 1):
        raise bad_input(
            f"forces holds {able[0]!r} and {able[1]!r}",
            "pairs would interact twice",
            "Keep one of them",
        )
    types = model.system.type_names
    return next((force for force in able if force.of_types or _ends_alike(force, types)), None)


def _ends_alike(force: PairPotential, types: Sequence[str]) -> bool:
    """Whether all pairs of types share one cut-off, plain or shifted, with nothing beyond it."""
    r_cut = force.tables(types)[1]
    alike = bool((r_cut == r_cut.flat[0]).all())
    return alike and force.mode in ("none", "shift") and not force.tail_correction


def _coefficients(
    force: PairPotential | None, system: System, topology: Topology
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """c6 and c12 (t, t) of t types."""
    none = np.zeros((len(system.type_names),) * 2)
    if force is None:
        return none, none
    if force.of_types:
        if system.topology is None:
            force.tables(system.type_names)  # says what is missing
        return topology.nonbonded.c6, topology.nonbonded.c12
    parameters, _, _ = force.tables(system.type_names)
    epsilon, sigma = parameters[:, :, 0], parameters[:, :, 1]
    return 4 * epsilon * sigma**6, 4 * epsilon * sigma**12


def _check_nothing_left_out(model: Model) -> None:
    """Refuse charges or types without a force, and forces on charges without charges.

    A topology may have no charges: its force field says so, and GROMACS runs it with any
    electrostatics.
    """
    system = model.system
    acts = [force for force in model.forces if isinstance(force, (Electrostatics, ElectricField))]
    if acts and system.topology is None and not system.charge.any():
        raise bad_input(
            f"{type(acts[0]).__name__} has nothing to act on",
            "no particle of the system has a charge",
            "Give System(..., charge=...), or leave the spec out",
        )
    of_types = system.topology is not None and system.topology.nonbonded.c12.any()
    if of_types and not any(force.may_be_of_types for force in model.of(PairPotential)):
        raise bad_input(
            "forces has no LennardJones",
            "the types of the system have its parameters",
            "Add au.LennardJones(r_cut=...)",
        )
    if model.electrostatics is None and system.charge.any():
        raise bad_input(
            "forces has no electrostatics",
            "some particles have a charge",
            "Add au.PME(r_cut=...), au.ReactionField(r_cut=...) or au.Coulomb(r_cut=...)",
        )


def _coulomb(charges: Electrostatics | None, topology: Topology) -> float:
    """Energy × length of two unit charges; permittivity 0 stands for infinite."""
    epsilon = 1.0 if charges is None else charges.epsilon_r
    return topology.coulomb / epsilon if epsilon else 0.0


def _set_mesh(core: Any, charges: PME) -> None:
    used = charges.usual
    grid = used.grid or (0, 0, 0)
    if not all(grid):
        grid = core.mesh_for_spacing(float(used.spacing), used.order, grid)
    core.set_mesh(grid, used.order, used.both_signs)


def _nonbonded(
    model: Model, force: PairPotential | None, charges: Electrostatics | None, topology: Topology
) -> dict[str, Any]:
    system = model.system
    # Without a cut-off every particle is within it.
    everything = 2.0 * float(np.linalg.norm(system.box.matrix.T.sum(axis=0)))
    r_vdw = None if force is None else force.r_cut  # type: ignore[attr-defined]
    if r_vdw is not None and not isinstance(r_vdw, float):
        r_vdw = float(next(iter(r_vdw.values())))
    epsilon = (1.0 if charges is None else charges.epsilon_r) or 1.0
    return {
        "vdw_end": force.mode if force is not None and force.mode in SWITCHED else "plain",
        "shift_vdw": force is not None and force.mode == "shift" and bool(r_vdw),
        "r_vdw": _ending(r_vdw, charges, everything, type(force).__name__, system),
        "r_vdw_switch": float(getattr(force, "r_switch", None) or 0.0),
        "coulomb": "ewald" if isinstance(charges, PME) else "reaction-field",
        "r_coulomb": _ending(
            None if charges is None else charges.r_cut,
            *(force, everything, type(charges).__name__, system),
        ),
        "coulomb_constant": _coulomb(charges, topology) * epsilon,
        "epsilon_r": epsilon,
        # A plain cut-off is a reaction field of the same permittivity.
        "epsilon_rf": charges.epsilon_rf if isinstance(charges, ReactionField) else epsilon,
        "field_of_excluded": getattr(charges, "excluded_pairs", True),
        "beta": charges.beta if isinstance(charges, PME) else 0.0,
        "shift_coulomb": _shifted(charges),
    }


def _shifted(charges: Electrostatics | None) -> bool:
    """A reaction field vanishes at the cut-off whatever is asked for."""
    if charges is None or charges.r_cut is None:
        return False
    return isinstance(charges, ReactionField) or bool(getattr(charges, "shifted", False))


def _ending(r_cut: Any, other: Any, everything: float, name: str, system: System) -> float:
    """A cut-off, or else that of the `other` force, or a distance that holds every particle."""
    if r_cut is not None:
        return float(r_cut)
    beside = getattr(other, "r_cut", None)
    if not any(system.box.periodic):
        return everything
    if name == "NoneType" and isinstance(beside, float):
        return float(beside)  # of a force that is not there
    raise bad_input(f"{name} has no r_cut", "the box is periodic", "Give r_cut, for example 1.0")
