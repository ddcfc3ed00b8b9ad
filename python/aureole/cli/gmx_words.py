# SPDX-License-Identifier: Apache-2.0
"""What does here what a command of GROMACS does there, for users who type that command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from itertools import pairwise

from aureole.base.errors import InputError, bad_input

#: Options of grompp that mdrun has.
_SAME = ("f", "c", "p", "n", "r", "t", "maxwarn", "po")
#: Programs of GROMACS that prepare systems, whose files are read as they are.
_PREPARE = ("pdb2gmx", "editconf", "solvate", "insert-molecules", "genion", "make_ndx", "genrestr")
_ANALYSE = (
    *("energy", "rms", "rmsf", "rdf", "msd", "hbond", "gyrate", "distance", "trjconv", "dump"),
    *("cluster", "sasa", "mindist", "do_dssp", "select", "eneconv", "trjcat", "angle", "density"),
)


def advice(words: Sequence[str]) -> InputError | None:
    """The error for a command of GROMACS that names ours; None for any other command."""
    name = words[0] if words else ""
    if name == "gmx":
        return advice(words[1:])
    if name == "grompp":
        return bad_input(
            "aureole has no command grompp",
            "mdrun reads the same files itself, and needs no .tpr",
            f"Use `{_mdrun_for(words[1:])}`, and `aureole check` for the notes of grompp alone",
        )
    if name in _PREPARE:
        return bad_input(
            f"aureole has no command {name}",
            "it runs the files that GROMACS prepares",
            f"Use `gmx {name}`; `aureole mdrun` reads its .gro, .top and .ndx files",
        )
    if name in _ANALYSE:
        return bad_input(
            f"aureole has no command {name}",
            "gmx and Python packages read what it writes",
            "See docs/howto/use-your-analysis-tools.md; `aureole report` makes a page about a run",
        )
    return None


def _mdrun_for(words: Sequence[str]) -> str:
    """The call of mdrun that takes the place of a call of grompp."""
    kept: list[str] = []
    for word, value in pairwise([*words, ""]):
        name = word.lstrip("-") if word.startswith("-") else ""
        if name in _SAME and value and not value.startswith("-"):
            kept += [f"-{name}", value]
        elif name == "o" and value:
            kept += ["-deffnm", os.path.splitext(value)[0]]
    return shlex.join(["aureole", "mdrun", *(kept or ["-f", "md.mdp", "-c", "conf.gro"])])
