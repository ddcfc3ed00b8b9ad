# SPDX-License-Identifier: Apache-2.0
"""GROMACS' compressed trajectories (.xtc): positions rounded to a precision.

The compression is that of chemfiles; the 52 bytes before it are written here, so that step, time
and box are exactly those of the frame.
"""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np

from aureole.base.errors import bad_input

from .frame import Frame, Headless, signed

_HEAD = struct.Struct(">3i10f")
_LARGEST = 2**31 - 3


class XTC(Headless):
    """Frames with positions in multiples of 1/precision [nm]."""

    def __init__(self, n: int, precision: float) -> None:
        self.n, self.precision = n, precision
        self._library = library()
        self._frame: Any = None

    def frame(self, frame: Frame) -> bytes:
        self._check(frame)
        if self._frame is None:
            self._frame = self._library.Frame()
            self._frame.resize(self.n)
            self._frame["xtc_precision"] = float(self.precision)
        np.multiply(frame.position, 10.0, out=self._frame.positions)  # chemfiles works in ångström
        data = self._compressed()
        magic = struct.unpack(">i", data[:4])[0]
        head = _HEAD.pack(magic, self.n, signed(frame.step), frame.time, *frame.box.reshape(-1))
        return head + data[_HEAD.size :]

    def _check(self, frame: Frame) -> None:
        size = np.abs(frame.position).max(axis=1, initial=0.0) * self.precision
        if not (size < _LARGEST).all():
            who = int(np.flatnonzero(~(size < _LARGEST))[0])
            raise bad_input(
                f"particle {who + 1} of the frame is at {frame.position[who].max():g} nm",
                f"an .xtc file of precision {self.precision:g} holds 32 bits",
                "Check the particle, or lower the precision",
            )

    def _compressed(self) -> bytes:
        """What chemfiles writes, by way of a file in memory."""
        handle = os.memfd_create("aureole-xtc")
        try:
            with self._library.Trajectory(f"/proc/self/fd/{handle}", "w", "XTC") as file:
                file.write(self._frame)
            return os.pread(handle, os.fstat(handle).st_size, 0)
        except self._library.ChemfilesError as error:
            raise bad_input("the frame does not compress", str(error), "Write .trr") from None
        finally:
            os.close(handle)


def library() -> Any:
    """The chemfiles package, or an InputError that says how to get it."""
    try:
        import chemfiles
    except (ImportError, OSError) as error:
        raise bad_input(
            "no .xtc file can be written",
            f"the package chemfiles does not load: {error}",
            "Install it with `pip install chemfiles`, or write .trr",
        ) from None
    return chemfiles
