# SPDX-License-Identifier: Apache-2.0
"""How the work of a step is launched."""

from __future__ import annotations

import dataclasses
from typing import Any

from aureole.base.values import choice, integer
from aureole.specs.spec import Spec, checked, spec

NOTICES = ("poll", "callback", "wait")


class Schedule(Spec):
    """How the work of a step is launched; results have the same bits."""

    _prefix = "amr."

    @staticmethod
    def of(given: str | Schedule) -> Schedule:
        """A schedule as it is given: a spec, or its name in small letters."""
        if isinstance(given, Schedule):
            return given
        return BY_NAME[choice(given, "schedule", tuple(BY_NAME))]()

    def _arguments(self) -> dict[str, Any]:
        """Arguments of the engine."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"schedule": type(self).__name__.lower(), **values}


@spec
class Pack(Schedule, family="schedule"):
    """One launch per stage for all sub-grids; fields stay on the device, and the host never waits.

    Steps are enqueued many at a time, without looking at how they went.
    """


@spec
class _Tasks(Schedule):
    executors: int = checked(integer, 8, low=1, high=128)
    most: int = checked(integer, 1, low=1, high=4096)
    notice: str = checked(choice, "poll", known=NOTICES)
    workers: int = checked(integer, 0, low=0, high=4096)


@spec
class Subgrids(_Tasks, family="schedule"):
    """A host task for each sub-grid and stage: halo, copy up, five kernels, copy down.

    Args:
        executors: queues of the device, which tasks share
        most: sub-grids that share launches while all executors are busy, at most
        notice: how the host learns that work is done: "poll" (workers ask between tasks),
            "callback" (a thread of the driver tells them) or "wait" (a worker is blocked)
        workers: host threads that run tasks, 0 for those of a host device or all available ones

    As in Daiß et al., arXiv:2303.08058, section 4: `Subgrids(executors=1, notice="wait",
    workers=1)` launches everything alone and waits for it. On a host each worker computes its
    sub-grids itself, and `executors`, `most` and `notice` have no effect.
    """


@spec
class Aggregate(_Tasks, family="schedule"):
    """The tasks of `Subgrids` with fields and halos on the device: nothing is copied.

    Args:
        executors: queues of the device, which tasks share
        most: sub-grids that share launches while all executors are busy, at most
        notice: how the host learns that work is done: "poll", "callback" or "wait"
        workers: host threads that run tasks, 0 for those of a host device or all available ones

    On a host each worker computes its sub-grids itself, and `executors`, `most` and `notice` have
    no effect. After Daiß et al., arXiv:2303.08058 and arXiv:2210.06438.
    """

    most: int = checked(integer, 64, low=1, high=4096)


BY_NAME: dict[str, type[Schedule]] = {
    "pack": Pack,
    "subgrids": Subgrids,
    "aggregate": Aggregate,
}
