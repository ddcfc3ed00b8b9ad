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
    "Neither a minimisation nor SpeedLimit closes it: start with shorter bonds, across the "
    "boundaries too, or with HarmonicBond in place of FeneBond"
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
    if not (length >= limit).any():
        return ""
    k = int((length >= limit).argmax())
    more = (
        f" ({(length >= limit).sum():,} bonds are too long)" if (length >= limit).sum() > 1 else ""
    )
    return f"FENE bond {first[k]}-{second[k]} is {length[k]:.4g} long, r_max is {limit[k]:g}{more}."
