# SPDX-License-Identifier: Apache-2.0
"""Old names, which keep working and name their replacement."""

from __future__ import annotations

import warnings
from typing import Any

from .gromacs.start import simulation_of_parts
from .simulation import Simulation

#: What to write instead of a name of the package.
NAMES = {
    "MolecularSimulation": "au.Simulation, which au.from_gromacs makes; go on from a checkpoint by "
    "au.Simulation.from_checkpoint",
}


def warn(old: str, new: str, level: int = 3) -> None:
    """Tell that a name has a new one; `level` frames up is the caller of the old name."""
    warnings.warn(f"{old} is deprecated: use {new}", DeprecationWarning, stacklevel=level)


class _Simulations(type):
    """Takes any simulation of molecules for an instance of the old class."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Simulation) and instance.topology is not None


class MolecularSimulation(metaclass=_Simulations):
    """The old class of simulations of molecules; calling it makes a `Simulation`."""

    def __new__(cls, *parts: Any, **options: Any) -> Simulation:  # type: ignore[misc]
        return simulation_of_parts(*parts, **options)

    @staticmethod
    def from_checkpoint(*arguments: Any, **options: Any) -> Simulation:
        """See `Simulation.from_checkpoint`."""
        return Simulation.from_checkpoint(*arguments, **options)


def named(name: str) -> Any:
    """The object behind an old name of the package, with a warning."""
    warn(f"au.{name}", NAMES[name], level=4)
    return globals()[name]
