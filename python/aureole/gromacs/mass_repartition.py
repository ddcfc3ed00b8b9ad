# SPDX-License-Identifier: Apache-2.0
"""Mass repartitioning: light atoms take mass from the atoms that they are bound to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import frozen
from aureole.base.errors import bad_input
from aureole.system.topology import MoleculeType, Topology

BONDS = ("harmonic_bond", "g96_bond", "morse_bond", "fene_bond", "cubic_bond", "constraint")


def repartition(topology: Topology, factor: float) -> Topology:
    """The topology with no mass below `factor` times the lowest (mass-repartition-factor).

    A light atom takes the mass from its one partner, so that molecules keep their masses. Raises
    InputError if an atom has no partner or several, or if a partner is too light.
    """
    if factor == 1.0:
        return topology
    masses = [molecule.atoms.mass for molecule, count in topology.blocks if count]
    positive = np.concatenate([mass[mass > 0.0] for mass in masses]) if masses else np.zeros(0)
    if not len(positive):
        return topology
    least = factor * float(positive.min())
    blocks = tuple((_heavier(molecule, least), count) for molecule, count in topology.blocks)
    return replace(topology, blocks=blocks)


def _heavier(molecule: MoleculeType, least: float) -> MoleculeType:
    before = molecule.atoms.mass
    light = (before > 0.0) & (before < least)
    if not light.any():
        return molecule
    mass = before.copy()
    pairs = _bound(molecule)
    both_ways = np.concatenate((pairs, pairs[:, ::-1]))
    for atom in np.flatnonzero(light):
        partners = np.unique(both_ways[both_ways[:, 0] == atom, 1])
        if len(partners) != 1:
            raise bad_input(
                f"atom {atom + 1} of {molecule.name} is bound to {len(partners)} atoms",
                "mass-repartition-factor needs exactly one atom to take mass from",
                "Set its mass in the topology, or use a factor of 1",
            )
        gain = least - before[atom]
        mass[atom] += gain
        mass[partners] -= gain
    too_light = (before > 0.0) & (mass < least * (1 - 1e-12))
    if too_light.any():
        poor = int(too_light.argmax())
        raise bad_input(
            f"atom {poor + 1} of {molecule.name} would be left with a mass of {mass[poor]:g}",
            "mass-repartition-factor gives its mass to its light partners",
            "Use a smaller factor",
        )
    return replace(molecule, atoms=replace(molecule.atoms, mass=frozen(mass)))


def _bound(molecule: MoleculeType) -> NDArray[np.int32]:
    pairs = [molecule.terms[kind].particles for kind in BONDS if kind in molecule.terms]
    waters = molecule.terms.get("settle")
    if waters is not None:
        pairs += [waters.particles[:, [0, 1]], waters.particles[:, [0, 2]]]
    return np.concatenate(pairs) if pairs else np.zeros((0, 2), dtype=np.int32)
