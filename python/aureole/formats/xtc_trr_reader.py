# SPDX-License-Identifier: Apache-2.0
"""Frames of GROMACS' trajectories (.xtc, .trr), read by code of our own.

Files may be damaged or come from anyone. The heads of all frames are checked against each other
and the length of the file before anything is read (`scan`), and the decompression of .xtc keeps
within its frame.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import FileError, file_error
from aureole.base.files import open_regular
from aureole.base.user_warnings import warn

from .frame import Frame
from .registry import Given
from .scan_trajectory import Head, heads_of

#: Extensions of files that are read here.
READ = (".xtc", ".trr")


def frames_of_gromacs(path: str) -> Iterator[Given | None]:
    """All whole frames of a file; None for a frame without positions."""
    reader = Reader(path)
    for frame in reader:
        box = frame.box if frame.box.any() else None
        at = frame.position
        yield None if at is None else Given(frame.step, frame.time, at, frame.velocity, box)
    reader.warn_of_rest()


class Reader:
    """The whole frames of one file: `heads` says where they lie; `rest` bytes follow the last one.

    Raises FileError when the file is no .xtc or .trr file, or is damaged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.heads, self.rest = heads_of(self.path)
        self._xtc = self.path.lower().endswith(".xtc")

    def __iter__(self) -> Iterator[Frame]:
        for k in range(len(self.heads)):
            yield self.read(k)

    def warn_of_rest(self) -> None:
        """Warn of bytes after the last whole frame."""
        if self.rest:
            warn(
                f"{self.path}: {self.rest:,} bytes after the last complete frame are ignored",
            )

    def read(self, k: int) -> Frame:
        """Frame `k`, counted from 0."""
        head = self.heads[k]
        try:
            with open_regular(self.path, 2**62) as file:
                file.seek(head.place)
                data = file.read(head.size)
            return _xtc(head, data) if self._xtc else _trr(head, data)
        except (FileError, ValueError) as error:
            raise file_error(
                self.path, f"cannot be read: frame {k + 1}", error, "Use another copy of it"
            ) from None
        except OSError as error:
            raise file_error(self.path, "cannot be read", error, "Check its permissions") from None


def _rows(data: bytes, kind: str) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):  # a NaN that signals
        return np.frombuffer(data, kind).reshape(-1, 3).astype(float)


def _xtc(head: Head, data: bytes) -> Frame:
    from aureole import _core  # to check a job nobody needs it

    position = _rows(_core.decode_xtc(data), "=f4")
    return Frame(head.step, head.time, _rows(data[16:52], ">f4"), position)


def _trr(head: Head, data: bytes) -> Frame:
    found: dict[str, NDArray[np.float64] | None] = {"box": np.zeros((3, 3)), "position": None}
    for name, (at, size) in head.blocks.items():
        if size:
            found[name] = _rows(data[at : at + size], f">f{head.real}")
    return Frame(head.step, head.time, **found)  # type: ignore[arg-type]
