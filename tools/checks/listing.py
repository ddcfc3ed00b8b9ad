# SPDX-License-Identifier: Apache-2.0
"""Every test with its tier or lane; those in none and those in two."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from . import gtests
from .config import Config, Problem
from .globs import name_matches
from .tiers import Tiers, entries


def of_cpp(config: Config) -> tuple[dict[str, list[str]], list[str]]:
    """`program:test (way)` -> places, of what is built; and remarks on what is not."""
    tiers, found, remarks = Tiers(config), {}, []
    listed: dict[Path, list[str]] = {}
    for way in config.ways.values():
        try:
            programs = gtests.programs_of(config, way)
        except Problem as problem:
            if way.build == "build" and way.name in ("plain", "hostile", "apart"):
                raise
            remarks.append(f"not listed: {problem}")
            continue
        for program in programs:
            if program not in listed:
                listed[program] = gtests.list_tests(program, way)
            for name in listed[program]:
                if way.has(name):
                    test = f"{program.name}:{name}"
                    found[f"{test} ({way.name})"] = tiers.cpp_places(way.name, test)
    return found, remarks


def of_python(config: Config) -> dict[str, list[str]]:
    """pytest's name -> places."""
    with tempfile.TemporaryDirectory() as folder:
        places = Path(folder) / "places.json"
        command = [config.python, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*command, "--places", str(places)],
            cwd=config.root,
            env=os.environ | {"CI": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not places.exists():
            print(done.stdout[-3000:], done.stderr[-3000:])
            raise Problem("pytest does not collect all tests (above). Build the extension first.")
        return json.loads(places.read_text(encoding="utf-8"))


def stale(config: Config, names: set[str]) -> list[str]:
    """Entries of the slow list and representatives that name no test."""
    short = names | {name.split("[", 1)[0] for name in names}
    found = []
    for entry in (*entries(config), *config.representatives):
        matched = "*" in entry and any(name_matches(name, [entry]) for name in names)
        # A representative is one test, with its parameters.
        if entry not in (names if entry in config.representatives else short) and not matched:
            found.append(entry)
    return found


def tell(config: Config, cpp: bool = True, python: bool = True) -> int:
    """Prints the list; 1 if a test is in no place, or in two."""
    found: dict[str, list[str]] = {}
    remarks: list[str] = []
    if cpp:
        found, remarks = of_cpp(config)
    if python:
        found |= of_python(config)
    for test, places in found.items():
        print(f"{', '.join(places) or 'NONE':14} {test}")
    counts = Counter(place for places in found.values() for place in places)
    print()
    for place, number in sorted(counts.items()):
        print(f"{place:16} {number:6}")
    for remark in remarks:
        print(remark)
    wrong = {test: places for test, places in found.items() if len(places) != 1}
    for test, places in wrong.items():
        print(f"{test} is in {' and '.join(places) if places else 'no tier or lane'}")
    idle: list[str] = []
    if cpp and python:
        for entry in stale(config, {name.split(" (", 1)[0] for name in found}):
            print(f"names no test: {entry}")
            idle += [entry] if entry in config.representatives else []
    for entry in idle:
        print(f"the representative {entry} is no test (its family is not in the fast tier)")
    print(f"{len(found)} tests, {len(wrong)} not in exactly one place")
    return 1 if wrong or idle or not found else 0
