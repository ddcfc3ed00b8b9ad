# SPDX-License-Identifier: Apache-2.0
"""Instructions of kernels, as NVIDIA's disassembler prints them, counted on the path that most
warps take: the shortest one that passes through given instructions."""

from __future__ import annotations

import heapq
import itertools
import re
from dataclasses import dataclass, field

FUNCTION = re.compile(r"\s*\.section\s+\.text\.([^,\s]+)")
LABEL = re.compile(r"\s*(\.L_[\w]+):")
INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]+\*/\s+(.*?)\s*;")
TARGET = re.compile(r"(\.L_\w+)")
PREDICATE = re.compile(r"^@!?U?P\w+\s+")


@dataclass
class Code:
    """Instructions of a function in their order, and where its labels are."""

    lines: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def op(self, k: int) -> str:
        """The name of an instruction, without what it depends on."""
        return PREDICATE.sub("", self.lines[k]).split()[0]

    def has_predicate(self, k: int) -> bool:
        return PREDICATE.match(self.lines[k]) is not None

    def where(self, *heads: str) -> list[int]:
        """Instructions whose names begin so."""
        return [k for k in range(len(self.lines)) if self.op(k).startswith(heads)]

    def target(self, k: int) -> int | None:
        """Where a branch goes to; none of lanes that are not together, which is rare."""
        if not self.op(k).startswith("BRA") or self.op(k).startswith("BRA.DIV"):
            return None
        found = TARGET.findall(self.lines[k])
        return self.labels.get(found[-1]) if found else None

    def next(self, k: int) -> list[int]:
        """Instructions that may follow one."""
        op = self.op(k)
        follows = [] if k + 1 >= len(self.lines) else [k + 1]
        if op.startswith(("EXIT", "RET")):
            return follows if self.has_predicate(k) else []
        target = self.target(k)
        if target is None:
            return follows
        # A branch may depend on a predicate that stands behind its name.
        conditional = self.has_predicate(k) or re.search(r"BRA\S*\s+!?U?P\d", self.lines[k])
        return [*follows, target] if conditional else [target]

    def distances(self, start: int, goals: set[int], leave_out: set[int]) -> dict[int, int]:
        """Instructions from one up to each of the goals, without these."""
        known = {start: 0}
        queue = [(0, start)]
        found: dict[int, int] = {}
        while queue and len(found) < len(goals):
            length, k = heapq.heappop(queue)
            if length > known[k]:
                continue
            if k in goals and (length > 0 or k != start):
                found[k] = length
                if k != start:
                    continue
            cost = 0 if self.op(k) == "NOP" else 1
            for after in self.next(k):
                if after in leave_out:
                    continue
                if after == start and start in goals:
                    found.setdefault(start, length + cost)
                if length + cost < known.get(after, 1 << 60):
                    known[after] = length + cost
                    heapq.heappush(queue, (length + cost, after))
        return found

    def path(self, stops: list[int], leave_out: set[int] | None = None) -> int | None:
        """Instructions of the shortest way through these, or None."""
        total = 0
        for here, there in itertools.pairwise(stops):
            found = self.distances(here, {there}, leave_out or set())
            if there not in found:
                return None
            total += found[there]
        return total


def parse(text: str) -> dict[str, Code]:
    """All functions of a cubin."""
    functions: dict[str, Code] = {}
    code = Code()
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            code = functions.setdefault(match[1], Code())
        elif match := LABEL.match(line):
            code.labels[match[1]] = len(code.lines)
        elif match := INSTRUCTION.match(line):
            code.lines.append(match[1])
    return functions


def groups_of(code: Code, each: int) -> list[list[int]]:
    """So many reciprocals or roots in a row: loops have one for each pair of a lane."""
    at = code.where("MUFU.RSQ") or code.where("MUFU.RCP")
    return [at[k : k + each] for k in range(len(at) - each + 1)]


def tiles(code: Code, _: dict) -> dict[str, float]:
    """A tile, and a j cluster without its four tiles: of the loop that takes the fewest."""
    best: dict[str, float] = {}
    for group in groups_of(code, 4):
        tile = code.path(group)
        sums = code.where("REDG", "RED", "ATOMG")
        if tile is None:
            continue
        to_sum = code.distances(group[-1], set(sums), set())
        ways = [length + back for k, length in to_sum.items()
                if (back := code.path([k, group[0]])) is not None]  # fmt: skip
        if not ways:
            continue
        counted = {"a_tile": tile / 3, "a_j_cluster": tile + min(ways) - 4 * tile / 3}
        if not best or counted["a_tile"] < best["a_tile"]:
            best = counted
    return best


def entries(code: Code, _: dict) -> dict[str, float]:
    """An entry of a row, of which a pass of the loop takes four."""
    found = []
    for group in groups_of(code, 4):
        loop = code.path([*group, group[0]])
        if loop is not None:
            found.append(loop / 4)
    return {"an_entry": min(found)} if found else {}


def particles(code: Code, wanted: dict) -> dict[str, float]:
    """A particle, of which a warp has several: up to the loop with the most atomic sums or loads,
    so many times through it, and through an atomic sum, if one follows, to the end."""
    work = set(code.where("REDG", "RED", "LDG"))
    loops = [(t, k) for k in range(len(code.lines))
             if (t := code.target(k)) is not None and t < k and code.path([t, k])]  # fmt: skip
    head, end = max(loops, key=lambda loop: len(work & set(range(*loop))))
    sums = {k for k in code.where("REDG", "RED") if k > end}
    ends = set(code.where("EXIT"))
    begin, inside = code.path([0, head]), code.path([head, end])
    to_sum = code.distances(end, sums, {head}) if sums else {end: 0}
    after = [length + least for k, length in to_sum.items()
             for least in code.distances(k, ends, {head}).values()]  # fmt: skip
    if begin is None or inside is None or not after:
        return {}
    trips, together = wanted["trips"], wanted["particles_of_a_warp"]
    return {"a_particle": (begin + trips * (inside + 1) + min(after)) / together}


COUNTS = {"tiles": tiles, "entries": entries, "particles": particles}
