# SPDX-License-Identifier: Apache-2.0
"""Why the engine finds no finite force: FENE bonds that are too long, particles behind walls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from aureole.base.errors import Error, RankError
from aureole.system.particle_names import naming


@contextmanager
def explaining(sim: Any) -> Iterator[None]:
    """Errors of the engine also say what particles are called, and what cannot be."""
    with naming(sim._static["topology"]):
        try:
            yield
        except RankError:
            raise
        except Error as error:
            with suppress(Error):  # particles cannot be asked for after some
                for told in (_bonds(sim), _walls(sim, str(error))):
                    error.args = (f"{error} {told}".rstrip(),)
            raise


def _bonds(sim: Any) -> str:
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
    return (
        f"FENE bond {first[k]}-{second[k]} is {length[k]:.4g} long, r_max is {limit[k]:g}{more}. A "
        "start needs shorter ones, or HarmonicBond at first: neither a minimisation nor SpeedLimit "
        "closes them."
    )


def _walls(sim: Any, error: str) -> str:
    for wall in sim.forces:
        if type(wall).__name__ != "LennardJonesWall" or wall.group is not None:
            continue
        normal = np.array([float(wall.nx), float(wall.ny), float(wall.nz)])
        place = sim.get("position") @ (normal / np.linalg.norm(normal))
        behind = place <= float(wall.offset)
        if behind.any() and "LennardJonesWall" in error:
            return (
                f"Particle {int(behind.argmax())} is behind the wall {wall!r}, whose normal points "
                f"to the particles; {behind.sum():,} are."
            )
    return ""
