# SPDX-License-Identifier: Apache-2.0
"""A file that grows piece by piece on the writer's thread and is cut back at a restart."""

from __future__ import annotations

import base64
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from aureole.base.digests import sha256
from aureole.base.errors import Error, FileError, FormatError, file_error, output_advice
from aureole.base.files import Place, open_output, open_regular
from aureole.live.writer_thread import Writer

Piece = Callable[[], bytes]
Mark = Callable[[int], tuple[int, bytes] | None]
WINDOW = 4096  # bytes at the end of a file by which a restart knows it again


class Appended:
    """A growing file; only complete pieces count as written.

    A piece is a function that gives its bytes; it is called on the writer's thread. Where `mark`
    is given, ``mark(count)`` gives (offset, bytes) that the file holds once `count` pieces are
    written.
    """

    def __init__(self, path: str, mark: Mark | None = None) -> None:
        self.path = path
        self.bytes = 0  # that reached the file in whole pieces
        self.pieces = 0
        self._mark = mark
        self._tail = b""  # the last bytes written
        self._waiting: deque[tuple[Piece, str]] = deque()
        self._file: IO[bytes] | None = None
        self._place: Place | None = None

    def open(self, writer: Writer, state: dict[str, Any] | None, head: bytes = b"") -> None:
        """Start with the record `head`, or continue after the records that `state` counts."""
        writer.check(self.path)
        self._writer = writer
        self.bytes, self.pieces, self._tail = 0, 0, b""
        self._waiting.clear()  # `state` holds them
        size = int((state or {}).get("bytes", 0))
        waiting = [base64.b85decode(text) for text in (state or {}).get("waiting", ())]
        with opening(self.path):
            if state and size and os.path.exists(self.path):
                self._continue(size, int(state["pieces"]))
            else:
                self._file = open_output(self.path)
                if head and (size or not waiting):  # else it waits itself
                    waiting.insert(0, head)
            self._place = Place(self.path)
        for data in waiting:
            self.put(lambda data=data: data, len(data))  # type: ignore[misc]

    @property
    def count(self) -> int:
        """Pieces written and waiting."""
        return self.pieces + len(self._waiting)

    def recognise(self, state: dict[str, Any]) -> None:
        """Raise FileError if the file is not the one that `state` counts; change nothing."""
        size = int(state.get("bytes", 0))
        if not size or not os.path.exists(self.path):
            return
        try:
            with open_regular(self.path, sys.maxsize) as file:
                whole = os.fstat(file.fileno()).st_size
                length, digest = state.get("tail", (0, _digest(b"")))
                length = min(length, size, WINDOW)
                file.seek(size - length if whole >= size else 0)
                tail = file.read(length)
        except (OSError, ValueError) as error:
            raise file_error(
                self.path, "cannot be continued", error, "Check the file and its permissions"
            ) from None
        if whole < size:
            raise shorter(self.path, size)
        if _digest(_blanked(tail, size - length, state.get("mark"))) != digest:
            raise not_the_same(self.path, f"bytes {size - length} to {size} differ")

    def _continue(self, size: int, pieces: int) -> None:
        """Cut away what was written after the checkpoint."""
        self._file = open(self.path, "r+b", buffering=0)  # noqa: SIM115 - see close()
        self._file.truncate(size)
        self._file.seek(max(0, size - WINDOW))
        self._tail = self._file.read(WINDOW)
        self.bytes, self.pieces = size, pieces
        self._set_mark()

    def put(self, piece: Piece, size: int, what: str = "") -> None:
        """Queue a piece that holds `size` bytes of memory; errors may call it `what`."""
        self._waiting.append((piece, what))
        self._writer.submit(self._write, size)

    def put_text(self, text: str) -> None:
        """Queue a piece of text."""
        data = encoded(text)
        self.put(lambda: data, len(data))

    def put_last_words(self, text: str) -> None:
        """Write text immediately after the writer failed, if there is room; it is not a piece."""
        if self._file is not None:
            with suppress(OSError):
                self._file.seek(self.bytes)
                self._file.write(encoded(text))

    def _write(self) -> None:
        assert self._file is not None
        piece, what = self._waiting[0]
        try:
            data = piece()
            if not isinstance(data, bytes):
                raise ValueError(f"a piece is {type(data).__name__}, not bytes")
            rest = memoryview(data)
            self._file.seek(self.bytes)
            size = len(rest)
            while rest:
                rest = rest[self._file.write(rest) :]
            self.bytes += size
            self.pieces += 1
            self._tail = (self._tail + data[-WINDOW:])[-WINDOW:]
            self._waiting.popleft()
            self._set_mark()
        except FormatError as error:
            raise FormatError(self.path, _not(what), error.why, error.suggestion) from None
        except FileError:
            raise
        except OSError as error:
            raise file_error(self.path, _not(what), error, output_advice(error)) from None
        except (Error, ValueError) as error:  # the piece cannot be made
            raise FormatError(self.path, _not(what), str(error), "Check the particles") from None

    def _marked(self) -> tuple[int, bytes] | None:
        return self._mark(self.pieces) if self._mark is not None and self.pieces else None

    def _set_mark(self) -> None:
        mark = self._marked()
        if mark is not None and self._file is not None:
            offset, data = mark
            self._file.seek(offset)
            self._file.write(data)

    def sync(self) -> None:
        """Put on the disk what was written."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            if self._place is not None:
                self._place.check()

    def state(self) -> dict[str, Any]:
        """Bytes and pieces in the file; where output failed also the pieces that wait."""
        state: dict[str, Any] = {"bytes": self.bytes, "pieces": self.pieces}
        marked = self._marked()
        if marked is not None:
            state["mark"] = [marked[0], len(marked[1])]
        tail = _blanked(self._tail, self.bytes - len(self._tail), state.get("mark"))
        state["tail"] = [len(tail), _digest(tail)]
        waiting = [text for text in map(_text_of, self._waiting) if text is not None]
        if waiting:
            state["waiting"] = waiting
        return state

    def close(self) -> None:
        """Close the file."""
        file, place, self._file, self._place = self._file, self._place, None, None
        leave(file, place)


@contextmanager
def opening(path: str) -> Iterator[None]:
    """Raise FileError for what the system or a library refuses while output is opened."""
    try:
        yield
    except FileError:
        raise
    except (OSError, RuntimeError) as error:
        raise file_error(
            path, "cannot be opened for writing", error, "Check the folder and its permissions"
        ) from None


def leave(file: Any, place: Place | None) -> None:
    """Close a file, and check for the last time that it has a name."""
    if file is not None:
        file.close()
        if place is not None:
            place.leave()


def encoded(text: str) -> bytes:
    """Text as files hold it; bytes in file names that are no text are shown as \\udce9."""
    return text.encode(errors="backslashreplace")


def _not(what: str) -> str:
    return f"cannot store {what}" if what else "cannot be written"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _blanked(data: bytes, offset: int, mark: list[int] | None) -> bytes:
    """Bytes from `offset` on of a file, with zeros where `mark` (offset, length) changes it."""
    if mark is None:
        return data
    begin, end = (min(max(place - offset, 0), len(data)) for place in (mark[0], sum(mark)))
    return data[:begin] + bytes(end - begin) + data[end:]


def shorter(path: str, size: int) -> FileError:
    """The error for a file that has lost its end."""
    return file_error(
        path,
        f"is shorter than the {size} bytes that the checkpoint recorded",
        "the file has changed since",
        "Restore the file, or move it away to start a new one",
    )


def not_the_same(path: str, why: str) -> FileError:
    """The error for a file that another run wrote."""
    return file_error(
        path,
        "is not the file that the run of the checkpoint wrote",
        why,
        "Restore that file, or move this one away to start a new one",
    )


def _text_of(waiting: tuple[Piece, str]) -> str | None:
    """A piece as text for a checkpoint; None if the piece cannot be made."""
    try:
        return base64.b85encode(waiting[0]()).decode()
    except (OSError, Error, ValueError):
        return None
