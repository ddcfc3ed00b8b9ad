# SPDX-License-Identifier: Apache-2.0
"""Text of unknown origin made safe to print: titles, names of files and molecules, commands."""

from __future__ import annotations

import shlex

# Besides control characters: what turns the direction of writing, and line ends of Unicode.
_HIDDEN = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SHOWN = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
} | {ord(letter): f"\\u{ord(letter):04x}" for letter in _HIDDEN}
_SHOWN |= {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}  # halves of nothing


#: What checkpoints name besides commands; the first is of older ones.
_CALLS = (
    "au.MolecularSimulation.from_checkpoint('CHECKPOINT').run()",
    "au.Simulation.from_checkpoint('CHECKPOINT').run()",
)


def printable(text: object) -> str:
    """`text` without anything that a terminal obeys: such characters are written as \\x1b.

    Line ends and tabs stay.
    """
    return str(text).translate(_SHOWN)


def one_line(text: object) -> str:
    """The same in one line."""
    return " ".join(printable(text).split())


def command_of(text: str, checkpoint: str) -> str:
    """A command that a checkpoint names, for people who may copy it to a shell.

    Only calls of our own programs are shown, every word quoted; CHECKPOINT stands for the file.
    """
    if text in _CALLS:
        return printable(f"au.Simulation.from_checkpoint({checkpoint!r}).run()")
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if words[:2] != ["aureole", "mdrun"]:
        words = ["aureole", "mdrun", "-cpi", "CHECKPOINT"]
    return printable(shlex.join(checkpoint if w == "CHECKPOINT" else w for w in words))
