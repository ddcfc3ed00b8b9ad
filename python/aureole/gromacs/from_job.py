# SPDX-License-Identifier: Apache-2.0
"""What a simulation knows of the job that it was made from: its remarks, length and restart."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..box import Box
from ..confine import outside
from ..observers.progress import rate
from ..simulation import Simulation
from ..spec import from_dict

if TYPE_CHECKING:
    from ..integrators import Device
    from ..molecular import MolecularSimulation
    from ..observers import Observer
    from .job import Job
    from .mdp_notes import Note
    from .mdp_parameters import RunParameters

WITHOUT_END = 2**62  # steps
STEPS_LEFT = "STEPS_LEFT"  # stands for a number in a command that goes on


def end_of(parameters: RunParameters) -> int:
    """The step at which the run parameters end a run."""
    steps = parameters.n_steps
    return parameters.first_step + steps if steps >= 0 else WITHOUT_END


class FromJob(Simulation):
    """The half of `MolecularSimulation` that is about files.

    Attributes:
        job: what was read; None where the parts were given singly
        notes: what the checks had to say
        remarks: what the readers had to say
        part: counts the pieces in which a run was made, from 1
        command: of the command line, which goes on when `-cpi` is added; or None. STEPS_LEFT in it
            stands for the steps that are left
    """

    parameters: RunParameters
    job: Job | None = None
    notes: tuple[Note, ...] = ()
    remarks: tuple[str, ...] = ()
    record: dict[str, Any] | None = None
    part: int = 1
    command: str | None = None

    @classmethod
    def from_checkpoint(  # type: ignore[override]
        cls,
        path: str | os.PathLike[str],
        job: Job | None = None,
        *,
        device: str | Device | None = None,
        threads: int | None = None,
        observers: Sequence[Observer] | None = None,
        allow_write: Iterable[str | os.PathLike[str]] = (),
    ) -> MolecularSimulation:
        """The simulation that wrote a checkpoint, at the step where it did.

        Args:
            path: the checkpoint; where it is missing, PATH.prev is taken
            job: the input, read again; None reads the files that the checkpoint names
            device, threads: other ones than before; sums then round differently
            observers: None for those of the interrupted run; they continue their files
            allow_write: files and folders outside of the checkpoint's own folder that those of
                the interrupted run may write

        Raises InputError, naming what differs, where the input has changed since; FileError,
        naming the damaged part, when the checkpoint was altered.
        """
        from .resume import resume

        return resume(
            *(path, job),
            device=device,
            threads=threads,
            observers=observers,
            allow_write=allow_write,
        )

    def _restore(self, core: Any, job: Job, device: Device, data: dict[str, Any]) -> None:
        """Take the state of `core`, and all else from the job."""
        self.topology, self.parameters = job.topology, job.parameters
        self._atoms = job.topology.expand_atoms()
        names = job.topology.nonbonded.type_names
        self._prepare(Box(*core.box, periodic=tuple(data["periodic"])), names)
        self._core = core
        self.device, self.forces = device, ()
        self.seed = data["seed"]
        self.neighbors = from_dict("list", data["neighbors"], "neighbors")
        given = data["integrator"]
        self._integrator = None if given is None else from_dict("integrator", given, "integrator")

    @property
    def end(self) -> int:
        """The step at which the run parameters end a run."""
        return end_of(self.parameters)

    def run(  # type: ignore[override]
        self, steps: int | str | None = None, *, until: int | str | None = None
    ) -> Simulation:
        """Run for some steps or a time, or to a step or a time, or as the .mdp file says.

        Args:
            steps: how many, or a duration such as "20 ps"
            until: the step to reach, or the time such as "1 ns"

        Ctrl-C and SIGTERM end a run between two steps, as for `Simulation`.
        """
        if steps is None and until is None and self.target is None:
            until = self.end
        if isinstance(until, str):
            until = self.steps_of(until) - round(self.parameters.t_start / self.parameters.dt)
        return super().run(None if steps is None else self.steps_of(steps), until=until)

    def steps_of(self, duration: int | str) -> int:
        """Steps in a number of steps or a time."""
        raise NotImplementedError

    def pace(self, steps_per_second: float) -> str:
        return f"{rate(steps_per_second * self.parameters.dt * 86.4)} ns/day"

    def _remembered(self) -> dict[str, Any]:
        if self.record is None:
            return {}
        return {
            "job": self.record,
            "part": self.part,
            "continue": self._continuing("CHECKPOINT"),
        }

    def _continuing(self, checkpoint: str) -> str:
        if self.command is not None:
            left = max(0, (self.target or self.step) - self.step)
            return f"{self.command.replace(STEPS_LEFT, str(left))} -cpi {checkpoint}"
        if self.record is None:
            return super()._continuing(checkpoint)
        listed = outside(checkpoint, self.observers)
        more = f", allow_write={listed!r}" if listed else ""
        return f"au.MolecularSimulation.from_checkpoint({checkpoint!r}{more}).run()"
