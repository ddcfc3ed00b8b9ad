# SPDX-License-Identifier: Apache-2.0
"""`aureole check`: what would be wrong or unwise about a job, before it is run."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import textwrap
from collections.abc import Callable
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.text import printable
from aureole.formats.registry import format_of
from aureole.gromacs.job import Job, read_job
from aureole.gromacs.mdp.read import write_mdout

from .input_names import found
from .run_summary import Paint, table

#: Names of files that GROMACS looks for where none are given.
_DEFAULTS = ("grompp.mdp", "conf.gro", "topol.top")
_COLOUR = {"error": "red", "warning": "yellow", "note": "cyan"}


def job_of(arguments: argparse.Namespace) -> Job:
    """The job of these files."""
    names = {option: getattr(arguments, option) for option in "cpfnrt"}
    given = {option: found(option, name) if name else name for option, name in names.items()}
    references = given["c"] if given["r"] == "" else given["r"]  # "": -r without a name
    job = read_job(given["c"], given["p"], given["f"], index=given["n"], references=references)
    if given["t"] is None:
        return job
    from aureole.jobs.start_state import with_state  # with the engine

    return with_state(job, given["t"])


def act(arguments: argparse.Namespace) -> int:
    """Print a summary and all remarks."""
    if arguments.file is not None:
        return _of_input(arguments)
    if format_of(arguments.f) is not None:
        raise bad_input(
            f"-f {arguments.f} is no .mdp file",
            "here -f names the run parameters, not the trajectory of gmx check",
            f"Use `aureole info {shlex.quote(arguments.f)}`",
        )
    if (arguments.f, arguments.c, arguments.p) == _DEFAULTS and not os.path.exists(arguments.f):
        raise bad_input(
            "no input is named",
            f"there is no {arguments.f} here",
            "Usage: aureole check in.toml, or aureole check -f a.mdp -c a.gro -p a.top",
        )
    job = job_of(arguments)
    if arguments.po:
        write_mdout(arguments.po, job.parameters)
    sys.stdout.write(text_of(job, Paint(sys.stdout)))
    stops = job.count("error") or job.count("warning") > max(arguments.maxwarn, 0)
    return 2 if stops else 0


def _of_input(arguments: argparse.Namespace) -> int:
    """Print a summary and all remarks on an input file of particles."""
    if not arguments.file.endswith(".toml"):
        raise bad_input(
            f"{arguments.file} cannot be checked",
            "it is no input file, and files of GROMACS have options",
            "Give a .toml file, or -c, -p and -f",
        )
    # Checks of GROMACS input do not need the engine's simulations.
    from aureole.jobs.check_input_file import check

    found, paint = check(arguments.file), Paint(sys.stdout)
    lines = [table(found.rows, paint), ""]
    lines += [filled(paint(one.severity, _COLOUR[one.severity]), one.text) for one in found.remarks]
    sys.stdout.write("\n".join([*lines, _counts(found.count), ""]))
    stops = found.count("error") or found.count("warning") > max(arguments.maxwarn, 0)
    return 2 if stops else 0


def text_of(job: Job, paint: Any) -> str:
    """The summary of a job and all remarks about it."""
    lines = [table(_summary(job), paint), ""]
    lines += [filled(paint("note", "cyan"), remark) for remark in job.remarks]
    for note in job.notes:
        kind = paint(f"{note.severity} {note.number}", _COLOUR[note.severity])
        place = f"{note.where}: " if note.where else ""
        lines.append(filled(kind, place + note.text))
    return "\n".join([*lines, _counts(job.count), ""])


def _counts(count: Callable[[str], int]) -> str:
    counts = [(count(kind), kind) for kind in ("error", "warning", "note")]
    return ", ".join(f"{n} {kind}{'s' if n != 1 else ''}" for n, kind in counts)


def filled(kind: str, words: str) -> str:
    """A remark of some kind as lines of text."""
    # Names of options and files stay whole.
    whole = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(f"{kind}: {printable(words)}", 96, subsequent_indent="  ", **whole)


def _summary(job: Job) -> list[tuple[str, str]]:
    topology, parameters = job.topology, job.parameters
    blocks = ", ".join(f"{count:,} {molecule.name}" for molecule, count in topology.blocks)
    charge = round(float(topology.expand_atoms().charge.sum()), 6)  # beyond is rounding
    kinds = {kind: terms.n for kind, terms in topology.expand_terms().items()}
    return [
        ("particles", f"{topology.n:,} in {topology.molecules:,} molecules: {blocks}"),
        ("charge", f"{charge + 0.0:.4g} e"),
        ("terms", ", ".join(f"{n:,} {kind}" for kind, n in kinds.items()) or "none"),
        ("integrator", f"{parameters.integrator}, {_length(job)}"),
    ]


def _length(job: Job) -> str:
    parameters = job.parameters
    if not parameters.dynamics:
        return f"at most {parameters.n_steps:,} steps"
    if parameters.n_steps < 0:
        return f"no step limit, {parameters.dt:g} ps per step"
    time = parameters.n_steps * parameters.dt
    return f"{parameters.n_steps:,} steps of {parameters.dt:g} ps: {time:g} ps"
