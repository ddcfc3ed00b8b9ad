# SPDX-License-Identifier: Apache-2.0
"""From what the files of GROMACS say to a system and specs, which any script could write."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.formats.coordinates import Coordinates
from aureole.gromacs.mdp import parameters as mdp
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.ranks.collective import of_rank_0
from aureole.specs.barostats import Barostat, BerendsenBarostat, CRescale, ParrinelloRahman
from aureole.specs.constraints import LINCS, SHAKE, Freeze
from aureole.specs.dynamics import LeapFrog, StochasticDynamics, VelocityVerlet
from aureole.specs.electric_field import ElectricField
from aureole.specs.electrostatics import PME, Coulomb, Electrostatics, ReactionField
from aureole.specs.integrators import Integrator
from aureole.specs.neighbor_list import NeighborList
from aureole.specs.pair import CLASSES
from aureole.specs.spec import Spec
from aureole.specs.thermostats import (
    Annealing,
    Berendsen,
    NoseHoover,
    Thermostat,
    Uncoupled,
    VRescale,
)
from aureole.system.box import Box
from aureole.system.system import System
from aureole.system.topology import TO_REFERENCES, Topology

from .groups import Group
from .restraint_references import anchors_of, reference_positions, weights_of_centre

_THERMOSTATS: dict[str, Any] = {
    "v-rescale": VRescale,
    "nose-hoover": NoseHoover,
    "berendsen": Berendsen,
}
_BAROSTATS: dict[str, type[Barostat]] = {
    "c-rescale": CRescale,
    "parrinello-rahman": ParrinelloRahman,
    "berendsen": BerendsenBarostat,
}
_INTEGRATORS: dict[str, Any] = {"md": LeapFrog, "md-vv": VelocityVerlet}
_ENDS = {"none": "none", "potential-shift": "shift"}
_TAILS = {
    "no": False,
    "energy": "energy",
    "energy and pressure": True,
    "all energy": "all energy",
    "all energy and pressure": "all",
}


@dataclass(frozen=True, eq=False)
class Translation:
    """A job as Python has it.

    Args:
        system: particles, what binds them, and groups
        specs: arguments of `Simulation` besides the system: forces, integrator, constraints,
            neighbors, seed and step
        temperature: of velocities that are drawn at the start [K]; None where they are kept
        velocity_seed: of these
    """

    system: System
    specs: dict[str, Any]
    temperature: float | None
    velocity_seed: int


def translated(
    topology: Topology,
    coordinates: Coordinates,
    parameters: RunParameters,
    groups: Sequence[Group] = (),
    references: Coordinates | None = None,
) -> Translation:
    """The system and specs of a job.

    Args:
        topology: what binds particles into molecules
        coordinates: where they are
        parameters: how they move, from an .mdp file
        groups: that the parameters name
        references: positions to which restraints refer; None for `coordinates`

    Raises InputError when they do not fit each other.
    """
    if coordinates.n != topology.n:
        raise bad_input(
            f"the coordinates are of {coordinates.n} particles",
            f"the topology has {topology.n}",
            "Give the files that belong together",
        )
    seed = seed_of(parameters)
    velocities = parameters.velocities
    draws = parameters.dynamics and velocities.generate
    specs: dict[str, Any] = {
        "forces": _forces(parameters),
        "integrator": _integrator(parameters),
        "constraints": _constraints(parameters),
        "neighbors": _neighbors(parameters),
        "seed": seed,
        "step": parameters.first_step,
    }
    return Translation(
        _system(topology, coordinates, parameters, groups, references or coordinates),
        specs,
        velocities.temperature if draws else None,
        velocities.seed if velocities.seed >= 0 else seed,
    )


def seed_of(parameters: RunParameters) -> int:
    """Seed of the noise: ld-seed, else gen-seed where velocities are generated, else any.

    A run that goes on with old velocities must not repeat the noise of the one before.
    """
    velocities = parameters.velocities
    for seed in (parameters.seed, velocities.seed if velocities.generate else -1):
        if seed >= 0:
            return seed
    return any_seed()


@functools.partial(of_rank_0, assembles=True)
def any_seed() -> int:
    """A seed that no other run has; all ranks of one have the same."""
    return int.from_bytes(os.urandom(4), "little") >> 1


def seeds_of(parameters: RunParameters, seed: int, velocity_seed: int) -> dict[str, int]:
    """The seeds that a run uses, by the options that would make it again."""
    p, found = parameters, {}
    if {"sd", "v-rescale", "c-rescale"} & {p.integrator, p.thermostat.kind, p.barostat.kind}:
        found["ld-seed"] = seed
    if p.dynamics and p.velocities.generate:
        found["gen-seed"] = velocity_seed
    return found


# The system


def _system(
    topology: Topology,
    coordinates: Coordinates,
    parameters: RunParameters,
    groups: Sequence[Group],
    references: Coordinates,
) -> System:
    vectors, middle = frame_of(coordinates, parameters.periodic)
    first: dict[str, NDArray[np.int32]] = {}
    for group in groups:  # of groups of one name the first counts
        first.setdefault(group.name.lower(), group.particles)
    restrained = any(kind in TO_REFERENCES for kind in topology.kinds())
    points = _points(topology, references, parameters, vectors, middle) if restrained else None
    named = {name: first[name.lower()] for name in _named(parameters) if name.lower() in first}
    return system_of(
        topology,
        coordinates,
        parameters.periodic,
        groups=named,
        references=points,
        periodic_molecules=parameters.periodic_molecules,
    )


def system_of(
    topology: Topology,
    coordinates: Coordinates,
    periodic: tuple[bool, bool, bool] = (True, True, True),
    **more: Any,
) -> System:
    """Particles at their coordinates, with all that the topology says of them.

    Args:
        topology: what binds particles into molecules
        coordinates: where they are
        periodic: which axes repeat
        more: further arguments of `System`
    """
    vectors, middle = frame_of(coordinates, periodic)
    atoms = topology.expand_atoms()
    return System(
        box_of(vectors, middle, periodic),
        coordinates.position - middle,
        coordinates.velocity,
        atoms.mass,
        atoms.type,
        topology.nonbonded.type_names,
        charge=atoms.charge,
        topology=topology,
        units="molecular",
        **more,
    )


def _points(
    topology: Topology,
    references: Coordinates,
    parameters: RunParameters,
    vectors: NDArray[np.float64],
    middle: NDArray[np.float64],
) -> Any:
    if references.n != topology.n:
        raise bad_input(
            f"the reference positions are of {references.n} particles",
            f"the topology has {topology.n}",
            "Give the files that belong together",
        )
    scaling, weights = parameters.barostat.references, weights_of_centre(topology)
    points = reference_positions(references, vectors, scaling, weights, parameters.periodic)
    return anchors_of(points, vectors, middle, scaling, weights)


def frame_of(
    coordinates: Coordinates, periodic: tuple[bool, bool, bool]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Vectors of a box (3, 3) and its middle (3,) [nm] in the frame of the file.

    Along axes that do not repeat the box is made to hold all particles with room around.
    """
    if coordinates.box is None and any(periodic):
        raise bad_input(
            "the coordinates have no box", "particles repeat in it", "Add the line of the box"
        )
    low, high = coordinates.position.min(axis=0), coordinates.position.max(axis=0)
    vectors = np.diag(high - low + 2.0)
    origin = low - 1.0
    for axis in range(3):
        if periodic[axis]:
            assert coordinates.box is not None
            vectors[axis] = coordinates.box[axis]
            origin[axis] = 0.0
    return vectors, origin + 0.5 * vectors.sum(axis=0)


