# SPDX-License-Identifier: Apache-2.0
"""Frames of trajectories in any format that is read, one by one."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import file_error

from .chemfiles_library import library
from .read_coordinates import read_coordinates
from .scan import scan
from .xtc_trr_reader import READ, Reader

_ANGSTROM = 0.1  # nm


@dataclass(frozen=True, eq=False)
class Given:
    """One frame as a trajectory has it; lengths in nm, times in ps."""

    step: int
    time: float | None
    position: NDArray[np.float64]
    velocity: NDArray[np.float64] | None
    box: NDArray[np.float64] | None


def frames_of(path: str) -> Iterator[Given | None]:
    """The frames of .xtc, .trr, .dcd and what else chemfiles reads; .gro and .pdb have one.

    None stands for a frame of a .trr that has no positions.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending in (".gro", ".pdb", ".ent", ".tpr"):
        one = read_coordinates(path)
        yield Given(one.step or 0, one.time, one.position, one.velocity, one.box)
        return
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "there is no such file", "Check its name")
    if ending in READ:
        yield from _own_frames(path)
        return
    if ending == ".dcd":
        scan(path)  # chemfiles believes what a file says of itself
    chemfiles = library(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with chemfiles.Trajectory(path) as file:
                for _ in range(file.nsteps):
                    yield _given(file.read())
    except chemfiles.ChemfilesError as error:
        raise file_error(
            path, "cannot be read", error, "Give an .xtc, .trr, .dcd, .gro or .pdb file"
        ) from None


def _own_frames(path: str) -> Iterator[Given | None]:
    reader = Reader(path)
    for frame in reader:
        box = frame.box if frame.box.any() else None
        yield (
            None
            if frame.position is None
            else Given(frame.step, frame.time, frame.position, frame.velocity, box)
        )
    if reader.rest:
        warnings.warn(
            f"{path}: {reader.rest:,} bytes after the last whole frame are left out", stacklevel=2
        )


def _given(frame: Any) -> Given:
    time = float(frame["time"]) if "time" in list(frame.list_properties()) else None
    box = np.array(frame.cell.matrix, dtype=float).T * _ANGSTROM
    return Given(
        step=int(frame.step),
        time=time if time is not None and math.isfinite(time) else None,
        position=np.array(frame.positions, dtype=float) * _ANGSTROM,
        velocity=np.array(frame.velocities) * _ANGSTROM if frame.has_velocities() else None,
        box=box if box.any() else None,
    )
