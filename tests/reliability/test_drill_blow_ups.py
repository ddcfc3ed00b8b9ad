# SPDX-License-Identifier: Apache-2.0
"""A disaster in one of many particles is found soon, and its report names who, where and when."""

from __future__ import annotations

from typing import Any

import pytest
from drill import Server
from drill_injections import WAYS, WITHIN

# What may be to blame besides the pair force: the particle's own motion.
FORCES = {
    "overlap": ("LennardJones",),
    "jump": ("LennardJones",),
    "huge parameter": ("LennardJones",),
    "nan velocity": ("velocity",),
    "throw": ("velocity",),
}


def problem(way: str, outcome: dict[str, Any]) -> str | None:
    """What is wrong with a report, or None."""
    text = outcome["text"]
    if outcome["error"] == "InputError":  # refused at the door: there was no step
        named = outcome["victims"][0] in outcome["particles"] or way == "huge parameter"
        return None if named else f"does not name the particle: {text}"
    if outcome["error"] != "BlowUpError":
        return f"not found in {WITHIN} steps: {outcome}"
    if outcome["step"] is None or not 0 <= outcome["step"] - outcome["first"] <= WITHIN:
        return f"step {outcome['step']} after {outcome['first']}: {text}"
    if not any(force in text for force in FORCES[way]):
        return f"names no force: {text}"
    if outcome["victims"][0] not in outcome["particles"]:
        return f"does not name {outcome['victims']}: {text}"
    pair = way in ("overlap", "jump")
    if pair and set(outcome["particles"][:2]) != set(outcome["victims"]):
        return f"does not name both of {outcome['victims']}: {text}"
    return None


def inject(server: Server, way: str, seed: int, threads: int = 1) -> dict[str, Any]:
    answer = server.ask("blow_up", way=way, seed=seed, threads=threads)
    assert answer["status"] == 0, f"{way} {seed}: {answer}"
    return answer["result"]


def drill(server: Server, way: str, seeds: range) -> None:
    problems = []
    for seed in seeds:
        first = inject(server, way, seed)
        if found := problem(way, first):
            problems.append(f"{way}, seed {seed}: {found}")
        again = inject(server, way, seed, threads=1 + seed % 2)
        if again["text"] != first["text"]:
            problems.append(f"{way}, seed {seed}: {first['text']} / {again['text']}")
    assert not problems, f"{len(problems)} of {len(seeds)}:\n" + "\n".join(problems)


@pytest.mark.parametrize("way", WAYS)
def test_some_injections(server: Server, way: str) -> None:
    drill(server, way, range(3))


@pytest.mark.validate
@pytest.mark.parametrize("way", WAYS)
def test_a_hundred_injections(server: Server, way: str) -> None:
    drill(server, way, range(20))
