# SPDX-License-Identifier: Apache-2.0
"""Trajectories of CHARMM, NAMD and VMD (.dcd): positions in ångström, single precision.

Fortran records, each between two counts of its bytes: a head that counts the frames, a title,
the number of particles; then for each frame the cell (A, γ, B, β, α, C; ångström, degrees), all
x, all y and all z.
"""

from __future__ import annotations

import struct

import numpy as np

from .box_vectors import lengths_angles
from .frame import Frame
from .registry import FileFormat, register
from .scan_trajectory import AKMA, scan_dcd
from .single_precision import singles

_VERSION = 24  # of CHARMM, the last whose cell is lengths and angles
_TITLE = b"written by Aureole".ljust(80)
_COUNT_AT = 8  # bytes before the number of frames


class DCD:
    """Frames at multiples of `every` steps of `dt` [ps]; `path` is for errors."""

    def __init__(self, n: int, every: int, dt: float, first: int, path: str = "") -> None:
        self.n, self.every, self.dt, self.first, self.path = n, every, dt, first, path

    def head(self) -> bytes:
        numbers = np.zeros(20, "<i4")
        numbers[:4] = np.frombuffer(self.count(0)[1], "<i4")
        numbers[9:10] = np.array([self.dt / AKMA], "<f4").view("<i4")
        numbers[10], numbers[19] = 1, _VERSION  # with cells
        title = struct.pack("<i", 1) + _TITLE
        records = (b"CORD" + numbers.tobytes(), title, struct.pack("<i", self.n))
        return b"".join(map(_record, records))

    def frame(self, frame: Frame) -> bytes:
        lengths, (alpha, beta, gamma) = lengths_angles(frame.box)
        a, b, c = 10.0 * lengths
        assert frame.position is not None, "it always holds them"
        columns = singles(self.path, "position", frame.position, "<f4", scale=10.0).T.copy()
        cell = struct.pack("<6d", a, gamma, b, beta, alpha, c)
        return b"".join(map(_record, (cell, *(column.tobytes() for column in columns))))

    def count(self, frames: int) -> tuple[int, bytes]:
        last = self.first + self.every * (frames - 1)
        return _COUNT_AT, struct.pack("<4i", frames, self.first % 2**31, self.every, last % 2**31)


def _record(data: bytes) -> bytes:
    size = struct.pack("<I", len(data))
    return size + data + size


register(
    FileFormat(
        endings=(".dcd",),
        begins=rb"T\x00\x00\x00CORD",
        each=False,
        narrow=True,
        writer=lambda start: DCD(start.n, start.every, start.dt, start.first, start.path),
        scan=scan_dcd,
        time_unit=AKMA,
    )
)
