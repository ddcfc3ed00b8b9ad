#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random jobs: draw, run, check.

    tests/random_jobs/run.py --seed 7 --count 1000 --jobs 2      a thousand jobs
    tests/random_jobs/run.py --job 7000123                       one of them again
    tests/random_jobs/run.py --job 7000123 --shrink here         and made small, as files in here/

A failure prints the number of its job; the files of a small job that fails likewise are left in
random-jobs/NUMBER, with run.sh and recipe.json.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from properties import NAMES, OWN, Outcome, examine, made, recipe_of_job
from shrink import fails_by, shrunk
from workers import run_jobs

STRIDE = 1_000_000  # jobs of one seed


def numbers_of(seed: int, count: int) -> range:
    """Numbers of the jobs of a seed."""
    return range(seed * STRIDE, seed * STRIDE + count)


def described(outcome: Outcome) -> str:
    """A failure as lines: how to make it again, and what it was."""
    lines = [f"job {outcome.job} fails: tests/random_jobs/run.py --job {outcome.job}"]
    return "\n".join(lines + [f"  {name}: {text}" for name, text in outcome.failures])


def keep_small(number: int, outcome: Outcome, folder: Path, seconds: float) -> str:
    """Write a small job that fails as this one does; which property that is, and where."""
    name, text = outcome.failures[0]
    if name not in NAMES:
        return f"  {name} cannot be shrunk"
    folder.mkdir(parents=True, exist_ok=True)
    small = shrunk(recipe_of_job(number), fails_by(name, text), seconds)
    made(small, folder)
    with tempfile.TemporaryDirectory(prefix="aureole-random-") as other:
        again = examine(number, small, Path(other), (name,))
    words = "\n".join(f"  {text}" for _, text in again.failures)
    return f"  a small job with the same fault of {name} is in {folder}:\n{words}"


def summary(outcomes: Sequence[Outcome], seconds: float) -> str:
    """Counts of all, and reasons."""
    failed = [one for one in outcomes if one.failures]
    refused = Counter(_reason(one.refused) for one in outcomes if one.refused)
    left_out = Counter(
        f"{name}: {_reason(why)}" for one in outcomes for name, why in one.left_out.items()
    )
    lines = [
        f"{len(outcomes)} jobs in {seconds:.0f} s: {len(failed)} fail, "
        f"{sum(refused.values())} are refused"
    ]
    lines += [f"  {count} refused: {why}" for why, count in refused.most_common(12)]
    lines += [f"  {count} without {what}" for what, count in left_out.most_common(12)]
    return "\n".join(lines)


def _reason(text: str) -> str:
    """The part of a message that jobs share: without file, line and numbers."""
    words = text.split("error ")[-1]
    return "".join("#" if letter.isdigit() else letter for letter in words)[:110]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="which jobs")
    parser.add_argument("--count", type=int, default=40, help="how many")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--job", type=int, action="append", help="only this one; may be repeated")
    parser.add_argument("--only", default="", help="properties, such as restart,lists")
    parser.add_argument("--without-gromacs", action="store_true", help="leave that property out")
    parser.add_argument("--shrink", type=Path, default=Path("random-jobs"), help="folder")
    parser.add_argument("--seconds", type=float, default=60.0, help="to shrink one job in")
    given = parser.parse_args(arguments)
    wanted = tuple(given.only.split(",")) if given.only else OWN if given.without_gromacs else NAMES
    numbers = given.job or list(numbers_of(given.seed, given.count))
    began, outcomes = time.monotonic(), []
    for outcome in run_jobs(numbers, wanted, given.jobs):
        outcomes.append(outcome)
        if outcome.refused and given.job:
            print(f"job {outcome.job} is refused: {outcome.refused}", flush=True)
        if outcome.failures:
            print(described(outcome), flush=True)
    spent = time.monotonic() - began
    for outcome in outcomes:
        if outcome.failures and given.seconds > 0:
            folder = given.shrink / str(outcome.job)
            print(f"job {outcome.job}:\n{keep_small(outcome.job, outcome, folder, given.seconds)}")
    print(summary(outcomes, spent))
    return 1 if any(outcome.failures for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
