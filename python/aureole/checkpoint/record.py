# SPDX-License-Identifier: Apache-2.0
"""Data of a checkpoint besides the engine's state: the specs, and output written so far."""

from __future__ import annotations

import json
import os
from typing import Any

from aureole import _core
from aureole.base.errors import Error, bad_input, file_error, not_ours
from aureole.base.text import one_line
from aureole.engine.observed import Observed

from .provenance_record import record_of

FORMAT = 1


def extra_of(sim: Observed, loop: Any) -> bytes:
    """The specs of the simulation, and what its observers have written, as JSON."""
    integrator = sim.integrator
    data = {
        "format": FORMAT,
        "box": list(sim.box.six),
        "periodic": list(sim.box.periodic),
        "corner": list(sim.box.corner),
        "type_names": list(sim.type_names),
        "forces": [force.to_dict() for force in sim.forces],
        "integrator": None if integrator is None else integrator.to_dict(),
        "observers": [spec.to_dict() for spec in loop.specs],
        "states": loop.current_states(),
        "device": sim.device.to_dict(),
        "neighbors": sim.neighbors.to_dict(),
        "threads": int(sim.describe().get("threads", 1)),
        "seed": sim.seed,
        "target": loop.target,
        "step": sim.step,
        **record_of(sim),
    }
    try:
        return json.dumps(data).encode()
    except TypeError:
        _name_culprit(loop)
        raise


def _name_culprit(loop: Any) -> None:
    """Raise InputError that names the observer which JSON cannot hold."""
    for spec, state in zip(loop.specs, loop.current_states(), strict=True):
        for what, part in (("field", spec.to_dict()), ("state", state)):
            for key, value in part.items():
                try:
                    json.dumps(value)
                except TypeError as error:
                    raise bad_input(
                        f"{what} {key!r} of {type(spec).__name__} is not plain data",
                        f"checkpoints hold JSON: {error}",
                        "Use numbers, text, lists and dictionaries; arrays have `.tolist()`",
                    ) from None


def read_extra(path: str, extra: bytes) -> dict[str, Any]:
    """The dictionary that `extra_of` made, every part of the kind that it should be."""
    try:
        data = json.loads(bytes(extra).decode())
        known = data["format"] == FORMAT
    except (ValueError, KeyError, TypeError, RecursionError):
        raise file_error(
            path,
            "is a checkpoint of the C++ engine only",
            "it holds no specs",
            "Use a checkpoint that Simulation.write_checkpoint wrote",
        ) from None
    if not known:
        raise file_error(
            path,
            f"has format {one_line(str(data['format'])[:20])}",
            f"this version reads format {FORMAT}",
            "Use the version of Aureole that wrote it",
        )
    from .record_schema import problem_of  # with msgspec, which only readers need

    problem = problem_of(data)
    if problem is not None:
        raise not_ours(path, problem)
    return data


def step_in(path: str, otherwise: int) -> int:
    """The step of a checkpoint, or of the previous one where it is missing; else the given one."""
    for name in (path, f"{path}.prev"):
        if os.path.exists(name):
            try:
                return int(read_extra(name, _core.read_extra(name))["step"])
            except Error:
                return otherwise
    return otherwise
