# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -cpi` in parts on any number of ranks: the files of one run, without a gap."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from aureole.formats.read_trajectory import frames_of
from mdrun_inputs import mdrun, rows
from systems import SETTINGS, Library

STEPS, EVERY = 60, 5
PARTS = {4: 10, 1: 10, 2: 7, 3: 13, 8: 10}  # steps by ranks; the rest on 4 ranks again
OUTPUT = {
    "nsteps": str(STEPS),
    "nstxout-compressed": str(EVERY),
    "nstenergy": str(EVERY),
    "nstcalcenergy": str(EVERY),
    "nstlog": str(EVERY),
    "compressed-x-precision": "100000",
}


def part(ranks: int, *words: object) -> None:
    done = mdrun("-deffnm", "run", "-precision", "double", "-ntmpi", ranks, *words)
    assert ranks == 1 or f"{ranks} ranks" in done.stdout


def outcome() -> tuple[set[str], dict[str, np.ndarray], list[Any]]:
    """Names of the files here but for kept generations, the table, the frames."""
    names = {path.name for path in Path().iterdir() if not path.name.startswith((".", "#"))}
    return names - {"run.cpt.prev"}, rows("run.csv"), list(frames_of("run.xtc"))


def test_a_chain_of_restarts_leaves_the_files_of_one_run(library: Library, here: Path) -> None:
    files = library.files("mesh", (2, 2, 2), SETTINGS["mesh"] | OUTPUT)
    seen = {}
    for folder in ("straight", "chain"):
        (here / folder).mkdir()
        for file in files:
            shutil.copy(file, here / folder)
    with contextlib.chdir(here / "straight"):
        part(1)
        seen["straight"] = outcome()
    with contextlib.chdir(here / "chain"):
        words: tuple[object, ...] = ()
        for ranks, steps in PARTS.items():
            part(ranks, "-nsteps", steps, *words)
            words = ("-cpi",)
        part(4, "-cpi")
        seen["chain"] = outcome()
    (names, table, frames), (others, again, later) = seen["straight"], seen["chain"]
    assert names == others
    assert list(table) == list(again)
    np.testing.assert_array_equal(again["step"], np.arange(0, STEPS + 1, EVERY))
    for name, column in table.items():
        scale = max(1.0, float(np.abs(column).max()))
        np.testing.assert_allclose(again[name], column, atol=1e-6 * scale, err_msg=name)
    assert [one.step for one in later] == list(range(0, STEPS + 1, EVERY))
    for one, other in zip(frames, later, strict=True):
        np.testing.assert_allclose(other.position, one.position, atol=3e-5)
