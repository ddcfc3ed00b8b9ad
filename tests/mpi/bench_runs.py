# SPDX-License-Identifier: Apache-2.0
"""Runs of aureole-mpi-bench on emulated devices, also of one with a planted fault.

What `aureole bench` makes of them is tested in tests/python/bench, as it needs the engine.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpis
import pytest
from rank_runs import PRELOAD, Run, start

SOURCES = mpis.ROOT / "src/preload/bench"
PROGRAM = PRELOAD.parent / "aureole-mpi-bench"
#: Memory of devices without the preload ends these MPIs.
WAYS = [
    *(("host", False), ("host", True), ("device", True)),
    *(("managed", False), ("managed", True)),
]


@dataclass(frozen=True)
class Told:
    """What a run printed, line by line, and whether it ended as it should."""

    head: dict[str, Any]
    rows: list[dict[str, Any]]
    ended: bool
    said: str


#: By the library, on the ranks' other output.
LOG_LINE = re.compile(r"aureole-mpi: .*\n")


def run(
    way: tuple[mpis.Mpi, str, bool],
    ranks: int,
    *words: str,
    program: Path = PROGRAM,
    double: str = "",
    **variables: str,
) -> Told:
    """The program on ranks, with buffers in a kind of memory, with the preload or without."""
    mpi, memory, preloaded = way
    if not program.exists():
        pytest.skip(f"{program.name} is not built")
    command = [program, f"mpi={mpi.library}", f"memory={memory}", "limit=60", *words]
    how = Run(mpi, preload=preloaded, limit=70, double=double)
    done = start(how, ranks, list(map(str, command)), **variables)
    printed = LOG_LINE.sub("", done.output)  # launchers may put it into the middle of another one
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    rows = [json.loads(line) for line in lines]
    ended = done.code == 0 and bool(rows) and rows[-1] == {"ended": True}
    return Told(rows[0] if rows else {}, rows[1:-1], ended, done.told())


def planted(folder: Path, file: str, right: str, wrong: str, *objects: Path) -> Path:
    """A program of which one expression is wrong, with more object files if any."""
    for source in SOURCES.glob("*.[ch]"):
        text = source.read_text()
        if source.name == file:
            assert text.count(right) == 1, f"{file} has changed"
            text = text.replace(right, wrong)
        (folder / source.name).write_text(text)
    program = folder / PROGRAM.name
    flags = "-std=gnu11 -O1 -ffp-contract=off -rdynamic"
    files = map(str, [*folder.glob("*.c"), *objects])
    subprocess.run(["cc", *shlex.split(flags), "-o", program, *files, "-ldl", "-lm"], check=True)
    return program
