# SPDX-License-Identifier: Apache-2.0
"""How the files of a run are begun or continued: all are checked before any is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aureole.base.backups import back_up
from aureole.base.errors import FormatError, InputError
from aureole.base.file_locks import resolved
from aureole.base.user_warnings import warn

from .live import Live
from .observer import Recorder
from .recorder_states import of_state
from .writer_thread import Writer

#: Of one file; a loop in a notebook may begin it anew time and again.
_MOST_BACKUPS = 9999
#: Which simulation of this process has begun a file last, by its real name.
_OWNERS: dict[str, object | None] = {}

States = Sequence[dict[str, Any] | None]


def check_room(recorders: Sequence[Recorder], sim: Live) -> None:
    """Raise InputError where a file has no room for the present state."""
    try:
        for recorder in recorders:
            recorder.check(sim)
    except FormatError as error:
        raise InputError(f"{error} No step was made.") from None


def begin(
    recorders: Sequence[Recorder],
    states: States,
    sim: Live,
    writer: Writer,
    owner: object | None,
) -> None:
    """Open the files of all recorders.

    Args:
        recorders: what writes them
        states: of each, how far its file is; None for a new one
        sim: whose run begins
        writer: the thread that writes
        owner: stands for the simulation; files of other ones of this process are renamed before
            new ones take their names. None replaces them
    """
    both = [*zip(recorders, states, strict=True)]
    for recorder, state in both:
        if state is not None:  # all of them before anything is cut
            with of_state(recorder, state):
                recorder.recognise(state)
    check_room(recorders, sim)
    new = [path for recorder, state in both if state is None for path in _files_of(recorder)]
    if owner is not None:
        _spare_files_of_others(new, owner)
    for recorder, state in both:
        _OWNERS.update({resolved(path): owner for path in _files_of(recorder)})
        with of_state(recorder, state):
            recorder.open(sim, writer, state)


def _files_of(recorder: Recorder) -> list[str]:
    return [*recorder.spec.files, *recorder.spec.previous]


def _spare_files_of_others(paths: Sequence[str], owner: object) -> None:
    """Rename files that another simulation of this process has written."""
    theirs = [path for path in paths if _OWNERS.get(resolved(path), owner) is not owner]
    if moved := back_up(theirs, _MOST_BACKUPS):
        names = ", ".join(f"{old} is now {new}" for old, new in moved)
        warn(
            f"an earlier simulation of this process has written files of the same names, which are "
            f"kept: {names}",
        )
