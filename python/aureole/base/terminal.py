# SPDX-License-Identifier: Apache-2.0
"""Messages for people: if they can no longer be read, printing ends and the work continues."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

_MAKES_TERMINALS = ("OMPI_COMM_WORLD_SIZE", "PRTE_LAUNCHED")  # variables of launchers


class Talk:
    """A stream of text that falls silent instead of raising when its reader has gone.

    Args:
        stream: to write to; None, as Python has it where there is none, is silent from the start

    Attributes:
        failure: what the system said when it took no more text; None while it does
    """

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream
        self.failure: Exception | None = None

    def write(self, text: str) -> int:
        """Write `text` if that is possible; returns its length."""
        self._attempt("write", text)
        return len(text)

    def flush(self) -> None:
        """Hand over what was written."""
        self._attempt("flush")

    def isatty(self) -> bool:
        """Whether a terminal listens.

        Ranks of Open MPI's mpirun write to one that it has made, and that copies what they say to
        wherever mpirun writes: a file, in most jobs.
        """
        if any(name in os.environ for name in _MAKES_TERMINALS):
            return False
        try:
            return self._stream is not None and bool(self._stream.isatty())
        except (AttributeError, OSError, ValueError):  # of a stream of the user's, or a closed one
            return False

    def fileno(self) -> int:
        """The descriptor; OSError where there is none."""
        if self._stream is None:
            raise OSError("no stream")
        return self._stream.fileno()

    def _attempt(self, what: str, *arguments: str) -> None:
        if self._stream is None or self.failure is not None:
            return
        act = getattr(self._stream, what, None)
        if act is None:  # a stream that only takes text has nothing to flush
            return
        try:
            act(*arguments)
        except (OSError, ValueError) as error:  # closed by its reader, by us, or it cannot take it
            self.failure = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def talking() -> Iterator[Talk]:
    """Standard output and error as `Talk`; gives that of the output.

    Nothing that Python still holds for a stream whose reader has gone may fail at its end, and no
    file of a run may get the number of a standard stream that was closed.
    """
    _open_standard_streams()
    before = sys.stdout, sys.stderr
    talks = []
    for stream in before:
        with suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        talks.append(Talk(stream))
    sys.stdout, sys.stderr = talks
    try:
        yield talks[0]
    finally:
        sys.stdout, sys.stderr = before
        for talk in talks:
            talk.flush()
            if talk.failure is not None:
                _send_to_nowhere(talk)


def _open_standard_streams() -> None:
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # takes the smallest free number


def _send_to_nowhere(talk: Talk) -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, talk.fileno())
        os.close(nowhere)
