# SPDX-License-Identifier: Apache-2.0
"""How the files of a run are begun or continued: all are checked before any is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aureole.base.errors import FormatError, InputError

from .file_owners import Owner, take_without_owner
from .live import Live
from .observer import Recorder
from .recorder_states import of_state
from .writer_thread import Writer

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
    owner: Owner | None,
) -> None:
    """Open the files of all recorders.

    Args:
        recorders: writers of the files
        states: of each recorder, how far its file is; None for a new file
        sim: whose run begins
        writer: the thread that writes
        owner: stands for the simulation. Files of other simulations of this process are renamed
            before new files take their names, and are not continued. None replaces them
    """
    both = [*zip(recorders, states, strict=True)]
    if owner is not None:
        owner.check(path for one, state in both if state is not None for path in _files_of(one))
    for recorder, state in both:
        if state is not None:  # all of them before anything is cut
            with of_state(recorder, state):
                recorder.recognise(state)
    check_room(recorders, sim)
    new = [path for recorder, state in both if state is None for path in _files_of(recorder)]
    if owner is not None:
        owner.spare(new)
    for recorder, state in both:
        (take_without_owner if owner is None else owner.take)(_files_of(recorder))
        with of_state(recorder, state):
            recorder.open(sim, writer, state)


def _files_of(recorder: Recorder) -> list[str]:
    return [*recorder.spec.files, *recorder.spec.previous]


def remember(recorders: Sequence[Recorder], owner: Owner) -> None:
    """Remember how long the files of a run are that has closed them."""
    for recorder in recorders:
        if recorder.spec.holds != "checkpoint":  # which users may write besides
            owner.remember(recorder.spec.files)
