#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random systems of OpenMM: draw, convert, compare with OpenMM's Reference platform.

    tests/random_openmm/run_openmm.py --seed 7 --count 1000 --jobs 2    a thousand systems
    tests/random_openmm/run_openmm.py --system 7000123                  one of them again

A failure prints the number of its system.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from beside_openmm import Outcome, examine
from openmm_systems import STRIDE


def numbers_of(seed: int, count: int) -> range:
    """Numbers of the systems of a seed."""
    return range(seed * STRIDE, seed * STRIDE + count)


def outcomes_of(numbers: Sequence[int], jobs: int) -> list[Outcome]:
    """What came of each, by so many processes."""
    if jobs <= 1:
        return [examine(number) for number in numbers]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(examine, numbers, chunksize=8))


def described(outcome: Outcome) -> str:
    """A failure as lines: how to make it again, and what it was."""
    lines = [f"system {outcome.number} fails: run_openmm.py --system {outcome.number}"]
    return "\n".join(lines + [f"  {text}" for text in outcome.failures])


def summary(outcomes: Sequence[Outcome], seconds: float = 0.0) -> str:
    """Counts of all, and reasons."""
    failed = [one for one in outcomes if one.failures]
    refused = Counter(_reason(one.refused) for one in outcomes if one.refused)
    equal = sum(not (one.refused or one.failures) for one in outcomes)
    lines = [
        f"{len(outcomes)} systems in {seconds:.0f} s: {equal} equal, {refused.total()} refused, "
        f"{len(failed)} fail; {sum(one.ran for one in outcomes)} were run some steps"
    ]
    lines += [f"  {count} refused: {why}" for why, count in refused.most_common(40)]
    told = Counter(_reason(text) for one in outcomes for text in one.remarks)
    return "\n".join(lines + [f"  {count} told: {what}" for what, count in told.most_common(12)])


def _reason(text: str) -> str:
    """The part of a message that systems share: without numbers."""
    return re.sub(r"-?\d+(\.\d+)?(e[+-]\d+)?", "#", text)[:140]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="which systems")
    parser.add_argument("--count", type=int, default=100, help="how many")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--system", type=int, action="append", help="only this one; repeatable")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    outcomes = outcomes_of(given.system or numbers_of(given.seed, given.count), given.jobs)
    for outcome in outcomes:
        if outcome.failures:
            print(described(outcome), flush=True)
        elif given.system:
            print(outcome)
    print(summary(outcomes, time.monotonic() - began))
    return 1 if any(outcome.failures for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
