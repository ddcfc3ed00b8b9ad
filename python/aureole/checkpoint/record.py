# SPDX-License-Identifier: Apache-2.0
"""The record of particles in a checkpoint: the specs besides what all applications have."""

from __future__ import annotations

from typing import Any

from aureole.base.errors import not_ours
from aureole.engine.observed import Observed
from aureole.records import record

from .provenance_record import record_of


def extra_of(sim: Observed) -> bytes:
    """The specs of the simulation, and what its observers have written, as JSON."""
    integrator = sim.integrator
    own = {
        "box": list(sim.box.six),
        "periodic": list(sim.box.periodic),
        "corner": list(sim.box.corner),
        "type_names": list(sim.type_names),
        "forces": [force.to_dict() for force in sim.forces],
        "integrator": None if integrator is None else integrator.to_dict(),
        "neighbors": sim.neighbors.to_dict(),
        "seed": sim.seed,
        **record_of(sim),
    }
    return record.packed(sim, record.PARTICLES, own)


def read_extra(path: str, extra: bytes) -> dict[str, Any]:
    """The dictionary that `extra_of` made, every part of the kind that it should be.

    Raises FileError for anything else, InputError for a checkpoint of another application.
    """
    data = record.unpacked(path, extra)
    record.check_application(path, data, record.PARTICLES)
    from .record_schema import problem_of  # with msgspec, which only readers need

    problem = problem_of(data)
    if problem is not None:
        raise not_ours(path, problem)
    return data
