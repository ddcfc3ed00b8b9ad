# SPDX-License-Identifier: Apache-2.0
"""The package chemfiles, which reads .dcd files and rarer trajectories where it is installed."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from aureole.base.errors import bad_input, file_error

from .registry import Given, format_of

_ANGSTROM = 0.1  # nm


def library(path: object) -> Any:
    """The package, or an InputError that says how to get it and what is read without it."""
    try:
        import chemfiles
    except (ImportError, OSError) as error:
        raise bad_input(
            f"{path} cannot be read",
            f"the package chemfiles cannot be imported: {error}",
            "Install it with `pip install aureole[trajectories]`, or give an .xtc or .trr file",
        ) from None
    return chemfiles


@contextmanager
def trajectory(path: str, suggestion: str) -> Iterator[tuple[int, Callable[[int], Given]]]:
    """The number of frames of a trajectory, and a function that reads one, counted from 0.

    Errors of chemfiles become a FileError with `suggestion`.
    """
    known = format_of(path)
    time_unit = 1.0 if known is None else known.time_unit
    if known is not None and known.scan is not None:
        known.scan(path)  # chemfiles believes what a file says of itself
    chemfiles = library(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with chemfiles.Trajectory(path) as file:
                yield int(file.nsteps), lambda k: _given(file.read_step(k), time_unit)
    except chemfiles.ChemfilesError as error:
        why = str(error) or "chemfiles cannot read it"
        raise file_error(path, "cannot be read", why, suggestion) from None


def _given(frame: Any, time_unit: float) -> Given:
    """A frame of chemfiles in nm and ps."""
    said = {name.lower(): frame[name] for name in frame.list_properties()}
    time = _number(said.get("time"))
    step = _number(said.get("step"))  # of .xyz files, where chemfiles only counts frames
    box = np.array(frame.cell.matrix, dtype=float).T * _ANGSTROM
    return Given(
        step=int(frame.step if step is None else step),
        time=None if time is None else time * time_unit,
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
