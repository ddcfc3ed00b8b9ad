# SPDX-License-Identifier: Apache-2.0
"""The stiffness of pairs and bonds of a system, from energies of single pairs by the engine."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import Error
from aureole.base.values import Table
from aureole.simulation.simulation import Simulation
from aureole.specs.bonded import BondedTerm
from aureole.specs.device import Device
from aureole.specs.pair import PairPotential
from aureole.specs.spec import Spec
from aureole.system.box import Box
from aureole.system.system import System

Array = NDArray[np.float64]

_POINTS = 400
#: Number of types whose pairs are looked at: the most common ones.
_TYPES = 6
#: Range of bond lengths that are looked at, as multiples of the length at the start.
_SHORTEST, _LONGEST = 0.6, 1.4


@dataclass(frozen=True, eq=False)
class Stiff:
    """The energy of a pair against its distance.

    Args:
        name: for people, such as "contact A–B" or "bond backbone"
        types: of the two particles
        r, energy: (k,) [length], [energy]
        mass: reduced mass of the two [mass]
        collides: whether particles run into it; a bond stays near its minimum
    """

    name: str
    types: tuple[int, int]
    r: Array
    energy: Array
    mass: float
    collides: bool

    @property
    def depth(self) -> float:
        """Depth of the minimum below the energy at the largest distance [energy]."""
        return max(0.0, float(self.energy[-1] - self.energy.min()))

    def radius_at(self, energy: float) -> float:
        """The distance inside the minimum where the energy is `energy` above it; 0 for none."""
        inner = self._inner(energy)
        return 0.0 if inner is None else float(self.r[inner])

    def _inner(self, energy: float) -> int | None:
        least = int(self.energy.argmin())
        above = np.flatnonzero(self.energy[: least + 1] - self.energy[least] >= energy)
        return int(above[-1]) if len(above) else None

    def period(self, energy: float) -> float:
        """Period of an oscillation with the curvature at this energy [time]; inf if flat.

        The period is 2 π sqrt(mass / curvature).
        """
        slope = np.gradient(self.energy, self.r, edge_order=2)
        curvature = np.gradient(slope, self.r, edge_order=2)
        place = self._inner(energy)
        place = int(self.energy.argmin()) if place is None else place
        k = float(curvature[min(max(place, 2), len(self.r) - 3)])
        return 2 * math.pi * math.sqrt(self.mass / k) if k > 0 else math.inf


def contacts_of(forces: Sequence[Spec], system: System) -> Iterator[Stiff]:
    """Pairs of the most common types, by the pair potentials of the simulation alone."""
    potentials = [one for one in forces if isinstance(one, PairPotential) and not one.of_types]
    if not potentials:
        return
    names = system.type_names
    cut = max(float(one.tables(names)[1].max()) for one in potentials)
    counts = np.bincount(system.type, minlength=len(names))
    common = [int(k) for k in np.argsort(-counts, kind="stable")[:_TYPES] if counts[k]]
    if cut <= 0:
        return
    r = cut * np.arange(1, _POINTS + 1) / _POINTS
    for a, b in itertools.combinations_with_replacement(sorted(common), 2):
        energy = _energies(potentials, system, (a, b), r)
        if energy is None or not np.ptp(energy):
            continue
        mass = _reduced(*(float(system.mass[system.type == k].min()) for k in (a, b)))
        yield Stiff(f"contact {names[a]}–{names[b]}", (a, b), r, energy, mass, True)


def bonds_of(forces: Sequence[Spec], system: System) -> Iterator[Stiff]:
    """The bonds of the system by their names, with the pair potentials that act within them."""
    terms = [one for one in forces if isinstance(one, BondedTerm) and one.tuples == "bonds"]
    potentials = [one for one in forces if isinstance(one, PairPotential) and not one.of_types]
    among = system.exclusions is not None and not len(system.exclusions)
    for name, table in (system.bonds or {}).items():
        tags = np.asarray(table, dtype=np.int64)
        own = [one for one in (_for_name(term, name) for term in terms) if one is not None]
        if not own or not len(tags):
            continue
        apart = system.box.minimum_image(system.position[tags[:, 0]] - system.position[tags[:, 1]])
        length = float(np.median(np.linalg.norm(apart, axis=1)))
        r = length * np.linspace(_SHORTEST, _LONGEST, _POINTS)
        types = (int(system.type[tags[0, 0]]), int(system.type[tags[0, 1]]))
        used = [*own, *(potentials if among else ())]
        energy = _energies(used, system, types, r, name)
        if energy is None:
            continue
        mass = min(map(_reduced, *system.mass[tags].T.tolist()))
        yield Stiff(f"bond {name}", types, r, energy, mass, False)


def _for_name(term: BondedTerm, name: str) -> BondedTerm | None:
    """The term for one name of bonds alone; None if the term does not have the name."""
    values = {one.name: getattr(term, one.name) for one in dataclasses.fields(term)}
    tables = {key: value for key, value in values.items() if isinstance(value, Table)}
    if any(name not in table for table in tables.values()):
        return None
    return dataclasses.replace(term, **{key: table[name] for key, table in tables.items()})


def _reduced(first: float, second: float) -> float:
    return first * second / (first + second)


def _energies(
    forces: Sequence[Spec], system: System, types: tuple[int, int], r: Array, bond: str = ""
) -> Array | None:
    """(k,) energy of a pair at each distance; None if the engine gives no finite one.

    The pairs stand on a lattice so wide that they do not interact with each other. Energies that
    are not finite, as beyond the range of a potential, become 1e300.
    """
    wide = 3.0 * max(float(r[-1]), _longest_cut_off(forces, system.type_names))
    edge = math.ceil(len(r) ** (1 / 3))
    corner = np.indices((edge,) * 3).reshape(3, -1).T[: len(r)] * wide
    other = corner + np.column_stack([r, 0 * r, 0 * r])
    tags = np.arange(2 * len(r)).reshape(2, -1).T
    try:
        made = System(
            Box.of(edge * wide),
            np.concatenate([corner, other]),
            type=np.repeat(types, len(r)),
            type_names=system.type_names,
            bonds={bond: tags} if bond else None,
            exclusions=np.empty((0, 2), int) if bond else None,
            units=system.units,
        )
        with Simulation(made, forces, device=Device(name="host", precision="double")) as sim:
            each = sim.get("energy").reshape(2, -1).sum(axis=0)
    except Error:
        return None  # such as potentials that read columns of the particles
    good = np.isfinite(each)
    return np.where(good, each, 1e300) if good.any() else None


def _longest_cut_off(forces: Sequence[Spec], names: tuple[str, ...]) -> float:
    cuts = [one.tables(names)[1].max() for one in forces if isinstance(one, PairPotential)]
    return float(max(cuts, default=0.0))
