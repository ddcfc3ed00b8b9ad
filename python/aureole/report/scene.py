# SPDX-License-Identifier: Apache-2.0
"""The turnable picture: atoms, bonds and the box of one frame, packed small."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.formats.coordinates import Coordinates
from aureole.system.find_molecules import components

from . import bonds, elements
from .frames import Frame

Array = NDArray[np.float64]

#: Number of atoms beyond which water is left out of the picture.
MOST = 400_000


def scene(names: Coordinates, frame: Frame, periodic: bool = True) -> dict[str, Any]:
    """The picture of atoms. Sites without substance are left out.

    The box is drawn if it is a `periodic` one.
    """
    symbol = elements.symbols(names.name, names.residue_name)
    water = elements.is_water(names.residue_name)
    shown = symbol != ""
    if shown.sum() > MOST:
        shown &= ~water
    rows = np.flatnonzero(shown)
    symbol, water = symbol[rows], water[rows]
    position = frame.position[rows]
    ordinal = residues(names)[rows]
    found = bonds.find(frame.box, position, symbol, ordinal)
    molecule = components(len(rows), found)
    position = _arranged(frame, position, found, molecule, water)
    length = np.linalg.norm(position[found[:, 0]] - position[found[:, 1]], axis=1)
    found = found[length < 0.35]  # those that are cut by the box
    used = list(dict.fromkeys(symbol))
    legend = [_element(name, int((symbol == name).sum())) for name in used]
    kind = np.array([used.index(s) for s in symbol])
    told = {"periodic": periodic, "hidden": names.n - len(rows), "elements": legend}
    return told | drawn(position, kind, water, found, frame.box.matrix)


def drawn(
    position: Array,
    kind: NDArray[np.int64],
    water: NDArray[np.bool_],
    found: NDArray[np.int64],
    vectors: Array,
) -> dict[str, Any]:
    """Particles, bonds and box, as the viewer reads them.

    Positions are 16-bit parts of `extent` [nm] around the middle of the box; bonds are pairs of
    rows; `element` and `water` have one byte an atom.
    """
    extent = max(1e-3, float(np.abs(position).max(initial=0.0)))
    return {
        "n": len(position),
        "extent": extent,
        "position": packed(np.round(position / extent * 32767), "<i2"),
        "element": packed(kind, "u1"),
        "water": packed(water, "u1"),
        "bonds": packed(found, "<u4"),
        "box": vectors.T.ravel().tolist(),
    }


def residues(names: Coordinates) -> NDArray[np.int64]:
    """(n,) residues counted from 0; numbers in files wrap and repeat."""
    new = np.ones(names.n, dtype=bool)
    new[1:] = np.diff(names.residue) != 0
    new[1:] |= np.diff(names.residue_name.index) != 0
    return np.asarray(np.cumsum(new) - 1)


def _arranged(
    frame: Frame,
    position: Array,
    found: NDArray[np.int64],
    molecule: NDArray[np.int64],
    water: NDArray[np.bool_],
) -> Array:
    """Molecules in one piece; the largest without water is in the middle if it is large."""
    whole = bonds.whole(frame.box, position, found, molecule)
    sizes = np.bincount(molecule[~water], minlength=len(position))
    largest = int(sizes.argmax()) if len(sizes) else 0
    if len(sizes) == 0 or sizes[largest] < max(60, 0.2 * (~water).sum()):
        return whole
    moved = whole - whole[molecule == largest].mean(axis=0)
    return bonds.whole(frame.box, moved, found, molecule)


def _element(symbol: str, count: int) -> dict[str, Any]:
    of = elements.ELEMENTS[symbol]
    return {
        "symbol": symbol,
        "name": of.name,
        "colour": of.colour,
        "radius": of.radius,
        "count": count,
    }


def packed(values: Any, kind: str) -> str:
    """Numbers as the base64 of their bytes."""
    return base64.b64encode(np.ascontiguousarray(values).astype(kind).tobytes()).decode()
