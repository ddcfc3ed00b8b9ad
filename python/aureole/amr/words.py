# SPDX-License-Identifier: Apache-2.0
"""A simulation of a gas in words."""

from __future__ import annotations

from typing import Any

from aureole.base.text import counted

from .schedules import Pack


def header_rows(sim: Any) -> list[tuple[str, str]]:
    """Mesh, device and threads, for the first lines of a run."""
    about = sim.describe()
    at_once = about["threads"] > 0 and not sim.device.hostile
    note = ""
    if at_once and not isinstance(sim.schedule, Pack):
        note = "; on this host each worker computes its sub-grids itself, nothing is shared"
    return [
        ("cells", cells(sim)),
        ("device", str(about["description"])),
        ("scheme", repr(sim.scheme)),
        ("gas", repr(sim.gas)),
        *([("refine", ", ".join(map(repr, sim.refine)))] if sim.refine else []),
        ("schedule", f"{sim.schedule!r}{note}"),
    ]


def cells(sim: Any) -> str:
    """The cells and sub-grids of the present mesh."""
    about = sim.describe()
    subgrids = counted(about["subgrids"], "sub-grid")
    most = len(about["subgrids_of_level"]) - 1
    if most == 0:
        return f"{' × '.join(map(str, sim.mesh.cells))} in {subgrids}"
    return f"{about['cells']:,} in {subgrids} of levels up to {most}"
