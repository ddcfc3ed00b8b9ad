# SPDX-License-Identifier: Apache-2.0
"""Tuples of bound particles in the arguments of a system: checked, in tag order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import integers
from aureole.base.errors import bad_input
from aureole.base.values import Table

Tags = NDArray[np.int32]


def named_tuples(value: Any, size: int, what: str, n: int) -> Table:
    """Tags of tuples of particles by name: (m, size) whole numbers each, read-only.

    Raises InputError for other shapes, tags that do not exist, and a particle twice in a tuple.
    """
    if value is None:
        return Table()
    if not isinstance(value, Mapping):
        value = {what: value}
    return Table(
        {
            str(name): tuples_of_particles(tags, size, f"{what} {name!r}", n)
            for name, tags in value.items()
        }
    )


def tuples_of_particles(value: Any, size: int, what: str, n: int, apart: int = 0) -> Tags:
    """(m, size) tags, read-only; raises InputError as `named_tuples` does.

    `apart`: number of successive particles that have to differ; 0 for all.
    """
    tags = integers(value, what)
    if tags.size == 0:
        tags = tags.reshape(0, size)
    if tags.ndim != 2 or tags.shape[1] != size:
        raise bad_input(
            f"{what} has the shape {tags.shape}",
            f"each entry has {size} particles",
            f"Give it the shape (m, {size})",
        )
    _check_tags(tags, what, n)
    together = apart or size
    ordered = np.sort(tags.reshape(len(tags), size // together, together), axis=2)
    twice = (ordered[..., 1:] == ordered[..., :-1]).any(axis=(1, 2))
    if twice.any():
        raise bad_input(
            f"{what} joins {tuple(tags[int(twice.argmax())].tolist())}",
            "the particles of an entry must differ",
            "Correct the tags",
        )
    tags.setflags(write=False)
    return tags


def _check_tags(tags: Tags, what: str, n: int) -> None:
    if tags.size and (int(tags.min()) < 0 or int(tags.max()) >= n):
        wrong = int(tags.min()) if int(tags.min()) < 0 else int(tags.max())
        raise bad_input(
            f"{what} names particle {wrong}", f"tags run from 0 to {n - 1}", "Correct the tags"
        )


def pairs_of(value: Any, n: int) -> Tags | None:
    """(m, 2) excluded pairs, or None."""
    return None if value is None else tuples_of_particles(value, 2, "exclusions", n)


def groups_of(value: Any, n: int) -> Table:
    """Tags by the names of groups, read-only."""
    found = {}
    for name, tags in dict(value or {}).items():
        array = integers(tags, f"group {name!r}")
        if array.ndim != 1:
            raise bad_input(
                f"group {name!r} has the shape {array.shape}", "tags are a flat list", "Flatten it"
            )
        _check_tags(array, f"group {name!r}", n)
        array.setflags(write=False)
        found[str(name)] = array
    return Table(found)


SIZES = {"bonds": 2, "angles": 3, "dihedrals": 4, "impropers": 4, "pairs": 2}
