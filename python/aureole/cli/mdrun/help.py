# SPDX-License-Identifier: Apache-2.0
"""The help of `aureole mdrun`, and its tables in the documentation."""

from __future__ import annotations

import textwrap

from .options import GROUPS, default_of, written

_HEAD = """\
usage: aureole mdrun [-c conf.gro] [-p topol.top] [-f grompp.mdp] [options]

Run GROMACS input files: grompp and mdrun in one command. The options are those of gmx mdrun, with
one difference: -c is the initial structure, as in grompp; the final frame is -co (or NAME.gro with
-deffnm NAME). Without -deffnm, output files have the names in brackets.
"""
_TAIL = """\
Ctrl-C, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU and -maxh stop a run between two steps, write a checkpoint
and print the command that continues the run: the same command with -cpi. Exit codes: 0 success, 1
the run failed or a file is missing, 2 invalid input, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP, 138 by SIGUSR1, 152 by SIGXCPU.
"""


def text() -> str:
    """All options in their groups."""
    parts = [_HEAD]
    for group, options in GROUPS.items():
        parts.append(f"\n{group}:\n")
        for option in options:
            default = default_of(option)
            words = option.about + (f" [{default}]" if default else "")
            parts.append(_row(written(option), words))
    return "".join([*parts, "\n", _TAIL])


def _row(name: str, words: str) -> str:
    text = f"  {name:<20}{'  ' if len(name) <= 20 else ''}{words}"
    indent = " " * 24
    return textwrap.fill(text, 96, subsequent_indent=indent, break_on_hyphens=False) + "\n"


def markdown() -> str:
    """All options as Markdown tables."""
    parts = []
    for group, options in GROUPS.items():
        parts.append(f"### {group}\n\n| option | default | meaning |\n|---|---|---|\n")
        for option in options:
            default = f"`{default_of(option)}`" if default_of(option) else ""
            parts.append(f"| `{written(option)}` | {default} | {option.about} |\n")
        parts.append("\n")
    return "".join(parts).rstrip() + "\n"
