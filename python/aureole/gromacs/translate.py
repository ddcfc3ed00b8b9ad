# SPDX-License-Identifier: Apache-2.0
"""From GROMACS input files to a system and specs, as a script would write them."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.formats.coordinates import Coordinates
from aureole.gromacs.mdp.parameters import RunParameters, Six, TemperatureGroup
from aureole.ranks.collective import of_rank_0
from aureole.specs.barostats import Barostat, BerendsenBarostat, CRescale, ParrinelloRahman
from aureole.specs.constraints import LINCS, SHAKE, Freeze
from aureole.specs.coupled_integrators import LeapFrog, StochasticDynamics, VelocityVerlet
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

from .conventions import OF_GROMACS, Conventions
from .job import Job
from .restraint_references import anchors_of, reference_positions, weights_of_centre

_THERMOSTATS: dict[str, Any] = {
    "V-rescale": VRescale,
    "Nose-Hoover": NoseHoover,
    "Berendsen": Berendsen,
}
_BAROSTATS: dict[str, type[Barostat]] = {
    "C-rescale": CRescale,
    "Parrinello-Rahman": ParrinelloRahman,
    "Berendsen": BerendsenBarostat,
}
_INTEGRATORS: dict[str, Any] = {"md": LeapFrog, "md-vv": VelocityVerlet}
_MODES = {"None": "none", "Potential-shift": "shift"}
_TAILS = {
    "No": False,
    "Ener": "energy",
    "EnerPres": True,
    "AllEner": "all energy",
    "AllEnerPres": "all",
}


@dataclass(frozen=True, eq=False)
class Translation:
    """A job as Python objects.

    Args:
        system: particles, topology and groups
        specs: arguments of `Simulation` besides the system: forces, integrator, constraints,
            neighbors, seed and step
        temperature: of velocities that are generated at the start [K]; None if they are kept
        velocity_seed: seed of the generated velocities
    """

    system: System
    specs: dict[str, Any]
    temperature: float | None
    velocity_seed: int


def translated(job: Job) -> Translation:
    """The system and specs of a job; raises InputError if its parts do not match."""
    _check_number("coordinates", job.coordinates, job.topology)
    parameters = job.parameters
    seed = seed_of(parameters)
    draws = parameters.dynamics and parameters["gen-vel"]
    specs: dict[str, Any] = {
        "forces": _forces(parameters, job.conventions),
        "integrator": _integrator(parameters),
        "constraints": _constraints(parameters),
        "neighbors": _neighbors(parameters),
        "seed": seed,
        "step": parameters.first_step,
    }
    return Translation(
        _system(job),
        specs,
        parameters["gen-temp"] if draws else None,
        parameters["gen-seed"] if parameters["gen-seed"] >= 0 else seed,
    )


def _check_number(what: str, given: Coordinates, topology: Topology) -> None:
    if given.n != topology.n:
        raise bad_input(
            f"the {what} have {given.n} particles",
            f"the topology has {topology.n}",
            "Give matching files",
        )


def seed_of(parameters: RunParameters) -> int:
    """Seed of the noise: ld-seed, else gen-seed if velocities are generated, else a new one.

    A run that continues with old velocities must not repeat the noise of the previous one.
    """
    for seed in (parameters["ld-seed"], parameters["gen-seed"] if parameters["gen-vel"] else -1):
        if seed >= 0:
            return seed
    return any_seed()


@functools.partial(of_rank_0, assembles=True)
def any_seed() -> int:
    """A random seed; all ranks of a run get the same."""
    return int.from_bytes(os.urandom(4), "little") >> 1


def seeds_of(parameters: RunParameters, seed: int, velocity_seed: int) -> dict[str, int]:
    """The seeds of a run, by the options that reproduce it."""
    p, found = parameters, {}
    if {"sd", "V-rescale", "C-rescale"} & {p.integrator, p["tcoupl"], p["pcoupl"]}:
        found["ld-seed"] = seed
    if p.dynamics and p["gen-vel"]:
        found["gen-seed"] = velocity_seed
    return found


# The system


def _system(job: Job) -> System:
    parameters = job.parameters
    # Of groups of one name the first counts.
    first = {group.name.lower(): group.particles for group in reversed(job.groups)}
    restrained = any(kind in TO_REFERENCES for kind in job.topology.kinds())
    return system_of(
        job.topology,
        job.coordinates,
        parameters.periodic,
        groups={name: first[name.lower()] for name in _named(parameters) if name.lower() in first},
        references=_points(job) if restrained else None,
        periodic_molecules=parameters["periodic-molecules"],
    )


def system_of(
    topology: Topology,
    coordinates: Coordinates,
    periodic: tuple[bool, bool, bool] = (True, True, True),
    **more: Any,
) -> System:
    """The system of a topology and coordinates.

    Args:
        topology: molecules and their interactions
        coordinates: positions, velocities and box
        periodic: which axes are periodic
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


def _points(job: Job) -> Any:
    periodic = job.parameters.periodic
    _check_number("reference positions", job.references, job.topology)
    vectors, middle = frame_of(job.coordinates, periodic)
    scaling, weights = job.parameters["refcoord-scaling"].lower(), weights_of_centre(job.topology)
    points = reference_positions(job.references, vectors, scaling, weights, periodic)
    return anchors_of(points, vectors, middle, scaling, weights)


