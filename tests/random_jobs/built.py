# SPDX-License-Identifier: Apache-2.0
"""A job as the engine takes it, in any of the ways in which properties want it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from aureole import Device, Simulation
from aureole.base.errors import InputError
from aureole.gromacs.checks.checked_job import Case
from aureole.gromacs.job import Job, read_job
from aureole.gromacs.translate import frame_of
from aureole.jobs.from_gromacs import simulation_of
from aureole.observers import Observer
from files import NAMES, write
from numpy.typing import NDArray
from recipe import Recipe

Vectors = NDArray[np.float64]
#: Energy of a particle at the start [kJ/mol], 400 kT. Of 204 jobs 24 have 1,070 to 28,800, the
#: others less than 900. They begin at up to 10^6 K, and their own step would be far too long.
OVERLAP = 1000.0
FARADAY = 96.48533212331  # kJ/mol of one e in one V


class Refused(Exception):
    """The engine does not run such a job, and says why."""


class Built:
    """A recipe with its files.

    Args:
        recipe: what was drawn
        folder: where its files are written

    Raises Refused where the checks find an error.
    """

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self.recipe, self.folder = recipe, folder
        write(recipe, folder)
        conf, top, mdp, index, references = (folder / name for name in NAMES)
        try:
            self.job: Job = read_job(conf, top, mdp, index=index, references=references)
        except InputError as error:
            raise Refused(str(error)) from None
        errors = [str(note) for note in self.job.notes if note.severity == "error"]
        if errors:
            raise Refused(errors[0])
        atoms = self.job.topology.expand_atoms()
        self.mass, self.charge = atoms.mass, atoms.charge
        self.real = ~np.concatenate(
            [np.tile(kind.atoms.virtual, count) for kind, count in self.job.topology.blocks]
        )

    @property
    def dynamics(self) -> bool:
        """Does it advance in time?"""
        return self.job.parameters.dynamics

    @property
    def case(self) -> Case:
        """The job as the checks look at it."""
        job = self.job
        members = {group.name: group.particles for group in job.groups}
        return Case(job.parameters, job.topology, job.coordinates, members)

    def simulation(
        self,
        *,
        position: Vectors | None = None,
        box: Vectors | None = None,
        parameters: Any = None,
        precision: str | None = None,
        algorithm: str | None = None,
        threads: int | None = None,
        device: Device | None = None,
        observers: Sequence[Observer] = (),
    ) -> Simulation:
        """The job, or with other particles, another box or another engine.

        Raises Refused where the engine has no way to run it.
        """
        job, recipe = self.job, self.recipe
        start = job.coordinates
        if position is not None:
            start = replace(start, position=position)
        if box is not None:
            start = replace(start, box=box)
        device = device or Device(
            name="host",
            precision=precision or recipe.precision,
            threads=threads or recipe.threads,
            algorithm=algorithm or recipe.algorithm,
            pin=False,
        )
        try:
            given = replace(job, coordinates=start, parameters=parameters or job.parameters)
            sim = simulation_of(given, device=device, observers=observers)
            sim.thermo()
        except InputError as error:
            raise Refused(str(error)) from None
        return sim

    @property
    def tilted(self) -> bool:
        """Is the box not rectangular?"""
        return any(self.recipe.vectors[3:])

    def overlaps(self) -> bool:
        """Do particles of the start lie on each other, as the ends of bonds do that exclude nothing
        (function 10)?"""
        with self.simulation(precision="double", threads=1) as sim:
            return bool(sim.get("energy").max() > OVERLAP)

    def middle(self, position: Vectors | None = None, box: Vectors | None = None) -> Vectors:
        """(3,) where the engine's coordinates begin, in the frame of the files [nm]."""
        start = self.job.coordinates
        start = start if position is None else replace(start, position=position)
        start = start if box is None else replace(start, box=box)
        return frame_of(start, self.job.parameters.periodic)[1]

    def still(self) -> Any:
        """Run parameters for single points: positions stay as they are given, energies are
        continuous at cut-offs, which changes no force, and the mesh is that of the first box.
        """
        p = self.job.parameters
        changes: dict[str, Any] = {"continuation": True, "gen-vel": False}
        if p["rcoulomb"]:
            changes["coulomb-modifier"] = "Potential-shift"
        if p["rvdw"] and p["vdw-modifier"] == "None":
            changes["vdw-modifier"] = "Potential-shift"
        if p["coulombtype"] == "PME" and not all(p.grid):
            with self.simulation() as sim:
                grid = sim._core.mesh_for_spacing(p["fourierspacing"], p["pme-order"], p.grid)
            changes |= zip(("fourier-nx", "fourier-ny", "fourier-nz"), grid, strict=True)
        return p.changed(changes)

    def field(self) -> Vectors:
        """(3,) the electric field at the first step [kJ/mol/nm/e]."""
        p = self.job.parameters
        time = p.t_start + p.first_step * p.dt
        found = np.zeros(3)
        for axis, (strength, omega, centre, width) in enumerate(p.fields):
            pulse, since = 1.0, time
            if width:
                since = time - centre
                pulse = math.exp(-0.5 * (since / width) ** 2)
            found[axis] = strength * FARADAY * pulse * math.cos(omega * since)
        return found
