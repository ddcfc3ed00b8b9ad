# SPDX-License-Identifier: Apache-2.0
"""GROMACS' compressed trajectories (.xtc): positions rounded to a precision."""

from __future__ import annotations

from aureole import _core

from .frame import Frame, Headless, signed
from .registry import FileFormat, register
from .scan_trajectory import scan_xtc
from .xtc_trr_reader import frames_of_gromacs


class XTC(Headless):
    """Frames with positions in multiples of 1/precision [nm]."""

    def __init__(self, n: int, precision: float) -> None:
        self.n, self.precision = n, precision
        self._encoder = _core.XtcEncoder(n, float(precision))

    def frame(self, frame: Frame) -> bytes:
        return self._encoder.frame(signed(frame.step), frame.time, frame.box, frame.position)


register(
    FileFormat(
        endings=(".xtc",),
        begins=rb"\x00\x00\x07[\xcb\xe7]",
        writer=lambda start: XTC(start.n, start.precision),
        frames=frames_of_gromacs,
        scan=scan_xtc,
    )
)
