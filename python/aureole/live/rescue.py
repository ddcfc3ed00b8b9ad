# SPDX-License-Identifier: Apache-2.0
"""Saving the state of a run elsewhere when its own files cannot be written any more."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from aureole.base.errors import Error, FormatError

from .live import Live
from .observer import Observer

SPARE = 4  # descriptors; a checkpoint takes two at a time


class Reserve:
    """Descriptors that are kept, so that a run can save its state when there are no others."""

    def __init__(self) -> None:
        self._kept: list[int] = []

    def fill(self) -> None:
        """Take the descriptors; as many as there are."""
        with suppress(OSError):
            while len(self._kept) < SPARE:
                self._kept.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def give_back(self) -> None:
        """Close the descriptors, so that others can be opened."""
        while self._kept:
            with suppress(OSError):
                os.close(self._kept.pop())

    __del__ = give_back


def folders() -> Iterator[str]:
    """Folders to try, in this order; the working folder may be gone, or the user without a home."""
    for find in (
        Path.cwd,
        Path.home,
        lambda: Path(tempfile.gettempdir()),
        lambda: Path("/dev/shm"),
    ):
        with suppress(OSError, RuntimeError):
            yield str(find().absolute())


def free(stem: str, ending: str) -> str:
    """An unused file name, so that states of other simulations are kept."""
    numbered = (f"{stem}{f'-{k}' * (k > 1)}{ending}" for k in count(1))
    return next(path for path in numbered if not os.path.lexists(path))


def rescue(write: Callable[[str], None]) -> str | None:
    """Have `write` save the state to the first place that takes it; None if there is none."""
    name = f"aureole-rescue-{os.getpid()}"
    for folder in folders():
        with suppress(Error, OSError):
            if not _others_may_write(folder):
                path = free(os.path.join(folder, name), ".ckpt")
                write(path)
                return path
            # Nobody else may foresee the name, or put a link there.
            own = tempfile.mkdtemp(prefix="aureole-rescue-", dir=folder)
            try:
                path = os.path.join(own, f"{name}.ckpt")
                write(path)
                return path
            except (Error, OSError):
                os.rmdir(own)
    return None


def keep(error: FormatError, specs: Sequence[Observer], sim: Live, arrived: bool) -> FormatError:
    """Save the state of a run of which one file has no room for a number; return the error.

    The state goes into the file of a checkpoint observer; or else beside the file of the error.

    Args:
        error: names the file
        specs: of the observers
        sim: at the step at which the run ends
        arrived: whether this is the last step of the run
    """
    own = [spec.files[0] for spec in specs if spec.holds == "checkpoint"]
    path = own[0] if own else free(f"{os.path.splitext(error.path)[0]}.step{sim.step}", ".ckpt")
    made = (
        f"All steps to {sim.step:,} are made" if arrived else f"The run ends at step {sim.step:,}"
    )
    try:
        sim._save(path)
    except Error as problem:
        return error.saying(f"{made}. Its state could not be saved: {problem}")
    safe = f"{made}; {path} holds its state, and the other files are complete."
    return error.saying(f"{safe} {sim._with_other_files(path)}".rstrip())


def _others_may_write(folder: str) -> bool:
    found = os.stat(folder)
    return bool(found.st_mode & 0o002) or found.st_uid not in (os.geteuid(), 0)
