# SPDX-License-Identifier: Apache-2.0
"""The benchmark cases, in Lennard-Jones units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from aureole.base.errors import bad_input, nearest
from numpy.typing import NDArray

Pairs = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class Case:
    """A Lennard-Jones fluid, its pairs truncated at `r_cut` times their sigma without a shift.

    Args:
        family: the name without the size
        n: particles
        density: number density [1/sigma^3]
        kT: temperature of the thermostat, and of the start for the liquid [epsilon]
        tau: relaxation time of the thermostat [tau]
        r_cut: cut-off [sigma of the pair]
        skin: list buffer that LAMMPS starts its search from [sigma]
        melted_from: temperature of the lattice that is let melt at constant energy; None
            means equilibrated at kT
        epsilon: of the pairs of types
        sigma: likewise; that of the first type is 1
        of_b: share of the particles that are of the second type
    """

    family: str
    n: int
    density: float
    kT: float
    tau: float
    r_cut: float
    skin: float
    melted_from: float | None = None
    dt: float = 0.005
    epsilon: Pairs = field(default_factory=lambda: {("A", "A"): 1.0})
    sigma: Pairs = field(default_factory=lambda: {("A", "A"): 1.0})
    of_b: float = 0.0

    @property
    def name(self) -> str:
        """For example lj-melt-32000."""
        return f"{self.family}-{self.n}"

    @property
    def edge(self) -> float:
        """Edge of the cubic box, a multiple of 2^-15 so that single precision holds it exactly."""
        return round((self.n / self.density) ** (1 / 3) * 2**15) / 2**15

    @property
    def energy_at_cut_off(self) -> float:
        """Energy of a pair of the first type at the cut-off [epsilon]."""
        inverse = self.r_cut**-6
        return 4.0 * (inverse * inverse - inverse)

    @property
    def mixed(self) -> bool:
        """Whether there are several types of particle."""
        return self.of_b > 0

    def types(self) -> NDArray[np.int32]:
        """The type of each particle (n), spread at random over the lattice that the start is."""
        types = (np.arange(self.n) < round(self.of_b * self.n)).astype(np.int32)
        return np.random.default_rng(1995).permutation(types)

    def options(self, copies: int = 1) -> dict[str, Any]:
        """Arguments of `System` for the types of so many copies of the particles."""
        if not self.mixed:
            return {}
        return {"type": np.tile(self.types(), copies), "type_names": ("A", "B")}


def liquid(n: int) -> Case:
    """Packing fraction 0.2 at T = 1.2, as in the strong-scaling paper of HOOMD-blue."""
    return Case("lj-liquid", n, 1.2 / math.pi, 1.2, 0.5, 3.0, 0.4)


def melt(n: int) -> Case:
    """Density 0.8442, melted from T = 1.44, which leaves T near 0.7; a weak thermostat."""
    return Case("lj-melt", n, 0.8442, 0.70, 10.0, 2.5, 0.3, melted_from=1.44)


def kob_andersen(n: int) -> Case:
    """Four parts of large to one of small particles, which freeze late (Kob and Andersen, Phys.
    Rev. E 51 (1995) 4626); at T = 1, well above the glass.
    """
    epsilon = {("A", "A"): 1.0, ("A", "B"): 1.5, ("B", "B"): 0.5}
    sigma = {("A", "A"): 1.0, ("A", "B"): 0.8, ("B", "B"): 0.88}
    return Case(
        *("kob-andersen", n, 1.2, 1.0, 10.0, 2.5, 0.3),
        **{"melted_from": 5.0, "epsilon": epsilon, "sigma": sigma, "of_b": 0.2},
    )


FAMILIES = {"lj-liquid": liquid, "lj-melt": melt, "kob-andersen": kob_andersen}
STANDARD = (
    *("lj-melt-32000", "lj-liquid-64000", "kob-andersen-32000"),
    *("lj-melt-256000", "lj-liquid-256000"),
)


def case_named(name: str) -> Case:
    """The case of a name such as lj-melt-32000; raises InputError for others."""
    family, _, size = name.rpartition("-")
    if family not in FAMILIES or not size.isdigit() or int(size) < 2000:
        raise bad_input(
            f"unknown case {name!r}",
            "a case is a family and at least 2000 particles",
            nearest(name, STANDARD),
        )
    return FAMILIES[family](int(size))
