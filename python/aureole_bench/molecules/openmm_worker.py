# SPDX-License-Identifier: Apache-2.0
"""One job of OpenMM: a job as JSON on stdin, the answer on stdout.

On its CPU platform, unless the job names another.
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

import numpy as np
from aureole.formats.gro import read_gro
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.translate import electrostatics_of

Job = dict[str, Any]


def context(job: Job) -> tuple[Any, Any]:
    """OpenMM's context and integrator for the files of a job."""
    import openmm
    from openmm import app, unit

    parameters = read_mdp(job["mdp"])
    start = read_gro(job["conf"])  # OpenMM's reader takes three decimals only
    assert start.box is not None
    box = [openmm.Vec3(*row) for row in start.box.tolist()] * unit.nanometer
    top = app.GromacsTopFile(job["top"], periodicBoxVectors=box)
    system = top.createSystem(
        nonbondedMethod=app.PME,
        nonbondedCutoff=parameters["rcoulomb"] * unit.nanometer,
        constraints=app.HBonds,
    )
    for force in system.getForces():
        if isinstance(force, openmm.NonbondedForce):
            force.setUseDispersionCorrection(False)
            spacing = parameters["fourierspacing"]
            grid = [math.ceil(edge / spacing) for edge in np.diagonal(start.box)]
            force.setPMEParameters(electrostatics_of(parameters).beta, *grid)
    integrator = openmm.VerletIntegrator(parameters.dt * unit.picosecond)
    name = job.get("platform", "CPU")
    properties = {"Threads": str(job["threads"])} if name == "CPU" else {"Precision": "mixed"}
    platform = openmm.Platform.getPlatformByName(name)
    made = openmm.Context(system, integrator, platform, properties)
    made.setPositions(start.position * unit.nanometer)
    if start.velocity is not None:
        made.setVelocities(start.velocity * (unit.nanometer / unit.picosecond))
    return made, integrator


def point(job: Job) -> Job:
    """The potential energy; forces go into the file `force`."""
    from openmm import unit

    made, _ = context(job)
    state = made.getState(getEnergy=True, getForces=True)
    per = unit.kilojoule_per_mole
    force = state.getForces(asNumpy=True).value_in_unit(per / unit.nanometer)
    np.save(job["force"], np.asarray(force, dtype=float))
    return {"energy": {"Potential": state.getPotentialEnergy().value_in_unit(per)}}


def timed(job: Job) -> Job:
    """Seconds of some steps after others."""
    made, integrator = context(job)
    integrator.step(job["warm"])
    made.getState(getEnergy=True)  # waits
    began = time.perf_counter()
    integrator.step(job["steps"])
    made.getState(getEnergy=True)
    return {"seconds": time.perf_counter() - began}


TASKS = {"point": point, "time": timed}


def main() -> None:
    """Read the job, do it, print the answer as the last line."""
    job = json.loads(sys.stdin.read())
    print(json.dumps(TASKS[job["task"]](job)))


if __name__ == "__main__":
    main()
