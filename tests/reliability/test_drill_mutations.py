# SPDX-License-Identifier: Apache-2.0
"""Mutated inputs: no crash, no hang, no flood of memory, no energy that is not a number."""

from __future__ import annotations

from pathlib import Path

import drill_mutations
import drill_trajectories
import pytest
from drill import Server
from resigned import xxhash_library

GIGABYTE = 2**30
KINDS = list(drill_mutations.FORMATS)
BATCH = 250


def read_mutated(server: Server, kind: str, count: int) -> dict[str, int]:
    """What became of `count` inputs of a format; fails on anything but refusal or acceptance."""
    if kind in ("mended", "molecules") and xxhash_library() is None:
        pytest.skip("libxxhash.so.0 is not installed; apt-get install libxxhash-dev brings it")
    folder = server.fresh(kind)
    if kind in ("xtc", "trr"):
        drill_trajectories.prepare(Path(folder), kind)
    counts: dict[str, int] = {}
    problems = []
    for first in range(0, count, BATCH):
        answer = server.ask(
            "read_inputs",
            format=kind,
            folder=folder,
            first=first,
            count=min(BATCH, count - first),
            memory=GIGABYTE,
            limit=300.0,
        )
        if answer["status"] != 0:
            seed = (server.notes / "seed").read_text()
            problems.append(f"seed {seed}: signal {answer['signal']}: {answer['output']}")
            continue
        problems += answer["result"]["problems"]
        for verdict, number in answer["result"]["counts"].items():
            counts[verdict] = counts.get(verdict, 0) + number
    assert not problems, f"{len(problems)} of {count}:\n" + "\n".join(problems[:10])
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_some_mutated_inputs(server: Server, kind: str) -> None:
    count = 150 if kind == "molecules" else 500  # those take ten times as long
    counts = read_mutated(server, kind, count)
    assert counts["refused"] > 0.3 * count
    # Otherwise the mutations do not get past the container.
    assert kind == "checkpoint" or counts["accepted"] > 0.04 * count


@pytest.mark.validate
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_mutated_inputs(server: Server, kind: str) -> None:
    print(kind, read_mutated(server, kind, 10_000))
