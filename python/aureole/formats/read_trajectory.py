# SPDX-License-Identifier: Apache-2.0
"""Frames of trajectories in any format that is read, one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator

from aureole.base.errors import file_error

from .chemfiles_library import trajectory
from .gro import gro_frames
from .pdb import pdb_models
from .read_coordinates import read_coordinates
from .registry import Given, ending_of, format_of


def frames_of(path: str) -> Iterator[Given | None]:
    """The frames of .xtc, .trr, .dcd, .gsd, .gro, .pdb and what else is known or chemfiles reads.

    None stands for a frame of a .trr that has no positions.
    """
    known = format_of(path)
    single = known is not None and known.frames is None and known.coordinates is not None
    if single or ending_of(path) == ".tpr":
        several = {".gro": gro_frames, ".pdb": pdb_models, ".ent": pdb_models}.get(ending_of(path))
        for one in [read_coordinates(path)] if several is None else several(path):
            yield Given(one.step or 0, one.time, one.position, one.velocity, one.box)
        return
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "no such file", "Check its name")
    if known is not None and known.frames is not None:
        yield from known.frames(path)
        return
    with trajectory(path, "Give an .xtc, .trr, .dcd, .gro or .pdb file") as (count, read):
        yield from map(read, range(count))
