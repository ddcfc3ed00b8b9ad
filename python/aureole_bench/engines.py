# SPDX-License-Identifier: Apache-2.0
"""The interface of all engines: prepare, state at step 0, one timed run, list quality."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aureole.base.errors import Error

from aureole_bench.snapshot import Snapshot

WARM = 200  # untimed steps before each measurement
MOST_SECONDS = 300  # that a peer's program may take before it counts as stuck
SAMPLE = 37  # steps between samples of a list's quality; no list lifetime is a multiple of it


@dataclass(frozen=True)
class State:
    """Potential energy and pressure of a snapshot, and a note on how they were summed."""

    energy: float
    pressure: float
    note: str = ""


@dataclass(frozen=True)
class Quality:
    """Errors of a pair list.

    Args:
        drift: of the conserved energy [epsilon/tau per particle]
        missed: pairs within the cut-off without a force, per particle, mean over steps
        note: of the list's settings
    """

    drift: float
    missed: float
    note: str = ""


class PeerFailed(Error):
    """A peer's program did not end, or ended with an error; `said` is all that it said then."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


class Labelled:
    """The name of an engine."""

    engine = ""
    style = ""
    where = ""  #: ", ranks" where it is not on threads

    @property
    def label(self) -> str:
        """Engine and style."""
        return f"{self.engine} {self.style}".strip() + self.where


class Engine(Labelled):
    """One engine with one style. `prepare` comes before all others."""

    def prepare(self, snapshot: Snapshot, folder: Path) -> None:
        """Write inputs into `folder`."""
        raise NotImplementedError

    def state(self) -> State:
        """Energy and pressure of the snapshot."""
        raise NotImplementedError

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps after `WARM` others."""
        raise NotImplementedError

    def quality(self, steps: int) -> Quality | None:
        """Drift and missed pairs over `steps` steps; None where the engine's list is exact."""
        return None


def cpus(count: int | None = None) -> list[int]:
    """The first `count` processors that this process may use, or all of them."""
    return sorted(os.sched_getaffinity(0))[:count]


def run_program(
    command: Sequence[str],
    *,
    on: Sequence[int],
    folder: Path,
    text: str = "",
    environment: Mapping[str, str] | None = None,
    limit: float = MOST_SECONDS,
) -> str:
    """Run a program on the given processors; what it says on standard error, then its output.

    PeerFailed has the end of that. After `limit` seconds the program is stuck, and is stopped.
    """
    try:
        done = subprocess.run(
            list(command),
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=folder,
            env={**os.environ, **(environment or {})},
            preexec_fn=lambda: os.sched_setaffinity(0, on),
            check=False,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise PeerFailed(
            f"{Path(command[0]).name} did not end within {limit:g} s (it was stopped). "
            f"Its files are in {folder}."
        ) from None
    said = done.stderr + done.stdout
    if done.returncode != 0:
        raise PeerFailed(
            f"{Path(command[0]).name} ended with code {done.returncode} ({last_lines(said)}). "
            f"Its files are in {folder}.",
            said,
        )
    return said


def last_lines(text: str) -> str:
    """The last eight of them in one."""
    return " / ".join(text.strip().splitlines()[-8:])
