# SPDX-License-Identifier: Apache-2.0
"""Cluster lists, flat lists, threads and precisions compute the same forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from aureole import Simulation
from built import Built, Vectors

#: Energies by name, and forces.
Point = tuple[dict[str, float], Vectors]
#: Allowed differences of energies, in parts of the sum of all sizes, and of forces, in parts of
#: their root mean square: of double and of mixed precision.
DOUBLE = (1e-11, 1e-9)
MIXED = (2e-5, 1e-4)


def check(built: Built) -> Iterator[str]:
    """Which ways of computing differ, in words."""
    ways: Mapping[str, dict[str, object]] = {
        "cluster lists": {"algorithm": "clusters", "threads": 1},
        "flat lists": {"algorithm": "flat", "threads": 1},
        "flat lists on 3 threads": {"algorithm": "flat", "threads": 3},
        "cluster lists on 2 threads": {"algorithm": "clusters", "threads": 2},
        "cluster lists on 3 threads": {"algorithm": "clusters", "threads": 3},
    }
    first: Point | None = None
    for name, options in ways.items():
        found = _point(built, precision="double", **options)
        if first is None:
            first = found
        else:
            yield from differences(f"{name} beside cluster lists", found, first, DOUBLE)
    assert first is not None
    mixed = _point(built, precision="mixed", algorithm=built.recipe.algorithm, threads=1)
    yield from differences("mixed precision beside double", mixed, first, MIXED, built)


def _point(built: Built, **options: Any) -> Point:
    with built.simulation(**options) as sim:
        return point_of(sim)


def point_of(sim: Simulation) -> Point:
    """Energies and forces at the present step."""
    energy = dict(sim.energy.per_force) | {"potential": sim.energy.potential}
    return energy, sim.get("force")


def differences(
    what: str, found: Point, first: Point, limits: tuple[float, float], built: Built | None = None
) -> Iterator[str]:
    """In words, those beyond the limits; `built`: where charges make up the scale."""
    size = sum(abs(value) for name, value in first[0].items() if name != "potential")
    if built is not None:  # charges with themselves, which cancel, are rounded too
        size += _own(built)
    for name, value in first[0].items():
        if not abs(found[0][name] - value) <= limits[0] * max(size, 1.0):
            yield f"{what}: {name} is {found[0][name]:.12g}, not {value:.12g}"
    scale = float(np.sqrt((first[1] ** 2).mean()))
    error = np.sqrt(((found[1] - first[1]) ** 2).mean())
    if not error <= limits[1] * max(scale, 1.0):
        worst = int(((found[1] - first[1]) ** 2).sum(1).argmax())
        yield (
            f"{what}: forces differ by {error / scale:.3g} of {scale:.4g}; the worst is particle "
            f"{worst}: {found[1][worst]} and {first[1][worst]}"
        )


def _own(built: Built) -> float:
    """A scale of the energy that charges have with their surrounding [kJ/mol]."""
    r = built.job.parameters["rcoulomb"] or 1.0
    return 138.9 / r * 3 * float((built.charge**2).sum())
