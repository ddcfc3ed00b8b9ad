# SPDX-License-Identifier: Apache-2.0
"""Simulations of molecules in the units of GROMACS: nm, ps, amu, kJ/mol, K, bar, e."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from .box import Box
from .errors import bad_input
from .gromacs.coordinates import Coordinates
from .gromacs.from_job import FromJob
from .gromacs.groups import Group
from .gromacs.mdp_parameters import Electrostatics, RunParameters
from .integrators import NVE, Device
from .observers import Observer
from .system import System
from .topology import Topology

BOLTZMANN = 0.00831446261815324  # kJ/mol/K, exact in the SI of 2019
BAR = 16.6053906717384  # bar in one kJ/mol/nm^3
_DURATION = re.compile(r"\s*([\d.eE+-]+)\s*(fs|ps|ns|us|µs|ms)\s*\Z")
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
            seed=max(parameters.seed, 0),
        )
        self._set_forces()
        self._set_motion()

    def _set_motion(self) -> None:
        """Until the step loop knows more than velocity Verlet."""
        p = self.parameters
        if p.integrator == "md-vv" and p.thermostat.kind == "no" and p.barostat.kind == "no":
            self.integrator = NVE(dt=p.dt, remove_com_every=p.motion.every)
            if p.velocities.generate:
                self.thermalize(BOLTZMANN * p.velocities.temperature)

    def _system(self, coordinates: Coordinates) -> System:
        if coordinates.box is None:
            raise bad_input(
                "the coordinates have no box", "particles repeat in it", "Add the line of the box"
            )
        box = box_of(coordinates.box)
        centre = 0.5 * coordinates.box.sum(axis=0)
        return System(
            box,
            coordinates.position - centre,
            coordinates.velocity,
            self._atoms.mass,
            self._atoms.type,
            self.topology.nonbonded.type_names,
        )

    def _core_arguments(self, system: System) -> dict[str, Any]:
        return super()._core_arguments(system) | {"charge": self._atoms.charge}

    def _set_forces(self) -> None:
        nonbonded = self.topology.nonbonded
        self._core.set_nonbonded(nonbonded.c6, nonbonded.c12, self._nonbonded_settings())
        self._set_mesh()
        exclusions = self.topology.expand_exclusions()
        self._core.set_exclusions(exclusions.start, exclusions.partner)
        self._core.set_bonded_constants(self.topology.coulomb, list(self.topology.cmaps))
        for kind, terms in self.topology.expand_terms().items():
            if kind in RIGID or kind.startswith("vsite"):
                continue
            # A restraint is a bond that neither excludes nor becomes rigid.
            name = "harmonic_bond" if kind == "harmonic_restraint" else kind
            self._core.add_bonded(name, terms.particles, terms.row, terms.parameters)

    def _set_mesh(self) -> None:
        charges = self.parameters.electrostatics
        if charges.kind != "pme" or not self._atoms.charge.any():
            return
        grid = charges.grid if all(charges.grid) else self._core.mesh_for_spacing(charges.spacing)
        strength = self.topology.coulomb / charges.epsilon_r
        self._core.set_mesh(grid, charges.order, splitting(charges), strength)

    def _nonbonded_settings(self) -> dict[str, Any]:
        charges, vdw = self.parameters.electrostatics, self.parameters.van_der_waals
        field = charges.kind == "reaction-field"
        ends = {"force-switch": "force-switch", "potential-switch": "potential-switch"}
        return {
            "vdw_end": ends.get(vdw.modifier, "plain"),
            "shift_vdw": vdw.modifier == "potential-shift",
            "r_vdw": vdw.r_cut,
            "r_vdw_switch": vdw.r_switch,
            "coulomb": "ewald" if charges.kind == "pme" else "reaction-field",
            "r_coulomb": charges.r_cut,
            "coulomb_constant": self.topology.coulomb,
            "epsilon_r": charges.epsilon_r,
            # A plain cut-off is a reaction field of the same permittivity.
            "epsilon_rf": charges.epsilon_rf if field else charges.epsilon_r,
            "beta": splitting(charges) if charges.kind == "pme" else 0.0,
            "shift_coulomb": charges.shifted,
        }

    def steps_of(self, duration: int | str) -> int:
        """Steps in a number of steps or a time such as "20 ps"."""
        if not isinstance(duration, str):
            return duration
        found = _DURATION.match(duration)
        try:
            time = float(found[1]) * _PS[found[2]] if found else math.nan
        except ValueError:
            time = math.nan
        if not math.isfinite(time) or time < 0:
            raise bad_input(
                f"{duration!r} is no duration", "a number and a unit are needed", 'Write "20 ps"'
            )
        return round(time / self.parameters.dt)

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


def splitting(charges: Electrostatics) -> float:
    """Ewald's β [1/nm] for which erfc(β r_cut) is the wanted tolerance."""
    low, high = 0.0, 30.0  # of β r_cut; erfc ends at the smallest double
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.erfc(middle) > charges.tolerance else (low, middle)
    return high / charges.r_cut


def box_of(vectors: Any) -> Box:
    """The box whose vectors are the rows [nm], as GROMACS writes them."""
    (ax, _, _), (bx, by, _), (cx, cy, cz) = np.asarray(vectors, dtype=float)
    return Box(ax, by, cz, bx / by, cx / cz, cy / cz)
