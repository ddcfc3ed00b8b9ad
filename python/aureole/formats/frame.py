# SPDX-License-Identifier: Apache-2.0
"""One frame as files hold it, and the interface of a format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """Particles at one step, the origin at a corner of the box.

    Args:
        step: its number
        time: [ps]
        box: (3, 3) rows are the box vectors [nm]
        position: (n, 3) [nm], or None where the format allows it
        velocity: (n, 3) [nm/ps] or None
        force: (n, 3) [kJ/mol/nm] or None
        number: of the frame within its file, counted from 0
    """

    step: int
    time: float
    box: Columns
    position: Columns | None
    velocity: Columns | None = None
    force: Columns | None = None
    number: int = 0


class Format(Protocol):
    """The way in which frames make a file. All methods are called on the writer's thread."""

    def head(self) -> bytes:
        """The bytes before the first frame."""

    def frame(self, frame: Frame) -> bytes:
        """The bytes of one frame."""

    def count(self, frames: int) -> tuple[int, bytes] | None:
        """Where the file counts its frames, and the bytes there; None if it does not."""


class Headless:
    """A format without a head and without a count."""

    def head(self) -> bytes:
        return b""

    def count(self, frames: int) -> tuple[int, bytes] | None:
        return None


def signed(step: int) -> int:
    """A step number as the 32 bits of GROMACS' files hold it."""
    return (step + 2**31) % 2**32 - 2**31
