# SPDX-License-Identifier: Apache-2.0
"""Checkpoint: everything that an exact restart needs, written now and then."""

from __future__ import annotations

from aureole.live.live import Live
from aureole.live.observer import Observer, Recorder, text_path
from aureole.specs.spec import checked, spec

MAGIC = b"\x89AUR\r\n\x1a\n"


@spec(kw_only=False)
class Checkpoint(Observer):
    """Write a checkpoint at steps divisible by `every`, and when a run ends or is interrupted.

    Args:
        path: the file; the previous one is kept as PATH.prev
        every: steps between checkpoints

    All other output reaches the disk before the checkpoint. `Simulation.from_checkpoint` and
    ``aureole run PATH`` continue without missing or duplicate frames.
    """

    path: str = checked(text_path, "restart.ckpt")
    every: int = 10_000
    holds = "checkpoint"
    needs = "checkpoints"

    @property
    def previous(self) -> tuple[str, ...]:
        return (f"{self.path}.prev",)

    def recognises(self, path: str, head: bytes) -> bool:
        return head.startswith(MAGIC)

    def recorder(self) -> CheckpointRecorder:
        return CheckpointRecorder(self)


class CheckpointRecorder(Recorder):
    """Has the simulation write itself. It acts after all other observers of a step."""

    spec: Checkpoint

    def is_due(self, step: int) -> bool:
        # Nothing has happened yet at the first step of a run, so there is nothing to save.
        return super().is_due(step) and self.last != -1

    def start(self, sim: Live, target: int) -> None:
        if self.last == -1:
            self.last = sim.step

    def observe(self, sim: Live, step: int) -> None:
        self.last = step
        sim.write_checkpoint(self.spec.path)

    def finish(self, sim: Live) -> None:
        if self.last != sim.step:
            self.observe(sim, sim.step)
