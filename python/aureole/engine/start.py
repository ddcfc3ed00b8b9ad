# SPDX-License-Identifier: Apache-2.0
"""The start of the engine: everything that a simulation begins with, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aureole.specs.coupled_integrators import Dynamics
from aureole.specs.device import Device
from aureole.specs.external import Stage
from aureole.specs.integrators import Integrator
from aureole.system.particle_names import naming

from .model import Model
from .pass_external import add_stages
from .pass_forces import make
from .pass_motion import set_bodies, set_integrator


def start(
    model: Model,
    device: Device,
    seed: int,
    *,
    stages: Sequence[Stage] = (),
    integrator: Integrator | None = None,
    step: int = 0,
) -> Any:
    """The engine's simulation of a model, ready to run.

    Args:
        model: the system, and the specs that it is simulated by
        device: where it runs
        seed: of all random numbers
        stages: what else each step does, in its order
        integrator: of the motion; None where that comes later
        step: number of the first step

    Where particles are bound, positions and velocities at the start are made to satisfy the
    constraints, unless these say that the start continues a run.
    """
    core = make(model, device, seed)
    add_stages(core, model.system, stages)
    with naming(model.system.topology):
        if model.interacts or model.constraints:
            set_bodies(core, model)
        if integrator is not None:
            names = model.system.type_names
            set_integrator(core, integrator, integrator.start, names, lambda: model)
        if step:
            core.step = step
        moves = isinstance(integrator, Dynamics) or model.interacts
        if moves and not model.solver.continuation:
            core.constrain_start()
            if np.any(model.system.velocity):
                core.stop_whole()
    return core
