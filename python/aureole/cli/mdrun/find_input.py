# SPDX-License-Identifier: Apache-2.0
"""The input files of a call of mdrun that names only some of them, or none."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

from aureole.base.errors import file_error
from aureole.base.files import is_saved
from aureole.checkpoint.restart_of_job import look_at

from .options import Given

#: The options, the part of a job that each names, and the endings of its files.
_INPUT = {"f": ("mdp", (".mdp",)), "c": ("conf", (".gro", ".pdb")), "p": ("top", (".top",))}


def find(given: Given) -> str | None:
    """Take the files of the run that a checkpoint continues where a call names none.

    Returns a remark about that. Raises FileError where a file is missing, with a command that
    names the files that are there.
    """
    remark = None
    if not given.named & _INPUT.keys() and not all(map(_is_there, _names(given))):
        remark = _of_checkpoint(given)
    missing = [name for name in _names(given) if not _is_there(name)]
    if missing and not any(given.named & {option} for option in _INPUT if given[option] in missing):
        raise file_error(
            missing[0],
            "is not here",
            "mdrun reads coordinates (-c), topology (-p) and run parameters (-f), not a .tpr",
            _advice(given),
        )
    return remark


def _names(given: Given) -> Iterable[str]:
    return (str(given[option]) for option in _INPUT)


def _is_there(name: str) -> bool:
    return os.path.exists(name)


def _of_checkpoint(given: Given) -> str | None:
    path = given.checkpoint
    if path is None or not is_saved(path):
        return None
    files = look_at(path).job["files"]
    for option, part in (*((o, of[0]) for o, of in _INPUT.items()), ("n", "index")):
        if option not in given.named and part in files:
            given.values[option] = files[part]
    if "r" not in given.named:
        given.values["r"] = files.get("references")
    names = " ".join(f"-{option} {given[option]}" for option in _INPUT)
    return f"the input is that of {path}: {names}"


def _advice(given: Given) -> str:
    """A command with the files that are there."""
    words: list[str] = []
    lacking = []
    for option, (_, endings) in _INPUT.items():
        name = str(given[option])
        if not _is_there(name):
            name = _likely(endings, given["deffnm"], option == "f")
        if name:
            words += [f"-{option}", name]
        else:
            lacking.append(" or ".join(endings))
    if lacking:
        return f"Here is no {', no '.join(lacking)} file. Go to the folder of the job, or name them"
    if given["deffnm"]:
        words += ["-deffnm", given["deffnm"]]
    if "cpi" in given.named:
        words.append("-cpi")
    return f"With the files of this folder: `{shlex.join(['aureole', 'mdrun', *words])}`"


def _likely(endings: tuple[str, ...], stem: str | None, of_stem: bool) -> str:
    """The file of this folder that is meant: that of -deffnm, or else the newest."""
    names = [name for name in os.listdir() if name.endswith(endings) and os.path.isfile(name)]
    own = f"{stem}{endings[0]}"
    if own in names and of_stem:
        return own
    others = [name for name in names if os.path.splitext(name)[0] != stem and name != "mdout.mdp"]
    return max(others, key=os.path.getmtime, default="")
