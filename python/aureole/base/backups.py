# SPDX-License-Identifier: Apache-2.0
"""Files of earlier runs, renamed as GROMACS does before new ones take their names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from .errors import file_error, output_advice

MOST_BACKUPS = 99


def back_up(paths: Iterable[str], most: int = MOST_BACKUPS) -> list[tuple[str, str]]:
    """Rename files that would be overwritten to #name.1# and so on; old and new names.

    Devices stay. Raises FileError for a file that has `most` backups already, or that cannot be
    renamed.
    """
    moved = []
    for path in paths:
        if os.path.isfile(path) and (other := _renamed(path, most)) is not None:
            moved.append((path, other))
    return moved


def _renamed(path: str, most: int) -> str | None:
    """The new name of the file; None where another process was first to rename it.

    The name is taken by an empty file, which only one process can make, and which the renamed file
    replaces at once. So no order of processes, or of their ends, loses what either had.
    """
    folder, name = os.path.split(path)
    for number in range(1, most + 1):
        other = os.path.join(folder, f"#{name}.{number}#")
        if os.path.lexists(other):
            continue
        try:
            os.close(os.open(other, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
        except FileExistsError:
            continue
        except OSError as error:
            raise _not_renamed(path, other, error) from None
        try:
            os.rename(path, other)
        except OSError as error:
            with suppress(OSError):
                os.unlink(other)
            if isinstance(error, FileNotFoundError):
                return None
            raise _not_renamed(path, other, error) from None
        return other
    raise file_error(
        path,
        "is not overwritten",
        f"it has {most} backups already",
        "Remove some of them, or give another name (or mdrun -nobackup)",
    )


def _not_renamed(path: str, other: str, error: OSError) -> Exception:
    return file_error(path, f"cannot be renamed to {other}", error, output_advice(error))
