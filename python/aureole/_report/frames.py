# SPDX-License-Identifier: Apache-2.0
"""Frames of a run: the last one with its names, and some of the trajectory."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from ..errors import bad_input, file_error
from ..formats.scan import without_positions
from ..gromacs.boxes import centre, from_lengths_angles, problem_of, reduced, to_box
from ..gromacs.coordinates import Coordinates
from ..gromacs.gro import read_gro

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """Particles in a periodic box that is centred on the origin.

    Args:
        box: edges [nm]
        position: (n, 3) [nm]
        time: [ps], or None
    """

    box: Box
    position: Array
    time: float | None = None


def last_frame(path: Path) -> tuple[Coordinates, Frame | None]:
    """Names and positions of a .gro file; no frame where the file has no box."""
    names = read_gro(path)
    return names, frame_of(names.box, names.position, names.time)


def unbound(names: Coordinates) -> Frame:
    """A frame in a box so large that particles of a file without one do not meet their images."""
    low, high = names.position.min(axis=0), names.position.max(axis=0)
    return Frame(Box.of((2 * (high - low) + 2.0).tolist()), names.position - (low + high) / 2)


def frame_of(vectors: Array | None, position: Array, time: float | None) -> Frame | None:
    """A frame from box vectors as rows and positions from a corner of the box [nm]."""
    if vectors is None or problem_of(np.asarray(vectors, dtype=float)) is not None:
        return None
    kept = reduced(np.asarray(vectors, dtype=float))
    return Frame(to_box(kept), np.asarray(position, dtype=float) - centre(kept), time)


def trajectory(path: Path, most: int) -> tuple[list[Frame], int]:
    """The last frames of a trajectory, `most` of them at most, and how many there are in all.

    Frames of a .trr without positions do not count. Raises InputError where chemfiles is missing,
    FileError for a file that it cannot read.
    """
    chemfiles = _chemfiles()
    frames: list[Frame | None] = []
    bare = without_positions(str(path))
    try:
        with chemfiles.Trajectory(str(path)) as reader:
            numbers = [k for k in range(int(reader.nsteps)) if k not in bare]
            count = len(numbers)
            for k in numbers[: -most - 1 : -1]:
                # The last frame of a run that goes on may not be whole yet.
                with suppress(chemfiles.ChemfilesError if k == numbers[-1] and k > 0 else ()):
                    frames.insert(0, _frame(reader.read_step(k)))
    except chemfiles.ChemfilesError as error:
        why = str(error).splitlines()[0] if str(error) else "chemfiles refuses it"
        raise file_error(path, "cannot be read", why, "Is it a whole trajectory?") from None
    kept = [frame for frame in frames if frame is not None]
    if frames and not kept:
        raise file_error(path, "has no box", "pair distributions need one", "Use a periodic run")
    return kept, count


def _chemfiles() -> Any:
    try:
        import chemfiles
    except ImportError:
        raise bad_input(
            "no trajectory can be read", "chemfiles is missing", "Install it: pip install chemfiles"
        ) from None
    chemfiles.set_warnings_callback(lambda _: None)
    return chemfiles


def _frame(frame: Any) -> Frame | None:
    lengths, angles = frame.cell.lengths, frame.cell.angles
    if not all(length > 0 for length in lengths):
        return None
    vectors = from_lengths_angles(np.array(lengths) / 10, np.array(angles))
    time = float(frame["time"]) if "time" in frame.list_properties() else None
    return frame_of(vectors, np.array(frame.positions) / 10, time)


__all__ = ["Coordinates", "Frame", "frame_of", "last_frame", "trajectory", "unbound"]
