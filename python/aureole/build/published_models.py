# SPDX-License-Identifier: Apache-2.0
"""Published models of water, ions and ethanol, out of published_models.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .molecule_model import Kind, Model

WATERS = ("spce", "spc", "tip3p", "tip4p")
#: Waters that have ions of their own.
ION_WATERS = ("spce", "tip3p", "tip4p")
IONS = ("Na+", "Cl-")
NAMES = (*WATERS, "ethanol", *IONS)


@cache
def _table() -> dict[str, Any]:
    path = Path(__file__).with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def model(name: str, solvent: str | None) -> Model:
    """One of `NAMES`; `solvent` is the water that an ion is in.

    Waters are rigid, TIP4P with its charge on a virtual site; nothing of ethanol is rigid before
    run parameters ask for it.
    """
    entry = _table()[f"{name} in {solvent}" if name in IONS else name]
    names, types, charges, *position = zip(*entry["atoms"], strict=True)
    lines = [line.partition(";")[0].rstrip() for line in entry.get("topology", "").splitlines()]
    return Model(
        name=entry["name"],
        source=entry["source"],
        kinds=tuple(Kind(*row) for row in entry["kinds"]),
        rule=entry.get("rule"),
        names=names,
        types=types,
        charges=charges,
        topology="".join(f"{line}\n" for line in lines if line),
        nrexcl=entry["nrexcl"],
        position=np.array(position, dtype=float).T,
        volume=entry["volume"],
    )
