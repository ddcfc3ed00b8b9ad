# SPDX-License-Identifier: Apache-2.0
"""Where a simulation comes from, and what checkpoints and messages say of that."""

from __future__ import annotations

import base64
import shlex
from typing import Any

from aureole.base.text import printable
from aureole.engine.observed import Observed
from aureole.ranks import find_launcher
from aureole.ranks.team import standing
from aureole.records.write_permission import outside
from aureole.system.archive import static_part

STEPS_LEFT = "STEPS_LEFT"  # placeholder for a number in a command that continues a run


def record_of(sim: Observed) -> dict[str, Any]:
    """Data of the job or of the system in checkpoints, besides particles and specs."""
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


def _system_record(sim: Observed) -> dict[str, Any]:
    if sim.topology is None and not sim.units.physical and not sim._static["groups"]:
        return {}
    if sim._packed is None:
        sim._packed = static_part(sim._static, sim.topology)
    return {"system": base64.b85encode(sim._packed).decode()}


def continuing(sim: Observed, checkpoint: str, step: int | None = None) -> str:
    """The command that continues from a checkpoint, on as many ranks of mpirun or srun as now.

    Args:
        sim: that wrote the checkpoint
        checkpoint: the file
        step: at which it was written; None for the current one
    """
    size = standing()[1]
    start = f"{find_launcher.start(size)} " if size > 1 else ""
    listed = outside(checkpoint, sim.observers)
    origin = sim.origin
    if origin is None or (origin.command is None and origin.record is None):
        more = f" --allow-write {shlex.join(listed)}" if listed else ""
        return f"{start}aureole run {shlex.quote(checkpoint)}{more}"
    if origin.command is not None:
        step = sim.step if step is None else step
        left = max(0, (sim.target or step) - step)
        command = origin.command.replace(STEPS_LEFT, str(left))
        return f"{start}{command} -cpi {shlex.quote(checkpoint)}"
    more = f", allow_write={listed!r}" if listed else ""
    return f"au.Simulation.from_checkpoint({checkpoint!r}{more}).run()"


#: Calls that checkpoints name besides commands; the first is in older checkpoints.
_CALLS = (
    "au.MolecularSimulation.from_checkpoint('CHECKPOINT').run()",
    "au.Simulation.from_checkpoint('CHECKPOINT').run()",
)


def command_of(text: str, checkpoint: str) -> str:
    """A command that a checkpoint names, for people who may copy it to a shell.

    Only calls of our own programs are shown, every word quoted; CHECKPOINT stands for the file.
    """
    if text in _CALLS:
        return printable(f"au.Simulation.from_checkpoint({checkpoint!r}).run()")
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if words[:2] != ["aureole", "mdrun"]:
        words = ["aureole", "mdrun", "-cpi", "CHECKPOINT"]
    return printable(shlex.join(checkpoint if w == "CHECKPOINT" else w for w in words))
