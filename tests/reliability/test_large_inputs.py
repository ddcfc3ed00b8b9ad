# SPDX-License-Identifier: Apache-2.0
"""Memory of large systems: a million particles read in bulk, and a melt under way."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
import water_box

GIGABYTE = 1e9


def loaded(folder: Path, side: int) -> dict[str, float]:
    """What loading side³ waters takes, in a process of its own."""
    water_box.write(folder, side)
    command = [sys.executable, water_box.__file__, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    print(figures)
    assert figures["particles"] == 3 * side**3
    assert math.isfinite(figures["potential"])
    return figures


def test_a_box_of_water(tmp_path: Path) -> None:
    """80 bytes of text a particle may become some hundreds, beside what Python itself takes."""
    few, many = loaded(tmp_path, 8), loaded(tmp_path, 24)
    more = many["particles"] - few["particles"]
    assert many["loaded_bytes"] - few["loaded_bytes"] < 1200 * more


MELT = """
import json, sys
from aureole_bench.cases import melt
from aureole_bench.worker import memory
job = {"task": "memory", "case": "melt", "threads": 4, "steps": 150}
print(json.dumps(memory(job, melt(int(sys.argv[1])))))
"""


def test_a_melt() -> None:
    """At most 450 bytes a particle at a million, on four threads. Of these Python itself takes 44,
    columns 80, the system they came from 28, coordinate blocks 48, force blocks 33, reactions 66
    (of those particles that each thread's pairs have), lists 102, what their search needs 35.
    """
    done = subprocess.run(
        [sys.executable, "-c", MELT, "1000000"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    print({key: value for key, value in figures.items() if key != "described"})
    assert figures["peak"] < 450 * 1_000_000


@pytest.mark.validate
def test_a_million_particles(tmp_path: Path) -> None:
    """Energies of the lattice do not depend on how many of its cells there are, but for shaking."""
    large, small = loaded(tmp_path, 70), loaded(tmp_path, 12)
    assert large["most_bytes"] < 1.5 * GIGABYTE
    each = [one["potential"] / one["particles"] for one in (large, small)]
    assert each[0] == pytest.approx(each[1], rel=0.05)
