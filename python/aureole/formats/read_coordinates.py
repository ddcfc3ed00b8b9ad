# SPDX-License-Identifier: Apache-2.0
"""One frame of particles from a file in any format that is read."""

from __future__ import annotations

import os

from aureole.base.errors import file_error
from aureole.base.text_files import Name

from .coordinates import Coordinates
from .gro import read_gro
from .pdb import read_pdb

_READERS = {".gro": read_gro, ".pdb": read_pdb, ".ent": read_pdb}


def read_coordinates(path: Name) -> Coordinates:
    """Coordinates of a .gro or .pdb file, by its extension."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending == ".tpr":
        raise file_error(
            path,
            "is a run input file of GROMACS",
            "its binary form belongs to one version of it",
            "Give the coordinates, topology and run parameters that grompp made it from",
        )
    if ending == ".cpt":
        raise file_error(
            path,
            "is a checkpoint",
            "the final frame of its run carries positions, velocities and box too",
            "Give that, such as -c nvt.gro; a run of aureole mdrun goes on with -cpi",
        )
    if ending not in _READERS:
        raise file_error(
            path, "has an unknown ending", "coordinates are .gro or .pdb", "Convert or rename it"
        )
    return _READERS[ending](path)
