# SPDX-License-Identifier: Apache-2.0
"""The thread that writes output files, so that no step waits for a disk."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from aureole.base.errors import Error, FormatError, bad_input

# Enough for several frames of a million particles; beyond it the run waits for the disk.
MOST_BYTES = 256 * 2**20


class Writer:
    """Runs jobs in order on a thread of its own; at most `most_bytes` wait at any time.

    The first job that fails stops all later ones; its exception is raised, in the thread that
    owns the writer, by the next `submit` or `drain`. A number that one file has no room for
    (`FormatError`) stops none, as the other files are well; `drain` and `check_formats` raise it.
    """

    def __init__(self, most_bytes: int = MOST_BYTES, files: Sequence[str] | None = None) -> None:
        self._most = most_bytes
        self._files = files
        self._jobs: deque[tuple[Callable[[], None], int]] = deque()
        self._waiting = 0
        self._busy = False
        self._closing = False
        self._error: BaseException | None = None
        self._no_room: FormatError | None = None
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def check(self, path: str) -> None:
        """Raise InputError for a file that no observer of the run says it writes."""
        if self._files is not None and path not in self._files:
            raise bad_input(
                f"an observer writes {path}, which is not in its `files`",
                "listed files are locked, and checked at a restart",
                "Let the property `files` of its class list every file that it writes",
            )

    def check_formats(self) -> None:
        """Raise the error of a file that has no room for a number."""
        if self._no_room is not None:
            raise self._no_room

    def submit(self, job: Callable[[], None], size: int = 0) -> None:
        """Queue a job that holds `size` bytes; waits while too many are queued."""
        with self._change:
            self._raise_error()
            if self._thread is None:
                self._thread = self._started()
            self._change.wait_for(
                lambda: self._error or not self._waiting or self._waiting + size <= self._most
            )
            self._raise_error()
            self._jobs.append((job, size))
            self._waiting += size
            self._change.notify_all()

    def _started(self) -> threading.Thread:
        thread = threading.Thread(target=self._work, name="aureole-writer", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise Error(
                f"the thread for output cannot be started ({error}). Close other simulations, "
                "or raise the limits of memory and threads (ulimit -v, ulimit -u)."
            ) from None
        return thread

    def drain(self) -> None:
        """Wait until every job is done; raises what a job raised."""
        with self._change:
            self._change.wait_for(lambda: self._error or not (self._jobs or self._busy))
            self._raise_error()
        self.check_formats()

    def close(self) -> None:
        """Finish what is queued and end the thread; never raises."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._jobs or self._closing)
                if not self._jobs:
                    return
                job, size = self._jobs.popleft()
                self._busy = True
            try:
                if self._error is None:
                    job()
            except FormatError as error:
                self._no_room = self._no_room or error
            except BaseException as error:
                with self._change:
                    self._error = error
            with self._change:
                self._busy = False
                self._waiting -= size
                self._change.notify_all()
