# SPDX-License-Identifier: Apache-2.0
"""Frames of trajectories in any format that is read, one by one."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from aureole.base.errors import file_error

from .chemfiles_library import library
from .read_coordinates import read_coordinates
from .registry import Given, ending_of, format_of
from .scan_trajectory import AKMA

_ANGSTROM = 0.1  # nm


def frames_of(path: str) -> Iterator[Given | None]:
    """The frames of .xtc, .trr, .dcd and what else is known or chemfiles reads; .gro has one.

    None stands for a frame of a .trr that has no positions.
    """
    known = format_of(path)
    single = known is not None and known.frames is None and known.coordinates is not None
    if single or ending_of(path) == ".tpr":
        one = read_coordinates(path)
        yield Given(one.step or 0, one.time, one.position, one.velocity, one.box)
        return
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "there is no such file", "Check its name")
    if known is not None and known.frames is not None:
        yield from known.frames(path)
        return
    if known is not None and known.scan is not None:
        known.scan(path)  # chemfiles believes what a file says of itself
    chemfiles = library(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with chemfiles.Trajectory(path) as file:
                for _ in range(file.nsteps):
                    given = _given(file.read())
                    if ending_of(path) == ".dcd" and given.time is not None:
                        given = replace(given, time=given.time * AKMA)  # as the file has it
                    yield given
    except chemfiles.ChemfilesError as error:
        raise file_error(
            path, "cannot be read", error, "Give an .xtc, .trr, .dcd, .gro or .pdb file"
        ) from None


def _given(frame: Any) -> Given:
    said = {name.lower(): frame[name] for name in frame.list_properties()}
    time = _number(said.get("time"))
    step = _number(said.get("step"))  # of .xyz files, where chemfiles only counts frames
    box = np.array(frame.cell.matrix, dtype=float).T * _ANGSTROM
    return Given(
        step=int(frame.step if step is None else step),
        time=time,
        position=np.array(frame.positions, dtype=float) * _ANGSTROM,
        velocity=np.array(frame.velocities) * _ANGSTROM if frame.has_velocities() else None,
        box=box if box.any() else None,
    )


def _number(value: Any) -> float | None:
    """A finite number, or None."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None
