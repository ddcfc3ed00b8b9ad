# SPDX-License-Identifier: Apache-2.0
"""A simulation in words: what acts, in which order, and where it runs."""

from __future__ import annotations

from typing import Any

from aureole.system.topology import has_energy

from .mesh import mesh_in_use
from .tables import table_of_description


class Description(dict[str, Any]):
    """Facts about a simulation by name; printed it is a text, as of when it was made."""

    __slots__ = ("_text",)
    _text: str

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return table_of_description(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _described, (dict(self), self._text)


def _described(facts: dict[str, Any], text: str) -> Description:
    found = Description(facts)
    found._text = text
    return found


def describe(sim: Any) -> Description:
    """See `Simulation.describe`."""
    facts = dict(sim._core.describe())
    return _described(facts, text_of(sim, facts))


def text_of(sim: Any, facts: dict[str, Any]) -> str:
    """The parts of a simulation as text, with the engine's own list of the stages of a step."""
    plan = "" if sim.integrator is None else sim._core.plan().rstrip()
    return "\n".join([_head(sim, facts), *_lists(sim), *([plan] if plan else [])])


def _head(sim: Any, facts: dict[str, Any]) -> str:
    where = str(facts.get("description") or facts.get("device", ""))
    parts = [where, str(facts.get("isa", "")), f"{facts.get('precision', '')} precision"]
    box = " × ".join(f"{length:.5g}" for length in sim.box.lengths)
    return "\n".join(
        [
            f"{sim.n:,} particles in a box of {box} {sim.units.symbol('length')}".rstrip(),
            "on " + ", ".join(part for part in parts if part.strip()),
        ]
    )


def _lists(sim: Any) -> list[str]:
    counts = {} if sim.topology is None else sim.topology.counts()
    bonded = [f"{n:,} {kind}" for kind, n in counts.items() if has_energy(kind)]
    rigid = [f"{n:,} {kind}" for kind, n in counts.items() if not has_energy(kind)]
    return [
        *_list("forces", [*map(repr, sim.forces), *bonded]),
        *_list("mesh", [used[1].about(sim.units.physical)] if (used := mesh_in_use(sim)) else []),
        *_list("constraints", [*map(repr, sim.constraints), *rigid]),
        *_list("pair lists", [repr(sim.neighbors)]),
        *_list("integrator", [repr(sim.integrator)] if sim.integrator is not None else []),
        *_list("stages", [repr(spec) for spec in sim.stages]),
        *_list("observers", [repr(spec) for spec in sim.observers]),
        *_list("remarks", [*sim.remarks, *map(str, sim.notes)]),
    ]


def _list(name: str, items: list[str]) -> list[str]:
    return [name, *(f"  {item}" for item in items)] if items else []
