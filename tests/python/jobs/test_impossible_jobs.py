# SPDX-License-Identifier: Apache-2.0
"""Jobs whose particles have no place to go: an error by name, never a crash or a hang."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from mdrun_inputs import rigid


def changed(path: Path, change) -> None:
    """The .gro file with other coordinates: `change` maps a row's number and text to its text."""
    lines = path.read_text().splitlines()
    n = int(lines[1])
    for i in range(n):
        lines[2 + i] = lines[2 + i][:20] + change(i, lines[2 + i][20:])
    path.write_text("\n".join(lines) + "\n")


def zeros(files) -> None:
    changed(Path(files[0]), lambda i, row: "   0.0000" * 3)


def coincident(files) -> None:
    first: list[str] = []

    def change(i, row):
        first.append(row)
        return first[0] if i == 1 else row

    changed(Path(files[0]), change)


def distant(files) -> None:
    changed(Path(files[0]), lambda i, row: "  1.0e+30" + row[9:] if i == 0 else row)


def order(files) -> None:
    path = Path(files[2])
    path.write_text(path.read_text() + "lincs-order = 1000000000\n")


CASES = {
    zeros: "particle|water|box",
    coincident: "particle [01] .*settle with particle",
    distant: "particle|coordinate|number",
    order: "lincs-order = 1000000000",
}


@pytest.mark.parametrize("spoil", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_named(here, spoil, algorithm):
    """In a process of its own, as a crash would take the tests along."""
    files = rigid(here)
    spoil(files)
    words = (
        "import sys, aureole as au\n"
        f"sim = au.from_gromacs(*sys.argv[1:], device=au.Device(algorithm={algorithm!r}))\n"
        "sim.run(20)\n"
        "print(sim.energy)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", words, *map(str, files)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    last = done.stderr.strip().splitlines()[-1]
    assert re.search(CASES[spoil], last), last
    assert "rror" in last, last


def test_a_blow_up_names_the_last_checkpoint(here):
    files = rigid(here)
    sim = au.from_gromacs(*files, threads=1, observers=[au.Checkpoint("state.ckpt", every=5)])
    sim.run(5)
    velocity = sim.get("velocity")
    velocity[4] = (1e6, 0.0, 0.0)
    sim.set("velocity", velocity)
    with pytest.raises(
        au.BlowUpError,
        match=r"particle \d.* The last checkpoint is .*state.ckpt, written at step 5\.",
    ):
        sim.run(5)
