# SPDX-License-Identifier: Apache-2.0
"""Which FENE bonds are longer than they may be, where the engine finds no finite force."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from aureole.base.errors import Error
from aureole.system.particle_names import naming

_ADVICE = (
    "A start needs shorter ones, or HarmonicBond at first: neither a minimisation nor SpeedLimit "
    "closes them"
)


@contextmanager
def explaining(sim: Any) -> Iterator[None]:
    """Errors of the engine also say what particles are called, and which bonds are broken."""
    with naming(sim._static["topology"]):
        try:
            yield
        except Error as error:
            with suppress(Error):  # particles cannot be asked for after some
                if told := _broken(sim):
                    error.args = (f"{error} {told} {_ADVICE}.",)
            raise


def _broken(sim: Any) -> str:
    terms = None if sim.topology is None else sim.topology.expand_terms().get("fene_bond")
    if terms is None:
        return ""
    place, (first, second) = sim.get("position"), terms.particles.T
    length = np.linalg.norm(sim.box.minimum_image(place[first] - place[second]), axis=1)
    limit = terms.parameters[terms.row, 0]
    broken = np.flatnonzero(length >= limit)
    if len(broken) == 0:
        return ""
    k = int(broken[0])
    more = f"; {len(broken):,} bonds are too long" if len(broken) > 1 else ""
    return f"FENE bond {first[k]}-{second[k]} is {length[k]:.4g} long, r_max is {limit[k]:g}{more}."
