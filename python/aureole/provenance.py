# SPDX-License-Identifier: Apache-2.0
"""Where a simulation comes from, and what checkpoints and messages say of that."""

from __future__ import annotations

import base64
import shlex
from typing import TYPE_CHECKING, Any

from .confine import outside
from .systemfile import static_part

if TYPE_CHECKING:
    from .gromacs.job import Job
    from .gromacs.mdp_notes import Note
    from .gromacs.mdp_parameters import RunParameters
    from .gromacs.origin import Origin
    from .simulation import Simulation

STEPS_LEFT = "STEPS_LEFT"  # placeholder for a number in a command that continues a run


class Provenance:
    """The part of `Simulation` that says which files it was made from."""

    origin: Origin | None = None

    @property
    def job(self) -> Job | None:
        """The files of GROMACS that it was made from; None where it was not."""
        return None if self.origin is None else self.origin.job

    @property
    def parameters(self) -> RunParameters | None:
        """Run parameters of the .mdp file; None without one."""
        return None if self.origin is None else self.origin.parameters

    @property
    def end(self) -> int | None:
        """The last step according to the .mdp file; None without one."""
        return None if self.origin is None else self.origin.end

    @property
    def part(self) -> int:
        """Counts the pieces in which a run was made, from 1."""
        return 1 if self.origin is None else self.origin.part

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes and warnings of the checks of these files."""
        return () if self.origin is None else self.origin.notes

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks of the readers of these files."""
        return () if self.origin is None else self.origin.remarks


def record_of(sim: Simulation) -> dict[str, Any]:
    """What checkpoints hold of the job or of the system besides particles and specs."""
    if sim.origin is not None and sim.origin.record is not None:
        return {
            "job": sim.origin.record,
            "part": sim.origin.part,
            "continue": continuing(sim, "CHECKPOINT"),
        }
    return {
        "constraints": [spec.to_dict() for spec in sim.constraints],
        "stages": [spec.to_dict() for spec in sim.stages],
        **_system_record(sim),
    }


def _system_record(sim: Simulation) -> dict[str, Any]:
    if sim.topology is None and not sim.units.physical and not sim._static["groups"]:
        return {}
    if sim._packed is None:
        sim._packed = static_part(sim._static, sim.topology)
    return {"system": base64.b85encode(sim._packed).decode()}


def continuing(sim: Simulation, checkpoint: str) -> str:
    """The command that continues from a checkpoint, on as many ranks of mpirun as now."""
    from . import ranks

    start = f"mpirun -n {ranks.size} " if ranks.size > 1 else ""
    listed = outside(checkpoint, sim.observers)
    origin = sim.origin
    if origin is None or (origin.command is None and origin.record is None):
        more = f" --allow-write {shlex.join(listed)}" if listed else ""
        return f"{start}aureole run {shlex.quote(checkpoint)}{more}"
    if origin.command is not None:
        left = max(0, (sim.target or sim.step) - sim.step)
        return f"{start}{origin.command.replace(STEPS_LEFT, str(left))} -cpi {checkpoint}"
    more = f", allow_write={listed!r}" if listed else ""
    return f"au.Simulation.from_checkpoint({checkpoint!r}{more}).run()"
