# SPDX-License-Identifier: Apache-2.0
"""Systems from files of particles, and back."""

from __future__ import annotations

import os

from aureole.base.errors import bad_input, file_error
from aureole.base.values import integer
from aureole.ranks.team import standing
from aureole.system.system import System

from . import gsd_systems
from .gsd_check import looks_like_gsd
from .registry import ending_of, format_of


def read(path: str | os.PathLike[str], frame: int = -1) -> System:
    """Read a System from one frame of a GSD file, such as HOOMD-blue writes.

    Args:
        path: the file, or one of another registered format that holds systems
        frame: which frame, a whole number; negative ones count from the end

    Box, types, positions, velocities, masses, charges, images and diameters (a column) are read;
    `bonds`, `angles`, `dihedrals`, `impropers` and `pairs` by the names of their types, to which
    specs such as `FeneBond` give parameters; and constraints with their lengths. Files of Aureole
    hold exclusions and units too. In others bonded pairs do not interact otherwise, unless
    ``.replace(exclusions=[])`` follows. Bonds of a topology are not read, as their parameters are
    not in the file. A warning names what is ignored or missing.
    Raises FileError when the file is damaged, InputError when the particles cannot be simulated.
    """
    frame = integer(frame, "frame")
    known = format_of(path)
    if known is not None and known.read is not None:
        return known.read(os.fspath(path), frame)
    other = known is not None and ending_of(path) != ".gsd"
    if known is not None and other and (known.writer or known.frames or known.coordinates):
        raise bad_input(
            f"no system can be read from {os.fspath(path)}",
            f"{known.endings[0]} files have no types and masses of particles",
            "Give a .gsd file; au.System.load reads what System.save wrote",
        )
    if known is None and not looks_like_gsd(path) and os.path.isfile(path):
        raise file_error(
            path,
            "is no file of particles that can be read",
            "it is no GSD file; data files of LAMMPS are not read",
            "Give arrays to au.System, or convert the file to .gsd",
        )
    return gsd_systems.read(path, frame)


def write(path: str | os.PathLike[str], system: System, *, step: int = 0) -> None:
    """Write a system as a GSD file of one frame, through a temporary beside it.

    Its columns become ``log/particles/NAME``, which `read` restores, as it does charges, bonds,
    constraints, exclusions and units. A warning says if the system has a topology, other terms with
    parameters, groups or reference positions, which only `System.save` keeps. In a
    script that runs on every rank, rank 0 writes. The extension may also be that of another
    registered format for systems.
    """
    known = format_of(path)
    if known is None or known.write is None:
        gsd_systems.write(path, system, step=step)
    elif standing()[0] == 0:
        known.write(os.fspath(path), system, step)
