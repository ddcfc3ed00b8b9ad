# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks: a simulation, its energies and its description."""

from __future__ import annotations

import re
from typing import Any

from aureole.base.html_table import html_table


def table_of_simulation(sim: Any) -> str:
    """Table of a simulation's parts and current step; nothing is computed for it."""
    time = f"{sim.time:.10g} {sim.units.symbol('time')}".rstrip()
    box = " × ".join(f"{length:.5g}" for length in sim.box.lengths)
    rows = [
        ("particles", f"{sim.n:,}"),
        ("box", f"{box} {sim.units.symbol('length')}".rstrip()),
        ("forces", [*map(repr, sim.forces)]),
        ("integrator", repr(sim.integrator)),
        ("observers", [*map(repr, sim.observers)]),
        ("device", f"{sim.device.name}, {sim.device.precision} precision"),
        ("step", f"{sim.step:,}"),
        ("time", time),
        ("remarks", [*sim.remarks, *map(str, sim.notes)]),
    ]
    return html_table("Simulation", rows)


def table_of_energy(energy: Any) -> str:
    """Energies of each force, and their sums."""
    numbers = {**energy.per_force, "potential": energy.potential, "kinetic": energy.kinetic}
    rows = [(name, f"{value:,.6g}") for name, value in {**numbers, "total": energy.total}.items()]
    return html_table(f"Energy [{energy.unit}]" if energy.unit else "Energy", rows)


def table_of_description(text: str) -> str:
    """A description in words, its parts as rows."""
    rows: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(" ") and rows:
            rows[-1][1].append(re.sub(" {3,}", "  ", line.strip()))
        elif line.startswith("on "):
            rows.append(("device", [line.removeprefix("on ")]))
        else:
            name, _, value = line.partition(": ")
            rows.append((name, [value] if value else []))
    (first, _), *others = rows
    return html_table(first, [(name, lines or [""]) for name, lines in others])
