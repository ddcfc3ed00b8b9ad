# SPDX-License-Identifier: Apache-2.0
"""Aureole simulates particles, from a laptop core to a GPU.

Specs are pure data: `LennardJones`, `NVE`, `Langevin`, `Trajectory`, ... One live object,
`Simulation`, takes a `System` and specs and runs. Units belong to the system: reduced units,
set by the length, energy and mass units of the parameters, or nm, ps and kJ/mol. `from_gromacs`
makes a simulation from GROMACS input files. `amr` simulates fluids on a mesh.

Modules are imported when one of their names is first used. `__init__.pyi` lists the names.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

#: Public names that are modules themselves.
_MODULES = ("amr", "build", "ranks")
#: Modules of the classes of leaf files, which the engine lists.
_OF_LEAVES = ("specs.pair", "specs.bonded", "specs.external")


def _listed() -> dict[str, str]:
    """The modules of public names by `__init__.pyi`, which type checkers read too."""
    with open(os.path.join(__path__[0], "__init__.pyi"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.startswith("from .") and line[6] != " "]
    return {name: module[1:] for _, module, _, name, *_ in lines}


_WHERE = _listed()

# Ranks that a launcher of MPI started show each other when they end, whatever they used.
_LAUNCHED_BY = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS")
if any(name in os.environ for name in _LAUNCHED_BY):
    import_module("aureole.ranks.team")


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(f"aureole.{_WHERE[name]}"), name)
    elif name in _MODULES or _is_module(name):
        value = import_module(f"aureole.{name}")
    elif name in ("__all__", "__version__"):
        value = _all() if name == "__all__" else _schema().VERSION
    elif name in _leaves():
        value = getattr(import_module(f"aureole.{_leaves()[name]}"), name)
    else:
        here = import_module("aureole.base.names_elsewhere").OF_PACKAGE.get(name)
        nearest = import_module("aureole.base.errors").nearest
        hint = f"{here}." if here else nearest(name, _all())
        raise AttributeError(f"aureole has no {name!r}. {hint}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*(name for name in globals() if name.startswith("__")), *_all()]


def _schema() -> Any:
    return import_module("aureole.base.engine_schema")


def _leaves() -> dict[str, str]:
    """The module of each class of a leaf file."""
    names = zip(_OF_LEAVES, _schema().NAMES, strict=True)
    return {name: module for module, of_module in names for name in of_module}


def _all() -> list[str]:
    return sorted(["__version__", *_WHERE, *_MODULES, *_leaves()])


def _is_module(name: str) -> bool:
    """Whether `name` is a module of the package that is not private."""
    return not name.startswith("_") and find_spec(f"aureole.{name}") is not None
