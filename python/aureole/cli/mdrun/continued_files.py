# SPDX-License-Identifier: Apache-2.0
"""Which files of a run are continued."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

from aureole.base.errors import bad_input, file_error
from aureole.checkpoint.restart_of_job import Saved
from aureole.jobs.output_files import files_of
from aureole.live.observer import Observer

_WRITTEN = ("bytes", "frames", "rows", "written")  # in what observers say of their files
_PART = re.compile(r"\.part\d{4}\.")  # of a run with -noappend


def can_append(
    saved: Saved, specs: Sequence[Observer], first: str | None, words: Sequence[str]
) -> bool:
    """Whether the previous files exist; all of them or none.

    Args:
        saved: the checkpoint
        specs: what the run that continues writes
        first: -deffnm
        words: the command line, for the error
    """
    kept = {os.path.abspath(path) for path in files_of(specs)}
    begun = [
        spec["path"]
        for spec, state in saved.outputs()
        if spec["kind"] != "TimedCheckpoint" and any(state.get(key) for key in _WRITTEN)
    ]
    here = [path for path in begun if os.path.exists(path)]
    missing = [path for path in begun if path not in here]
    if missing and here:
        raise file_error(
            missing[0],
            "cannot be continued",
            f"it does not exist, but {here[0]} does",
            "Restore it, or use -noappend for separate files",
        )
    other = [path for path in here if os.path.abspath(path) not in kept]
    if other:
        same = _same_names(other, saved, first)
        advice = f"Use the same names, with {same}, or -noappend for separate files"
        if _PART.search(other[0]):
            advice = f"To add a part, use `{shlex.join(['aureole', 'mdrun', *words, '-noappend'])}`"
        raise bad_input(
            f"{saved.path} belongs to a run that writes {other[0]}",
            "this run would not write it",
            advice,
        )
    return bool(here)


def _same_names(other: Sequence[str], saved: Saved, first: str | None) -> str:
    """The options that give these files of a run their names, where -deffnm is `first`."""
    stems = {os.path.splitext(path)[0] for path in other}
    if first not in stems and len(stems) == 1:
        return f"-deffnm {shlex.quote(stems.pop())}"
    kinds = {spec["path"]: spec["kind"] for spec, _ in saved.outputs()}
    two = list(kinds.values()).count("Energies") > 1  # which follow from -deffnm alone
    words = []
    for path in other:
        frames = "-x" if path.endswith((".xtc", ".dcd")) else "-o"
        option = {"Energies": "-e", "RunLog": "-g"}.get(kinds[path], frames)
        words.append("no -e" if two and option == "-e" else f"{option} {shlex.quote(path)}")
    return " ".join(dict.fromkeys(words))


def belongs(path: str, kept: set[str]) -> bool:
    """Whether a file is continued: a previous one, or the JSON file of its log."""
    stems = {os.path.splitext(name)[0] for name in kept}
    full = os.path.abspath(path)
    return full in kept or (full.endswith(".json") and os.path.splitext(full)[0] in stems)
