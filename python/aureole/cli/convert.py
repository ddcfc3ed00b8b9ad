# SPDX-License-Identifier: Apache-2.0
"""`aureole convert`: a job of GROMACS as a Python script."""

from __future__ import annotations

import argparse
import sys

from aureole.base.errors import bad_input
from aureole.base.text import printable
from aureole.jobs.from_gromacs import accept
from aureole.jobs.write_script import write_script
from aureole.specs.device import Device

from .check import job_of, text_of
from .run_summary import Paint


def act(arguments: argparse.Namespace) -> int:
    """Read, check and write; print what was written."""
    if arguments.o.endswith(".tpr"):
        problem, why = f"-o {arguments.o}: no .tpr is written", "here -o is the Python script"
        raise bad_input(problem, why, "Leave -o out")
    job = job_of(arguments)
    paint = Paint(sys.stdout)
    sys.stdout.write(text_of(job, paint))
    accept(job, arguments.maxwarn, list_them=False)
    data = write_script(
        arguments.o, job, Device(threads=arguments.nt, precision=arguments.precision)
    )
    script = printable(arguments.o)
    sys.stdout.write(
        f"{paint(script, 'bold')} and {printable(data)}: run it with `python {script}`\n"
    )
    return 0
