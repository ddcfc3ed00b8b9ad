# SPDX-License-Identifier: Apache-2.0
"""The last frame of a run as a coordinate file."""

from __future__ import annotations

import os

from aureole.base.errors import bad_input
from aureole.engine.observed import Observed
from aureole.formats.registry import ending_of, endings_with, format_of
from aureole.ranks.collective import of_rank_0

from .frame_of_simulation import frame_of, names_of, whole_of


@of_rank_0
def write_frame(
    path: str | os.PathLike[str],
    sim: Observed,
    *,
    precision: int = 3,
    velocities: bool = True,
    whole: bool = True,
) -> None:
    """Write the current particles to a .gro or .pdb file, completely or not at all.

    Args:
        path: the file; an existing one is replaced
        sim: the simulation
        precision: decimals of .gro positions [nm]; velocities [nm/ps] get one more
        velocities: whether a .gro file gets velocities; .pdb has none
        whole: whether molecules are made whole, with their centres in the box

    A script that runs on several ranks must call this on all of them; rank 0 writes the
    file. Raises InputError for an unknown extension, FileError when the file cannot be written.
    """
    path = os.fspath(path)
    known = format_of(path)
    endings = endings_with("write_coordinates")
    if known is None or known.write_coordinates is None or ending_of(path) not in endings:
        raise bad_input(
            f"{path} has an unknown extension",
            f"a frame is written as {' or '.join(endings)}",
            "Choose one of them",
        )
    columns = {"position": sim.get("position")}
    if velocities and "velocity" in known.holds:
        columns["velocity"] = sim.get("velocity")
    frame = frame_of(sim.step, sim.time, sim.box, columns, whole=whole_of(sim, whole))
    coordinates = names_of(sim).coordinates(frame)
    known.write_coordinates(path, coordinates, precision)
