# SPDX-License-Identifier: Apache-2.0
"""The formats of files of particles, and the abilities of each.

The module of a format registers it when it is imported. Everything that reads or writes files of
particles asks here: `read`, `write`, `Frames`, `write_frame`, `aureole info`, reruns, reports.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input
from aureole.base.files import open_regular

from .frame import Format

_HEAD_BYTES = 4096
_KNOWN: dict[str, FileFormat] = {}  # by ending


@dataclass(frozen=True, eq=False)
class Given:
    """One frame read from a file; lengths in nm, times in ps."""

    step: int
    time: float | None
    position: NDArray[np.float64]
    velocity: NDArray[np.float64] | None = None
    box: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Start:
    """The facts about a run that a writer of frames gets when the run begins.

    Args:
        path: the file
        n: particles of each frame
        every: steps between frames
        dt: time step [ps]
        first: step of the first frame
        precision: of `Frames` [1/nm]
        physical: whether lengths are in nm; in reduced units they are numbers
        names: returns the names of the particles, as `coordinates.Names`
    """

    path: str
    n: int
    every: int
    dt: float
    first: int
    precision: float
    physical: bool
    names: Callable[[], Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class FileFormat:
    """A file format; omit what it cannot do.

    Args:
        endings: file extensions, in lower case; files are written with the first
        begins: a regular expression for the first bytes of files that `Frames` writes. A run that
            continues from a checkpoint replaces only such files
        each: whether each frame begins like a file
        holds: what frames can hold besides positions, "velocity" and "force"
        varied: whether frames of one file may differ in what they hold
        narrow: whether its numbers have limits, so that a frame is tried before a run begins
        writer: makes the object that turns frames of a run into bytes
        frames: reads all frames, None for one without positions
        coordinates: reads one frame with the names of its particles, as `Coordinates`
        write_coordinates: writes `Coordinates` with a number of decimals
        read: a system from a frame, counted from 0, or from the end where it is negative
        write: a system, with the number of a step
        scan: returns the `Contents` of a trajectory without reading all of it
        time_unit: of its files, where chemfiles reads them [ps]
        kind: what `aureole info` calls such a file
        facts: what `aureole info` shows; by default what the other functions find
    """

    endings: tuple[str, ...]
    begins: bytes = b""
    each: bool = True
    holds: tuple[str, ...] = ()
    varied: bool = False
    narrow: bool = False
    writer: Callable[[Start], Format] | None = None
    frames: Callable[[str], Iterator[Given | None]] | None = None
    coordinates: Callable[[Any], Any] | None = None
    write_coordinates: Callable[[str, Any, int], None] | None = None
    read: Callable[[str, int], Any] | None = None
    write: Callable[[str, Any, int], None] | None = None
    scan: Callable[[str], Any] | None = None
    time_unit: float = 1.0
    kind: str = "trajectory"
    facts: Callable[[str], list[tuple[str, str]]] | None = None

    @property
    def module(self) -> str:
        """The module of its functions."""
        found = (self.writer, self.frames, self.coordinates, self.read, self.write, self.scan)
        made = (one for one in (*found, self.facts) if one is not None)
        return next((one.__module__ for one in made), "")

    def recognises(self, head: bytes) -> bool:
        """Whether a file of these first bytes is one that `Frames` writes."""
        return bool(self.begins) and re.match(self.begins, head) is not None


def register(made: FileFormat) -> None:
    """Register a format by its extensions. Raises InputError if another format has one of them."""
    for ending in made.endings:
        if not re.fullmatch(r"\.[a-z0-9]+", ending):
            raise bad_input(f"{ending!r} is no file extension", "it is not like .abc", "Write .abc")
        other = _KNOWN.get(ending)
        if other is not None and other.module != made.module:
            raise bad_input(
                f"the extension {ending} already belongs to a format of {other.module}",
                "an extension identifies one format",
                "Choose another extension",
            )
    for ending in made.endings:
        _KNOWN[ending] = made


def ending_of(path: Any) -> str:
    """The extension of a file name, in lower case."""
    return os.path.splitext(os.fspath(path))[1].lower()


def format_of(path: Any) -> FileFormat | None:
    """The format that belongs to the extension of a file name."""
    return _KNOWN.get(ending_of(path))


def format_of_file(path: str) -> FileFormat | None:
    """The format of a file: that of its extension, unless its first bytes show another."""
    by_name = format_of(path)
    try:
        with open_regular(path, 2**62) as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return by_name
    if by_name is not None and by_name.recognises(head):
        return by_name
    others = (known for known in _KNOWN.values() if known.recognises(head))
    return next(others, by_name)


def endings_with(ability: str) -> list[str]:
    """The first extensions of the formats that have an ability."""
    able = [known.endings[0] for known in _KNOWN.values() if getattr(known, ability)]
    return list(dict.fromkeys(able))
