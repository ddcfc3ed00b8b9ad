# SPDX-License-Identifier: Apache-2.0
"""Bonds, angles and other terms that a topology lists twice: both count, as in GROMACS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, note, rule
from aureole.system.topology import TO_REFERENCES, Terms, has_energy

from .checked_job import Case

#: Number of particles up to which a second term of a kind is a repetition, whatever its parameters.
#: Dihedrals are sums of several terms.
_ALONE = 3
_WORDS = {"pair": "pair", "cmap": "map"}
_BY_SIZE = {2: "bond", 3: "angle"}


@rule("A810")
def terms_listed_twice(p: RunParameters, case: Case) -> Iterator[Finding]:
    parts = [(f" in {one.name}", one.terms) for one in case.molecules]
    for where, terms in [*parts, (" between molecules", case.system.intermolecular)]:
        for count, kind, atoms in _repeated(terms):
            word = _WORDS.get(kind, _BY_SIZE.get(len(atoms), "dihedral"))
            listed = ", ".join(map(str, atoms[:-1]))
            many = f"{count} terms ({kind}) are" if count > 1 else f"a term ({kind}) is"
            yield note(
                "",
                f"{many} listed twice{where}, first the {word} of atoms {listed} and {atoms[-1]}. "
                "Both count, as in GROMACS; remove one unless that is intended.",
            )


def _repeated(terms: Mapping[str, Terms]) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """Number of terms of a kind that repeat an earlier one, and the atoms of the first, from 1."""
    for kind, of_kind in terms.items():
        size = of_kind.particles.shape[1]
        if of_kind.n < 2 or size < 2 or not has_energy(kind) or kind in TO_REFERENCES:
            continue
        keys: NDArray[np.float64] = _one_way(of_kind.particles).astype(float)
        if size > _ALONE:
            keys = np.hstack([keys, of_kind.parameters[of_kind.row]])
        first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)[1:]
        again = np.flatnonzero(first[which.reshape(-1)] != np.arange(of_kind.n))
        if len(again):
            atoms = of_kind.particles[again[0]] + 1
            yield len(again), kind, tuple(atoms.tolist())


def _one_way(particles: NDArray[np.int32]) -> NDArray[np.int32]:
    """The particles of terms, each term read from its end with the lower number."""
    turned = particles[:, 0] > particles[:, -1]
    return np.where(turned[:, None], particles[:, ::-1], particles)
