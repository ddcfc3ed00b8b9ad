# SPDX-License-Identifier: Apache-2.0
"""Parts that both kinds of checkpoints of particles need when they are read."""

from __future__ import annotations

from typing import Any

import aureole.specs.kinds  # noqa: F401 - makes their classes
from aureole import _core
from aureole.engine import core_on_ranks
from aureole.records import restart
from aureole.records.restart import Changes, spec_of, specs_of
from aureole.specs.device import Device


def restored_parts(path: str, data: dict[str, Any], changes: Changes) -> dict[str, Any]:
    """The parts of `Restored` that a record holds in one way, whatever it is of."""
    device = _device_of(path, data, changes)
    observers, states = restart.chosen_observers(path, data, changes)
    integrator = data["integrator"]
    if integrator is not None:
        integrator = spec_of(path, "integrator", integrator, "integrator")
    return {
        "path": path,
        "core": _read_core(path, data, device),
        "device": device,
        "seed": data["seed"],
        "forces": specs_of(path, "force", data, "forces"),
        "integrator": integrator,
        "observers": observers,
        "states": states,
        "target": data["target"],
    }


def _device_of(path: str, data: dict[str, Any], changes: Changes) -> Device:
    """The device of the interrupted run, changed as the user wishes, on the ranks of a launcher."""
    asked = restart.device_of(path, data, changes)
    if changes.device is not None and asked.ranks > 1:
        return asked  # an error, if a launcher has started another number
    return core_on_ranks.of_launcher(asked)


def _read_core(path: str, data: dict[str, Any], device: Device) -> Any:
    """The engine's simulation of a checkpoint."""
    with restart.naming_the_previous(path):
        why = "the run continues, but sums round differently"
        threads = device.threads or restart.same_threads(path, data, why)
        if core_on_ranks.are_needed(device):
            return core_on_ranks.read_checkpoint(path, device, threads)[0]
        return _core.Simulation.read_checkpoint(path, device=device.name, threads=threads)[0]
