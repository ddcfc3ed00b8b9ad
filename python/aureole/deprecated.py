# SPDX-License-Identifier: Apache-2.0
"""Old names, which keep working and name their replacement."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .gromacs.job import Job
    from .simulation import Simulation
    from .system import System

#: What to write instead of a name of the package.
NAMES = {
    "MolecularSimulation": "au.Simulation, which au.from_gromacs makes; go on from a checkpoint by "
    "au.Simulation.from_checkpoint",
}

#: What to write instead of names that systems of converters had when they had their own class.
_OF_CONVERTED = {
    "coordinates": "the system's position, velocity and box",
    "parameters": "parameters of au.from_openmm(...) or au.from_parmed(...)",
    "notes": "topology.notes of the system",
    "system": "the system itself",
    "simulation": "au.from_openmm(...) or au.from_parmed(...)",
    "check": "notes of au.from_openmm(...) or au.from_parmed(...)",
    "with_options": "the converter again with these options",
}


def warn(old: str, new: str, level: int = 3) -> None:
    """Tell that a name has a new one; `level` frames up is the caller of the old name."""
    warnings.warn(f"{old} is deprecated: use {new}", DeprecationWarning, stacklevel=level)


class _Simulations(type):
    """Takes any simulation of molecules for an instance of the old class."""

    def __instancecheck__(cls, instance: object) -> bool:
        from .simulation import Simulation

        return isinstance(instance, Simulation) and instance.topology is not None


class MolecularSimulation(metaclass=_Simulations):
    """The old class of simulations of molecules; calling it makes a `Simulation`."""

    def __new__(cls, *parts: Any, **options: Any) -> Simulation:  # type: ignore[misc]
        from .gromacs.start import simulation_of_parts

        return simulation_of_parts(*parts, **options)

    @staticmethod
    def from_checkpoint(*arguments: Any, **options: Any) -> Simulation:
        """See `Simulation.from_checkpoint`."""
        from .simulation import Simulation

        return Simulation.from_checkpoint(*arguments, **options)


def named(name: str) -> Any:
    """The object behind an old name of the package, with a warning."""
    warn(f"au.{name}", NAMES[name], level=4)
    return globals()[name]


def of_build(name: str) -> Any:
    """The object behind an old name of `aureole.build`, with a warning."""
    if name != "MolecularSystem":
        raise AttributeError(f"module 'aureole.build' has no attribute {name!r}")
    from .molecules.system import Molecules

    warn("au.build.MolecularSystem", "au.build.Molecules", level=4)
    return Molecules


def of_converted(system: System, name: str) -> Any:
    """An attribute that systems of converters had when they had their own class."""
    job = vars(system).get("_job")
    if job is None or name not in _OF_CONVERTED:
        raise AttributeError(f"'System' object has no attribute {name!r}", name=name, obj=system)
    from .converters.job import system_of
    from .gromacs.start import simulation_of

    warn(f"System.{name}", _OF_CONVERTED[name], level=4)
    found = {
        "coordinates": job.coordinates,
        "parameters": job.parameters,
        "notes": job.remarks,
        "system": lambda: system,
        "simulation": lambda **options: simulation_of(job, **options),
        "check": lambda: job.notes,
        "with_options": lambda **options: system_of(_changed(job, options)),
    }
    return found[name]


def _changed(job: Job, options: dict[str, Any]) -> Job:
    from .converters.job import converted

    p = job.parameters
    before = {name: p.values[name] for name in p.lines}
    return converted(job.topology, job.coordinates, before, options, p.path)
