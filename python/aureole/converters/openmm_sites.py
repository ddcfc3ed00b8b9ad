# SPDX-License-Identifier: Apache-2.0
"""Virtual sites of OpenMM."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aureole.base.errors import bad_input

from .openmm_terms import Array, Conversion, check_known

#: Terms of virtual sites, and the number of particles that a site is constructed from.
_SITES = {
    "TwoParticleAverageSite": ("vsite2", 2),
    "ThreeParticleAverageSite": ("vsite3", 3),
    "OutOfPlaneSite": ("vsite3out", 3),
}
#: How far from its place a site may be given [nm]: files have three digits of Å.
_NEAR = 2e-4


def add_sites(to: Conversion, sites: Mapping[int, Any]) -> None:
    """Take the virtual sites over, by the particles that they are."""
    terms = {
        count: to.terms("virtual site {}", tuple((0, k) for k in range(1, count)))
        for count in (2, 3)
    }
    worst, count = 0.0, 0
    for i, site in sites.items():
        kind, size = _kind(i, site)
        parents = [site.getParticle(k) for k in range(size)]
        check_known(f"virtual site {i}", (i, *parents), len(to.position))
        terms[size].add(i, parents)
        values = _values(i, site, kind, size)
        to.sheet.add(kind, (i, *parents), values)
        off = float(np.linalg.norm(to.position[i] - _place(to.position, parents, kind, values)))
        worst, count = max(worst, off), count + (off > _NEAR)
    if count:
        to.sheet.notes.append(
            f"{count} virtual site{'s are' if count > 1 else ' is'} up to {worst:.2g} nm from "
            "where the particles beside place it, and energies are of there; OpenMM moves sites at "
            "context.computeVirtualSites() and at each step"
        )


def _kind(i: int, site: Any) -> tuple[str, int]:
    name = type(site).__name__
    if name not in _SITES:
        raise bad_input(
            f"particle {i} is a virtual site of the kind {name}",
            f"only {', '.join(_SITES)} are supported",
            "Build the system with a model that has one of these",
        )
    return _SITES[name]


def _values(i: int, site: Any, kind: str, size: int) -> list[float]:
    """Parameters of the term."""
    if kind == "vsite3out":
        return [site.getWeight12(), site.getWeight13(), site.getWeightCross()]
    first, *values = [site.getWeight(k) for k in range(size)]
    whole = math.fsum([first, *values])
    if not math.isclose(whole, 1.0, abs_tol=1e-6):
        raise bad_input(
            f"weights of the virtual site {i} sum to {whole:g}",
            "a site moves with its particles only if they sum to 1",
            "Correct them",
        )
    return values


def _place(position: Array, parents: Sequence[int], kind: str, values: Sequence[float]) -> Array:
    """Where a site is."""
    first, *others = position[list(parents)]
    arms = [other - first for other in others]
    place: Array = first + sum(w * arm for w, arm in zip(values, arms, strict=False))
    if kind == "vsite3out":
        place = place + values[2] * np.cross(*arms)
    return place
