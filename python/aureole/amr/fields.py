# SPDX-License-Identifier: Apache-2.0
"""Fields of a gas: what users set, and what follows from the conserved quantities."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, nearest
from aureole.base.text import counted

from .cells import Cells
from .mesh import AXES
from .names_elsewhere import FIELDS as OF_OTHERS

Array = NDArray[np.float64]
SETTABLE = ("density", "pressure", "velocity", *(f"velocity_{axis}" for axis in AXES))
VECTORS = ("velocity", "momentum")
NAMES = (
    *("density", "pressure", "energy", "sound_speed"),
    *VECTORS,
    *(f"{vector}_{axis}" for vector in VECTORS for axis in AXES),
)


def primitive_of(where: Cells, given: Mapping[str, Any]) -> Array:
    """(5, ...) density, velocity and pressure of all cells, from fields by name.

    Raises InputError for a field that is unknown, missing, of the wrong shape, not finite or not
    positive; the last two name the first such cell and its position.
    """
    for name in given:
        if name not in SETTABLE:
            raise bad_input(
                f"unknown field {name!r} to set", "no such name", _nearest(name, SETTABLE)
            )
    for name in ("density", "pressure"):
        if name not in given:
            raise bad_input(
                f"the state has no {name}",
                "density and pressure of all cells are needed",
                f"Give {name} as well",
            )
    whole = np.zeros((5, *where.shape))
    rows = {"density": 0, "pressure": 4} | {
        f"velocity_{axis}": 1 + k for k, axis in enumerate(AXES)
    }
    for name, value in _scalars(where, given).items():
        cells = _cells(where, name, value)
        _check(where, name, cells)
        whole[rows[name]] = cells
    return whole


def field_of(name: str, conserved: Array, gamma: float, dims: int, shape: tuple[int, ...]) -> Array:
    """A field by its name, of a shape; vectors have one more axis, of the axes of the mesh.

    Args:
        name: of `NAMES`
        conserved: (5, ...) density, momentum and total energy of a unit of volume, of the cells
        gamma: of the gas
        dims: of the mesh
        shape: of the cells
    """
    if name not in NAMES:
        raise bad_input(f"unknown field {name!r}", "no such name", _nearest(name, NAMES))
    density, energy, momentum = conserved[0], conserved[4], conserved[1:4]
    if name in VECTORS:
        parts = [field_of(f"{name}_{axis}", conserved, gamma, dims, shape) for axis in AXES[:dims]]
        return np.stack(parts, axis=-1)
    if name == "density":
        found = density.copy()
    elif name == "energy":
        found = energy.copy()
    elif name in ("pressure", "sound_speed"):
        found = (gamma - 1) * (energy - 0.5 * (momentum * (momentum / density)).sum(axis=0))
        if name == "sound_speed":
            found = np.sqrt(gamma * found / density)
    else:
        vector, axis = name.split("_")
        part = momentum[AXES.index(axis)]
        found = part.copy() if vector == "momentum" else part / density
    return found.reshape(shape)


def primitive_from_conserved(conserved: Array, gamma: float) -> Array:
    """(n, 5, ...) density, velocity and pressure of conserved fields of that shape."""
    found = np.empty_like(conserved)
    whole = np.moveaxis(conserved, 1, 0)
    names = ("density", *(f"velocity_{axis}" for axis in AXES), "pressure")
    for k, name in enumerate(names):
        found[:, k] = field_of(name, whole, gamma, len(AXES), whole.shape[1:])
    return found


def _nearest(name: Any, known: tuple[str, ...]) -> str:
    return nearest(OF_OTHERS.get(str(name), str(name)), known)


def _scalars(where: Cells, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with a velocity taken apart."""
    parts = {name: value for name, value in given.items() if name != "velocity"}
    if "velocity" not in given:
        return parts
    double = [name for name in parts if name.startswith("velocity")]
    if double:
        raise bad_input(
            f"both velocity and {double[0]} are given", "only one can apply", "Give one of them"
        )
    components = _components(where, given["velocity"])
    if len(components) != where.dims:
        raise bad_input(
            f"velocity has {counted(len(components), 'component')}",
            f"the mesh has {counted(where.dims, 'axis', 'axes')}",
            "Give one for each axis: a tuple of fields, or an array whose last axis they are",
        )
    return parts | {f"velocity_{axis}": part for axis, part in zip(AXES, components, strict=False)}


def _components(where: Cells, value: Any) -> list[Any]:
    """The components of a velocity, each a field."""
    if where.dims == 1 and len(where.shape) > 1 and np.shape(value) == where.shape:
        return [value]
    listed = isinstance(value, tuple | list)
    parts = list(value) if listed else list(np.moveaxis(np.atleast_1d(np.asarray(value)), -1, 0))
    # In one dimension it may be the field itself: there are more cells than components.
    field = where.dims == 1 and len(parts) > 1 and all(np.ndim(part) == 0 for part in parts)
    return [value] if field and (not listed or len(parts) == where.mesh.cells[0]) else parts


def _cells(where: Cells, name: str, value: Any) -> Array:
    given = np.asarray(value)
    if given.dtype.kind not in "iuf" or np.ma.is_masked(value):
        raise bad_input(
            f"{name} is {reprlib.repr(value)}",
            "it must be a real number or an array of real numbers",
            f"Correct {name}",
        )
    try:
        if given.ndim not in (0, len(where.shape)):
            raise ValueError
        return np.broadcast_to(given.astype(np.float64), where.shape)
    except ValueError:
        raise bad_input(
            f"{name} has the shape {given.shape}",
            f"the cells of the mesh have the shape {where.shape}",
            "Give a number, or an array of that shape: the last axis is x",
        ) from None


def _check(where: Cells, name: str, cells: Array) -> None:
    """Refuse the first cell whose value cannot be."""
    positive = name in ("density", "pressure")
    wrong = ~np.isfinite(cells)
    if positive:
        wrong |= ~(cells > 0)
    if not wrong.any():
        return
    at = tuple(int(k) for k in np.unravel_index(int(wrong.argmax()), cells.shape))
    axes = ", ".join(AXES[: where.dims])
    place = ", ".join(f"{x[at]:.6g}" for x in where.coordinates())
    more = f"; {wrong.sum():,} cells are not" if wrong.sum() > 1 else ""
    raise bad_input(
        f"{name} is {cells[at]:g} in {where.name(at)} at {axes} = {place}",
        f"it must be finite{' and above 0' if positive else ''}{more}",
        f"Correct {name}",
    )
