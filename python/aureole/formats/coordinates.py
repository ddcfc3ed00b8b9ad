# SPDX-License-Identifier: Apache-2.0
"""The contents of a coordinate file: positions and names of particles."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.system.topology import Labels

from .fixed_columns import number
from .frame import Frame

_TIME = re.compile(r"\bt=\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)", re.ASCII)
_STEP = re.compile(r"\bstep=\s*([-+]?\d{1,18})\b", re.ASCII)


@dataclass(frozen=True, eq=False)
class Coordinates:
    """One frame of a coordinate file; columns have n rows.

    Args:
        title: first line of the file
        residue: (n,) int32, numbers of the residues as the file gives them, wrapped ones too
        residue_name: words such as "ALA"
        name: words such as "CA"
        position: (n, 3) [nm], as in the file: a corner of the box is the origin
        velocity: (n, 3) [nm/ps], or None where the file holds none
        box: (3, 3) [nm], its rows the box vectors, the first along x and the second in the plane
            of x and y; or None where the file holds none
        chain: words such as "A", or None where the format has no such column
        insertion: codes that tell residues of one number apart, or None
        element: symbols as the file gives them, or None
        notes: what the reader has to tell the user
    """

    title: str
    residue: NDArray[np.int32]
    residue_name: Labels
    name: Labels
    position: NDArray[np.float64]
    velocity: NDArray[np.float64] | None = None
    box: NDArray[np.float64] | None = None
    chain: Labels | None = None
    insertion: Labels | None = None
    element: Labels | None = None
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of particles."""
        return len(self.position)

    @property
    def time(self) -> float | None:
        """The time [ps] given in the title as "t= 1.5", or None."""
        return time_and_step(self.title)[0]

    @property
    def step(self) -> int | None:
        """The step given in the title as "step= 5", or None."""
        return time_and_step(self.title)[1]


def time_and_step(title: str) -> tuple[float | None, int | None]:
    """Time [ps] and step, where a title ends as "... t= 1.0 step= 5"."""
    time, step = _TIME.search(title), _STEP.search(title)
    value = number(time[1].encode()) if time else np.nan  # NaN for what is none, such as 1.2.3
    return None if np.isnan(value) else value, int(step[1]) if step else None


@dataclass(frozen=True, eq=False)
class Names:
    """Names and residues of particles; columns as in `Coordinates`."""

    title: str
    residue: NDArray[np.int32]
    residue_name: Labels
    name: Labels

    def of(self, tags: NDArray[np.int64]) -> Names:
        """The names of chosen particles."""
        return Names(
            self.title,
            self.residue[tags],
            Labels(self.residue_name.words, self.residue_name.index[tags]),
            Labels(self.name.words, self.name.index[tags]),
        )

    def coordinates(self, frame: Frame) -> Coordinates:
        """One frame of these particles; its title ends with time and step, as GROMACS' do."""
        return Coordinates(
            f"{self.title} t= {frame.time:.5f} step= {frame.step}",
            self.residue,
            self.residue_name,
            self.name,
            frame.position,
            frame.velocity,
            frame.box,
        )
