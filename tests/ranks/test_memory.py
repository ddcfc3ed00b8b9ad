# SPDX-License-Identifier: Apache-2.0
"""Memory of ranks: each has its own part, however the simulation was set up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RANKS = 8
EACH = 60.0  # MB of a process without particles


def taken(particles: int, ranks: int, steps: int) -> list[dict[str, float]]:
    """Memory of each rank [MB]; see memory.py."""
    words = [str(HERE / "memory.py"), str(particles), str(ranks), str(steps)]
    paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    found: Any = json.loads(done.stdout)
    return list(found)


def check(particles: int, steps: int) -> None:
    one = taken(particles, 1, steps)[0]["Pss"]
    many = [rank["Pss"] for rank in taken(particles, RANKS, steps)]
    print(f"{particles} particles: one rank {one:.0f} MB, {RANKS} ranks", *map(round, many))
    assert max(many[1:]) <= 1.4 / RANKS * one + EACH


@pytest.mark.validate
def test_a_follower_has_memory_for_its_part_of_a_million_particles() -> None:
    check(1_000_000, 20)
