# SPDX-License-Identifier: Apache-2.0
"""Checks the models of this folder with spin: no error but the seeded faults, all of them found.

    python tools/model/run.py [--large] [NAME...]

Without `--large` it takes less than a minute. Needs spin and gcc (Debian: apt install spin gcc).
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
NEEDED = ("spin", "gcc")
_COMPILE = ("-O1", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=4096", "-DMEMLIM=12000")
_DEPTH = 2_000_000


@dataclass(frozen=True)
class Case:
    """A model with its definitions, and whether an error is to be found in it."""

    name: str
    model: str
    definitions: tuple[str, ...] = ()
    wrong: bool = False
    large: bool = False


def right(name: str, model: str, definitions: str = "", large: bool = False) -> Case:
    """A case without errors."""
    return Case(name, model, tuple(definitions.split()), large=large)


def fault(name: str, number: int, model: str, definitions: str = "") -> Case:
    """A case with a seeded fault, by its number in the model."""
    return Case(name, model, (f"FAULT={number}", *definitions.split()), wrong=True)


CASES = [
    right("bell", "bell"),
    fault("no barrier", 1, "bell"),
    fault("barrier of one", 2, "bell"),
    fault("looks first", 3, "bell"),
    fault("bell read late", 4, "bell"),
    fault("wakes without bell", 5, "bell"),
    right("two pulses", "exchange"),
    right("three pulses, links", "exchange", "PULSES=3 LINKS=1"),
    right("one pulse, wishes, links", "exchange", "PULSES=1 WISHES=1 LINKS=1"),
    right("four ranks in a square", "exchange", "RANKS=4"),
    right("two ranks, wishes, three steps", "exchange", "RANKS=2 PULSES=1 WISHES=1 STEPS=3"),
    fault("overwrites landing", 1, "exchange", "PULSES=1"),
    fault("full before data", 2, "exchange"),
    fault("reads before full", 3, "exchange"),
    fault("taken before read", 4, "exchange", "PULSES=1"),
    fault("sends all first", 5, "exchange"),
    fault("overwrites offer", 6, "exchange", "PULSES=1"),
    fault("offer before forces", 7, "exchange"),
    fault("forces taken early", 8, "exchange", "PULSES=1"),
    fault("forces ascending", 9, "exchange"),
    fault("empty is silent", 10, "exchange", "EMPTY=1"),
    fault("epoch goes back", 11, "exchange", "STEPS=3"),
    fault("one word for all", 12, "exchange"),
    fault("keeps ghost force", 13, "exchange"),
    fault("one sum line", 14, "exchange", "WISHES=1"),
    fault("own wish", 15, "exchange", "WISHES=1"),
    fault("no meeting", 16, "exchange", "WISHES=1"),
    fault("link without taken", 17, "exchange", "PULSES=1 LINKS=1"),
    right("fused, two pulses", "fused"),
    right("fused, three ranks", "fused", "RANKS=3 PULSES=1"),
    right("fused, wishes", "fused", "RANKS=3 PULSES=1 STEPS=1 WISHES=1"),
    fault("fused, waits for previous", 1, "fused", "PULSES=3 STEPS=1"),
    fault("fused, full before data", 2, "fused"),
    fault("fused, reads before full", 3, "fused"),
    fault("fused, overwrites landing", 4, "fused", "RANKS=3 PULSES=1 EXCHANGES=1"),
    fault("fused, offers before forces", 5, "fused"),
    fault("fused, offers without later", 6, "fused"),
    fault("fused, offers after one", 7, "fused", "PULSES=3 STEPS=1"),
    fault("fused, overwrites offer", 8, "fused", "RANKS=3 PULSES=1 EXCHANGES=2"),
    fault("fused, own wish only", 9, "fused", "RANKS=4 STEPS=1 WISHES=2"),
    fault("fused, rows in turn", 10, "fused"),
    right("empty pulses", "exchange", "EMPTY=1", large=True),
    right("three pulses, three steps, links", "exchange", "PULSES=3 STEPS=3 LINKS=1", large=True),
    right("four ranks, three steps", "exchange", "RANKS=4 STEPS=3", large=True),
    right("fused, two pulses, wishes", "fused", "WISHES=1", large=True),
    right("fused, three pulses", "fused", "PULSES=3 STEPS=1 EXCHANGES=1", large=True),
    right("fused, three ranks, two pulses", "fused", "RANKS=3 STEPS=1 EXCHANGES=1", large=True),
    right("all of it", "exchange", "PULSES=3 STEPS=3 LINKS=1 WISHES=1", large=True),
]


@dataclass(frozen=True)
class Found:
    """What spin says of a case."""

    case: Case
    error: str  # empty for none
    states: int
    trouble: str = ""  # why it says nothing

    @property
    def expected(self) -> bool:
        """Whether it is what the case demands."""
        return not self.trouble and bool(self.error) == self.case.wrong

    def line(self) -> str:
        """One line for the table."""
        verdict = "as expected" if self.expected else "NOT AS EXPECTED"
        said = self.trouble or self.error[:60] or "no error"
        return f"{self.case.name:34} {self.states:>11,} states  {verdict}: {said}"


def missing() -> list[str]:
    """The programs that are not there."""
    return [program for program in NEEDED if shutil.which(program) is None]


def check(case: Case) -> Found:
    """Verifies one case."""
    with tempfile.TemporaryDirectory() as folder:
        defined = [f"-D{definition}" for definition in case.definitions]
        source = str(FOLDER / f"{case.model}.pml")
        table = "-w26" if case.large else "-w22"
        for command in (
            ["spin", *defined, "-a", source],
            ["gcc", *_COMPILE, "-o", "pan", "pan.c"],
            ["./pan", f"-m{_DEPTH}", table],
        ):
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
            )
            if done.returncode != 0:
                return Found(case, "", 0, f"{command[0]}: {(done.stdout + done.stderr)[-300:]}")
    return _read(case, done.stdout)


def _read(case: Case, said: str) -> Found:
    errors = re.search(r"errors: (\d+)", said)
    states = re.search(r"(\S+) states, stored", said)
    why = re.search(r"^pan:\d+: (.*)", said, re.MULTILINE)
    count = int(float(states.group(1))) if states else 0
    if errors is None:
        return Found(case, "", count, said[-300:])
    if errors.group(1) != "0":
        return Found(case, why.group(1) if why else "an error", count)
    if "Search not completed" in said or "max search depth too small" in said:
        return Found(case, "", count, "the search was not completed")
    return Found(case, "", count)


def chosen(large: bool, names: Sequence[str] = ()) -> list[Case]:
    """The cases to check: those named, otherwise the small ones or all."""
    if names:
        return [case for case in CASES if case.name in names]
    return [case for case in CASES if large or not case.large]


def main() -> int:
    """Checks and prints; 0 if all is as expected, 3 if a program is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also the large cases (minutes, GB)")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these cases only")
    asked = parser.parse_args()
    if lacking := missing():
        print(f"skipped: {' and '.join(lacking)} not found. Install: apt install spin gcc")
        return 3
    cases = chosen(asked.large, asked.names)
    bad = 0
    # Large ones take gigabytes each, and come one by one.
    small = [case for case in cases if not case.large]
    with ThreadPoolExecutor(2) as two:
        for found in two.map(check, small):
            print(found.line(), flush=True)
            bad += not found.expected
    for case in cases:
        if case.large:
            found = check(case)
            print(found.line(), flush=True)
            bad += not found.expected
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
