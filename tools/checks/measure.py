# SPDX-License-Identifier: Apache-2.0
"""Turns the recorded times of tests into the list of slow ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from . import machine, tiers
from .config import Config, Problem
from .globs import name_matches, test_matches
from .records import Records

HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Written by `tools/lanes.py measure` from the times of the last runs: tests that take more than
# 0.2 s (C++) or 0.25 s (Python) of processor at factor 1. With all parameters slow, a test has
# one entry.
"""
#: A listed test leaves the list below the limit times this, so that few go to and fro.
LEAVES_BELOW = 0.75


def is_python(test: str) -> bool:
    return "::" in test


def limit_of(test: str) -> float:
    return tiers.PYTHON_LIMIT if is_python(test) else tiers.CPP_LIMIT


def family(test: str) -> str:
    """The entry that a test and those with other parameters collapse to."""
    if is_python(test):
        return test.split("[", 1)[0]
    program, _, name = test.partition(":")
    return f"{program}:{name.rpartition('/')[0]}/*" if name.count("/") and "." in name else test


def recorded(config: Config) -> dict[str, float]:
    """Test -> seconds of processor at factor 1, of all stages and lanes that were run."""
    found: dict[str, float] = {}
    factor = machine.factor(config)
    for folder in sorted(config.records.iterdir()) if config.records.exists() else []:
        if not folder.is_dir():
            continue
        for record in Records(folder).of("tests"):
            if record["way"] not in ("pytest", "plain", "hostile", "apart"):
                continue
            for test, seconds in record["seconds"].items():
                found[test] = max(seconds / factor, found.get(test, 0.0))
    return found


def collapse(slow: set[str], fast: set[str]) -> set[str]:
    """Families of which all are slow stand for their members."""
    members: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for at, names in enumerate((fast, slow)):
        for name in names:
            members[family(name)][at] += 1
    found = set()
    for name in slow:
        few, many = members[family(name)]
        found.add(family(name) if few == 0 and many > 1 else name)
    return found


def slow_list(old: Iterable[str], seconds: Mapping[str, float]) -> list[str]:
    """The new list: by times where there are some, as it was for other tests."""
    listed = tiers.Names.of(list(old))
    slow, fast = set(), set()
    for test, time in seconds.items():
        was = listed.has(test, test.split("[", 1)[0])
        bound = limit_of(test) * (LEAVES_BELOW if was else 1.0)
        (slow if time > bound else fast).add(test)
    new = collapse(slow, fast)
    covered = {family(test) for test in seconds} | set(seconds)
    for entry in listed.exact:
        if entry in covered or any(name_matches(test, [entry]) for test in seconds if "*" in entry):
            continue
        new.add(entry)
    return sorted(new)


def write(config: Config) -> int:
    seconds = recorded(config)
    if not seconds:
        raise Problem("no times of tests are recorded (build/checks). Run `make check` first.")
    old = tiers.entries(config)
    whole = [glob for lane in config.lanes.values() for glob in lane.whole]
    new = [entry for entry in slow_list(old, seconds) if not test_matches(entry, whole)]
    (config.root / tiers.PLACE).write_text(HEAD + "\n".join(new) + "\n", encoding="utf-8")
    for name in sorted(set(old) ^ set(new)):
        print(f"{'+' if name in new else '-'} {name}")
    print(f"{tiers.PLACE}: {len(new)} entries, from the times of {len(seconds)} tests")
    return 0
