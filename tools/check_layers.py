#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that a layer includes only what lies below it, and that no includes form a ring.

The order stands in src/layers.txt. Exit status 1, with one line per offence, if it is broken.
"""

import argparse
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".inc"}


class Order:
    """Rank of every layer, and of the listed parts inside layers."""

    def __init__(self, text: str):
        self.rank: dict[str, int] = {}
        for number, line in enumerate(text.splitlines()):
            for name in line.split("#")[0].split():
                if name in self.rank:
                    raise SystemExit(f"src/layers.txt: {name} is listed twice")
                self.rank[name] = number

    def layer(self, path: str) -> str:
        return path.split("/")[0]

    def part(self, path: str) -> str | None:
        """The listed part of a layer that a file belongs to: its folder or its stem."""
        pieces = path.split("/")
        if len(pieces) < 2:
            return None
        name = f"{pieces[0]}/{pieces[1].split('.')[0]}"
        return name if name in self.rank else None

    def unlisted(self, path: str) -> str | None:
        """The part that a file belongs to, if its layer has parts and this is none of them."""
        pieces = path.split("/")
        ranked = any(name.startswith(f"{pieces[0]}/") for name in self.rank)
        if len(pieces) < 2 or not ranked or pieces[1] == "tests" or self.part(path):
            return None
        return f"{pieces[0]}/{pieces[1].split('.')[0]}"

    def offence(self, source: str, target: str) -> str | None:
        """Why `source` must not include `target` (paths relative to src/), or None."""
        ours, theirs = self.layer(source), self.layer(target)
        if theirs not in self.rank:
            return f"{theirs} is no layer of src/layers.txt"
        if ours != theirs:
            if self.rank[theirs] < self.rank[ours]:
                return None
            sibling = self.rank[theirs] == self.rank[ours]
            relation = "is a sibling of" if sibling else "lies above"
            return f"layer {theirs} {relation} layer {ours}"
        ours, theirs = self.part(source), self.part(target)
        in_test = "/tests/" in source  # a test of a part may set the stage with later parts
        if ours is None or theirs is None or ours == theirs or in_test:
            return None
        if self.rank[theirs] < self.rank[ours]:
            return None
        return f"{theirs} does not lie below {ours}"


def read_includes(src: Path) -> dict[str, list[str]]:
    """Project files (relative to src/) and what each includes, resolved."""
    files = sorted(p for p in src.rglob("*") if p.suffix in SUFFIXES and p.is_file())
    graph = {}
    for path in files:
        name = path.relative_to(src).as_posix()
        found = []
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            beside = (path.parent / include).resolve()
            if (src / include).is_file():
                found.append(Path(include).as_posix())
            elif beside.is_file() and beside.is_relative_to(src):
                found.append(beside.relative_to(src).as_posix())
        graph[name] = found
    return graph


def find_rings(graph: dict[str, list[str]]) -> list[list[str]]:
    """Include rings, each as the files along it (depth-first, one per back edge)."""
    rings, done, trail = [], set(), []

    def visit(node: str) -> None:
        if node in trail:
            rings.append([*trail[trail.index(node) :], node])
            return
        if node in done:
            return
        trail.append(node)
        for target in graph.get(node, []):
            visit(target)
        trail.pop()
        done.add(node)

    sys.setrecursionlimit(10_000)
    for node in graph:
        visit(node)
    return rings


def check(src: Path) -> list[str]:
    """All offences below `src`, as printable lines."""
    order = Order((src / "layers.txt").read_text(encoding="utf-8"))
    graph = read_includes(src)
    problems = []
    for source, targets in graph.items():
        if "/" in source and order.layer(source) not in order.rank:
            problems.append(f"{source}: {order.layer(source)} is no layer of src/layers.txt")
            continue
        unlisted = order.unlisted(source)
        if unlisted:
            problems.append(f"{source}: {unlisted} is not listed in src/layers.txt")
        for target in targets:
            why = order.offence(source, target)
            if why:
                problems.append(f"{source} includes {target} ({why})")
    problems += ["ring: " + " -> ".join(ring) for ring in find_rings(graph)]
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parent.parent / "src"
    parser.add_argument("src", nargs="?", type=Path, default=default)
    src = parser.parse_args().src.resolve()
    problems = check(src)
    for line in problems:
        print(line, file=sys.stderr)
    files = len(read_includes(src))
    print(f"layers: {files} files, {len(problems)} offences")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
