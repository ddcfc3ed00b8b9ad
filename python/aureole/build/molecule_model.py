# SPDX-License-Identifier: Apache-2.0
"""Molecule models: types of particles, a topology and a shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Combination rules by their number in [ defaults ].
LORENTZ_BERTHELOT, GEOMETRIC = 2, 3


@dataclass(frozen=True)
class Kind:
    """A type of particle.

    Args:
        name: of the type
        number: of the element; 0 for none
        mass: [u]
        sigma, epsilon: of Lennard-Jones [nm], [kJ/mol]
        site: is it a virtual site?
    """

    name: str
    number: int
    mass: float
    sigma: float
    epsilon: float
    site: bool = False


@dataclass(frozen=True, eq=False)
class Model:
    """A molecule with the parameters of one publication.

    Args:
        name: of the molecule type and of its residue, such as "SOL"
        source: where the parameters come from
        kinds: types of its particles
        rule: number of the combination rule that they were made for; None for any
        names: of its particles
        topology: its directives from [ atoms ] on
        nrexcl: number of bonds up to which particles are excluded
        position: (k, 3) of its particles, in equilibrium [nm]
        volume: that one mole takes in the liquid near 298 K [cm³/mol]
    """

    name: str
    source: str
    kinds: tuple[Kind, ...]
    rule: int | None
    names: tuple[str, ...]
    types: tuple[str, ...]
    charges: tuple[float, ...]
    topology: str
    nrexcl: int
    position: NDArray[np.float64]
    volume: float

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.names)

    @property
    def mass(self) -> float:
        """Mass [u]."""
        mass = {kind.name: kind.mass for kind in self.kinds}
        return sum(mass[name] for name in self.types)

    @property
    def charge(self) -> float:
        """Charge [e]."""
        return round(sum(self.charges), 9)

    def directives(self) -> str:
        """The model's part of a topology, from [ moleculetype ] on."""
        mass = {kind.name: kind.mass for kind in self.kinds}
        rows = zip(self.names, self.types, self.charges, strict=True)
        atoms = "".join(
            f"{k:4d} {type_:<6s} 1 {self.name:<4s} {name:<4s} {k:4d} {charge:9.5f} "
            f"{mass[type_]:10.5f}\n"
            for k, (name, type_, charge) in enumerate(rows, 1)
        )
        return (
            f"; {self.source}\n[ moleculetype ]\n{self.name} {self.nrexcl}\n"
            f"[ atoms ]\n{atoms}{self.topology}"
        )
