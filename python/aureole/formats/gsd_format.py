# SPDX-License-Identifier: Apache-2.0
"""GSD files among the formats. Their reader and their writer are imported when they are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from aureole.system.box import Box

from .box_vectors import centre, from_box
from .gsd_check import MAGIC, damaged
from .registry import FileFormat, Given, register

if TYPE_CHECKING:
    from .gsd import GSDReader


def frame_of(reader: GSDReader, number: int) -> Given:
    """One frame, counted from 0. The origin is a corner of the box; images are ignored.

    The lengths are those of the file, in nm or reduced. A flat box becomes one length high.
    Velocities of another frame do not count.
    """
    n = reader.count(number)
    reader.molecular(number)  # which refuses other units
    position = reader.positions(number, n)
    box = reader.numbers("configuration/box", number, (6,), "f")
    velocity = None
    if not reader.is_stale("particles/velocity", number):
        velocity = reader.numbers("particles/velocity", number, (n, 3), "f")
    if box is None:
        raise damaged(reader.path, f"frame {number + 1} has no box")
    six = [float(value) for value in box]
    six[2] = six[2] or 1.0
    rows = from_box(Box.of(six))
    at = position.astype(np.float64) + centre(rows)
    moving = None if velocity is None else velocity.astype(np.float64)
    return Given(reader.step(number), None, at, moving, rows)


def _frames(path: str) -> Iterator[Given]:
    """All frames."""
    from . import gsd

    with gsd.GSDReader(path) as reader:
        yield from (frame_of(reader, number) for number in range(reader.frames))


def _facts(path: str) -> list[tuple[str, str]]:
    """Facts about a file for `aureole info`."""
    from . import gsd

    with gsd.GSDReader(path) as reader:
        if reader.frames == 0:
            return [("frames", "none")]
        last = reader.frames - 1
        n = reader.count(last)
        box = reader.numbers("configuration/box", last, (6,), "f")
        typeid = reader.numbers("particles/typeid", last, (n,), "iu")
        names = reader.names(last)
        known = np.zeros(n, int) if typeid is None else np.clip(typeid, 0, len(names)).astype(int)
        counts = np.bincount(known, minlength=len(names))
        kinds = [f"{count:,} {name}" for count, name in zip(counts, names, strict=False)]
        rows = [
            ("frames", f"{reader.frames:,}, steps {reader.step(0):,} to {reader.step(last):,}"),
            ("particles", f"{n:,}: {', '.join(kinds)}"),
        ]
        if box is not None:
            rows.append(("box", " ".join(f"{value:.6g}" for value in box)))
            volume = float(box[0]) * float(box[1]) * float(box[2])
            if volume > 0:
                rows.append(("density", f"{n / volume:.6g}"))
        found = reader.file.find_matching_chunk_names("")
        rows.append(("holds", ", ".join(sorted(found))))
        return rows


register(
    FileFormat(
        endings=(".gsd",),
        begins=re.escape(MAGIC.to_bytes(8, "little")),
        holds=("velocity", "force"),
        kind="GSD file",
        frames=_frames,
        facts=_facts,
    )
)
