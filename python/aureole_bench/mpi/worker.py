# SPDX-License-Identifier: Apache-2.0
"""Runs of `aureole-mpi-bench`, the program of each rank, and how they ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aureole
from aureole.base.errors import file_error

from aureole_bench.engines import PeerFailed, last_lines
from aureole_bench.mpi.launchers import Mpi

Row = dict[str, Any]
MEMORIES = ("host", "device", "managed")
#: Without the preload; with it, through the host; with it, straight between devices where it can.
WAYS = ("off", "staged", "mapped")
#: From the shortest message on that can go straight, and never.
_MAPPED_FROM = {"staged": "off", "mapped": "0"}
#: Where the build, or pip, puts the program of the ranks, the launcher and what it preloads.
FOLDER = Path(aureole.__path__[0]) / "preload"
PROGRAM, LAUNCHER = "aureole-mpi-bench", "aureole-mpi"
MOST_SECONDS = 300  # of one run; after them a rank ends by itself
_ON = "AUREOLE_PRELOAD"  # which may be set to off
_GRACE = 10  # seconds in which a launcher ends whose ranks have ended


@dataclass(frozen=True)
class Way:
    """How a run goes: by which MPI, with buffers in which memory, in which of WAYS."""

    mpi: Mpi
    memory: str
    name: str
    devices: str = "any"  # cuda, hip or none

    @property
    def preloaded(self) -> bool:
        return self.name != "off"

    def variables(self) -> dict[str, str]:
        """The environment of the ranks, beside that of this process."""
        if not self.preloaded:
            return {}
        return {_ON: "on", "AUREOLE_MPI_MAPPED_FROM": _MAPPED_FROM[self.name]}

    def is_kept(self, row: Row) -> bool:
        """Whether messages of a row went as they should, where it is known how they should: those
        between devices of one node.
        """
        path = path_of(row)
        if self.name == "mapped" and self.memory == "device" and row.get("large", 0) > 0:
            return path == "mapped"
        return self.name == "mapped" or path == "staged"

    def command(self, ranks: int, words: Sequence[str], limit: int) -> list[str]:
        """The command that starts the ranks."""
        before = [str(FOLDER / LAUNCHER), "--quiet"] if self.preloaded else []
        mine = [str(FOLDER / PROGRAM), f"mpi={self.mpi.library}", f"memory={self.memory}"]
        return [
            *(self.mpi.program, "-n", str(ranks), *before, *mine),
            *(f"devices={self.devices}", f"limit={limit}", *words),
        ]


@dataclass
class Told:
    """All that a run told, and how it ended."""

    head: Row = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    failed: Row | None = None  # a call that returned an error
    refused: str = ""  # why there is nothing to measure
    ended: bool = False  # as it should
    hung: bool = False
    said: str = ""

    def verdict(self) -> str:
        """One word for a run that gave no numbers, `right` for one that did."""
        if self.ended:
            return "right"
        if self.failed is not None or self.refused:
            return "cannot"
        return "hangs" if self.hung else "crashes"


def check_files() -> None:
    """Refuse to measure without what the build makes; raises FileError."""
    for name in (PROGRAM, LAUNCHER, "libaureole_mpi.so"):
        if not (FOLDER / name).exists():
            install = "Install Aureole again, or run make build in its source tree"
            raise file_error(FOLDER / name, "is missing", "no such file", install)


def run(way: Way, ranks: int, words: Sequence[str], limit: int = MOST_SECONDS) -> Told:
    """Start ranks and wait for their end; what rank 0 printed, whether it ended well or not.

    PeerFailed if the preload was there and should not be, or the other way round.
    """
    process = subprocess.Popen(
        way.command(ranks, words, limit),
        env={**way.mpi.environment, **os.environ, **way.variables()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    hung = False
    try:
        said, _ = process.communicate(timeout=limit + _GRACE)
    except subprocess.TimeoutExpired:
        hung = True
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
    except BaseException:
        process.terminate()  # a launcher ends its ranks
        process.wait()
        raise
    told = _read(said)
    told.ended = told.ended and process.returncode == 0
    if told.head and told.head["preloaded"] != way.preloaded:
        raise PeerFailed(
            f"{way.mpi.program} ran with{'out' if way.preloaded else ''} the preload, which is not "
            "what was measured. Unset LD_PRELOAD.",
            said,
        )
    told.hung = hung or (not told.ended and "alarm clock" in said.lower())
    return told


def _read(said: str) -> Told:
    told = Told(said=said)
    for line in said.splitlines():
        row: Row = {}
        if line.startswith("{"):
            with suppress(json.JSONDecodeError):
                row = json.loads(line)
        if "version" in row:
            told.head = row
        elif "failed" in row:
            told.failed = row
        elif "refused" in row:
            told.refused = row["refused"]
        elif "ended" in row:
            told.ended = True
        elif row:
            told.rows.append(row)
    return told


def must_end(way: Way, ranks: int, words: Sequence[str]) -> Told:
    """A run that has worked before; repeated once if it fails. Raises PeerFailed."""
    for _ in range(2):
        told = run(way, ranks, words)
        if told.ended:
            return told
    raise PeerFailed(
        f"{way.mpi.program} {told.verdict()} with memory of kind {way.memory} "
        f"({last_lines(told.said)}). Run it again, or leave this MPI out by --mpirun.",
        told.said,
    )


def path_of(row: Row) -> str:
    """Which way the messages of a row went that are long enough to go straight: staged, mapped, or
    mixed. Some may not go straight where many are in flight.
    """
    straight = row.get("straight", 0)
    if straight == 0:
        return "staged"
    return "mapped" if straight >= 0.9 * row["large"] else "mixed"


def name_of(head: Row) -> str:
    """What an MPI calls itself, as `MPICH 5.0.2`."""
    return " ".join(str(head["version"]).replace("Version:", "").split())


def kind_of_devices(head: Row) -> str:
    """For headings: `emulated devices`, `CUDA devices`, `HIP devices` or ``."""
    if head["devices"] == "none":
        return ""
    return "emulated devices" if head["emulated"] else f"{head['devices'].upper()} devices"
