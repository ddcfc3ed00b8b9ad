# SPDX-License-Identifier: Apache-2.0
"""GROMACS' compressed trajectories (.xtc): positions rounded to a precision."""

from __future__ import annotations

from aureole import _core

from .frame import Frame, Headless, signed


class XTC(Headless):
    """Frames with positions in multiples of 1/precision [nm]."""

    def __init__(self, n: int, precision: float) -> None:
        self.n, self.precision = n, precision
        self._encoder = _core.XtcEncoder(n, float(precision))

    def frame(self, frame: Frame) -> bytes:
        return self._encoder.frame(signed(frame.step), frame.time, frame.box, frame.position)
