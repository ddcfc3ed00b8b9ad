# SPDX-License-Identifier: Apache-2.0
"""Position restraints of OpenMM, which are custom external forces, as terms."""

from __future__ import annotations

import re
from typing import Any

from aureole.base.errors import bad_input
from aureole.system.flat_topology import Sheet

from .openmm_bonded import energy_of, other_energy, title

#: The usual energies; the second one is for molecules that are whole beside their references.
_FORM = re.compile(
    r"(?P<half>0\.5\*)?\(?(?P<k>[A-Za-z_]\w*)(?P<over>/2(?:\.0*)?)?\)?\*(?:"
    r"periodicdistance\(x,y,z,(?P<x>\w+),(?P<y>\w+),(?P<z>\w+)\)\^2"
    r"|\(\(x-(?P<u>\w+)\)\^2\+\(y-(?P<v>\w+)\)\^2\+\(z-(?P<w>\w+)\)\^2\))"
)
_KNOWN = "k*periodicdistance(x,y,z,x0,y0,z0)^2 with x0, y0, z0 for each particle is supported"
_BY_HAND = (
    "Remove it from the system. Restrain particles of ours = au.system_from_openmm(...) by "
    'ours.replace(terms={"position_restraint": (tags[:, None], (1000.0,) * 3)}), and make '
    "au.Simulation(...) of the result"
)
#: For energies that are zero near their place: a sphere with its radius [nm], and twice k.
_FLAT = (
    '"position_restraint": (tags[:, None], (1000.0,) * 3)',
    '"flat_bottom_restraint": (tags[:, None], (1, radius, 2 * k))',
)


def restraints(sheet: Sheet, force: Any) -> None:
    """A CustomExternalForce, if it pulls particles to places."""
    found = _FORM.fullmatch(energy_of(force))
    count = force.getNumPerParticleParameters()
    names = [force.getPerParticleParameterName(k) for k in range(count)]
    shared = {
        force.getGlobalParameterName(k): force.getGlobalParameterDefaultValue(k)
        for k in range(force.getNumGlobalParameters())
    }
    place = [] if found is None else [found[a] or found[b] for a, b in ("xu", "yv", "zw")]
    known = found is not None and found["k"] in (*names, *shared)
    if found is None or not known or not set(place) <= set(names):
        flat = re.search(r"\b(max|step)\(", force.getEnergyFunction())
        advice = _BY_HAND.replace(*_FLAT) if flat else _BY_HAND
        raise other_energy(force, f"only {_KNOWN}", advice)
    before = len(sheet.references)
    factor = 2.0 / (2 if found["half"] else 1) / (2 if found["over"] else 1)
    for n in range(force.getNumParticles()):
        particle, values = force.getParticleParameters(n)
        value = shared | dict(zip(names, values, strict=True))
        point = tuple(value[name] for name in place)
        strength = factor * value[found["k"]]
        if not strength:
            continue
        if sheet.references.setdefault(particle, point) != point:
            raise bad_input(
                f"particle {particle} is restrained to two positions",
                "a particle has one reference position",
                "Restrain it once",
            )
        sheet.add("position_restraint", (particle,), (strength,) * 3)
    if len(sheet.references) == before:
        sheet.notes.append(f"{title(force)} is off ({found['k']} is 0)")
