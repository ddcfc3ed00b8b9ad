# SPDX-License-Identifier: Apache-2.0
"""States that users set: fields by name, or functions of the coordinates that return them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.text import counted

from .cells import Array, Cells, CellsOfLeaves
from .fields import primitive_of
from .gas import IdealGas
from .mesh import AXES
from .problem import Problem

State = Mapping[str, Any] | Callable[..., Mapping[str, Any]]


def primitive_from(
    where: Cells, gas: IdealGas, state: State | None, fields: Mapping[str, Any]
) -> Array:
    """(5, ...) density, velocity and pressure of all cells, of a state or of single fields."""
    given = _state_of(where, gas, state) if callable(state) else state
    given = fields if given is None and state is None else given
    if not isinstance(given, Mapping):
        raise bad_input(
            f"the state is {given!r}",
            "fields by name are needed",
            'Write {"density": ..., "pressure": ...}',
        )
    return primitive_of(where, given)


def _state_of(
    where: Cells, gas: IdealGas, function: Callable[..., Mapping[str, Any]]
) -> Mapping[str, Any]:
    """The state that a function of the cells' coordinates returns."""
    if isinstance(function, Problem):
        function.check(where.mesh, gas)
        if function.of_cells and isinstance(where, CellsOfLeaves):
            raise bad_input(
                "the mesh has cells of several sizes",
                "the source of this problem is made of cells of one size",
                "Give set() a function of your own",
            )
    coordinates = where.coordinates()
    try:
        inspect.signature(function).bind(*coordinates)
    except TypeError as error:
        axes = ", ".join(AXES[: where.dims])
        raise bad_input(
            f"the function of the state cannot be called with {axes} ({error})",
            f"the mesh has {counted(where.dims, 'axis', 'axes')}",
            f"Give a function of {axes}",
        ) from None
    except ValueError:  # it tells no signature
        pass
    return function(*coordinates)
