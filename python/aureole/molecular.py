# SPDX-License-Identifier: Apache-2.0
"""Simulations of molecules in the units of GROMACS: nm, ps, amu, kJ/mol, K, bar, e."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .box import Box
from .errors import bad_input
from .gromacs.coordinates import Coordinates
from .gromacs.from_job import FromJob
from .gromacs.groups import Group
from .gromacs.mdp_case import Case
from .gromacs.mdp_parameters import Electrostatics, RunParameters
from .gromacs.motion import set_motion
from .gromacs.references import (
    Anchors,
    anchored,
    anchors_of,
    reference_positions,
    weights_of_centre,
)
from .gromacs.units import BAR, BOLTZMANN
from .integrators import Device
from .numerals import real
from .observers import Observer
from .simulation import Minimum
from .system import System
from .topology import Terms, Topology

_DURATION = re.compile(r"\s*([0-9.eE+-]+)\s*(fs|ps|ns|us|µs|ms)\s*\Z")
_PS = {"fs": 1e-3, "ps": 1.0, "ns": 1e3, "us": 1e6, "µs": 1e6, "ms": 1e9}
RIGID = ("constraint", "settle")


class MolecularSimulation(FromJob):
    """Molecules from a topology, coordinates and run parameters.

    Args:
        topology: what binds particles into molecules
        coordinates: where they are
        parameters: how they move, from an .mdp file
        groups: that the parameters name
        references: positions to which restraints refer; None for `coordinates`
        device, precision, threads, observers: as for `Simulation`

    Raises InputError when the parts do not fit each other.
    """

    def __init__(
        self,
        topology: Topology,
        coordinates: Coordinates,
        parameters: RunParameters,
        *,
        groups: Sequence[Group] = (),
        references: Coordinates | None = None,
        device: str | Device = "auto",
        precision: str | None = None,
        threads: int | None = None,
        observers: Sequence[Observer] = (),
    ) -> None:
        if coordinates.n != topology.n:
            raise bad_input(
                f"the coordinates are of {coordinates.n} particles",
                f"the topology has {topology.n}",
                "Give the files that belong together",
            )
        self.topology = topology
        self.parameters = parameters
        self._atoms = topology.expand_atoms()
        super().__init__(
            self._system(coordinates),
            observers=observers,
            device=device,
            precision=precision,
            threads=threads,
            seed=_seed(parameters),
        )
        self._set_forces(references or coordinates)
        self._set_list()
        self._set_motion(coordinates, groups)

    def _set_list(self) -> None:
        lists = self.parameters.neighbours
        if lists.tolerance is not None:
            self._core.set_list("tolerance", lists.tolerance)
        elif lists.r_list is not None and lists.r_list > self.parameters.r_cut:
            # A buffer of the user's own lives as long as the user says.
            life = max(lists.every, 1)
            buffer = lists.r_list - self.parameters.r_cut
            self._core.set_list("tolerance", 0.005, buffer, min(life, 5), life)

    def _set_motion(self, coordinates: Coordinates, groups: Sequence[Group]) -> None:
        members = {group.name: group.particles for group in groups}
        case = Case(self.parameters, self.topology, coordinates, members)
        set_motion(self._core, case, {k: self._terms.get(k) for k in RIGID}, self._sites)
        p = self.parameters
        if p.first_step:
            self._core.step = p.first_step
        if not p.constraints.continuation:
            self._core.constrain_start()
        if p.dynamics and p.velocities.generate:
            self._core.thermalize(BOLTZMANN * p.velocities.temperature, self._velocity_seed())
        if not p.constraints.continuation:
            self._core.stop_whole()  # after the last change of velocities

    def _velocity_seed(self) -> int:
        """Seed of generated velocities: gen-seed, else that of the noise."""
        given = self.parameters.velocities.seed
        return given if given >= 0 else self.seed

    def seeds(self) -> dict[str, int]:
        """The seeds that this run uses, by the options that would make it again."""
        p, found = self.parameters, {}
        if {"sd", "v-rescale", "c-rescale"} & {p.integrator, p.thermostat.kind, p.barostat.kind}:
            found["ld-seed"] = self.seed
        if p.dynamics and p.velocities.generate:
            found["gen-seed"] = self._velocity_seed()
        return found

    def _check_can_run(self) -> None:
        self._check_no_views("run")
        if not self.parameters.dynamics:
            raise bad_input(
                f"{self.parameters.where('integrator')}: this integrator makes no steps in time",
                "it looks for a minimum of the energy",
                "Call minimize(), or choose md",
            )

    def recent_warnings(self) -> list[str]:
        """The bond that turned most in one step, where that is beyond `lincs-warnangle`.

        Bonds are looked at once in some fifty steps, when pair lists are renewed.
        """
        turn = self._core.take_largest_turn()
        limit = self.parameters.constraints.warn_angle
        if turn is None or math.degrees(turn[2]) <= limit:
            return []
        a, b, angle, step = turn
        return [
            f"at step {step:,} the constraint between atoms {a + 1} and {b + 1} turned by "
            f"{math.degrees(angle):.0f} degrees in one step (lincs-warnangle = {limit:g}). "
            "The step may be too long, or the start not relaxed."
        ]

    def minimize(  # type: ignore[override]
        self, tell: Callable[[int, float, float, float, int], None] | None = None
    ) -> Minimum:
        """Go downhill until no force exceeds `emtol`, or for as many steps as the .mdp file says.

        Args:
            tell: called at each step with its number, the displacement [nm], the energy [kJ/mol],
                the largest force [kJ/mol/nm] and the particle that feels it
        """
        self._check_no_views("minimize")
        p = self.parameters
        self._changes += 1
        steps = p.n_steps if p.n_steps >= 0 else 2**62
        found = self._core.descend(p.minimization.tolerance, p.minimization.step, steps, tell)
        return Minimum(
            bool(found["converged"]),
            int(found["steps"]),
            float(found["max_force"]),
            float(found["energy"]),
        )

    def _system(self, coordinates: Coordinates) -> System:
        self._vectors, self._centre = frame_of(coordinates, self.parameters.periodic)
        return _Molecules(
            box_of(self._vectors, self.parameters.periodic),
            coordinates.position - self._centre,
            coordinates.velocity,
            self._atoms.mass,
            self._atoms.type,
            self.topology.nonbonded.type_names,
        )

    def _core_arguments(self, system: System) -> dict[str, Any]:
        return super()._core_arguments(system) | {"charge": self._atoms.charge}

    def _set_forces(self, references: Coordinates) -> None:
        nonbonded = self.topology.nonbonded
        self._core.set_nonbonded(nonbonded.c6, nonbonded.c12, self._nonbonded_settings())
        self._set_mesh()
        exclusions = self.topology.expand_exclusions()
        self._core.set_exclusions(exclusions.start, exclusions.partner)
        self._terms = self.topology.expand_terms()
        constants: dict[str, Any] = {"maps": list(self.topology.cmaps)}
        if "position_restraint" in self._terms:
            anchors = self._anchors(references)
            constants |= {"anchors_with_box": anchors.with_box, "anchors": anchors.common}
        self._core.set_bonded_constants(**constants)
        for kind, terms in self._terms.items():
            if kind in RIGID or kind.startswith("vsite"):
                continue
            if kind == "position_restraint":
                terms = anchored(terms, anchors.points)
            # A restraint is a bond that neither excludes nor becomes rigid.
            name = "harmonic_bond" if kind == "harmonic_restraint" else kind
            self._core.add_bonded(name, terms.particles, terms.row, terms.parameters)

    def _anchors(self, references: Coordinates) -> Anchors:
        if references.n != self.topology.n:
            raise bad_input(
                f"the reference positions are of {references.n} particles",
                f"the topology has {self.topology.n}",
                "Give the files that belong together",
            )
        scaling, weights = self.parameters.barostat.references, weights_of_centre(self.topology)
        points = reference_positions(
            references, self._vectors, scaling, weights, self.parameters.periodic
        )
        return anchors_of(points, self._vectors, self._centre, scaling, weights)

    def _set_mesh(self) -> None:
        charges = self.parameters.electrostatics
        if charges.kind != "pme" or not self._atoms.charge.any():
            return
        grid = charges.grid
        if not all(grid):
            grid = self._core.mesh_for_spacing(charges.spacing, charges.order, grid)
        self._core.set_mesh(grid, charges.order)

    def _nonbonded_settings(self) -> dict[str, Any]:
        charges, vdw = self.parameters.electrostatics, self.parameters.van_der_waals
        field = charges.kind == "reaction-field"
        # A cut-off of 0 reaches every particle.
        everything = 2.0 * float(np.linalg.norm(self._vectors.sum(axis=0)))
        epsilon = charges.epsilon_r or 1.0
        ends = {"force-switch": "force-switch", "potential-switch": "potential-switch"}
        return {
            "vdw_end": ends.get(vdw.modifier, "plain"),
            "shift_vdw": vdw.modifier == "potential-shift" and vdw.r_cut > 0.0,
            "r_vdw": vdw.r_cut or everything,
            "r_vdw_switch": vdw.r_switch,
            "coulomb": "ewald" if charges.kind == "pme" else "reaction-field",
            "r_coulomb": charges.r_cut or everything,
            # Permittivity 0 stands for infinite. Mesh and chosen pairs have the constant from here.
            "coulomb_constant": self.topology.coulomb if charges.epsilon_r else 0.0,
            "epsilon_r": epsilon,
            # A plain cut-off is a reaction field of the same permittivity.
            "epsilon_rf": charges.epsilon_rf if field else epsilon,
            "beta": splitting(charges) if charges.kind == "pme" else 0.0,
            # A reaction field vanishes at the cut-off whatever the modifier.
            "shift_coulomb": (field or charges.shifted) and charges.r_cut > 0.0,
        }

    def steps_of(self, duration: int | str) -> int:
        """Steps in a number of steps or a time such as "20 ps"."""
        if not isinstance(duration, str):
            return duration
        found = _DURATION.match(duration)
        try:
            time = real(found[1]) * _PS[found[2]] if found else math.nan
        except ValueError:
            time = math.nan
        if not math.isfinite(time) or time < 0:
            raise bad_input(
                f"{duration!r} is no duration", "a number and a unit are needed", 'Write "20 ps"'
            )
        steps = round(time / self.parameters.dt)
        if steps == 0 and time > 0:
            raise bad_input(
                f"{duration!r} makes no step",
                f"a step takes {self.parameters.dt:g} ps",
                "Give a longer time",
            )
        return steps

    @property
    def _sites(self) -> dict[str, Terms]:
        return {kind: terms for kind, terms in self._terms.items() if kind.startswith("vsite")}

    @property
    def dt(self) -> float:
        """Time step [ps]."""
        return self.parameters.dt

    @property
    def time(self) -> float:
        """Simulated time [ps]."""
        return self.parameters.t_start + self.step * self.parameters.dt

    @property
    def conserved(self) -> float:
        """Total energy less what baths gave [kJ/mol]; constant but for drift."""
        return self.energy.total - float(self.thermo()["given"])

    @property
    def group_temperatures(self) -> dict[str, float]:
        """Temperature of each group of the thermostat [K]."""
        values = np.asarray(self.thermo()["group_temperatures"]) / BOLTZMANN
        names = [group.name for group in self.parameters.thermostat.groups]
        return dict(zip(names, values.tolist(), strict=False))

    @property
    def temperature(self) -> float:
        """Kinetic temperature [K]."""
        return super().temperature / BOLTZMANN

    @property
    def pressure(self) -> float:
        """Pressure [bar]."""
        return super().pressure * BAR

    @property
    def ns_per_day(self) -> float:
        """Speed of the last run [ns/day]."""
        return self.steps_per_second * self.parameters.dt * 86.4


def _seed(parameters: RunParameters) -> int:
    """Seed of the noise: ld-seed, else gen-seed where velocities are generated, else any.

    A run that goes on with old velocities must not repeat the noise of the one before.
    """
    velocities = parameters.velocities
    for seed in (parameters.seed, velocities.seed if velocities.generate else -1):
        if seed >= 0:
            return seed
    return secrets.randbits(31)


class _Molecules(System):
    """Particles of molecules, virtual sites among them."""

    _of_molecules = True


def splitting(charges: Electrostatics) -> float:
    """Ewald's β [1/nm] for which erfc(β r_cut) is the wanted tolerance."""
    low, high = 0.0, 30.0  # of β r_cut; erfc ends at the smallest double
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.erfc(middle) > charges.tolerance else (low, middle)
    return high / charges.r_cut


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


def box_of(vectors: Any, periodic: tuple[bool, bool, bool] = (True, True, True)) -> Box:
    """The box whose vectors are the rows [nm], as GROMACS writes them."""
    (ax, _, _), (bx, by, _), (cx, cy, cz) = np.asarray(vectors, dtype=float)
    return Box(ax, by, cz, bx / by, cx / cz, cy / cz, periodic)
