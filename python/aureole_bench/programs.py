# SPDX-License-Identifier: Apache-2.0
"""Programs of ours, built on request, that print what they measured as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from aureole.base.errors import bad_input

from aureole_bench.engines import PeerFailed, cpus, last_lines, run_program

LIMIT = 1800.0  # seconds


def of_tree(name: str) -> Path:
    """The program of the source tree: that with this file in it, or the current folder."""
    tree = Path(__file__).parents[2]
    return (tree if (tree / "CMakeLists.txt").exists() else Path()) / "build" / name


def results(target: str, program: Path, *words: str) -> dict[str, Any]:
    """What the program of a target of CMake printed.

    Raises InputError where it is missing, PeerFailed where it fails.
    """
    if not (program.is_file() and os.access(program, os.X_OK)):
        raise bad_input(
            f"{program} cannot be run",
            "it is missing or not executable",
            "In the source tree build it (cmake --preset native -B build && cmake --build build "
            f"--target {target}; for GPUs with -DAUREOLE_GPU=cuda or hip), and run this there, or "
            "name it with --program",
        )
    command = [str(program.absolute()), *words]
    said = run_program(command, on=cpus(), folder=Path.cwd(), limit=LIMIT)
    try:
        found = json.loads(said[said.index("{\n") :])
    except ValueError:
        raise PeerFailed(f"{program} printed no JSON ({last_lines(said)}).", said) from None
    return dict(found)
