# SPDX-License-Identifier: Apache-2.0
"""What stands in tests/lanes.toml."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from .globs import name_matches

PLACE = "tests/lanes.toml"
TREE = Path(__file__).resolve().parents[2]
#: Kinds of packages that tools/setup.sh installs.
PACKAGES = {"apt", "pip", "apart"}


class Problem(Exception):
    """What a user can mend; its text is *problem (why) suggestion*."""


@dataclass(frozen=True)
class Way:
    """How GoogleTest programs run: from which build, in which environment, which tests."""

    name: str
    programs: tuple[str, ...]
    build: str = "build"
    environment: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()  # reasons beside those of the whole file
    fixed_addresses: bool = False  # run by `setarch -R`
    silence: float = 300.0  # seconds without a word after which a program counts as hung
    flags: Mapping[str, str] = field(default_factory=dict)  # program -> flag of the processor

    def has(self, test: str) -> bool:
        """Whether a test of its programs runs in it."""
        return name_matches(test, self.only) and not name_matches(test, self.without)


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
    by_hand: str = ""  # why CI does not run it


@dataclass(frozen=True)
class OutOfSight:
    """What fast tests must not see, beside packages that `make test` does not install."""

    programs: tuple[str, ...] = ()  # patterns of names on PATH
    folders: tuple[str, ...] = ()  # patterns of absolute names
    variables: tuple[str, ...] = ()  # patterns of names


@dataclass(frozen=True)
class Config:
    root: Path
    stages: dict[str, Part]
    lanes: dict[str, Part]
    ways: dict[str, Way]
    fast: Part  # what the stages have together: C++ tests, packages
    out_of_sight: OutOfSight
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


def expand(words: list[str], groups: Mapping[str, list[str]], depth: int = 0) -> tuple[str, ...]:
    """Replaces `@name` by the group of that name."""
    found: list[str] = []
    for word in words:
        if not word.startswith("@"):
            found.append(word)
        elif word[1:] in groups:
            demand(depth < 20, word, "has itself")
            found += expand(groups[word[1:]], groups, depth + 1)
        else:
            raise Problem(f"{PLACE}: no group {word} (it is not in [files]). Add it there.")
    return tuple(found)


def demand(holds: bool, name: str, what: str) -> None:
    if not holds:
        raise Problem(f"{PLACE}: {name} {what}. See the top of the file.")


def are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


def is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9


def check_keys(name: str, table: object, kind: type) -> None:
    demand(isinstance(table, dict), name, "is no table")
    known = {f.name for f in fields(kind)} - {"name"}
    if odd := set(table) - known:
        raise Problem(f"{PLACE}: {name} has {min(odd)} (not a key). Use one of {sorted(known)}.")


def part_of(name: str, table: Mapping, groups: Mapping[str, list[str]]) -> Part:
    check_keys(name, table, Part)
    lists = ("commands", "own", "all", "cpp", "python", "whole")
    for key in lists:
        demand(are_words(table.get(key, [])), name, f"has a {key} that is no list of words")
    packages = table.get("packages", {})
    demand(isinstance(packages, dict), name, "has packages that are no table")
    demand(packages.keys() <= PACKAGES, name, f"has packages that are none of {sorted(PACKAGES)}")
    demand(all(map(are_words, packages.values())), name, "has packages that are no list of words")
    demand(isinstance(table.get("by_hand", ""), str), name, "has a by_hand that is no reason")
    if name != "fast":
        demand(bool(table.get("commands")), name, "has no commands (it would pass)")
        demand(is_positive(table.get("budget")), name, "has no budget")
    values = dict(table) | {key: expand(table.get(key, []), groups) for key in lists}
    return Part(name=name, **({"what": "", "budget": 0.0} | values))


def lane_of(name: str, table: Mapping, groups: Mapping[str, list[str]]) -> Part:
    # It names a folder, beside those of the stages.
    demand(bool(re.fullmatch(r"(?!fast\b|flags$)[\w-]+", name)), name, "is no name for a lane")
    return part_of(name, table, groups)


def way_of(name: str, table: Mapping) -> Way:
    check_keys(name, table, Way)
    demand(bool(table.get("programs")), name, "has no programs")
    lists = ("programs", "only", "without", "skips")
    for key in lists:
        demand(are_words(table.get(key, [])), name, f"has a {key} that is no list of words")
    for key in ("environment", "flags"):
        given = table.get(key, {})
        well = isinstance(given, dict) and all(isinstance(word, str) for word in given.values())
        demand(well, name, f"has an {key} that is no table of words")
    demand(is_positive(table.get("silence", 1)), name, "has a silence that is no time")
    tuples = {key: tuple(table[key]) for key in lists if key in table}
    return Way(name=name, **(dict(table) | tuples))


def out_of_sight_of(table: object) -> OutOfSight:
    name = "fast.out_of_sight"
    check_keys(name, table, OutOfSight)
    for key, words in table.items():
        demand(are_words(words), name, f"has {key} that are no list of words")
    return OutOfSight(**{key: tuple(words) for key, words in table.items()})


def read(root: Path = TREE) -> Config:
    """The configuration of the tree at `root`."""
    place = root / PLACE
    if not place.exists():
        raise Problem(f"{place} is missing (it defines the lanes). Take it from git.")
    try:
        table = tomllib.loads(place.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Problem(f"{PLACE} cannot be read ({error}). Mend it there.") from None
    for key in ("files", "fast", "ways", "lanes"):
        demand(isinstance(table.get(key, {}), dict), key, "is no table")
    groups = table.get("files", {})
    fast = dict(table.get("fast", {}))
    stages, unseen = fast.pop("stages", {}), fast.pop("out_of_sight", {})
    lists = {"fast.representatives": fast.pop("representatives", [])}
    lists |= {key: table.get(key, []) for key in ("unwatched", "skips")}
    for name, words in (lists | groups).items():
        demand(are_words(words), name, "is no list of words")
    demand(bool(table.get("lanes")), "lanes", "are none (all would be proven)")
    made = Config(
        root=root,
        stages={name: part_of(name, value, groups) for name, value in stages.items()},
        lanes={name: lane_of(name, value, groups) for name, value in table["lanes"].items()},
        ways={name: way_of(name, value) for name, value in table.get("ways", {}).items()},
        fast=part_of("fast", fast, groups),
        out_of_sight=out_of_sight_of(unseen),
        representatives=tuple(lists["fast.representatives"]),
        unwatched=expand(lists["unwatched"], groups),
        skips=tuple(lists["skips"]),
    )
    for part in (made.fast, *made.lanes.values()):
        for choice in part.cpp:
            way = choice.split()[0] if choice.split() else choice
            demand(way in made.ways, part.name, f"has the way {way!r}, which is none of [ways]")
    return made


#: For the commands of stages and lanes: nothing is built; the first failure ends a run of tests.
NO_BUILD, FIRST_FAILURE = "AUREOLE_CHECK_NO_BUILD", "AUREOLE_CHECK_FIRST_FAILURE"


def jobs() -> int:
    """Processes that run at the same time."""
    given = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
    if not given.isdecimal() or int(given) < 1:
        raise Problem(f"JOBS={given} (it is a number of processes). Use 1 or more.")
    return int(given)
