# SPDX-License-Identifier: Apache-2.0
"""Old location of simulations of molecules; its names keep working."""

from __future__ import annotations

from typing import Any

from .deprecated import MolecularSimulation, warn
from .gromacs.mdp_parameters import Electrostatics
from .gromacs.translate import box_of, electrostatics_of, frame_of
from .units import BAR, BOLTZMANN

_INSTEAD = {
    "MolecularSimulation": (MolecularSimulation, "au.Simulation"),
    "BAR": (BAR, "aureole.units.BAR"),
    "BOLTZMANN": (BOLTZMANN, "aureole.units.BOLTZMANN"),
    "box_of": (box_of, "aureole.gromacs.translate.box_of"),
    "frame_of": (frame_of, "aureole.gromacs.translate.frame_of"),
}


def _splitting(charges: Electrostatics) -> float:
    """Ewald's β [1/nm] for which erfc(β r_cut) is the wanted tolerance."""
    return electrostatics_of(charges).beta  # type: ignore[attr-defined, no-any-return]


_INSTEAD["splitting"] = (_splitting, "au.PME(...).beta")


def __getattr__(name: str) -> Any:
    if name not in _INSTEAD:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value, instead = _INSTEAD[name]
    warn(f"aureole.molecular.{name}", instead)
    return value
