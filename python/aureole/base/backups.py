# SPDX-License-Identifier: Apache-2.0
"""Files of earlier runs, renamed as GROMACS does before new ones take their names."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .errors import file_error

MOST_BACKUPS = 99


def back_up(paths: Iterable[str], most: int = MOST_BACKUPS) -> list[tuple[str, str]]:
    """Rename files that would be overwritten to #name.1# and so on; old and new names.

    Devices stay. Raises FileError for a file that has `most` backups already.
    """
    moved = []
    for path in paths:
        if os.path.isfile(path):
            moved.append((path, _backup_of(path, most)))
            os.rename(path, moved[-1][1])
    return moved


def _backup_of(path: str, most: int) -> str:
    folder, name = os.path.split(path)
    for number in range(1, most + 1):
        other = os.path.join(folder, f"#{name}.{number}#")
        if not os.path.exists(other):
            return other
    raise file_error(
        path,
        "is not overwritten",
        f"it has {most} backups already",
        "Remove some of them, or give another name (or mdrun -nobackup)",
    )
