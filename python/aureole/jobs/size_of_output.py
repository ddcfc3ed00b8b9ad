# SPDX-License-Identifier: Apache-2.0
"""Estimates of the memory that a run takes, and of the sizes of its files."""

from __future__ import annotations

import math
from collections.abc import Mapping

from aureole.formats.registry import ending_of
from aureole.live.observer import Observer
from aureole.observers.energies import Energies
from aureole.observers.energy_columns import Quantities
from aureole.observers.log_columns import STANDARD
from aureole.observers.trajectory import Trajectory
from aureole.recorders.checkpoint import Checkpoint
from aureole.recorders.log import Log
from aureole.simulation.simulation import Simulation

# Measured with Lennard-Jones particles at density 0.84 and cut-offs from 1.2 to 3.5.
_PROGRAM, _PARTICLE, _NEIGHBOUR, _KEPT = 4e7, 570.0, 1.0, 118.0
#: Bytes of a particle in a frame, by the ending of the file; of .xtc in a liquid.
_IN_FRAME = {".xtc": 4.5, ".trr": 24.0, ".dcd": 12.0, ".gro": 69.0, ".pdb": 81.0, ".xyz": 34.0}
#: Bytes of a column of a .gsd file for each particle; other columns have three numbers.
_OF_FIELD = {"energy": 4.0, "virial": 4.0}
_NUMBER, _EXACT = 13.0, 19.0  # bytes of a number in a table


def bytes_of(spec: Observer, sim: Simulation, steps: int) -> float:
    """Bytes of the files of an observer after so many steps; 0 where that is unknown."""
    every = getattr(spec, "every", 0)
    if spec.every_time is not None:
        every = max(1, round(float(spec.every_time) / sim.dt))
    times = steps // every + 1 if every else 1
    if isinstance(spec, Checkpoint):
        return 2 * _KEPT * sim.n
    if isinstance(spec, Log):
        return times * _NUMBER * len(spec.quantities or STANDARD)
    if isinstance(spec, Energies):
        number = 8.0 if spec.is_table or spec.is_edr else _EXACT
        return times * number * len(Quantities(sim).names)
    ending = ending_of(getattr(spec, "path", ""))
    if isinstance(spec, Trajectory) and ending == ".gsd":
        each = sum(_OF_FIELD.get(name, 12.0) for name in spec.fields)
        return times * (each * sim.n + 600)
    if spec.holds != "trajectory":
        return 0.0
    return times * (_IN_FRAME.get(ending, 24.0) * sim.n + 100)


def memory_of(sim: Simulation) -> float:
    """Bytes of memory on the host, by the number of particles and of their neighbours."""
    cuts = [getattr(force, "r_cut", None) for force in sim.forces]
    longest = max((_largest(cut) for cut in cuts if cut is not None), default=0.0)
    near = 4 / 3 * math.pi * longest**3 * sim.n / sim.box.volume
    return _PROGRAM + sim.n * (_PARTICLE + _NEIGHBOUR * near)


def _largest(cut: float | Mapping[object, float]) -> float:
    return max(cut.values()) if isinstance(cut, Mapping) else float(cut)
