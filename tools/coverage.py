#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many lines of src/ the fast tier covers, of those that it and the lanes cover together.

A clone of this tree is built with gcov's counters; then the fast tier's tests and those of lanes
run in it. Sanitizers and other instruction sets run the same lines, so the lanes of `build/` are
enough.

    tools/coverage.py make ../covered && tools/coverage.py run ../covered
    tools/coverage.py run ../covered --lanes slow ranks
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from checks import config
from checks.tiers import parse_choice

ROOT = config.TREE
STAGES = ["unit", "hostile", "python"]
COUNTED = "-DCMAKE_CXX_FLAGS=--coverage"
#: Those of a smaller tier; the goal of the checks is 95 % of the larger one's.
GOAL = 0.95

Lines = dict[str, set[int]]


def lanes_of_build() -> list[str]:
    """Lanes whose tests run programs of `build/`."""
    given, names = config.read(), []
    for lane in given.lanes.values():
        folders = {given.ways[parse_choice(choice)[0]].build for choice in lane.cpp}
        in_python = lane.python or lane.whole or lane.rest
        if folders == {"build"} or (in_python and not folders):
            names.append(lane.name)
    return names


def make(folder: Path) -> int:
    """Clones the tree as committed, and builds it with counters."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    targets = ["build", f"CMAKE_ARGS={COUNTED}"]
    done = subprocess.run(["make", "-C", str(folder), *targets], check=False)
    if done.returncode:
        return done.returncode
    command = ["cmake", "--build", "build", "--target", "extended", "faults", "faults_writer"]
    return subprocess.run(command, cwd=folder, check=False).returncode


def lines_of(folder: Path, counters: Path) -> Lines:
    """Lines of src/ without tests that ran, by one object's counters."""
    command = ["gcov", "--json-format", "--stdout", str(counters)]
    done = subprocess.run(command, cwd=counters.parent, capture_output=True, check=True)
    found: Lines = defaultdict(set)
    for text in done.stdout.splitlines():
        report = json.loads(text)
        for file in report["files"]:
            place = Path(report["current_working_directory"]) / file["file"]
            path = Path(os.path.normpath(place))
            if not path.is_relative_to(folder / "src") or "tests" in path.parts:
                continue
            name = path.relative_to(folder).as_posix()
            found[name] |= {line["line_number"] for line in file["lines"] if line["count"]}
    return found


def covered(folder: Path) -> Lines:
    """Lines of src/ that have run since the counters were removed."""
    counters = sorted(folder.glob("build/**/*.gcda"))
    if not counters:
        raise SystemExit(f"{folder} has no counters (nothing has run). Make it first.")
    found: Lines = defaultdict(set)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in pool.map(lambda one: lines_of(folder, one), counters):
            for name, numbers in lines.items():
                found[name] |= numbers
    return found


def lanes(folder: Path, *words: str) -> int:
    command = [".venv/bin/python", "tools/lanes.py", *words, "--no-build"]
    return subprocess.run(command, cwd=folder, check=False).returncode


def run(folder: Path, names: list[str]) -> int:
    """Counts lines of the fast tier, then of lanes too; 1 if the fast tier has too few."""
    for old in folder.glob("build/**/*.gcda"):
        old.unlink()
    subprocess.run(["tools/setup.sh", "fast"], cwd=folder, check=True)
    codes = [lanes(folder, "fast", *STAGES)]
    fast = covered(folder)
    for name in names:
        subprocess.run(["tools/setup.sh", "lane", name], cwd=folder, check=True)
        codes.append(lanes(folder, "run", name))
    everything = covered(folder)
    return tell(fast, everything) or any(codes)


def tell(fast: Lines, everything: Lines) -> int:
    print(f"\n{'lines':>7} {'fast':>7} {'':>7}  layer")
    layers: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, numbers in everything.items():
        for layer in (name.split("/")[1], "src"):
            layers[layer][0] += len(numbers)
            layers[layer][1] += len(fast.get(name, set()) & numbers)
    for layer, (of_all, of_fast) in sorted(layers.items()):
        print(f"{of_all:7} {of_fast:7} {of_fast / of_all:7.2%}  {layer}")
    missing = {n: sorted(of - fast.get(n, set())) for n, of in everything.items()}
    print("\nfiles whose lines the fast tier covers least:")
    for name, numbers in sorted(missing.items(), key=lambda item: -len(item[1]))[:25]:
        if numbers:
            print(f"{len(numbers):5} {name}: {', '.join(map(str, numbers[:20]))}")
    of_all, of_fast = layers["src"]
    print(f"{of_fast / of_all:.2%} of the lines that all cover are covered by the fast tier")
    return 0 if of_fast >= GOAL * of_all else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")
    for name, what in (("make", "a clone with counters"), ("run", "the tests, and the table")):
        one = commands.add_parser(name, help=what)
        one.add_argument("folder", type=Path)
        if name == "run":
            known = lanes_of_build()
            one.add_argument("--lanes", nargs="*", default=known, choices=known, metavar="LANE")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if given.command == "run" and not (folder / "build").is_dir():
        parser.error(f"{folder} has no build. Make it first: tools/coverage.py make {given.folder}")
    return make(folder) if given.command == "make" else run(folder, given.lanes)


if __name__ == "__main__":
    sys.exit(main())
