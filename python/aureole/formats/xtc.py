# SPDX-License-Identifier: Apache-2.0
"""GROMACS' compressed trajectories (.xtc): positions rounded to a precision."""

from __future__ import annotations

from aureole import _core
from aureole.base.errors import FormatError, InputError

from .frame import Frame, Headless, signed
from .registry import FileFormat, register
from .scan_trajectory import scan_xtc
from .xtc_trr_reader import frames_of_gromacs


class XTC(Headless):
    """Frames with positions in multiples of 1/precision [nm]; `path` is for errors."""

    def __init__(self, n: int, precision: float, path: str = "") -> None:
        self.n, self.precision, self.path = n, precision, path
        self._encoder = _core.XtcEncoder(n, float(precision))

    def frame(self, frame: Frame) -> bytes:
        step = signed(frame.step)
        try:
            return self._encoder.frame(step, frame.time, frame.box, frame.position)
        except InputError as error:
            if "in 32 bits" not in str(error):
                raise
            problem, _, why = str(error).partition(").")[0].partition(" (")
            raise FormatError(
                self.path,
                "cannot be written",
                f"{problem}; {why}, which hold {2**31 / self.precision:.6g} nm",
                "Lower the precision, or write .trr or .gsd",
            ) from None


register(
    FileFormat(
        endings=(".xtc",),
        begins=rb"\x00\x00\x07[\xcb\xe7]",
        narrow=True,
        writer=lambda start: XTC(start.n, start.precision, start.path),
        frames=frames_of_gromacs,
        scan=scan_xtc,
    )
)
