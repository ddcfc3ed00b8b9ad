# SPDX-License-Identifier: Apache-2.0
"""The input files of a call of mdrun that names only some of them, or none."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress
from glob import escape, glob

from aureole.base.errors import Error, bad_input, file_error
from aureole.base.files import is_saved
from aureole.base.text import counted
from aureole.checkpoint.restart_of_job import look_at
from aureole.cli import input_names
from aureole.gromacs.top.read import read_top

from .options import OPTIONS, Given

#: The options, the part of a job that each names, and the endings of its files.
_INPUT = {"f": ("mdp", (".mdp",)), "c": ("conf", (".gro", ".pdb")), "p": ("top", (".top",))}


def find(given: Given, typed: Sequence[str]) -> str | None:
    """Take the files of the run that a checkpoint continues, where a call names no others.

    Returns a remark about that. Raises FileError where a file is missing, and InputError for a
    .tpr, with a command that names the files that are there.
    """
    if "s" in given.named:
        at = next(k for k, word in enumerate(typed) if word.lstrip("-") == "s")
        rest = [*typed[:at], *typed[at + 1 + ("s" in given.valued) :]]
        raise bad_input(
            "-s is not supported",
            "a .tpr depends on the version of GROMACS, so mdrun reads what grompp reads",
            _advice(given, rest),
        )
    for option in given.valued & {*"fcpnr", "rerun"}:
        if given[option] != OPTIONS["r"].bare:  # -r without a name
            given.values[option] = input_names.found(option, given[option])
    remark = _of_checkpoint(given)
    missing = [name for name in _names(given) if not _is_there(name)]
    _check_checkpoint(given, typed, begins=not missing)
    if missing and not any(given.named & {option} for option in _INPUT if given[option] in missing):
        raise file_error(
            missing[0],
            "is not here",
            "mdrun reads coordinates (-c), topology (-p) and run parameters (-f), not a .tpr",
            _advice(given, typed),
        )
    return remark


def check_count(given: Given, typed: Sequence[str]) -> None:
    """Raise InputError for a conf.gro that nobody named and of another system than a file there."""
    n, count = _count_of_topology(given), _count(str(given["c"]))
    wrong = "c" not in given.named and None not in (n, count) and n != count
    if wrong and _likely("c", _INPUT["c"][1], given):
        raise bad_input(
            f"{given['c']} has {counted(count, 'particle')}, but {given['p']} has {n}",
            f"without -c, {given['c']} is the initial structure",
            _advice(given, typed),
        )


def _names(given: Given) -> Iterable[str]:
    return (str(given[option]) for option in _INPUT)


def _is_there(name: str) -> bool:
    return os.path.exists(name)


def _of_checkpoint(given: Given) -> str | None:
    path = given.checkpoint
    if path is None or not is_saved(path):
        return None
    files, before = look_at(path).job["files"], dict(given.values)
    parts = {option: part for option, (part, _) in _INPUT.items()}
    for option, part in (parts | {"n": "index", "r": "references"}).items():
        if option in given.named or part not in files:
            continue
        if _is_there(files[part]) or not _is_there(given[option] or ""):
            given.values[option] = files[part]
    names = " ".join(f"-{option} {given[option]}" for option in _INPUT)
    return None if given.values == before else f"the input is that of {path}: {names}"


def _check_checkpoint(given: Given, typed: Sequence[str], begins: bool) -> None:
    """Raise FileError for a named checkpoint that is missing, if no new run is meant.

    One is meant where input is named with it, or where it is what the run itself writes.
    """
    path = given.checkpoint
    if path is None or "cpi" not in given.valued or is_saved(path) or given["rerun"]:
        return
    if begins and (given.named & _INPUT.keys() or path == given.file("cpo")):
        return
    there = sorted(glob(os.path.join(escape(os.path.dirname(path)), "*.cpt")))[:3]
    advice = "To start a new run, name its input with -f, -c and -p"
    if close := input_names.similar(path, (".cpt",)):
        at = max(k for k, word in enumerate(typed) if word.lstrip("-") == "cpi") + 1
        command = ["aureole", "mdrun", *typed[:at], close[0], *typed[at + 1 :]]
        advice = f"Use `{shlex.join(command)}`"
    why = f"{' and '.join(there)} do{'es' * (len(there) == 1)}"
    why = why if there else "nor is any other .cpt there"
    raise file_error(path, "does not exist", why, advice)


def _advice(given: Given, typed: Sequence[str]) -> str:
    """The command that was typed, with the files that are there."""
    found: list[str] = []
    if given.checkpoint is not None and is_saved(given.checkpoint):
        return f"Use `{shlex.join(['aureole', 'mdrun', *typed])}`: the checkpoint names its input"
    for option, (_, endings) in _INPUT.items():
        if option in given.named:
            continue
        name = str(given[option])
        if not _is_there(name) or option == "c":
            name = _likely(option, endings, given)
        found += [f"-{option}", name or f"FILE{endings[0]}"]
    lacking = [word for word in found if word.startswith("FILE.")]
    command = shlex.join(["aureole", "mdrun", *found, *typed])
    if lacking:
        return f"Use `{command}`; here is no such {' and no such '.join(lacking)}"
    return f"With the files of this folder: `{command}`"


def _likely(option: str, endings: tuple[str, ...], given: Given) -> str:
    """The file of this folder that is meant: that of -deffnm, or else the newest that fits."""
    stem = given["deffnm"] or os.path.splitext(given["s"] or "")[0]
    names = [name for name in os.listdir() if name.endswith(endings) and os.path.isfile(name)]
    if option == "f" and f"{stem}.mdp" in names:
        return f"{stem}.mdp"
    names = [name for name in names if os.path.splitext(name)[0] != stem and name != "mdout.mdp"]
    names.sort(key=os.path.getmtime, reverse=True)
    if option == "c":
        n = _count_of_topology(given)
        if n is not None:
            return next((name for name in names if _count(name) in (n, None)), "")
    return names[0] if names else ""


def _count_of_topology(given: Given) -> int | None:
    """How many atoms the topology has; None where it cannot be read."""
    with suppress(Error):
        return read_top(str(given["p"])).n
    return None


def _count(name: str) -> int | None:
    """How many atoms a .gro file says it has; None for another file."""
    with open(name, encoding="utf-8", errors="replace") as file:
        lines = [file.readline(), file.readline()]
    word = lines[1].strip()
    return int(word) if name.endswith(".gro") and word.isdigit() else None
