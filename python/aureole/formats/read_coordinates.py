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
            "its binary format depends on the version",
            "Give the coordinates, topology and run parameters that grompp read",
        )
    if ending == ".cpt":
        raise file_error(
            path,
            "is a checkpoint",
            "the final frame of its run has positions, velocities and box too",
            "Give that frame, such as -c nvt.gro; -cpi continues a run of aureole mdrun",
        )
    known = format_of(path)
    if known is not None and known.coordinates is None and known.frames is not None:
        raise file_error(
            path,
            "is a trajectory",
            "coordinates are one frame, with the names of atoms",
            f"Take a frame: gmx trjconv -s md.tpr -f {path} -dump T -o frame.gro (T in ps)",
        )
    if known is None or known.coordinates is None:
        endings = " or ".join(endings_with("coordinates"))
        raise file_error(
            path, "has an unknown extension", f"known: {endings}", "Convert or rename it"
        )
    found: Coordinates = known.coordinates(path)
    return found
