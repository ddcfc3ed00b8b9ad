# SPDX-License-Identifier: Apache-2.0
"""Files and the simulations of this process that own them, so that none spoils another's."""

from __future__ import annotations

import os
from collections.abc import Iterable

from aureole.base.backups import back_up
from aureole.base.errors import FileError, file_error
from aureole.base.file_locks import resolved
from aureole.base.user_warnings import warn

#: Number of backups of one file, which a loop in a notebook may begin anew time and again.
_MOST_BACKUPS = 9999
#: Owner that has begun or continued each file last, by the file's real name.
_OWNERS: dict[str, Owner | None] = {}


class Owner:
    """Stands for one simulation among those of this process that write files."""

    def __init__(self) -> None:
        self._began: set[str] = set()
        self._renamed: dict[str, str] = {}  # new names by other simulations
        self._sizes: dict[str, int] = {}  # of growing files that were closed [bytes]

    def check(self, paths: Iterable[str]) -> None:
        """Raise FileError for a file to be continued that the simulation does not own any more.

        Files that it continues for the first time are those of a checkpoint, and become its own.
        """
        for path in paths:
            real = resolved(path)
            if real not in self._began or not os.path.isfile(path):
                continue
            if _OWNERS.get(real) is not self:
                raise _lost(path, self._renamed.get(real))
            if os.path.getsize(path) > self._sizes.get(real, os.path.getsize(path)):
                raise file_error(
                    path,
                    "has grown since this simulation closed it",
                    "another program has written there, and what it wrote would be lost",
                    f"Restart from its checkpoint, or {_ELSEWHERE}",
                )

    def spare(self, paths: Iterable[str]) -> None:
        """Rename files that other simulations have written, before new ones take their names."""
        theirs = [path for path in paths if _OWNERS.get(resolved(path), self) is not self]
        moved = back_up(theirs, _MOST_BACKUPS)
        for old, new in moved:
            if (other := _OWNERS[resolved(old)]) is not None:
                other._renamed[resolved(old)] = new
        if moved:
            names = ", ".join(f"{old} is now {new}" for old, new in moved)
            warn(
                "an earlier simulation of this process has written files of the same names, which "
                f"are kept: {names}"
            )

    def take(self, paths: Iterable[str]) -> None:
        """Own the files from now on."""
        for real in map(resolved, paths):
            self._began.add(real)
            self._sizes.pop(real, None)
            self._renamed.pop(real, None)
            _OWNERS[real] = self

    def remember(self, paths: Iterable[str]) -> None:
        """Note the sizes of files that were closed, to which nobody else may add."""
        self._sizes.update({resolved(p): os.path.getsize(p) for p in paths if os.path.isfile(p)})


def take_without_owner(paths: Iterable[str]) -> None:
    """Note files that every simulation of this process has to spare."""
    _OWNERS.update({resolved(path): None for path in paths})


_ELSEWHERE = "give this simulation observers with other file names"


def _lost(path: str, renamed: str | None) -> FileError:
    why = (
        f"what this simulation wrote is {renamed}"
        if renamed
        else "that one has continued it from a checkpoint"
    )
    return file_error(
        path,
        "is now the file of another simulation of this process",
        why,
        f"Go on with that one, or {_ELSEWHERE}",
    )
