# SPDX-License-Identifier: Apache-2.0
"""Names of input files that are typed without their ending, or nearly right."""

from __future__ import annotations

import difflib
import os

from aureole.base.errors import file_error
from aureole.base.files import is_saved

_COORDINATES = (".gro", ".pdb")
#: The endings of the files that options name; the first is that of gmx.
ENDINGS = {
    "f": (".mdp",),
    "c": _COORDINATES,
    "p": (".top",),
    "n": (".ndx",),
    "r": _COORDINATES,
    "t": (".cpt", ".trr"),
    "rerun": (".xtc", ".trr", ".gsd"),
}


def found(option: str, name: str) -> str:
    """The file that a name means: the one of that name, or with an ending of the option added.

    Raises FileError where there is neither, but a file with a similar name.
    """
    if is_saved(name):
        return name
    for ending in ENDINGS[option]:
        if os.path.isfile(name + ending):
            return name + ending
    if close := similar(name, ENDINGS[option]):
        raise file_error(
            name, "cannot be read", "No such file or directory", f"Did you mean {close[0]}?"
        )
    return name


def similar(name: str, endings: tuple[str, ...]) -> list[str]:
    """The files in the folder of a name that are called nearly so, the most similar first."""
    folder, last = os.path.split(name)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    stems: dict[str, str] = {}
    for ending in endings:
        for each in names:
            if each.endswith(ending):
                stems.setdefault(each.removesuffix(ending), each)
    close = difflib.get_close_matches(os.path.splitext(last)[0], stems)
    return [os.path.join(folder, stems[stem]) for stem in close]