def box_of(vectors: Any, middle: Any, periodic: tuple[bool, bool, bool]) -> Box:
    """The box whose vectors are the rows [nm], and whose middle files have there."""
    (ax, _, _), (bx, by, _), (cx, cy, cz) = np.asarray(vectors, dtype=float)
    corner = np.where(periodic, 0.0, middle - 0.5 * np.sum(vectors, axis=0))
    return Box(ax, by, cz, bx / by, cx / cz, cy / cz, periodic, tuple(corner.tolist()))


# Specs


def _forces(p: RunParameters) -> list[Spec]:
    vdw = p.van_der_waals
    switched = vdw.modifier in ("force-switch", "potential-switch")
    found: list[Spec] = [
        CLASSES["LennardJones"](
            r_cut=vdw.r_cut or None,
            mode=vdw.modifier if switched else _ENDS[vdw.modifier],
            r_switch=vdw.r_switch if switched else None,
            tail_correction=_TAILS[vdw.correction],
        ),
        electrostatics_of(p.electrostatics),
    ]
    if any(one is not None for one in p.fields):
        found.append(_field(p))
    return found


def electrostatics_of(charges: mdp.Electrostatics) -> Electrostatics:
    """How charges interact."""
    common = {"r_cut": charges.r_cut or None, "epsilon_r": charges.epsilon_r}
    if charges.kind == "reaction-field":
        return ReactionField(**common, epsilon_rf=charges.epsilon_rf)  # type: ignore[arg-type]
    if charges.kind != "pme":
        return Coulomb(**common, shifted=charges.shifted)  # type: ignore[arg-type]
    return PME(
        **common,  # type: ignore[arg-type]
        spacing=charges.spacing,
        grid=charges.grid if any(charges.grid) else None,
        order=charges.order,
        tolerance=charges.tolerance,
        shifted=charges.shifted,
    )


