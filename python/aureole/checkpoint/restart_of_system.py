# SPDX-License-Identifier: Apache-2.0
"""How a simulation comes back from a checkpoint."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from aureole import _core
from aureole.base.errors import bad_input, not_ours
from aureole.base.units import BY_NAME
from aureole.formats.gsd_check import looks_like_gsd
from aureole.records.restart import Changes, existing, naming_the_previous, spec_of, specs_of
from aureole.system.archive import STATIC, read_static
from aureole.system.box import Box

from .record import read_extra
from .restored import Restored
from .restored_parts import restored_parts

if TYPE_CHECKING:
    from aureole.gromacs.job import Job
    from aureole.system.topology import Topology


def load(path: str, job: Job | None, changes: Changes) -> Restored:
    """The start of a simulation for `Simulation.from_checkpoint`."""
    path = existing(path)
    if looks_like_gsd(path):
        raise bad_input(
            f"{path} is a GSD file, not a checkpoint",
            "it has particles, but no forces and no integrator",
            "Give the file of au.Checkpoint, or start from au.read(path)",
        )
    with naming_the_previous(path):
        data = read_extra(path, _core.read_extra(path))
    if "job" in data:
        from .restart_of_job import resume, saved_in

        return resume(saved_in(path, data), job, changes)
    if job is not None:
        raise bad_input(
            f"{path} is not a checkpoint of a GROMACS job",
            "its simulation was made without one",
            "Omit the job",
        )
    parts = restored_parts(path, data, changes)
    static, topology = static_of(path, data)
    if topology is not None and topology.n != parts["core"].n:
        raise not_ours(path, "its topology has a different number of particles")
    corner = tuple(data.get("corner", (0.0, 0.0, 0.0)))
    return Restored(
        **parts,
        box=Box(*data["box"], periodic=tuple(data["periodic"]), corner=corner),
        type_names=tuple(data["type_names"]),
        constraints=specs_of(path, "constraint", data, "constraints"),
        stages=specs_of(path, "stage", data, "stages"),
        neighbors=spec_of(path, "list", data["neighbors"], "neighbors"),
        static=static,
        units=BY_NAME[static["units"]],
        topology=topology,
        origin=None,
    )


def static_of(path: str, data: dict[str, Any]) -> tuple[dict[str, Any], Topology | None]:
    """Static data of a system without a job, and its topology, in a checkpoint."""
    if "system" not in data:
        static: dict[str, Any] = dict.fromkeys(STATIC)
        return static | {"units": "reduced", "periodic_molecules": False}, None
    try:
        return read_static(base64.b85decode(data["system"]))
    except ValueError as error:
        raise not_ours(path, error) from None
