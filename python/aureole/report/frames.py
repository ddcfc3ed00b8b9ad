# SPDX-License-Identifier: Apache-2.0
"""Frames of a run: the last one with its names, and some of the trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import file_error
from aureole.formats.box_vectors import centre, from_lengths_angles, problem_of, reduced, to_box
from aureole.formats.chemfiles_library import library
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import read_gro
from aureole.formats.registry import ending_of, format_of
from aureole.formats.xtc_trr_reader import READ, Reader
from aureole.system.box import Box

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

    Frames of a .trr without positions do not count, nor does a last one that is not whole, as the
    run may go on. Raises FileError for a file that cannot be read.
    """
    known = format_of(path)
    if ending_of(path) in READ:
        frames, count = _own(path, most)
    elif known is not None and known.frames is not None:
        whole = [frame for frame in known.frames(str(path)) if frame is not None]
        frames = [frame_of(one.box, one.position, one.time) for one in whole[-most:]]
        count = len(whole)
    else:
        frames, count = _others(path, most)
    kept = [frame for frame in frames if frame is not None]
    if frames and not kept:
        raise file_error(path, "has no box", "pair distributions need one", "Use a periodic run")
    return kept, count


def _own(path: Path, most: int) -> tuple[list[Frame | None], int]:
    reader = Reader(path)
    numbers = [k for k, head in enumerate(reader.heads) if "position" in head.holds]
    frames: list[Frame | None] = []
    for k in numbers[-most:]:
        found = reader.read(k)
        if found.position is None or not np.isfinite(found.position).all():
            raise file_error(
                path, f"frame {k + 1}", "a position is no number", "Use another copy of it"
            )
        frames.append(frame_of(found.box, found.position, found.time))
    return frames, len(numbers)


def _others(path: Path, most: int) -> tuple[list[Frame | None], int]:
    """By chemfiles. Raises InputError where that is missing."""
    chemfiles = library(path)
    chemfiles.set_warnings_callback(lambda _: None)
    known = format_of(path)
    if known is not None and known.scan is not None:
        known.scan(str(path))  # chemfiles believes what a file says of itself
    frames: list[Frame | None] = []
    try:
        with chemfiles.Trajectory(str(path)) as reader:
            count = int(reader.nsteps)
            for k in range(max(0, count - most), count):
                frames.append(_frame(reader.read_step(k)))
    except chemfiles.ChemfilesError as error:
        why = str(error).splitlines()[0] if str(error) else "chemfiles refuses it"
        raise file_error(path, "cannot be read", why, "Is it a whole trajectory?") from None
    return frames, count


def _frame(frame: Any) -> Frame | None:
    lengths, angles = frame.cell.lengths, frame.cell.angles
    if not all(length > 0 for length in lengths):
        return None
    vectors = from_lengths_angles(np.array(lengths) / 10, np.array(angles))
    time = float(frame["time"]) if "time" in frame.list_properties() else None
    return frame_of(vectors, np.array(frame.positions) / 10, time)
