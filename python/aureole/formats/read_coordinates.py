# SPDX-License-Identifier: Apache-2.0
"""One frame of particles from a file in any format that is read."""

from __future__ import annotations

from aureole.base.errors import file_error
from aureole.base.text_files import Name

from .coordinates import Coordinates
from .registry import ending_of, endings_with, format_of


def read_coordinates(path: Name) -> Coordinates:
    """Coordinates of a .gro or .pdb file, or of another format that has names."""
    ending = ending_of(path)
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
    known = format_of(path)
    if known is None or known.coordinates is None:
        endings = " or ".join(endings_with("coordinates"))
        raise file_error(
            path, "has an unknown ending", f"coordinates are {endings}", "Convert or rename it"
        )
    found: Coordinates = known.coordinates(path)
    return found
