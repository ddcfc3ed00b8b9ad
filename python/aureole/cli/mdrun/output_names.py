# SPDX-License-Identifier: Apache-2.0
"""Names of output files that mdrun refuses: those of input, and those that grompp reads there."""

from __future__ import annotations

import os
from collections.abc import Iterable

from aureole.base.errors import bad_input
from aureole.gromacs.job import Job
from aureole.jobs.output_files import Names

from .options import Given


def check_habits(given: Given) -> None:
    """Raise InputError for options of grompp that mean something else here: -o and -e."""
    if str(given["o"]).endswith(".tpr"):
        why = "here -o is the .trr trajectory"
        raise bad_input(f"-o {given['o']}: mdrun needs no .tpr", why, "Leave -o out")
    first = given["deffnm"]
    stem = _stem(given["e"])
    for option in ("t", "c"):
        if (
            {option, "e"} <= given.valued
            and first not in (None, stem)
            and _stem(given[option]) == stem
        ):
            raise bad_input(
                f"-e {given['e']} has the name of the stage before, -{option} {given[option]}",
                "here -e is output, and that file would be replaced",
                f"Leave -e out: the energies are in {first}.csv and {first}.edr",
            )


def _stem(name: str) -> str:
    return os.path.splitext(name)[0]


def check_names(job: Job, names: Names, state: str | None, has_checkpoint: bool) -> None:
    """Refuse to overwrite the input, and the `state` of -t with it."""
    written = [names.frames, names.compressed, *names.tables, names.log, names.final]
    if has_checkpoint:
        written += [names.checkpoint, f"{names.checkpoint}.prev"]
    read = [*job.files.values(), *filter(None, [state])]
    refuse_names(written, read, "an input file", "Give another name")


def refuse_names(
    written: Iterable[str | None], read: Iterable[str], what: str, advice: str
) -> None:
    """Raise InputError where a file that is written is one of those that are read."""
    known = {os.path.realpath(path) for path in read}
    for path in written:
        if path is not None and os.path.realpath(path) in known:
            raise bad_input(f"{path} is {what}", "output would overwrite it", advice)
