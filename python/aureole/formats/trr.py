# SPDX-License-Identifier: Apache-2.0
"""GROMACS' trajectories of full single precision (.trr): positions, velocities, forces.

Each frame is in XDR, big-endian words of four bytes: a magic number, a tag, the sizes of its
blocks, counts, time and λ, then the blocks. Layout: GROMACS reference manual, "trr".
"""

from __future__ import annotations

import struct

import numpy as np

from .frame import Frame, Headless, signed
from .registry import FileFormat, register
from .scan_trajectory import TAG, scan_trr
from .single_precision import singles
from .xtc_trr_reader import frames_of_gromacs

_MAGIC = 1993
_REAL = 4  # bytes


class TRR(Headless):
    """Frames with the box, and the positions, velocities and forces that each frame has.

    Args:
        n: particles of each frame
        path: the file, for errors
        physical: whether numbers have units
    """

    def __init__(self, n: int, path: str = "", physical: bool = True) -> None:
        self.n, self.path, self.physical = n, path, physical

    def frame(self, frame: Frame) -> bytes:
        columns = {name: getattr(frame, name) for name in ("position", "velocity", "force")}
        sizes = [0 if column is None else 3 * _REAL * self.n for column in columns.values()]
        blocks = [np.asarray(frame.box, ">f4")]
        blocks += [
            singles(self.path, name, column, ">f4", self.physical)
            for name, column in columns.items()
            if column is not None
        ]
        head = struct.pack(f">3i{len(TAG)}s", _MAGIC, len(TAG) + 1, len(TAG), TAG)
        # Of the ten sizes only those of the box, positions, velocities and forces are used today.
        head += struct.pack(">10i", 0, 0, 9 * _REAL, 0, 0, 0, 0, *sizes)
        head += struct.pack(">3i2f", self.n, signed(frame.step), 0, frame.time, 0.0)
        return head + b"".join(block.tobytes() for block in blocks)


register(
    FileFormat(
        endings=(".trr",),
        begins=rb"\x00\x00\x07\xc9",
        holds=("velocity", "force"),
        varied=True,
        narrow=True,
        writer=lambda start: TRR(start.n, start.path, start.physical),
        frames=frames_of_gromacs,
        scan=scan_trr,
    )
)
