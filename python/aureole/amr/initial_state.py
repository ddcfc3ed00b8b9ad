# SPDX-License-Identifier: Apache-2.0
"""States that users set: fields by name, or functions of the coordinates that return them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from aureole.base.errors import bad_input
from aureole.base.text import counted

from .cells import Array, Cells, CellsOfLeaves
from .criterion import Criterion
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


def set_cells(sim: Any, state: State | None, fields: Mapping[str, Any]) -> None:
    """Set the cells of the present mesh, or of one that is refined for a function.

    Whatever error a function raises, the state and its mesh are then as they were.
    """
    core = sim._core
    stays = sim._is_set and not callable(state)
    refines = not stays and any(isinstance(one, Criterion) for one in sim.refine)
    if refines and sim._is_set:
        core.keep_state()
    try:
        if refines:
            core.reset_tree()
        _set_and_refine(sim, state, fields, refines)
    except MemoryError as error:
        many = len(core.leaves())
        core.take_back()
        raise bad_input(
            f"there is no memory for {many:,} sub-grids ({error})",
            f"max_level is {sim.mesh.max_level}, and refine asks for cells so fine",
            "Lower max_level, or let the criteria refine less of the box",
        ) from None
    except BaseException:
        core.take_back()
        raise
    core.drop_kept()


def _set_and_refine(
    sim: Any, state: State | None, fields: Mapping[str, Any], refines: bool
) -> None:
    while True:
        where = sim._cells
        whole = primitive_from(where, sim.gas, state, fields)
        if isinstance(where, CellsOfLeaves):
            sim._core.set_leaves(np.ascontiguousarray(np.moveaxis(whole, 0, 1)))
        else:
            sim._core.set(whole)
        if not refines or not sim._core.refine():
            return
        _check_function(state)


def _check_function(state: State | None) -> None:
    """Refuse arrays where the mesh has been refined for them."""
    if not callable(state):
        raise bad_input(
            "the state is given as arrays",
            "criteria have refined the mesh for it, and the new cells need values too",
            "Give set() a function of the coordinates",
        )


def _means(where: Cells, problem: Problem) -> Mapping[str, Any]:
    """Means of the initial state, which is at rest, in cells of all levels, over finest cells."""
    coordinates = where.coordinates()
    levels = where.leaves[:, 0] if isinstance(where, CellsOfLeaves) else np.zeros(1, int)
    sums = {name: np.zeros(where.shape) for name in ("density", "pressure")}
    for level in np.unique(levels):
        here = levels == level if isinstance(where, CellsOfLeaves) else slice(None)
        parts = 1 << (where.mesh.max_level - int(level))
        size = np.ldexp(where.mesh.spacing, -where.mesh.max_level)
        for place in np.ndindex(*(parts,) * where.dims):
            shifts = (np.array(place) - 0.5 * (parts - 1)) * size
            found = problem(*(x[here] + d for x, d in zip(coordinates, shifts, strict=True)))
            for name, sum_ in sums.items():
                sum_[here] += found[name] / parts**where.dims
    return sums


def _state_of(
    where: Cells, gas: IdealGas, function: Callable[..., Mapping[str, Any]]
) -> Mapping[str, Any]:
    """The state that a function of the cells' coordinates returns."""
    if isinstance(function, Problem):
        function.check(where.mesh, gas)
        if function.of_cells and where.mesh.max_level > 0:
            return _means(where, function)
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
    try:
        return function(*coordinates)
    except ValueError as error:
        if "truth value" in str(error):
            raise bad_input(
                f"the function of the state failed ({error})",
                "coordinates are arrays of those of all cells",
                "Write np.where(x < 0, 1.0, 0.1) in place of 1.0 if x < 0 else 0.1",
            ) from error
        raise
