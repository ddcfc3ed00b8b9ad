# SPDX-License-Identifier: Apache-2.0
"""Whether the input of a job has changed since a checkpoint."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from aureole.base.digests import digest, file_digest
from aureole.base.errors import bad_input

from .job import Job
from .mdp.options.table import options
from .mdp.values import written

#: Options that may change from one part of a run to the next: its length and output.
FREE = (
    *("nsteps", "nstxout", "nstvout", "nstfout", "nstlog", "nstenergy", "nstcalcenergy"),
    *("nstxout-compressed", "continuation", "gen-vel", "gen-temp", "gen-seed", "simulation-part"),
)
_PARTS = {
    "conf": "the coordinates",
    "top": "the topology",
    "index": "the index file",
    "references": "the reference positions",
}


def record_of(job: Job) -> dict[str, Any]:
    """The record of a job in a checkpoint: names and SHA-256 of the files, and all options.

    The topology is digested as it was read, with all included files; comments are ignored.
    Options are stored by value, so that an error can name those that differ.
    """
    return {
        "files": dict(job.files),
        "sha256": {part: file_digest(path) for part, path in job.files.items()},
        "topology": digest(job.topology),
        "options": {key: str(value) for key, value in job.parameters.values.items()},
    }


def check_same(path: str, saved: Mapping[str, Any], job: Job) -> list[str]:
    """Remarks about harmless changes since the checkpoint `path` was written.

    Raises InputError for any other change.
    """
    now, files = record_of(job), saved["files"] | dict(job.files)
    changed = [
        f"{_PARTS[part]} {files.get(part)}"
        for part in ("conf", "index", "references")
        if now["sha256"].get(part) != saved["sha256"].get(part)
    ]
    if now["topology"] != saved["topology"]:
        changed.append(f"{_PARTS['top']} {files['top']}, or a file that it includes")
    before, after = saved["options"], now["options"]
    options = sorted(key for key in before | after if before.get(key) != after.get(key))
    words = {key: f"{key} was {_shown(key, before)}, is {_shown(key, after)}" for key in options}
    changed += [f"{files['mdp']}: {words[key]}" for key in options if key not in FREE]
    if changed:
        raise bad_input(
            f"{path} was written with other input: {'; '.join(changed)}",
            "a checkpoint can only be continued with the same input",
            "Restore the files, or start a new run from the last frame, without -cpi",
        )
    return [f"{words[key]} since the checkpoint was written" for key in options]


def _shown(key: str, values: Mapping[str, str]) -> str:
    """The value of an option as .mdp files have it; records hold the `str` of Python's."""
    if key not in values or key not in options():
        return values.get(key, "not set")
    try:
        value = ast.literal_eval(values[key])
    except (ValueError, SyntaxError):
        value = values[key]  # a word
    return written(options()[key], value) or "empty"
