# SPDX-License-Identifier: Apache-2.0
"""Pair distribution functions g(r) of kinds of atoms, over some frames."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.neighbours import pairs
from aureole.analysis.statistics import standard_error
from aureole.base.errors import bad_input
from aureole.system.topology import Labels

from .frames import Frame

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

BINS = 250
#: Largest distance, where the box allows it [nm]; in reduced units, of particles of a size near 1.
R_MAX, R_MAX_REDUCED = 1.2, 5.0
#: Largest number of pairs counted for one function; beyond it centres are sampled at random.
_MOST_PAIRS = 4e6
#: Number of blocks of frames for the standard error.
_BLOCKS = 5


@dataclass(frozen=True, eq=False)
class Distribution:
    """g(r) of one pair of kinds.

    Args:
        name: as "O–H"
        r: (bins,) middles of the bins [nm]
        g: (bins,)
        error: (bins,) standard error of g, NaN where there is one frame
        near: (bins,) mean number of partners up to the end of each bin
    """

    name: str
    r: Array
    g: Array
    error: Array
    near: Array


def distribution(
    frames: Sequence[Frame],
    first: Mask,
    second: Mask,
    molecule: NDArray[np.int64],
    name: str,
    *,
    r_max: float = R_MAX,
    bins: int = BINS,
    most_pairs: float = _MOST_PAIRS,
) -> Distribution:
    """g(r) between two kinds; pairs within one molecule (or residue) are left out.

    Args:
        frames: at least one
        first, second: (n,) which particles are of the kinds; the same, or without a common one
        molecule: (n,) particles with the same number are not counted with each other
        name: of the pair
        r_max: largest distance [nm]; less where half of a box is less
        bins: number of distances
        most_pairs: beyond so many pairs centres are sampled at random

    Raises InputError where a kind is empty.
    """
    a, b = np.flatnonzero(first), np.flatnonzero(second)
    if partners(molecule, a, b) <= 0:
        raise bad_input(
            f"{name} has no pairs", "a kind is empty or all in one molecule", "Choose other kinds"
        )
    r_max = min(r_max, 0.499 * min(float(frame.box.widths.min()) for frame in frames))
    a = _some(a, b, frames, r_max, most_pairs)
    counted = partners(molecule, a, b)
    edges = np.linspace(0.0, r_max, bins + 1)
    shells = 4 / 3 * math.pi * np.diff(edges**3)
    counts = np.array([_counts(frame, a, b, molecule, r_max, bins) for frame in frames])
    volumes = np.array([frame.box.volume for frame in frames])
    each = counts / (counted * shells / volumes[:, None])
    near = np.cumsum(counts.mean(axis=0)) / len(a)
    middle = (edges[1:] + edges[:-1]) / 2
    blocks = np.array_split(each, min(_BLOCKS, len(each)))
    error = standard_error(np.array([block.mean(axis=0) for block in blocks]))
    return Distribution(name, middle, each.mean(axis=0), error, near)


def partners(molecule: NDArray[np.int64], a: NDArray[Any], b: NDArray[Any]) -> float:
    """Number of pairs of different molecules.

    Args:
        molecule: (n,) of each particle
        a, b: particles, or (n,) which particles
    """
    top = int(molecule.max()) + 1
    first, second = (np.bincount(molecule[of], minlength=top) for of in (a, b))
    return float(first.sum()) * float(second.sum()) - float(first @ second)


def _some(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    frames: Sequence[Frame],
    r_max: float,
    most_pairs: float,
) -> NDArray[np.int64]:
    """All centres, or so many of them that the pairs can be counted in seconds."""
    ball = 4 / 3 * math.pi * r_max**3 / frames[-1].box.volume
    most = max(50, int(most_pairs / max(1.0, len(b) * ball * len(frames))))
    if len(a) <= most:
        return a
    return np.sort(np.random.default_rng(0).choice(a, most, replace=False))


def _counts(
    frame: Frame,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    molecule: NDArray[np.int64],
    r_max: float,
    bins: int,
) -> Array:
    counts = np.zeros(bins)
    for i, j, r in pairs(frame.box, frame.position[a], frame.position[b], r_max):
        apart = molecule[a[i]] != molecule[b[j]]
        place = (r[apart] * (bins / r_max)).astype(int)
        counts += np.bincount(np.minimum(place, bins - 1), minlength=bins)
    return counts


def kinds(symbol: NDArray[np.str_], water: Mask) -> dict[str, Mask]:
    """Kinds of atoms by element, those of water apart; the most common first, hydrogen last.

    Args:
        symbol: (n,) elements, "" for sites without substance
        water: (n,) whether a particle is of water
    """
    mixed = bool(water.any()) and bool((~water & (symbol != "")).any())
    found: list[tuple[tuple[bool, int], str, Mask]] = []
    for of_water in (True, False):
        for element in np.unique(symbol[water == of_water]):
            if element:
                mask = (symbol == element) & (water == of_water)
                name = f"{element}w" if of_water and mixed else str(element)
                found.append(((element == "H", -int(mask.sum())), name, mask))
    return {name: mask for _, name, mask in sorted(found, key=lambda item: item[0])}


def usual_pairs(of: dict[str, Mask], most: int = 4) -> list[tuple[str, str]]:
    """Pairs of kinds worth a look: the three of a water, then the others with it and themselves."""
    oxygen = next((name for name in ("Ow", "O") if name in of), None)
    hydrogen = next((name for name in ("Hw", "H") if name in of), None)
    chosen: list[tuple[str, str]] = []
    if oxygen and hydrogen:
        chosen += [(oxygen, oxygen), (oxygen, hydrogen)]
    heavy = [name for name in of if not name.startswith("H") and name != oxygen]
    if oxygen:
        chosen += [(name, oxygen) for name in heavy[:2]]
    chosen += [(name, name) for name in heavy[:2]]
    if hydrogen:
        chosen.append((hydrogen, hydrogen))
    chosen += [(a, b) for a in heavy[:3] for b in heavy[:3] if a < b]
    return chosen[:most]


def select(word: str, of: dict[str, Mask], name: Labels) -> Mask:
    """(n,) the particles that a word chooses: a kind, an element or a name of atoms.

    Raises InputError where there are none.
    """
    if word in of:
        return of[word]
    named = np.array([known == word for known in name.words], dtype=bool)[name.index]
    if not named.any():
        raise bad_input(
            f"there are no atoms {word!r}",
            f"known: {', '.join(of)}, and names such as {', '.join(name.words[:8])}",
            "Choose one of them",
        )
    return np.asarray(named)
