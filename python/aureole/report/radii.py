# SPDX-License-Identifier: Apache-2.0
"""Sizes of drawn particles: sigma of their potential, or what pair distributions tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import Error

from . import beads as particles
from .beads import Beads
from .files import number_of, section
from .frames import Frame
from .pair_distribution import Distribution

Array = NDArray[np.float64]

#: Distance of the minimum of a Lennard-Jones potential, where g(r) has its first peak, in sigma.
_MINIMUM = 2 ** (1 / 6)
#: Number of types whose peaks are looked for; further types have the median diameter.
_MOST_TYPES = 14
#: Numbers of last frames and of pairs in which peaks are looked for where no g(r) is drawn.
_FRAMES, _PAIRS = 4, 1e6
#: Least diameter as a fraction of the distance to the most common type.
_LEAST = 0.5


def diameters(
    beads: Beads, summary: dict[str, Any], frames: Sequence[Frame], made: Sequence[Distribution]
) -> tuple[Array, str]:
    """(t,) diameters of the types [length], and words about where they are from.

    Args:
        beads: the particles
        summary: of the run, which may have its forces
        frames: for pair distributions; none where the potentials have to do
        made: pair distributions that are known already
    """
    known = _given(beads, summary)
    counts = np.bincount(beads.type, minlength=len(beads.type_names))
    if np.isfinite(known[counts > 0]).all():
        return np.where(np.isfinite(known), known, 1.0), "Radii are σ/2 of the pair potential."
    found = np.where(np.isfinite(known), known, _of_peaks(beads, counts, frames, made))
    finite = found[np.isfinite(found) & (counts > 0)]
    if len(finite):
        words = "Radii are from the first peaks of g(r)."
        return np.where(np.isfinite(found), found, float(np.median(finite))), words
    spacing = float((beads.frame.box.volume / beads.names.n) ** (1 / 3))
    return np.full(len(known), min(spacing, 1.0)), "All particles are drawn alike."


def _given(beads: Beads, summary: dict[str, Any]) -> Array:
    """(t,) sigma of each type with itself, NaN where no file tells it."""
    if beads.molecules is not None:
        return beads.molecules.diameters
    of = _sigmas(summary)
    whole = of.get("", np.nan)
    return np.array([of.get(f"{name},{name}", whole) for name in beads.type_names])


def _sigmas(summary: dict[str, Any]) -> dict[str, float]:
    """Pair of types → sigma of the first force that has one; "" for all pairs."""
    forces = section(summary, "settings").get("forces")
    for force in forces if isinstance(forces, list) else []:
        told = force.get("sigma") if isinstance(force, dict) else None
        items = told.items() if isinstance(told, dict) else [("", told)]
        numbers = {str(key): number_of(value) for key, value in items}
        kept = {key: value for key, value in numbers.items() if value is not None and value > 0}
        if kept:
            return kept
    return {}


def _of_peaks(
    beads: Beads, counts: NDArray[np.int64], frames: Sequence[Frame], made: Sequence[Distribution]
) -> Array:
    """(t,) diameters from first peaks of g(r), NaN where there is none.

    The most common type has the diameter of its own peak. Each other type has the lesser of that of
    its own peak and what its peak with the most common type leaves. Either alone may be too large:
    in Kob and Andersen's mixture B is only beside A, so that its own peak is that of second
    neighbours, and types that separate are rarely beside each other. Beads of molecules are all
    alike, since bonds hold them at other distances.
    """
    order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]][:_MOST_TYPES]
    names, result = beads.type_names, np.full(len(beads.type_names), np.nan)
    main = order[0]
    result[main] = _contact(beads, (names[main], names[main]), frames, made)
    for k in order[1:] if beads.molecules is None else ():
        own = _contact(beads, (names[k], names[k]), frames, made)
        across = _contact(beads, (names[main], names[k]), frames, made)
        rest = np.maximum(2 * across - result[main], _LEAST * across)  # NaN where either is
        result[k] = np.fmin(own, rest)
    return result


def _contact(
    beads: Beads, pair: tuple[str, str], frames: Sequence[Frame], made: Sequence[Distribution]
) -> float:
    """Distance of the first peak of a pair of types in sigma; NaN without one."""
    if not frames:
        return float("nan")
    names = {"–".join(pair), "–".join(reversed(pair))}
    found = [of for of in made if of.name in names]
    try:
        if not found:
            found = particles.distributions(beads, frames[-_FRAMES:], [pair], _PAIRS)
        of = found[0]
    except Error:  # there are no such pairs, or no g(r)
        return float("nan")
    return _peak(of) / _MINIMUM


def _peak(of: Distribution) -> float:
    """Distance of the first peak of a g(r); NaN without one.

    The peak is the highest value up to the place where g has grown beyond 1 and fallen to it again.
    """
    if of.g.max(initial=0.0) <= 1.0:
        return float("nan")
    smooth = np.convolve(of.g, np.ones(5) / 5, mode="same")
    begin = int(np.argmax(smooth > 1.0))
    below = np.flatnonzero(smooth[begin:] < 1.0)
    end = begin + int(below[0]) if len(below) else len(smooth)
    return float(of.r[begin + int(np.argmax(smooth[begin : max(end, begin + 1)]))])
