# SPDX-License-Identifier: Apache-2.0
"""Facts about the compiled engine: its version, defaults of settings, leaf files.

`specs.pair`, `specs.bonded` and `specs.external` make classes of the leaf files.
"""

from __future__ import annotations

import json
from typing import Any

from aureole import _core

VERSION: str = _core.build_info()["version"]
#: Defaults that specs take over from the engine's settings, by spec and field.
DEFAULTS: dict[str, dict[str, Any]] = _core.spec_defaults()
#: Largest numbers that the engine takes.
LIMITS: dict[str, Any] = _core.limits()
POTENTIALS: list[dict[str, Any]] = json.loads(_core.potentials())
BONDED: list[dict[str, Any]] = json.loads(_core.bonded_terms())
EXTERNALS: list[dict[str, Any]] = _core.externals()
STAGES: list[dict[str, Any]] = _core.stages()

#: Bonded terms without a class, which come with the system: maps, whose parameters are not plain
#: numbers, and restraints, whose particles need not be bonded.
OF_SYSTEM = tuple(
    entry["name"] for entry in BONDED if entry["name"] == "cmap" or "restraint" in entry["name"]
)
#: Attributes of a system that name the particles of terms, by the number of these particles.
TUPLES = {2: "bonds", 3: "angles", 4: "dihedrals"}


def class_name(kind: str) -> str:
    """The class name of the spec of a kind of bonded terms: harmonic_bond is HarmonicBond."""
    return "SpecialPair" if kind == "pair" else "".join(map(str.capitalize, kind.split("_")))


#: Schemas of bonded terms that have a class, by its name.
BONDED_CLASSES = {
    class_name(entry["name"]): entry
    for entry in BONDED
    if entry["name"] not in OF_SYSTEM and entry["particles"] in TUPLES
}

#: Names of the classes of `specs.pair`, `specs.bonded` and `specs.external`.
NAMES: tuple[list[str], ...] = (
    [entry["name"] for entry in POTENTIALS],
    list(BONDED_CLASSES),
    [entry["name"] for entry in (*EXTERNALS, *STAGES)],
)
