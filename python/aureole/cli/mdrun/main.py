# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun`: run GROMACS input files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace

from aureole.base.engine_schema import VERSION
from aureole.base.errors import FileError, InputError
from aureole.base.files import is_saved
from aureole.checkpoint.provenance_record import STEPS_LEFT
from aureole.cli import check, input_names
from aureole.gromacs.job import read_job
from aureole.gromacs.mdp.read import write_mdout
from aureole.jobs.from_gromacs import accept
from aureole.jobs.start_state import with_state
from aureole.ranks import find_launcher
from aureole.ranks.team import standing

from . import find_input, rerun, steep
from . import help as mdrun_help
from .options import OPTIONS
from .output_names import check_habits, check_names, refuse_names
from .run_job import Call


def main(words: Sequence[str]) -> int:
    """Run the command with the words after `mdrun`."""
    if words[:1] == ["help"] or any(word in ("-h", "-help", "--help") for word in words):
        sys.stdout.write(mdrun_help.text())
        return 0
    if words[:1] == ["-version"]:
        sys.stdout.write(f"aureole {VERSION}\n")
        return 0
    call = Call(words)
    with call.claims:
        try:
            return act(call)
        except FileError as error:
            raise _with_command(error, call) from None


def _with_command(error: FileError, call: Call) -> FileError:
    """The error; where it names the previous checkpoint, with the command that continues there."""
    previous = f"{call.given.checkpoint}.prev"
    before, found, _ = str(error).partition(f" The previous checkpoint is {previous}.")
    if not found:
        return error
    command = call.command.replace(STEPS_LEFT, str(call.given["nsteps"]))
    size = standing()[1]
    start = f"{find_launcher.start(size)} " if size > 1 else ""
    return FileError(f"{before} Use `{start}{command} -cpi {shlex.quote(previous)}`.")


def act(call: Call) -> int:
    """Read, check, run and report; returns the exit code."""
    given = call.given
    check_habits(given)
    remark = find_input.find(given, call.words)
    if given["r"] == OPTIONS["r"].bare:  # given without a name
        given.values["r"] = given["c"]
    try:
        job = read_job(given["c"], given["p"], given["f"], index=given["n"], references=given["r"])
    except InputError:
        find_input.check_count(given, call.words)
        raise
    continues = given.checkpoint is not None and is_saved(given.checkpoint)
    state = None if continues or given["rerun"] else given["t"]
    if state is not None:
        job = with_state(job, state := input_names.found("t", state))
    if not job.parameters.dynamics and given["nsteps"] >= -1:
        job = replace(job, parameters=replace(job.parameters, n_steps=given["nsteps"]))
    if given["po"]:
        refuse_names([given["po"]], job.files.values(), "an input file", "Give another name")
        write_mdout(given["po"], job.parameters)
    call.say(f"{call.paint('aureole', 'bold')} {VERSION}")
    call.say(check.text_of(job, call.paint).rstrip() + "\n")
    accept(job, given["maxwarn"], list_them=False)
    check_names(job, call.names(), state, job.parameters.dynamics and not given["rerun"])
    for text in [*filter(None, [remark]), *given.notes, *call.remarks(job)]:
        call.note(text)
    if given["rerun"]:
        return rerun.act(call, job)
    if not job.parameters.dynamics:
        return steep.act(call, job)
    return call.run(job)