def _field(p: RunParameters) -> ElectricField:
    def axis(name: str) -> tuple[float, float, float]:
        x, y, z = (0.0 if one is None else getattr(one, name) for one in p.fields)
        return x, y, z

    return ElectricField(
        strength=axis("strength"),
        omega=axis("omega"),
        centre=axis("centre"),
        width=axis("width"),
    )


def _neighbors(p: RunParameters) -> NeighborList:
    lists = p.neighbours
    if lists.tolerance is not None:
        return NeighborList(mode="tolerance", tolerance=lists.tolerance)
    if lists.r_list is not None and lists.r_list > p.r_cut:
        # A buffer of the user's own lasts as long as the user says.
        return NeighborList(
            mode="tolerance", buffer=lists.r_list - p.r_cut, every=max(lists.every, 1)
        )
    return NeighborList()


def _constraints(p: RunParameters) -> list[Spec]:
    given = p.constraints
    common: dict[str, Any] = {
        "continuation": given.continuation,
        "warn_angle": given.warn_angle,
    }
    found: list[Spec] = []
    if given.algorithm == "shake":
        found.append(SHAKE(tolerance=given.tolerance, **common))
    else:
        found.append(LINCS(order=given.order, iterations=given.iterations, **common))
    for group in p.frozen:
        axes = "".join(axis for axis, still in zip("xyz", group.axes, strict=True) if still)
        if axes:
            found.append(Freeze(group=group.name, axes=axes))
    return found


def _integrator(p: RunParameters) -> Integrator | None:
    if not p.dynamics:
        return None
    removes = p.motion.remove != "no"
    common: dict[str, Any] = {
        "dt": p.dt,
        "remove_com_every": p.motion.every if removes else 0,
        "remove_rotation": p.motion.remove == "angular",
        "drift_groups": p.motion.groups if removes else (),
        "start": p.t_start,
        "barostat": _barostat(p.barostat),
    }
    if p.integrator == "sd":
        return StochasticDynamics(**_temperatures(p.thermostat), **common)
    return _INTEGRATORS[p.integrator](thermostat=_thermostat(p.thermostat), **common)  # type: ignore[no-any-return]


def _temperatures(given: mdp.Thermostat) -> dict[str, Any]:
    T = {group.name: _temperature(group) for group in given.groups}
    tau = {group.name: group.tau for group in given.groups}
    if list(T) == ["System"]:
        return {"T": T["System"], "tau": tau["System"]}
    return {"T": T, "tau": tau}


def _temperature(group: mdp.TemperatureGroup) -> float | Annealing:
    if group.annealing is None:
        return group.temperature
    return Annealing(
        times=group.annealing.times,
        temperatures=group.annealing.temperatures,
        periodic=group.annealing.periodic,
        T=group.temperature,
    )


def _thermostat(given: mdp.Thermostat) -> Thermostat | None:
    if not given.groups:
        return None
    more: dict[str, Any] = {"length": max(given.chain, 1)} if given.kind == "nose-hoover" else {}
    temperatures = _temperatures(given)
    if given.kind == "no":
        return Uncoupled(T=temperatures["T"])
    return _THERMOSTATS[given.kind](**temperatures, every=max(given.every, 1), **more)


def _barostat(given: mdp.Barostat) -> Barostat | None:
    if given.kind == "no":
        return None
    return _BAROSTATS[given.kind](
        P=_numbers(given.pressure, given.shape),
        tau=given.tau,
        compressibility=_numbers(given.compressibility, given.shape),
        shape=given.shape,
        every=max(given.every, 1),
    )


def _numbers(six: mdp.Six, shape: str) -> Any:
    """The independent components among xx, yy, zz, xy, xz, yz for a shape."""
    if shape == "isotropic":
        return six[0]
    return (six[0], six[2]) if shape == "semiisotropic" else six


def _named(p: RunParameters) -> list[str]:
    """Names of groups that the specs refer to, each once."""
    names = [
        *(group.name for group in p.thermostat.groups),
        *p.motion.groups,
        *(group.name for group in p.frozen),
    ]
    return list(dict.fromkeys(names))
