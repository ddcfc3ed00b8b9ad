# SPDX-License-Identifier: Apache-2.0
"""Our single points beside those of GROMACS: per term and per particle."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from aureole import Device, Simulation
from aureole.gromacs.job import Job
from aureole.gromacs.translate import electrostatics_of
from aureole.jobs.from_gromacs import simulation_of
from gromacs_peer import Point
from numpy.typing import NDArray

#: Allowed differences of energies, in parts of the sum of all magnitudes, and of forces, in parts
#: of their root mean square; with a mesh and without.
LIMITS = {
    ("double", False): (1e-8, 1e-8),
    ("double", True): (2e-7, 2e-6),
    ("mixed", False): (1e-5, 2e-5),
    ("mixed", True): (1e-5, 2e-5),
}


@dataclass(frozen=True)
class Comparison:
    """How one precision of ours differs from the reference."""

    precision: str
    energy: dict[str, tuple[float, float]]  #: ours and theirs [kJ/mol]
    #: Sum of the magnitudes of all energies [kJ/mol]; in mixed precision that of charges with
    #: themselves counts on its own.
    size: float
    force: float  #: root mean square of differences, in parts of that of forces
    worst: int  #: particle with the largest difference
    limits: tuple[float, float]

    def differences(self) -> dict[str, float]:
        """Of each energy, in parts of the sum of magnitudes."""
        return {name: abs(a - b) / self.size for name, (a, b) in self.energy.items()}

    @property
    def good(self) -> bool:
        """Is it within the limits?"""
        energy, force = self.limits
        return max(self.differences().values(), default=0.0) <= energy and self.force <= force


def simulation(
    job: Job, position: NDArray[np.float64], precision: str, device: str | Device
) -> Simulation:
    """Our single point; particles at `position` [nm]."""
    placed = replace(job, coordinates=replace(job.coordinates, position=position))
    return simulation_of(placed, device=device, precision=precision, threads=1)


def own_energy(job: Job) -> float:
    """The energy of all charges with themselves [kJ/mol], which that of excluded pairs cancels.

    With a mesh it is that with their own Gaussian clouds, otherwise with their reaction fields.
    """
    p = job.parameters
    r_cut, inside, beyond = p["rcoulomb"], p["epsilon-r"], p["epsilon-rf"]
    if not r_cut or not inside:
        return 0.0
    squares = float((job.topology.expand_atoms().charge ** 2).sum())
    strength = job.topology.coulomb / inside
    if p["coulombtype"] == "PME":
        return -strength * electrostatics_of(p).beta / math.sqrt(math.pi) * squares
    if p["coulombtype"] == "Cut-off":
        if p["coulomb-modifier"] == "None":
            return 0.0
        beyond = inside
    field = (beyond - inside) / (2 * beyond + inside) if beyond else 0.5
    return -0.5 * strength * (1 + field) / r_cut * squares


def compare(job: Job, point: Point, precision: str, device: str | Device = "host") -> Comparison:
    """Our single points beside theirs."""
    with simulation(job, point.at_energy, precision, device) as sim:
        energy = sim.energy
    with simulation(job, point.at_force, precision, device) as sim:
        force = sim.get("force")
    ours = {"potential": energy.potential} | energy.per_force
    own = own_energy(job)
    if "mesh" in ours:  # theirs counts a charge's own cloud with the direct part
        ours["mesh"] -= own
        ours["coulomb"] += own
    theirs = point.terms()
    if "pair" in ours and "pair" not in theirs:  # pairs_nb, which they count with the others
        for terms in (ours, theirs):
            parts = [terms.pop(name, 0.0) for name in ("pair", "vdw", "coulomb")]
            terms["pair, vdw and coulomb"] = sum(parts)
    names = [name for name in {**theirs, **ours} if ours.get(name) or theirs.get(name)]
    both = {name: (float(ours.get(name, 0.0)), float(theirs.get(name, 0.0))) for name in names}
    size = sum(abs(value) for name, value in theirs.items() if name != "potential")
    if precision == "mixed":  # whose rounding is that of what cancels
        size += abs(own)
    error = force - point.force
    scale = float(np.sqrt((point.force**2).mean()))
    mesh = job.parameters["coulombtype"] == "PME" and bool(theirs.get("mesh"))
    return Comparison(
        precision,
        both,
        size or 1.0,
        float(np.sqrt((error**2).mean())) / (scale or 1.0),
        int((error**2).sum(axis=1).argmax()),
        LIMITS[precision, mesh],
    )