def frame_of(
    coordinates: Coordinates, periodic: tuple[bool, bool, bool]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Vectors of a box (3, 3) and its middle (3,) [nm] in the frame of the file.

    Along non-periodic axes the box encloses all particles with a margin.
    """
    if coordinates.box is None and any(periodic):
        raise bad_input(
            "the coordinates have no box", "periodic axes need one", "Add the box to the file"
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
    """The box with the rows of `vectors` [nm], whose middle in files is `middle` [nm]."""
    (ax, _, _), (bx, by, _), (cx, cy, cz) = np.asarray(vectors, dtype=float)
    corner = np.where(periodic, 0.0, middle - 0.5 * np.sum(vectors, axis=0))
    return Box(ax, by, cz, bx / by, cx / cz, cy / cz, periodic, tuple(corner.tolist()))


# Specs


def _forces(p: RunParameters, counts: Conventions) -> list[Spec]:
    tail = _TAILS[p["DispCorr"]]
    modifier = p["vdw-modifier"]
    switched = modifier in ("Force-switch", "Potential-switch")
    found: list[Spec] = [
        CLASSES["LennardJones"](
            r_cut=p["rvdw"] or None,
            mode=_MODES.get(modifier, modifier.lower()),
            r_switch=p["rvdw-switch"] if switched else None,
            tail_correction="all pairs" if tail == "all" and counts.tail_of_all else tail,
        ),
        electrostatics_of(p, counts),
    ]
    if any(map(any, p.fields)):
        strength, omega, centre, width = zip(*p.fields, strict=True)
        found.append(ElectricField(strength=strength, omega=omega, centre=centre, width=width))
    return found


def electrostatics_of(p: RunParameters, counts: Conventions = OF_GROMACS) -> Electrostatics:
    """The electrostatics of the run parameters."""
    common = {"r_cut": p["rcoulomb"] or None, "epsilon_r": p["epsilon-r"]}
    if p["coulombtype"] == "Reaction-Field":
        excluded = counts.field_of_excluded
        return ReactionField(**common, epsilon_rf=p["epsilon-rf"], excluded_pairs=excluded)
    shifted = p["coulomb-modifier"] == "Potential-shift"
    if p["coulombtype"] != "PME":
        return Coulomb(**common, shifted=shifted)
    return PME(
        **common,
        spacing=p["fourierspacing"],
        grid=p.grid if any(p.grid) else None,
        order=p["pme-order"],
        tolerance=p["ewald-rtol"],
        shifted=shifted,
        both_signs=counts.both_signs,
    )


def _neighbors(p: RunParameters) -> NeighborList:
    if p.r_list is None:
        return NeighborList(mode="tolerance", tolerance=p["verlet-buffer-tolerance"])
    if p.r_list > p.r_cut:
        # A buffer of the user's own lasts as long as the user says.
        buffer, every = p.r_list - p.r_cut, max(p["nstlist"], 1)
        return NeighborList(mode="tolerance", buffer=buffer, every=every)
    return NeighborList()


def _constraints(p: RunParameters) -> list[Spec]:
    common = {"continuation": p["continuation"], "warn_angle": p["lincs-warnangle"]}
    found: list[Spec] = [
        SHAKE(tolerance=p["shake-tol"], **common)
        if p["constraint-algorithm"] == "SHAKE"
        else LINCS(order=p["lincs-order"], iterations=p["lincs-iter"], **common)
    ]
    for group in p.frozen:
        axes = "".join(axis for axis, still in zip("xyz", group.axes, strict=True) if still)
        if axes:
            found.append(Freeze(group=group.name, axes=axes))
    return found


def _integrator(p: RunParameters) -> Integrator | None:
    if not p.dynamics:
        return None
    removes = p.removes != "no"
    common: dict[str, Any] = {
        "dt": p.dt,
        "remove_com_every": p["nstcomm"] if removes else 0,
        "remove_rotation": p.removes == "angular",
        "drift_groups": p["comm-grps"] if removes else (),
        "start": p.t_start,
        "barostat": _barostat(p),
    }
    if p.integrator == "sd":
        return StochasticDynamics(**_temperatures(p), **common)
    return _INTEGRATORS[p.integrator](thermostat=_thermostat(p), **common)  # type: ignore[no-any-return]


def _temperatures(p: RunParameters) -> dict[str, Any]:
    T = {group.name: _temperature(group) for group in p.temperature_groups}
    tau = {group.name: group.tau for group in p.temperature_groups}
    if list(T) == ["System"]:
        return {"T": T["System"], "tau": tau["System"]}
    return {"T": T, "tau": tau}


def _temperature(group: TemperatureGroup) -> float | Annealing:
    if group.annealing is None:
        return group.temperature
    return Annealing(T=group.temperature, **vars(group.annealing))


def _thermostat(p: RunParameters) -> Thermostat | None:
    if not p.temperature_groups:
        return None
    kind, temperatures = p["tcoupl"], _temperatures(p)
    if kind == "No":
        return Uncoupled(T=temperatures["T"])
    more = {"length": max(p["nh-chain-length"], 1)} if kind == "Nose-Hoover" else {}
    return _THERMOSTATS[kind](**temperatures, every=max(p["nsttcouple"], 1), **more)  # type: ignore[no-any-return]


def _barostat(p: RunParameters) -> Barostat | None:
    if p["pcoupl"] == "No":
        return None
    shape = p["pcoupltype"]
    return _BAROSTATS[p["pcoupl"]](
        P=_numbers(p.pressure, shape),
        tau=p["tau-p"],
        compressibility=_numbers(p.compressibility, shape),
        shape=shape,
        every=max(p["nstpcouple"], 1),
    )


def _numbers(six: Six, shape: str) -> Any:
    """The independent components among xx, yy, zz, xy, xz, yz for a shape."""
    if shape == "isotropic":
        return six[0]
    return (six[0], six[2]) if shape == "semiisotropic" else six


def _named(p: RunParameters) -> list[str]:
    """Names of groups that the specs refer to, each once."""
    names = [
        *(group.name for group in p.temperature_groups),
        *p["comm-grps"],
        *(group.name for group in p.frozen),
    ]
    return list(dict.fromkeys(names))
