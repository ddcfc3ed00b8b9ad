# SPDX-License-Identifier: Apache-2.0
"""What stands in tests/lanes.toml."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

PLACE = "tests/lanes.toml"
TREE = Path(__file__).resolve().parents[2]


class Problem(Exception):
    """What a user can mend; its text is *problem (why) suggestion*."""


@dataclass(frozen=True)
class Way:
    """How GoogleTest programs run: from which build, in which environment, without which tests."""

    name: str
    programs: tuple[str, ...]
    build: str = "build"
    environment: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    fixed_addresses: bool = False  # run by `setarch -R`
    silence: float = 300.0  # seconds without a word after which a program counts as hung
    flags: Mapping[str, str] = field(default_factory=dict)  # program -> flag of the processor


@dataclass(frozen=True)
class Part:
    """A stage of the fast tier, or a lane."""

    name: str
    what: str
    commands: tuple[str, ...]
    budget: float  # seconds of processor at factor 1
    packages: Mapping = field(default_factory=dict)
    own: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    cpp: tuple[str, ...] = ()  # "way tier": C++ tests
    python: tuple[str, ...] = ()  # files (or tests) whose slow tests it has
    whole: tuple[str, ...] = ()  # those that it has whether slow or not
    rest: bool = False  # has slow Python tests that no other lane has


@dataclass(frozen=True)
class Config:
    root: Path
    stages: dict[str, Part]
    lanes: dict[str, Part]
    ways: dict[str, Way]
    fast: Part  # what the stages have together: C++ tests, packages
    representatives: tuple[str, ...]
    unwatched: tuple[str, ...]
    skips: tuple[str, ...]  # reasons for which a test may be skipped

    def part(self, name: str) -> Part:
        if name == "fast":
            return self.fast
        if name not in self.lanes:
            raise Problem(
                f"there is no lane {name} (lanes are {', '.join(self.lanes)}). "
                f"See {PLACE} for what each is."
            )
        return self.lanes[name]

    @property
    def records(self) -> Path:
        """What runs leave for `measure` and for the check of files; git ignores it."""
        return self.root / "build" / "checks"

    @property
    def python(self) -> str:
        inside = self.root / ".venv" / "bin" / "python"
        return str(inside) if inside.exists() else sys.executable


def expand(words: list[str], groups: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Replaces `@name` by the group of that name."""
    found: list[str] = []
    for word in words:
        if not word.startswith("@"):
            found.append(word)
        elif word[1:] in groups:
            found += expand(groups[word[1:]], groups)
        else:
            raise Problem(f"{PLACE}: no group {word} (it is not in [files]). Add it there.")
    return tuple(found)


def part_of(name: str, table: Mapping, groups: Mapping[str, list[str]]) -> Part:
    known = {f.name for f in fields(Part)}
    if odd := set(table) - known:
        raise Problem(f"{PLACE}: {name} has {min(odd)} (not a key). Use one of {sorted(known)}.")
    lists = ("commands", "own", "all", "cpp", "python", "whole")
    values = dict(table) | {key: expand(table.get(key, []), groups) for key in lists}
    return Part(name=name, **({"what": "", "budget": 0.0} | values))


def way_of(name: str, table: Mapping) -> Way:
    tuples = {key: tuple(table[key]) for key in ("programs", "without") if key in table}
    return Way(name=name, **(dict(table) | tuples))


def read(root: Path = TREE) -> Config:
    """The configuration of the tree at `root`."""
    place = root / PLACE
    if not place.exists():
        raise Problem(f"{place} is missing (it defines the lanes). Take it from git.")
    table = tomllib.loads(place.read_text(encoding="utf-8"))
    groups = table.get("files", {})
    fast = dict(table.get("fast", {}))
    stages = fast.pop("stages", {})
    representatives = tuple(fast.pop("representatives", ()))
    return Config(
        root=root,
        stages={name: part_of(name, value, groups) for name, value in stages.items()},
        lanes={name: part_of(name, value, groups) for name, value in table["lanes"].items()},
        ways={name: way_of(name, value) for name, value in table.get("ways", {}).items()},
        fast=part_of("fast", fast, groups),
        representatives=representatives,
        unwatched=expand(table.get("unwatched", []), groups),
        skips=tuple(table.get("skips", ())),
    )


#: For the commands of stages and lanes: nothing is built; the first failure ends a run of tests.
NO_BUILD, FIRST_FAILURE = "AUREOLE_CHECK_NO_BUILD", "AUREOLE_CHECK_FIRST_FAILURE"


def jobs() -> int:
    """Processes that run at the same time."""
    return int(os.environ.get("JOBS") or len(os.sched_getaffinity(0)))
