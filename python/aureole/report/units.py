# SPDX-License-Identifier: Apache-2.0
"""The units of a run whose summary is not there, told by its other files."""

from __future__ import annotations

import re
from pathlib import Path

from aureole.base.errors import Error

MOLECULAR, REDUCED = "molecular", "reduced"
#: Endings of files that always hold molecular units.
_OF_MOLECULES = {".gro", ".xtc", ".trr", ".edr", ".parquet"}
_HEAD_BYTES = 65536


def units_of_files(energies: Path | None, trajectory: Path | None, last_frame: Path | None) -> str:
    """Units by what the files say: "molecular", "reduced", or "" where they say nothing.

    A .gsd file gives its unit of length unless the units are reduced; those of HOOMD-blue always
    are. A table of `Log` and files of other formats say nothing.
    """
    files = [path for path in (energies, trajectory, last_frame) if path is not None]
    if any(path.suffix.lower() in _OF_MOLECULES for path in files) or _tells_units(energies):
        return MOLECULAR
    if trajectory is None or trajectory.suffix.lower() != ".gsd":
        return ""
    # Few reports need this reader, whose library takes time to import.
    from aureole.formats.gsd import GSDReader

    try:
        with GSDReader(trajectory) as reader:
            return MOLECULAR if reader.frames and reader.molecular(0) else REDUCED
    except Error:
        return ""


def _tells_units(table: Path | None) -> bool:
    """Whether a table has units in a comment or in the names of its columns."""
    if table is None:
        return False
    try:
        with table.open("rb") as file:
            lines = file.read(_HEAD_BYTES).decode(errors="replace").splitlines()
    except OSError:
        return False
    comments = [line for line in lines if line.startswith("#")]
    head = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return any(re.match(r"#\s*units:", line) for line in comments) or bool(
        re.search(r"[\[(]", head)
    )
