# SPDX-License-Identifier: Apache-2.0
"""Lennard-Jones parameters: combination rules, and the numbers of files as c6 and c12.

V and W are the two numbers of a file: c6 and c12 for combination rule 1, sigma and epsilon for
rules 2 and 3 (manual of GROMACS, section "Non-bonded parameters"). A negative sigma says that
there is no attraction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aureole.base.arrays import frozen
from aureole.base.errors import bad_input
from aureole.system.topology import Nonbonded

Pair = tuple[float, float]
GEOMETRIC, LORENTZ_BERTHELOT, GEOMETRIC_SIGMA = 1, 2, 3
_NAMES = ("", "geometric", "lorentz-berthelot", "geometric")  # by the number of the rule


def combined(rule: int, v: tuple[Any, Any], w: tuple[Any, Any]) -> tuple[Any, Any]:
    """V and W of two types together, by their combination rule; numbers or arrays."""
    with np.errstate(invalid="ignore", over="ignore"):
        epsilon = np.sqrt(w[0] * w[1])
        if rule == GEOMETRIC:
            return np.sqrt(v[0] * v[1]), epsilon
        if rule == LORENTZ_BERTHELOT:
            sigma = 0.5 * (np.abs(v[0]) + np.abs(v[1]))
        else:
            sigma = np.sqrt(np.abs(v[0] * v[1]))
    return np.where((np.asarray(v[0]) < 0) | (np.asarray(v[1]) < 0), -sigma, sigma), epsilon


def coefficients(rule: int, v: Any, w: Any) -> tuple[Any, Any]:
    """c6 [energy length⁶] and c12 [energy length¹²] of V and W; numbers or arrays."""
    if rule == GEOMETRIC:
        return v, w
    with np.errstate(over="ignore", invalid="ignore"):
        sixth = np.abs(v) ** 6
        return np.where(np.asarray(v) < 0, 0.0, 4.0 * w * sixth), 4.0 * w * sixth * sixth


def matrix(
    rule: int,
    kinds: Mapping[str, Pair],
    overrides: Mapping[tuple[str, ...], Pair],
    places: Mapping[str, str] | None = None,
) -> Nonbonded:
    """The parameters of each pair of types.

    Args:
        rule: the combination rule, 1, 2 or 3
        kinds: V and W of each type, by name
        overrides: V and W of pairs that do not follow the rule, by sorted names
        places: where types stand, "file:line", for errors
    """
    names = tuple(kinds)
    table = np.array([kinds[name] for name in names], dtype=np.float64).reshape(-1, 2)
    v, w = table[:, 0], table[:, 1]
    vv, ww = combined(rule, (v[:, None], v[None, :]), (w[:, None], w[None, :]))
    given = coefficients(rule, vv.copy(), ww.copy())
    place = {name: k for k, name in enumerate(names)}
    for pair, (one, other) in overrides.items():
        if pair[0] in place and pair[1] in place:
            i, j = place[pair[0]], place[pair[1]]
            vv[i, j] = vv[j, i] = one
            ww[i, j] = ww[j, i] = other
    c6, c12 = coefficients(rule, vv, ww)
    bad = ~(np.isfinite(c6) & np.isfinite(c12))
    if bad.any():
        i, j = np.unravel_index(int(bad.argmax()), bad.shape)
        place = (places or {}).get(names[i if w[i] < 0 else j])
        where = f"{place}: " if place else ""
        raise bad_input(
            f"{where}no Lennard-Jones parameters for the pair {names[i]}-{names[j]}",
            f"combination rule {rule} gives V = {vv[i, j]:g}, W = {ww[i, j]:g}",
            "Correct the types in [ atomtypes ]",
        )
    kept = np.allclose(given, (c6, c12), rtol=1e-9, atol=0.0)
    kept = kept and not (rule != GEOMETRIC and (v < 0).any())
    return Nonbonded(
        names,
        frozen(c6, shape=c6.shape),
        frozen(c12, shape=c12.shape),
        _NAMES[rule] if kept else "none",
    )
