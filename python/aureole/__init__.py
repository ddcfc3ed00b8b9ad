# SPDX-License-Identifier: Apache-2.0
"""Aureole simulates particles, from a laptop core to a GPU.

Specs are pure data: `LennardJones`, `NVE`, `Langevin`, `Trajectory`, ... One live object,
`Simulation`, takes a `System` and specs and runs. Units belong to the system: reduced ones,
whatever unit of length, energy and mass the parameters are given in, or nm, ps and kJ/mol.
`from_gromacs` makes a simulation from the input files of GROMACS.

Modules are imported when one of their names is asked for.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from . import _core, schemas

#: The modules that public names come from; `None` for names that are modules themselves. Type
#: checkers read `__init__.pyi`.
_NAMES: dict[str | None, tuple[str, ...]] = {
    None: ("build", "ranks"),
    "bindings": ("References",),
    "box": ("Box",),
    "constraints": ("LINCS", "SHAKE", "Freeze"),
    "converters.start": (
        "from_openmm",
        "from_parmed",
        "system_from_openmm",
        "system_from_parmed",
    ),
    "coupling": (
        "Annealing",
        "Berendsen",
        "BerendsenBarostat",
        "CRescale",
        "NoseHoover",
        "ParrinelloRahman",
        "Uncoupled",
        "VRescale",
    ),
    "dynamics": ("LeapFrog", "StochasticDynamics", "VelocityVerlet"),
    "electrostatics": ("PME", "Coulomb", "ReactionField"),
    "errors": (
        "BlowUpError",
        "DeviceError",
        "Error",
        "FileError",
        "InputError",
        "RankError",
        "Terminated",
    ),
    "fields": ("ElectricField",),
    "filters": ("All", "Difference", "Filter", "Intersection", "Tags", "Type", "Union"),
    "gromacs.job": ("read_job",),
    "gromacs.start": ("from_gromacs",),
    "gsdfile": ("read", "write"),
    "integrators": (
        "FIRE",
        "NVE",
        "Bussi",
        "Device",
        "Langevin",
        "NeighborList",
        "SteepestDescent",
    ),
    "observers": (
        "Callback",
        "Checkpoint",
        "Energies",
        "Frames",
        "Log",
        "Progress",
        "RunLog",
        "TimedCheckpoint",
        "TimeLimit",
        "Trajectory",
        "write_frame",
    ),
    "presets": ("preset",),
    "simulation": ("Energy", "Minimum", "Simulation"),
    "system": ("System",),
}
_MODULES: dict[str, str | None] = {
    name: module for module, names in (_NAMES | schemas.NAMES).items() for name in names
}

__version__: str = _core.build_info()["version"]
__all__ = sorted(["__version__", *_MODULES])

# Ranks that a launcher of MPI started show each other when they end, whatever they used.
_LAUNCHED_BY = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
if any(name in os.environ for name in _LAUNCHED_BY):
    from . import ranks  # noqa: F401


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = _imported(name)
    elif _is_module(name):
        return importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"aureole has no {name!r}. {_hint(name)}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _imported(name: str) -> Any:
    """What a public name stands for, which is imported."""
    module = _MODULES[name]
    if module is None:
        return importlib.import_module(f".{name}", __name__)
    return getattr(importlib.import_module(f".{module}", __name__), name)


def _is_module(name: str) -> bool:
    """Whether it is a module of the package that is not private."""
    return not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}") is not None


def _hint(name: str) -> str:
    from .errors import nearest

    return nearest(name, __all__)
