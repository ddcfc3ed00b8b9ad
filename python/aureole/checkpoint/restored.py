# SPDX-License-Identifier: Apache-2.0
"""The start of a simulation that goes on from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aureole.base.units import Units
from aureole.engine.provenance import Origin
from aureole.live.observer import Observer
from aureole.specs.device import Device
from aureole.specs.integrators import Integrator
from aureole.specs.neighbor_list import NeighborList
from aureole.system.box import Box
from aureole.system.topology import Topology


@dataclass(frozen=True, eq=False)
class Restored:
    """The file, the engine with its state, the specs that go with it, and what its observers had
    written.
    """

    path: str
    core: Any
    device: Device
    seed: int
    box: Box
    type_names: tuple[str, ...]
    forces: tuple[Any, ...]
    constraints: tuple[Any, ...]
    stages: tuple[Any, ...]
    neighbors: NeighborList
    integrator: Integrator | None
    static: Mapping[str, Any]
    units: Units
    topology: Topology | None
    origin: Origin | None
    observers: Sequence[Observer]
    states: list[dict[str, Any] | None] | None
    target: int | None
