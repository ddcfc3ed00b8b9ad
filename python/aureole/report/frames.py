# SPDX-License-Identifier: Apache-2.0
"""Frames of a run: the last one with its names, and some of the trajectory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import file_error
from aureole.formats import chemfiles_library
from aureole.formats.box_vectors import centre, problem_of, reduced, to_box
from aureole.formats.coordinates import Coordinates
from aureole.formats.gro import gro_frames
from aureole.formats.registry import Given, ending_of, format_of
from aureole.formats.xtc_trr_reader import READ, Reader
from aureole.system.box import Box

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """Particles in a box that is centred on the origin.

    Args:
        box: edges [nm]
        position: (n, 3) [nm]
        time: [ps], or None
    """

    box: Box
    position: Array
    time: float | None = None


def last_frame(path: Path) -> tuple[Coordinates, Frame | None]:
    """Names and last frame of a .gro file; the frame is None if the file has no box."""
    [names] = deque(gro_frames(path), maxlen=1)
    return names, frame_of(names.box, names.position, names.time)


def unbound(names: Coordinates) -> Frame:
    """A frame of a file without a box, in one so large that images are far from the particles."""
    low, high = names.position.min(axis=0), names.position.max(axis=0)
    return Frame(Box.of((2 * (high - low) + 2.0).tolist()), names.position - (low + high) / 2)


def frame_of(
    vectors: Array | None,
    position: Array,
    time: float | None,
    periodic: tuple[bool, bool, bool] = (True, True, True),
) -> Frame | None:
    """A frame from box vectors as rows and positions from a corner of the box [nm]."""
    if vectors is None or problem_of(np.asarray(vectors, dtype=float)) is not None:
        return None
    kept = reduced(np.asarray(vectors, dtype=float))
    return Frame(to_box(kept, periodic), np.asarray(position, dtype=float) - centre(kept), time)


def opened(frame: Frame, axes: str) -> Frame:
    """A frame with further axes, such as "z", that are not periodic."""
    flags = zip("xyz", frame.box.periodic, strict=True)
    periodic = tuple(flag and axis not in axes for axis, flag in flags)
    return replace(frame, box=replace(frame.box, periodic=periodic))


def trajectory(path: Path, most: int) -> tuple[list[Frame], int]:
    """The last frames of a trajectory, at most `most` of them, and the number of all frames.

    Frames of a .trr without positions do not count, nor does a last frame that is not whole, as the
    run may go on. Raises FileError for a file that cannot be read,
    InputError where chemfiles would have to read it and is missing.
    """
    known = format_of(path)
    if ending_of(path) in READ:
        found, count = _own(path, most)
    elif known is not None and known.frames is not None:
        whole = [frame for frame in known.frames(str(path)) if frame is not None]
        found, count = whole[-most:], len(whole)
    else:
        suggestion = "Is the trajectory complete?"
        with chemfiles_library.trajectory(str(path), suggestion) as (count, read):
            found = [read(k) for k in range(max(0, count - most), count)]
    frames = [frame_of(one.box, one.position, one.time) for one in found]
    kept = [frame for frame in frames if frame is not None]
    if frames and not kept:
        raise file_error(path, "has no box", "pair distributions need one", "Use a periodic run")
    return kept, count


def _own(path: Path, most: int) -> tuple[list[Given], int]:
    reader = Reader(path)
    numbers = [k for k, head in enumerate(reader.heads) if "position" in head.holds]
    frames = []
    for k in numbers[-most:]:
        found = reader.read(k)
        if found.position is None or not np.isfinite(found.position).all():
            raise file_error(
                path, f"frame {k + 1} is damaged", "a position is not finite", "Use another copy"
            )
        frames.append(Given(found.step, found.time, found.position, box=found.box))
    return frames, len(numbers)
