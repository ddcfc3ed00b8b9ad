# SPDX-License-Identifier: Apache-2.0
"""External forces and stages of leaf files, told to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aureole.specs.external import External, Stage
from aureole.system.system import System


def add_externals(core: Any, system: System, forces: Sequence[Any]) -> None:
    """Tell the engine's simulation about the external forces among others."""
    for force in forces:
        if isinstance(force, External):
            core.add_external(force.kind, force.parameters(), force.mask(system))


def add_stages(core: Any, system: System, stages: Sequence[Stage]) -> None:
    """Tell the engine's simulation about stages, in their order."""
    for stage in stages:
        core.add_stage(stage.kind, stage.parameters(), stage.every, stage.mask(system))
