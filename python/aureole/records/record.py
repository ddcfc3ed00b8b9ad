# SPDX-License-Identifier: Apache-2.0
"""Data of a checkpoint besides the engine's state: specs, and output written so far.

An application adds its own parts to what all have in common.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from aureole import _core
from aureole.base.errors import Error, bad_input, file_error
from aureole.base.text import one_line
from aureole.live.live import Live

FORMAT = 1
#: Applications by the name that records have for them, and the classes of their simulations.
PARTICLES, FLUIDS = "particles", "fluids"
CLASSES = {PARTICLES: "au.Simulation", FLUIDS: "amr.Simulation"}


def packed(sim: Live, application: str, own: Mapping[str, Any]) -> bytes:
    """The record of a simulation as JSON: what all applications have, and its own parts."""
    loop = sim._loop
    data = {
        "format": FORMAT,
        "application": application,
        "observers": [spec.to_dict() for spec in loop.specs],
        "states": loop.current_states(),
        "device": sim.device.to_dict(),
        "threads": int(sim.describe().get("threads", 1)),
        "target": loop.target,
        "step": int(sim.step),
        **own,
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


def unpacked(path: str, extra: bytes) -> dict[str, Any]:
    """The dictionary of a record; raises FileError for what is none, or of another version."""
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
    return dict(data)


def application_of(data: Mapping[str, Any]) -> str:
    """The application of a record. Older ones, all of particles, do not name it."""
    return str(data.get("application", PARTICLES))


def application_in(path: str) -> str:
    """The application of a checkpoint; raises FileError for what is none."""
    return application_of(unpacked(path, _core.read_extra(path)))


def check_application(path: str, data: Mapping[str, Any], wanted: str) -> None:
    """Raise InputError for a checkpoint of another application, which names its class."""
    found = application_of(data)
    if found == wanted:
        return
    there = CLASSES.get(found)
    raise bad_input(
        f"{path} is a checkpoint of {one_line(found)}",
        f"{CLASSES[wanted]} goes on from those of {wanted}",
        f"Use {there}.from_checkpoint" if there else "Use the program that wrote it",
    )


def step_in(path: str, otherwise: int) -> int:
    """The step of a checkpoint, or of the previous one where it is missing; else the given one."""
    for name in (path, f"{path}.prev"):
        if os.path.exists(name):
            try:
                return int(unpacked(name, _core.read_extra(name))["step"])
            except (Error, KeyError, TypeError, ValueError):
                return otherwise
    return otherwise
