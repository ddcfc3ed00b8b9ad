# SPDX-License-Identifier: Apache-2.0
"""`aureole report`: a page about a run."""

from __future__ import annotations

import argparse
import sys

from aureole.base.text import printable

from .run_summary import Paint


def act(arguments: argparse.Namespace) -> int:
    """Write the page, and print where it is and what is missing on it."""
    from aureole.base.errors import bad_input
    from aureole.report.write import write

    if arguments.frames < 1:
        raise bad_input(
            f"--frames is {arguments.frames}", "at least one frame is needed", "The default is 20"
        )
    page, missing = write(
        arguments.run, arguments.o, pairs=arguments.pairs, frames=arguments.frames
    )
    paint = Paint(sys.stdout)
    for said in missing.values():
        sys.stdout.write(f"{paint('note:', 'yellow')} {printable(said)}\n")
    sys.stdout.write(f"{paint(printable(page), 'bold')}: {page.stat().st_size / 1e6:.2g} MB\n")
    return 0
