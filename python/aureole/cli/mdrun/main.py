# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun`: run GROMACS input files."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from aureole.base.engine_schema import VERSION
from aureole.cli import check
from aureole.gromacs.job import read_job
from aureole.gromacs.mdp.read import write_mdout
from aureole.jobs.from_gromacs import accept

from . import help as mdrun_help
from . import rerun, steep
from .run_job import Call, check_names


def main(words: Sequence[str]) -> int:
    """Run the command with the words after `mdrun`."""
    if words[:1] == ["help"] or any(word in ("-h", "-help", "--help") for word in words):
        sys.stdout.write(mdrun_help.text())
        return 0
    call = Call(words)
    with call.claims:
        return act(call)


def act(call: Call) -> int:
    """Read, check, run and report; returns the exit code."""
    given = call.given
    job = read_job(given["c"], given["p"], given["f"], index=given["n"], references=given["r"])
    if given["po"]:
        write_mdout(given["po"], job.parameters)
    call.say(f"{call.paint('aureole', 'bold')} {VERSION}")
    call.say(check.text_of(job, call.paint).rstrip() + "\n")
    accept(job, given["maxwarn"], list_them=False)
    check_names(job, call.names())
    for text in [*given.notes, *call.remarks(job)]:
        call.note(text)
    if given["rerun"]:
        return rerun.act(call, job)
    if not job.parameters.dynamics:
        return steep.act(call, job)
    return call.run(job)
