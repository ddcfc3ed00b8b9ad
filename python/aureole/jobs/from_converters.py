# SPDX-License-Identifier: Apache-2.0
"""From objects of OpenMM and ParmEd to a system, or to a simulation with the checks of `aureole
check`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aureole.converters.from_openmm import from_openmm as job_of_openmm
from aureole.converters.from_parmed import from_parmed as job_of_parmed
from aureole.gromacs.translate import translated
from aureole.live.observer import Observer
from aureole.simulation.simulation import Simulation
from aureole.specs.device import Device
from aureole.system.system import System

from .from_gromacs import accept, simulation_of


def from_openmm(
    system: Any,
    topology: Any,
    positions: Any,
    integrator: Any = None,
    *,
    velocities: Any = None,
    box: Any = None,
    maxwarn: int = 0,
    device: str | Device = "auto",
    precision: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
    **options: Any,
) -> Simulation:
    """A simulation of an OpenMM system, which may come from AMBER's and CHARMM's formats.

    Args:
        system, topology, positions, velocities, box: as for `system_from_openmm`
        integrator: OpenMM's VerletIntegrator, LangevinIntegrator, LangevinMiddleIntegrator or
            NoseHooverIntegrator, of which time step, temperature, friction and seed are taken
            over; a word as in .mdp files; or None. Options override it
        maxwarn: number of warnings to tolerate
        device, precision, threads, observers: as for `Simulation`
        options: run parameters by their .mdp names, _ for -: dt="2 fs", tcoupl="v-rescale".
            Numbers may be text with a unit or quantities of openmm.unit. temperature=300 [K] is
            kept by v-rescale, or by the tcoupl or integrator that is given; pressure=1 [bar] by
            C-rescale, or by the pcoupl that is given

    The result's `remarks` list what was left out or changed, its `notes` hold the notes and
    warnings of the checks, and its `parameters` the run parameters. Raises InputError for
    unsupported features, and if the run parameters give more warnings than `maxwarn`.
    """
    options |= {"velocities": velocities, "box": box}
    job = job_of_openmm(system, topology, positions, integrator, **options)
    accept(job, maxwarn)
    return simulation_of(
        job, device=device, precision=precision, threads=threads, observers=observers
    )


def from_parmed(
    structure: Any,
    *,
    box: Any = None,
    rigid_water: bool = True,
    maxwarn: int = 0,
    device: str | Device = "auto",
    precision: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
    **options: Any,
) -> Simulation:
    """A simulation of a ParmEd structure, which may come from AMBER's and CHARMM's formats.

    Args:
        structure, box, rigid_water: as for `system_from_parmed`
        maxwarn: number of warnings to tolerate
        device, precision, threads, observers: as for `Simulation`
        options: run parameters as for `from_openmm`: dt="2 fs", constraints="h-bonds"

    Results and errors are as for `from_openmm`.
    """
    job = job_of_parmed(structure, box=box, rigid_water=rigid_water, **options)
    accept(job, maxwarn)
    return simulation_of(
        job, device=device, precision=precision, threads=threads, observers=observers
    )


def system_from_openmm(
    system: Any,
    topology: Any,
    positions: Any,
    *,
    velocities: Any = None,
    box: Any = None,
    **options: Any,
) -> System:
    """Molecules from an OpenMM system, which reads AMBER's and CHARMM's formats.

    Args:
        system: openmm.System with a periodic cut-off or PME
        topology: openmm.app.Topology
        positions: (n, 3) with or without units [nm]
        velocities: (n, 3) with or without units [nm/ps], or None
        box: a Box, or three vectors or edges, with or without units [nm]; None takes what a new
            Context of OpenMM has: the vectors of the system, or, if it is not periodic, of the
            topology
        options: run parameters that change the system, by their .mdp names, _ for -:
            constraints="h-bonds"

    `topology.notes` lists what was left out or changed. `from_openmm`, which makes a simulation,
    also takes over cut-offs and other settings of the OpenMM system. Raises InputError for
    unsupported forces, virtual sites or methods.
    """
    job = job_of_openmm(system, topology, positions, velocities=velocities, box=box, **options)
    return translated(job).system


def system_from_parmed(
    structure: Any, *, box: Any = None, rigid_water: bool = True, **options: Any
) -> System:
    """Molecules from a ParmEd structure, which reads AMBER's and CHARMM's formats.

    Args:
        structure: parmed.Structure with parameters and coordinates
        box: a Box, or three vectors or edges, with or without units [nm]; None for that of the
            structure
        rigid_water: whether waters are rigid
        options: run parameters that change the system, by their .mdp names, _ for -:
            constraints="h-bonds"

    `from_parmed` makes a simulation. Raises InputError for unsupported terms.
    """
    return translated(job_of_parmed(structure, box=box, rigid_water=rigid_water, **options)).system
