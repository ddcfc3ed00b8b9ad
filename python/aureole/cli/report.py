# SPDX-License-Identifier: Apache-2.0
"""`aureole report`: a page about a molecular run."""

from __future__ import annotations

import argparse
import sys

from aureole.base.parse import whole

from .run_summary import Paint


def add_to(command: argparse.ArgumentParser) -> None:
    """Add description and arguments of the command."""
    command.description = (
        "Write one file of HTML about a molecular run: charts of its energies, pair "
        "distributions, where time went, and a picture of the last frame that can be turned. It "
        "needs no network."
    )
    command.add_argument("run", help="folder of the run, or the prefix of its files")
    command.add_argument("-o", metavar="PAGE", help="the page; beside the run if not given")
    command.add_argument(
        "--pairs",
        metavar="A-B",
        nargs="+",
        default=[],
        help="pair distributions to draw, of elements or names of atoms, as OW-OW",
    )
    command.add_argument(
        "--frames", metavar="N", type=whole, default=20, help="frames that they are made of (20)"
    )


def act(arguments: argparse.Namespace) -> int:
    """Write the page, and print where it is and what is missing on it."""
    from aureole.base.errors import bad_input
    from aureole.report.write import write

    if arguments.frames < 1:
        raise bad_input(
            f"--frames is {arguments.frames}", "at least one frame is needed", "Give 20 as usual"
        )
    page, missing = write(
        arguments.run, arguments.o, pairs=arguments.pairs, frames=arguments.frames
    )
    paint = Paint(sys.stdout)
    for said in missing.values():
        sys.stdout.write(f"{paint('note:', 'yellow')} {said}\n")
    sys.stdout.write(f"{paint(str(page), 'bold')}: {page.stat().st_size / 1e6:.2g} MB\n")
    return 0
