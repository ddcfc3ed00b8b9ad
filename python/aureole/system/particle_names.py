# SPDX-License-Identifier: Apache-2.0
"""Names from a topology for the particles that an error of the engine numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from aureole.base.errors import Error

from .topology import Topology

_NUMBERED = re.compile(r"\bparticles? (\d+)(?: and (\d+))?")


@contextmanager
def naming(topology: Topology | None) -> Iterator[None]:
    """Add to errors that number particles which atoms of which molecules these are."""
    try:
        yield
    except Error as error:
        names = [] if topology is None else _names(str(error), topology)
        if names:
            error.args = (f"{error} {'; '.join(names)}.",)
        raise


def name_of(particle: int, topology: Topology) -> str:
    """A name such as "atom 2 (HW1) of molecule 23 (SOL)", both counted from 1; "" if unknown.

    Args:
        particle: number of the particle in the system, counted from 0
        topology: of the system
    """
    left, before = particle, 0
    for molecule, count in topology.blocks:
        size = molecule.atoms.n
        if left < size * count:
            copy, atom = divmod(left, size)
            name = molecule.atoms.name[atom]
            return f"atom {atom + 1} ({name}) of molecule {before + copy + 1} ({molecule.name})"
        left, before = left - size * count, before + count
    return ""


def _names(text: str, topology: Topology) -> list[str]:
    numbers = [int(one) for found in _NUMBERED.findall(text) for one in found if one]
    names = {number: name_of(number, topology) for number in numbers}
    return [f"particle {k} (the first is 0) is {name}" for k, name in names.items() if name]
