# SPDX-License-Identifier: Apache-2.0
"""The process that makes a run: what started it, and where and how it computes."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from typing import Any

from aureole import _core
from aureole.base.text import one_line
from aureole.engine.observed import Observed
from aureole.ranks import find_launcher
from aureole.ranks.team import standing

_ARRAY = ("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID")


def process_facts(sim: Observed) -> dict[str, Any]:
    """Facts about the process by name, as plain data; those that do not apply are left out."""
    about, build = sim.describe(), _core.build_info()
    threads, ranks = int(about.get("threads", 1)), int(about.get("ranks", 1))
    facts = {
        "command": one_line(shlex.join(_command())),
        "folder": _folder(),
        "host": platform.node(),
        "nodes": os.environ.get("SLURM_JOB_NODELIST"),
        "process": os.getpid(),
        "slurm_job": os.environ.get("SLURM_JOB_ID"),
        "slurm_array": "_".join(filter(None, map(os.environ.get, _ARRAY))),
        "slurm_restarts": os.environ.get("SLURM_RESTART_COUNT"),
        "build": f"{build['version']}, {build['build_type']}, {build['compiler']}",
        "device": str(about.get("description") or about["device"]),
        "instructions": about.get("isa"),
        "precision": about.get("precision"),
        "threads": threads,
        "ranks": ranks,
        "mpi": find_launcher.library() if standing()[1] > 1 else None,
        "pinning": _pinning(sim, threads) if about["device"] == "host" else None,
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def _command() -> list[str]:
    """The words that started the process; a script that starts `aureole` has that name."""
    words = sys.orig_argv
    is_ours = words[1:2] == ["-c"] and "from aureole.cli import main" in words[2]
    return ["aureole", *words[3:]] if is_ours else words


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None


def _pinning(sim: Observed, threads: int) -> str:
    """The effect of `Device.pin` on rank 0: threads are pinned if each has a processor."""
    usable = len(os.sched_getaffinity(0))
    if not sim.device.pin:
        return "no: switched off"
    if threads == usable:
        return "yes: one thread per processor"
    return f"no: {threads} thread{'s' * (threads != 1)} on {usable} usable processors"
