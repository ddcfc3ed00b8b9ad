# SPDX-License-Identifier: Apache-2.0
"""How a simulation comes back from a checkpoint."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from aureole import _core
from aureole.base.errors import bad_input, not_ours
from aureole.base.units import BY_NAME
from aureole.system.archive import STATIC, read_static
from aureole.system.box import Box

from .record import read_extra
from .restart_common import (
    Changes,
    chosen_observers,
    device_of,
    existing,
    naming_the_previous,
    read_core,
    spec_of,
    specs_of,
)
from .restored import Restored

if TYPE_CHECKING:
    from aureole.gromacs.job import Job


def load(path: str, job: Job | None, changes: Changes) -> Restored:
    """What `Simulation.from_checkpoint` begins with."""
    path = existing(path)
    with naming_the_previous(path):
        data = read_extra(path, _core.read_extra(path))
    if "job" in data:
        from .restart_of_job import resume

        return resume(path, job, changes)
    if job is not None:
        raise bad_input(
            f"{path} is no checkpoint of a job of GROMACS",
            "its simulation was made without one",
            "Leave the job out",
        )
    wanted = device_of(path, data, changes)
    core = read_core(path, data, wanted)
    specs, states = chosen_observers(path, data, changes)
    static: dict[str, Any] = dict.fromkeys(STATIC)
    static |= {"units": "reduced", "periodic_molecules": False}
    topology = None
    if "system" in data:
        try:
            static, topology = read_static(base64.b85decode(data["system"]))
        except ValueError as error:
            raise not_ours(path, error) from None
    if topology is not None and topology.n != core.n:
        raise not_ours(path, "its topology is of another number of particles")
    corner = tuple(data.get("corner", (0.0, 0.0, 0.0)))
    given = data["integrator"]
    return Restored(
        core=core,
        device=wanted,
        seed=data["seed"],
        box=Box(*data["box"], periodic=tuple(data["periodic"]), corner=corner),
        type_names=tuple(data["type_names"]),
        forces=specs_of(path, "force", data, "forces"),
        constraints=specs_of(path, "constraint", data, "constraints"),
        stages=specs_of(path, "stage", data, "stages"),
        neighbors=spec_of(path, "list", data["neighbors"], "neighbors"),
        integrator=None if given is None else spec_of(path, "integrator", given, "integrator"),
        static=static,
        units=BY_NAME[static["units"]],
        topology=topology,
        origin=None,
        observers=specs,
        states=states,
        target=data["target"],
    )
