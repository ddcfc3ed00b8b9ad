# SPDX-License-Identifier: Apache-2.0
"""`aureole convert`: a job of GROMACS as a Python script."""

from __future__ import annotations

import argparse
import sys

from aureole.base.parse import whole
from aureole.jobs.from_gromacs import accept
from aureole.jobs.write_script import write_script
from aureole.specs.device import Device

from .check import add_files_to, job_of, text_of
from .run_summary import Paint


def add_to(command: argparse.ArgumentParser) -> None:
    """Add description and arguments of the command."""
    command.description = (
        "Write a Python script that runs a job for GROMACS, with every setting as "
        "Python has it, and beside it the system as a .npz file. Its trajectory is that of "
        "`aureole mdrun`, to the bit. Files that are not named are conf.gro, topol.top and "
        "grompp.mdp."
    )
    command.epilog = (
        "Exit code 0: written; 2: errors or warnings in the input, or a file that cannot be read."
    )
    add_files_to(command)
    command.add_argument("-o", metavar="SCRIPT", default="job.py", help="the script (job.py)")
    command.add_argument(
        "-maxwarn", metavar="N", type=whole, default=0, help="number of warnings to tolerate (0)"
    )
    command.add_argument("-nt", metavar="N", type=whole, default=0, help="threads; 0 for all (0)")
    command.add_argument(
        "-precision", choices=("mixed", "double"), default="mixed", help="of the forces (mixed)"
    )


def act(arguments: argparse.Namespace) -> int:
    """Read, check and write; print what was written."""
    job = job_of(arguments)
    paint = Paint(sys.stdout)
    sys.stdout.write(text_of(job, paint))
    accept(job, arguments.maxwarn, list_them=False)
    data = write_script(
        arguments.o, job, Device(threads=arguments.nt, precision=arguments.precision)
    )
    sys.stdout.write(
        f"{paint(arguments.o, 'bold')} and {data}: run it with `python {arguments.o}`\n"
    )
    return 0
