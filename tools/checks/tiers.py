# SPDX-License-Identifier: Apache-2.0
"""Which tier or lane has a test: by the list of slow tests and the patterns of tests/lanes.toml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .config import Config, Part, Problem
from .globs import name_matches, test_matches

PLACE = "tests/slow.txt"
#: Seconds of processor at factor 1 from which a test is slow.
CPP_LIMIT, PYTHON_LIMIT = 0.2, 0.25
#: Places outside lanes, by the mark that sends a Python test there.
BY_MARK = {"gpu": "make gpu-check", "validate": "make validate"}


def entries(config: Config) -> list[str]:
    place = config.root / PLACE
    lines = place.read_text(encoding="utf-8").splitlines() if place.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


@dataclass(frozen=True)
class Names:
    """Names of tests, most of them exact, so that looking for one is cheap."""

    exact: frozenset[str]
    globs: tuple[str, ...]

    @classmethod
    def of(cls, words: list[str] | tuple[str, ...]) -> Names:
        return cls(frozenset(words), tuple(word for word in words if "*" in word))

    def has(self, *names: str) -> bool:
        return any(n in self.exact or name_matches(n, self.globs) for n in names)


class Tiers:
    def __init__(self, config: Config) -> None:
        self.config = config

    @cached_property
    def _slow(self) -> Names:
        return Names.of(entries(self.config))

    @cached_property
    def _representatives(self) -> Names:
        return Names.of(self.config.representatives)

    def is_representative(self, test: str) -> bool:
        return self._representatives.has(test)

    def listed(self, test: str) -> bool:
        """Whether the list of slow tests has a test: `program:name`, or pytest's name."""
        return self._slow.has(test, test.split("[", 1)[0])

    def cpp_is_slow(self, test: str) -> bool:
        return self.listed(test) and not self.is_representative(test)

    def python_places(self, test: str, marks: set[str] = frozenset()) -> list[str]:
        """All places that have a Python test; exactly one, if all is well."""
        if found := [place for mark, place in BY_MARK.items() if mark in marks]:
            return found[-1:]
        lanes = self.config.lanes.values()
        if found := [
            lane.name
            for lane in lanes
            if test_matches(test, lane.whole) or not marks.isdisjoint(lane.whole)
        ]:
            return found
        if self.is_representative(test) or not self.listed(test):
            return ["fast"]
        found = [lane.name for lane in lanes if test_matches(test, lane.python)]
        return found or [lane.name for lane in lanes if lane.rest]

    def cpp_places(self, way: str, test: str) -> list[str]:
        """All places that run a C++ test in a way."""
        tier = "slow" if self.cpp_is_slow(test) else "fast"
        program = test.split(":", 1)[0]
        parts = (self.config.fast, *self.config.lanes.values())
        return [part.name for part in parts if self.has_cpp(part, way, tier, program)]

    def has_cpp(self, part: Part, way: str, tier: str, program: str) -> bool:
        choices = [choice for choice in map(parse_choice, part.cpp) if choice[0] == way]
        return any(
            tiers in (tier, "all") and name_matches(program, programs)
            for _, tiers, programs in choices
        )

    def elsewhere(self, file: str, place: str) -> bool:
        """Whether another lane has all tests of a file, so that it need not even be read."""
        lanes = self.config.lanes.values()
        return any(lane.name != place and name_matches(file, lane.whole) for lane in lanes)

    def selection(self, part: Part) -> str:
        """What decides which tests a lane has, beside the tests' files: part of its digest."""
        ways = [repr(self.config.ways[w]) for w, *_ in map(parse_choice, part.cpp)]
        lines = [line for line in entries(self.config) if self._concerns(part, line)]
        fast = [f"fast {r}" for r in self.config.representatives if self._lacks(part, r)]
        packages = sorted(part.packages.items())
        chosen = (part.commands, packages, part.cpp, part.python, part.whole, part.rest)
        return "\n".join([repr(chosen), *ways, *sorted(lines), *sorted(fast)])

    def _lacks(self, part: Part, representative: str) -> bool:
        """Whether a lane would have a test if it were no representative."""
        if "::" not in representative:
            return self._concerns(part, representative)
        return part.rest or test_matches(representative, part.python)

    def _concerns(self, part: Part, line: str) -> bool:
        if "::" not in line:
            return any(tier != "all" for _, tier, _ in map(parse_choice, part.cpp))
        return part.name in self.python_places(line)


def parse_choice(choice: str) -> tuple[str, str, tuple[str, ...]]:
    """`way tier [program...]` of a lane's `cpp`."""
    way, *rest = choice.split()
    if not rest or rest[0] not in ("fast", "slow", "all"):
        raise Problem(f"cpp = {choice!r} (it has no tier). Write: way fast|slow|all [program...].")
    return way, rest[0], tuple(rest[1:]) or ("*",)
