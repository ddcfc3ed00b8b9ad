# SPDX-License-Identifier: Apache-2.0
"""Arrays of a system, checked and made read-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import check_finite, integers, reals
from aureole.base.errors import bad_input, nearest


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def constant(value: float, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """An array of equal numbers that takes the memory of one."""
    return np.broadcast_to(np.array(value, dtype=kind), shape)


def as_vectors(value: Any, name: str, n: int | None = None) -> NDArray[np.float64]:
    array = reals(value, name)
    wanted = f"({'n' if n is None else n}, 3)"
    if array.ndim != 2 or array.shape[1] != 3 or (n is not None and len(array) != n):
        raise bad_input(
            f"{name} has the shape {array.shape}",
            "each particle needs three numbers",
            f"Give it the shape {wanted}",
        )
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        tag = int(bad.argmax())
        raise bad_input(
            f"{name} of particle {tag} is ({', '.join(f'{v:g}' for v in array[tag])})",
            f"{np.count_nonzero(bad)} of {len(array)} particles have values that are not finite",
            "Check the source of the numbers",
        )
    return array


def _whole(value: Any, name: str, shape: tuple[int, ...]) -> NDArray[np.int32]:
    array = np.asarray(value)
    if array.shape != shape:
        raise bad_input(
            f"{name} has the shape {array.shape}",
            "it must match the particles",
            f"Give it the shape {shape}",
        )
    return integers(array, name)


def as_images(value: Any, n: int) -> NDArray[np.int32]:
    return constant(0, (n, 3), np.int32) if value is None else _whole(value, "image", (n, 3))


def with_turns(image: NDArray[np.int32], turns: NDArray[np.int32]) -> NDArray[np.int32]:
    if not turns.any():
        return image
    total = image.astype(np.int64) + turns
    if total.size and np.abs(total).max() > 2**31 - 1:
        raise bad_input("image is too large", "it must fit in 32 bits", "Check its values")
    return total.astype(np.int32)


def _numbers(value: Any, name: str, usual: float, n: int) -> NDArray[np.float64]:
    """(n,) numbers; one stands for all, None for the usual one."""
    array = reals(usual if value is None else value, name)
    if array.ndim == 0:
        array = constant(float(array), (n,), np.float64)
    _check_length(array, name, n)
    return array


def _check_length(array: NDArray[Any], name: str, n: int) -> None:
    if array.shape != (n,):
        raise bad_input(
            f"{name} has the shape {array.shape}",
            f"each particle needs a {name}",
            f"Give {n} {'masses' if name == 'mass' else name + 's'}",
        )


def as_masses(value: Any, n: int, zeros: bool) -> NDArray[np.float64]:
    array = _numbers(value, "mass", 1.0, n)
    bad = ~(np.isfinite(array) & ((array > 0) | (zeros & (array == 0))))
    if bad.any():
        tag = int(bad.argmax())
        raise bad_input(
            f"mass of particle {tag} is {array[tag]:g}",
            "it must be positive and finite",
            "Correct it; to fix a particle in place, exclude it by the integrator's filter",
        )
    return array


def as_charges(value: Any, n: int) -> NDArray[np.float64]:
    return check_finite(_numbers(value, "charge", 0.0, n), "charge")


def as_types(
    value: Any, names: Sequence[str] | None, n: int
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    if value is None:
        array = constant(0, (n,), np.int32)
    elif np.asarray(value).dtype.kind in "UO":
        return _types_by_name(np.asarray(value), names, n)
    else:
        array = _whole(value, "type", (n,))
    top = int(array.max())
    if names is None:
        names = tuple(chr(65 + k) if k < 26 else f"T{k}" for k in range(min(top, 9999) + 1))
    names = tuple(str(name) for name in names)
    check_names(names)
    if int(array.min()) < 0 or top >= len(names):
        tag = int(((array < 0) | (array >= len(names))).argmax())
        raise bad_input(
            f"type of particle {tag} is {array[tag]}",
            f"there are {len(names)} types, counted from 0",
            "Correct it or give more type_names",
        )
    return array, names


def _types_by_name(
    given: NDArray[Any], names: Sequence[str] | None, n: int
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    _check_length(given, "type", n)
    labels = [str(label) for label in given]
    known = tuple(dict.fromkeys(labels)) if names is None else tuple(names)
    check_names(known)
    index = {name: k for k, name in enumerate(known)}
    for tag, label in enumerate(labels):
        if label not in index:
            raise bad_input(
                f"type of particle {tag} is {label!r}",
                "type_names has no such type",
                nearest(label, known),
            )
    return np.array([index[label] for label in labels], dtype=np.int32), known


def check_names(names: tuple[str, ...]) -> None:
    for name in names:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise bad_input(
                f"the type name {name!r} is no text",
                "it has a half of a surrogate pair, which no file can hold",
                "Rename the type",
            )
    if len(set(names)) != len(names) or any(not name or "," in name for name in names):
        raise bad_input(
            f"type_names is {names[:8]}",
            "type names must be unique, non-empty and without commas",
            "Rename them",
        )


def check_distinct(position: NDArray[np.float64]) -> None:
    # Mixing the bits of the three coordinates makes one sortable key; only equal keys are compared.
    bits = np.ascontiguousarray(position + 0.0).view(np.uint64)
    factors = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
    with np.errstate(over="ignore"):
        keys = ((bits ^ (bits >> np.uint64(29))) * factors).sum(axis=1, dtype=np.uint64)
    order = np.argsort(keys, kind="stable")
    equal = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    for k in equal:
        a, b = sorted((int(order[k]), int(order[k + 1])))
        if np.array_equal(position[a], position[b]):
            x, y, z = position[a]
            raise bad_input(
                f"particles {a} and {b} are at the same point ({x:g}, {y:g}, {z:g})",
                "the force between them has no direction",
                "Move one of them or remove it",
            )
