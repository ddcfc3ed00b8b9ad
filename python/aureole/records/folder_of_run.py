# SPDX-License-Identifier: Apache-2.0
"""The folder in which the run of a checkpoint was started: its files are named from there."""

from __future__ import annotations

import os
import shlex
from typing import Any

from aureole.base.errors import bad_input


def check(path: str, data: dict[str, Any]) -> None:
    """Refuse to go on in another folder than the run's, where files would begin anew.

    Args:
        path: the checkpoint
        data: its record

    The folder is what the path of the checkpoint has before the name that its observer has for it.
    """
    full = os.path.realpath(path)
    written = full.removesuffix(".prev")
    names = {str(spec.get("path") or "") for spec in data["observers"]}
    for spec in data["observers"]:
        own = os.path.normpath(str(spec.get("path") or ""))
        if spec["kind"] != "Checkpoint" or not written.endswith(f"{os.sep}{own}"):
            continue
        folder = written[: -len(own)].rstrip(os.sep) or os.sep
        if any(
            os.path.exists(os.path.join(folder, name)) and not os.path.exists(name)
            for name in names - {"", str(spec["path"])}
        ):
            raise bad_input(
                f"the run of {path} was started in {folder}",
                "its files are named from there, and others would be begun here",
                f"Go there: `cd {shlex.quote(folder)} && "
                f"aureole run {shlex.quote(os.path.relpath(full, folder))}`",
            )
