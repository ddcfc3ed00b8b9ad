# SPDX-License-Identifier: Apache-2.0
"""Which files a run may write that continues from a checkpoint.

A checkpoint names the files of its observers, and holds what could not be written yet. It may come
from anyone, so the run writes only below the folder of the checkpoint, replaces or continues only
files of the kind that its observers write there, and touches nothing hidden. What the user lists
is allowed as well.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Iterable, Sequence
from typing import Any

from aureole.base.errors import bad_input, not_ours
from aureole.base.text import one_line
from aureole.live.observer import Observer
from aureole.recorders.growing_file import shorter

Name = str | os.PathLike[str]

_HEAD_BYTES = 4096


def files_of(spec: Observer) -> list[str]:
    """Files that an observer writes, except temporary files."""
    return [*spec.files, *spec.previous]


def check(
    checkpoint: str, specs: Sequence[Observer], states: Sequence[Any], allowed: Iterable[Name] = ()
) -> None:
    """Refuse to let observers that a checkpoint names write where they should not.

    Args:
        checkpoint: its path
        specs: of the observers
        states: what they had written; None for an observer that begins anew
        allowed: files and folders that the user lists

    Raises InputError that tells what to list, FileError for contents that no run writes.
    """
    refused = {}
    for spec, state in zip(specs, states, strict=True):
        for path in files_of(spec):
            why = None if _is_listed(path, allowed) else _problem(checkpoint, spec, path, state)
            if why is not None:
                refused[path] = why
        _check_waiting(checkpoint, spec, state or {})
    if refused:
        listed = " ".join(map(one_line, refused))
        reasons = "; ".join(f"{one_line(path)} {why}" for path, why in refused.items())
        raise bad_input(
            f"{checkpoint} names output files that the run may not write: {reasons}",
            "checkpoints may come from anyone; a run writes only in the folder of its checkpoint",
            f"If you trust these files, list them: `--allow-write {listed}`, or "
            f"allow_write={list(refused)!r} in Python",
        )


def outside(checkpoint: str, specs: Sequence[Observer]) -> list[str]:
    """The files that must be listed for a run to continue from a checkpoint in this folder."""
    paths = [path for spec in specs for path in files_of(spec)]
    try:
        return [path for path in paths if _relative(checkpoint, path) is None]
    except OSError:  # the working folder has gone
        return paths


def _is_listed(path: str, allowed: Iterable[Name]) -> bool:
    full = os.path.realpath(path)
    return any(_below(os.path.realpath(name), full) for name in allowed)


def _below(folder: str, path: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _relative(checkpoint: str, path: str) -> str | None:
    """`path` as seen from the folder of the checkpoint, links followed; None outside."""
    folder = os.path.dirname(os.path.realpath(checkpoint))
    full = os.path.realpath(path)
    return os.path.relpath(full, folder) if _below(folder, full) else None


def _problem(checkpoint: str, spec: Observer, path: str, state: Any) -> str | None:
    """Why an observer may not write a file; None if it may, or will not."""
    inside = _relative(checkpoint, path)
    if inside is None:
        return "is not in the folder of the checkpoint"
    if any(part.startswith(".") for part in inside.split(os.sep)):
        return "is hidden"
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            return "is not a regular file"
        with open(path, "rb") as file:
            head = file.read(_HEAD_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"cannot be examined: {error.strerror}"
    if not head or spec.recognises(path, head):
        return None
    had = (state or {}).get("bytes", 0)
    if about.st_size < had:
        raise shorter(path, had)
    return f"was not written by {type(spec).__name__}"


def _check_waiting(checkpoint: str, spec: Observer, state: dict[str, Any]) -> None:
    """Refuse pending contents that the observer could not have made, of each file that it has."""
    for inner in state.values():
        if isinstance(inner, dict):  # the state of one file among several
            _check_waiting(checkpoint, spec, inner)
    for number, text in enumerate(state.get("waiting", ())):
        try:
            piece = base64.b85decode(text)
        except (TypeError, ValueError):
            piece = None
        first = number == 0 and not state.get("bytes")
        if piece is None or not spec.accepts(piece, first):
            name = "".join(spec.files[:1])
            raise not_ours(checkpoint, f"its pending data {number} for {name} do not fit that file")
