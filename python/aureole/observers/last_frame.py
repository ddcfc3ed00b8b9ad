# SPDX-License-Identifier: Apache-2.0
"""The last frame of a run as a coordinate file, and frames that are tried before a run begins."""

from __future__ import annotations

import os
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.text_files import replace
from aureole.engine.observed import Observed
from aureole.formats.frame import Frame
from aureole.formats.registry import FileFormat, Start, endings_with, format_of
from aureole.formats.without_units import units_of
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
    """Write the current particles to a .gro, .pdb or .trr file, completely or not at all.

    Args:
        path: the file; an existing one is replaced. A .trr file has no names
        sim: the simulation
        precision: decimals of .gro positions [nm]; velocities [nm/ps] get one more
        velocities: whether a .gro or .trr file gets velocities; .pdb has none
        whole: whether molecules are made whole, with their centres in the box

    A script that runs on several ranks must call this on all of them; rank 0 writes the
    file. Raises InputError for an unknown extension, FileError when the file cannot be written or
    has no room for a coordinate: columns of .gro end at 9999.999 nm, those of .pdb at 999.9999 nm.
    """
    path = os.fspath(path)
    known = _format_of(path)
    frame = _frame(sim, known, velocities, whole)
    with units_of(sim.units.physical):
        if known.write_coordinates is not None:
            known.write_coordinates(path, names_of(sim).coordinates(frame), precision)
        else:
            replace(path, [_only_frame(known, _start(path, sim), frame)])


@of_rank_0
def check_frame(path: str, sim: Observed) -> None:
    """Raise the errors of `write_frame` for the particles as they are now; write nothing."""
    known = _format_of(path)
    try_frame(known, _start(path, sim), _frame(sim, known, True, True))


def try_frame(known: FileFormat, start: Start, frame: Frame) -> None:
    """Raise FormatError where a file has no room for a frame."""
    if known.narrow and known.writer is not None:
        with units_of(start.physical):
            known.writer(start).frame(frame)


def _format_of(path: str) -> FileFormat:
    known = format_of(path)
    able = known is not None and (known.write_coordinates is not None or known.varied)
    if known is None or not able:
        raise bad_input(
            f"{path} has an unknown extension",
            f"a frame is written as {', '.join(endings_with('write_coordinates'))} or .trr",
            "Choose one of them",
        )
    return known


def _frame(sim: Observed, known: FileFormat, velocities: bool, whole: bool) -> Frame:
    columns = {"position": sim.get("position")}
    if velocities and "velocity" in known.holds:
        columns["velocity"] = sim.get("velocity")
    return frame_of(sim.step, sim.time, sim.box, columns, whole=whole_of(sim, whole))


def _start(path: str, sim: Observed) -> Start:
    return Start(
        path=path,
        n=sim.n,
        every=1,
        dt=sim.dt,
        first=sim.step,
        precision=1000.0,
        physical=sim.units.physical,
        names=lambda: names_of(sim),
    )


def _only_frame(known: FileFormat, start: Start, frame: Frame) -> bytes:
    """The bytes of a file of one frame, whose format does not count frames."""
    assert known.writer is not None, "it can be written"
    made: Any = known.writer(start)
    return bytes(made.head() + made.frame(frame))
