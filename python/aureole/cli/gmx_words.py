# SPDX-License-Identifier: Apache-2.0
"""Counterparts of GROMACS commands, for users who type a command of GROMACS."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Sequence
from itertools import pairwise

from aureole.base.errors import InputError, bad_input

from .commands import COMMANDS
from .mdrun.options import is_value

#: Options of grompp that mdrun has.
_SAME = ("f", "c", "p", "n", "r", "t", "maxwarn", "po", "v")
#: Programs of GROMACS that prepare systems, whose files are read as they are.
_PREPARE = ("pdb2gmx", "editconf", "solvate", "insert-molecules", "genion", "make_ndx", "genrestr")
_ANALYSE = (
    *("energy", "rms", "rmsf", "rdf", "msd", "hbond", "gyrate", "distance", "trjconv", "dump"),
    *("cluster", "sasa", "mindist", "do_dssp", "select", "eneconv", "trjcat", "angle", "density"),
)


def advice(words: Sequence[str]) -> InputError | None:
    """The error for a command of GROMACS, or for one that is misspelt; None for any other."""
    name = words[0] if words else ""
    typed = shlex.join(words)
    if name == "gmx" and words[1:2] and words[1] in COMMANDS:
        use = f"Use `aureole {shlex.join(words[1:])}`"
        return bad_input("aureole has no command gmx", "that word is not needed here", use)
    if name == "gmx":
        return advice(words[1:])
    if name == "grompp":
        return bad_input(
            "aureole has no command grompp",
            "mdrun reads the same files itself, and needs no .tpr",
            f"Use `{_mdrun_for(words[1:])}`, or `aureole check` with the same words for the notes",
        )
    if name in _PREPARE:
        return bad_input(
            f"aureole has no command {name}",
            "it runs the files that GROMACS prepares",
            f"Use `gmx {typed}`; `aureole mdrun` reads its .gro, .top and .ndx files",
        )
    if name in _ANALYSE:
        return bad_input(
            f"aureole has no command {name}",
            "gmx reads what it writes; a .tpr for -s is made by gmx grompp from the same files",
            f"Use `gmx {typed}`; `aureole report` makes a page about a run",
        )
    if name == "convert-tpr":
        more = ["-deffnm", _stem(words[words.index("-s") + 1 :])] if "-s" in words else []
        return bad_input(
            f"aureole has no command {name}",
            "there is no .tpr: a run that continues takes its number of further steps",
            f"Use `{shlex.join(['aureole', 'mdrun', *more, '-cpi', '-nsteps', 'N'])}`",
        )
    return _nearest(words) if name and not name.startswith("-") else None


def _nearest(words: Sequence[str]) -> InputError | None:
    """The error that names the command that was meant, if one is similar."""
    known = [*COMMANDS, "grompp", "convert-tpr", *_PREPARE, *_ANALYSE]
    close = difflib.get_close_matches(words[0], known, n=1, cutoff=0.7)
    if not close:
        return None
    meant = [*close, *words[1:]]
    if close[0] not in COMMANDS:
        return advice(meant)
    problem, why = f"aureole has no command {words[0]}", f"its commands are {', '.join(COMMANDS)}"
    return bad_input(problem, why, f"Did you mean `aureole {shlex.join(meant)}`?")


def _stem(words: Sequence[str]) -> str:
    return os.path.splitext(words[0])[0] if words else "md"


def _mdrun_for(words: Sequence[str]) -> str:
    """The call of mdrun that takes the place of a call of grompp."""
    kept: list[str] = []
    for word, value in pairwise([*words, ""]):
        name = word.lstrip("-") if word.startswith("-") else ""
        if name in _SAME:
            kept += [f"-{name}", *([value] if value and is_value(value) else [])]
        elif name == "o" and value:
            kept += ["-deffnm", _stem([value])]
    return shlex.join(["aureole", "mdrun", *(kept or ["-f", "md.mdp", "-c", "conf.gro"])])
