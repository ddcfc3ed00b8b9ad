# SPDX-License-Identifier: Apache-2.0
"""The picture of particles that are known by their types: a colour and a radius for each type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.text import printable
from aureole.system.box import Box
from aureole.system.find_molecules import components

from . import bonds
from .frames import Frame
from .scene import MOST, drawn

Array = NDArray[np.float64]

#: Colours that the colour-blind tell apart too; the last is for further types.
_COLOURS = (
    *("#4477aa", "#e08b3a", "#3d9a50", "#c8475e", "#66b8d9", "#b5a332", "#9a4f96", "#7a5c44"),
    *("#f2a7b5", "#2f6f6a", "#9fc26b", "#5b5fa8", "#d96fa3", "#8f9499"),
)
#: Diameter of a typical particle as it is drawn [nm], where balls are thicker than bonds.
_DRAWN = 0.42


def picture(
    frame: Frame,
    types: NDArray[np.integer],
    type_names: tuple[str, ...],
    bonded: NDArray[np.int64],
    diameter: Array,
    periodic: bool = True,
    water: NDArray[np.bool_] | None = None,
) -> dict[str, Any]:
    """The picture of particles, in the form in which `scene.scene` makes that of atoms.

    Args:
        frame: box and positions [length]
        types: (n,) indices into their `type_names`
        bonded: (m, 2) pairs that a stick joins
        diameter: (t,) of the types [length]
        periodic: whether the box is drawn
        water: (n,) which particles can be faded out as water; None for none of them

    Lengths are scaled so that the particles are as large as atoms. Of very many particles those in
    a slab are drawn, whose thickness is along z.
    """
    n, box = len(types), frame.box
    counts = np.bincount(types, minlength=len(type_names))
    scale = _DRAWN / float(np.average(diameter, weights=counts))
    whole = bonds.whole(box, frame.position, bonded, components(n, bonded))
    rows = np.sort(np.argsort(np.abs(whole[:, 2]), kind="stable")[:MOST])
    place = np.full(n, -1)
    place[rows] = np.arange(len(rows))
    shown = place[_unbroken(box, whole, bonded)]
    shown = shown[(shown >= 0).all(axis=1)]
    kind, legend = _legend(types, type_names, counts, diameter * scale)
    told = {"periodic": periodic, "hidden": n - len(rows), "elements": legend}
    faded = np.zeros(n, dtype=bool) if water is None else water
    return told | drawn(whole[rows] * scale, kind[rows], faded[rows], shown, box.matrix * scale)


def _unbroken(box: Box, whole: Array, bonded: NDArray[np.int64]) -> NDArray[np.int64]:
    """(m, 2) the bonds that do not go through the box."""
    apart = whole[bonded[:, 0]] - whole[bonded[:, 1]]
    return bonded[np.abs(apart - box.minimum_image(apart)).max(axis=1, initial=0.0) < 1e-6]


def _legend(
    types: NDArray[np.integer], names: tuple[str, ...], counts: NDArray[np.int64], diameter: Array
) -> tuple[NDArray[np.int64], list[dict[str, Any]]]:
    """(n,) the entry of each particle, and the entries: the most common types, then the others."""
    used = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    alone = used if len(used) <= len(_COLOURS) else used[: len(_COLOURS) - 1]
    entry = np.full(len(names), len(alone))
    entry[alone] = np.arange(len(alone))
    shown = [(names[k], int(counts[k]), float(diameter[k])) for k in alone]
    rest = used[len(alone) :]
    if rest:
        mean = float(np.average(diameter[rest], weights=counts[rest]))
        shown.append((f"{len(rest)} further types", int(counts[rest].sum()), mean))
    legend = [
        {
            "symbol": name,
            "name": printable(name),
            "colour": colour,
            "radius": size / 2,
            "count": count,
        }
        for (name, count, size), colour in zip(shown, _COLOURS, strict=False)
    ]
    return entry[types], legend
