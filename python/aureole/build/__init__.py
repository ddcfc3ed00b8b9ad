# SPDX-License-Identifier: Apache-2.0
"""Starting systems: lattices, random fills without overlap, water and solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .particles import lattice, mixture, random

if TYPE_CHECKING:
    from .molecules import Molecules, solution, water

__all__ = ["Molecules", "lattice", "mixture", "random", "solution", "water"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    from . import molecules  # which imports the readers of GROMACS' files

    return getattr(molecules, name)
