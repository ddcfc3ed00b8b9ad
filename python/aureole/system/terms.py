# SPDX-License-Identifier: Apache-2.0
"""Terms given by hand, with their parameters: constraints, virtual sites, restraints and others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import reals
from aureole.base.engine_schema import BONDED as SCHEMA
from aureole.base.errors import bad_input, nearest

from .topology import TERMS, Terms, Topology, has_energy
from .tuples import tuples_of_particles

Tags = NDArray[np.int32]


#: Number of successive particles of a term that have to differ, by the kind of term.
_APART = {entry["name"]: int(entry["apart"]) for entry in SCHEMA}


def terms_of(value: Any, n: int, topology: Topology | None) -> dict[str, Terms]:
    """Terms by kind: (m, k) tags of particles and (p,) or (m, p) parameters of each.

    Raises InputError for kinds that do not exist, wrong shapes, tags that do not exist, parameters
    that are not finite, and rigid parts or virtual sites beside a topology.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise bad_input(
            f"terms is {value!r}",
            "it must be a table of particles and parameters by kind",
            'Give for example {"constraint": (pairs, length)}',
        )
    found = {}
    for kind, given in value.items():
        if kind not in TERMS:
            raise bad_input(f"unknown terms {kind!r}", "no leaf defines them", nearest(kind, TERMS))
        if kind == "cmap":
            raise bad_input("terms has cmap", "maps are part of a topology", "Give a topology")
        if topology is not None and not has_energy(kind):
            raise bad_input(
                f"terms has {kind!r} in addition to a topology",
                "constraints and virtual sites belong to its molecules",
                "Put them into the topology, or leave the topology out",
            )
        terms = _terms(kind, *TERMS[kind], given, n)
        if terms.n:
            found[kind] = terms
    return found


def _terms(kind: str, size: int, names: tuple[str, ...], given: Any, n: int) -> Terms:
    if isinstance(given, Terms):
        particles, values = given.particles, given.parameters[given.row]
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        particles, values = given
    else:
        raise bad_input(
            f"{kind} of terms is {given!r}",
            "it must hold tags of particles and parameters",
            f'Give "{kind}": (particles, parameters)',
        )
    tags = tuples_of_particles(particles, size, f"{kind} of terms", n, _APART.get(kind, size))
    if not names:
        values = np.zeros((len(tags), 0))
    rows = reals(values, f"parameters of {kind}")
    if rows.ndim < 2:  # of all terms, or one number for each
        each = len(names) == 1 and rows.shape == (len(tags),)
        rows = rows.reshape(-1, 1) if each else np.tile(rows.reshape(1, -1), (len(tags), 1))
    if rows.shape != (len(tags), len(names)) or not np.isfinite(rows).all():
        raise bad_input(
            f"the parameters of {kind} have the shape {np.shape(values)}, or are not finite",
            f"each term has {', '.join(names) or 'none'}",
            f"Give one row, or the shape ({len(tags)}, {len(names)})",
        )
    shared, row = np.unique(rows, axis=0, return_inverse=True)
    return Terms(tags, row.reshape(-1).astype(np.int32), shared.reshape(-1, len(names)))


def sites_of(terms: Mapping[str, Terms]) -> Tags:
    """Tags of the virtual sites."""
    parts = [t.particles[:, 0] for kind, t in terms.items() if kind.startswith("vsite")]
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.int32)


def rigid_pairs(terms: Mapping[str, Terms]) -> Iterable[Tags]:
    """Pairs that constraints, rigid waters and virtual sites join, as arrays (m, 2)."""
    for kind, of_kind in terms.items():
        if not has_energy(kind):
            for pair in combinations(range(of_kind.particles.shape[1]), 2):
                yield of_kind.particles[:, pair]
