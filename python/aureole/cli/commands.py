# SPDX-License-Identifier: Apache-2.0
"""The commands and their arguments: one table, from which parsers and help follow.

They stand in `commands.table`, a section each; a section without the text "about" is a program of
its own. A record is one of the texts "about", "description" and "epilog", or an argument with
keywords of argparse and, below them, its help.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aureole.base.data_table import records
from aureole.base.parse import integer, real

#: Readers of keywords that argparse does not take as text.
_READ: dict[str, Callable[[str], Any]] = {
    "type": {"integer": integer, "int": int, "real": real}.get,
    "choices": lambda words: words.split(","),
}
_TEXTS = ("about", "description", "epilog")


def _table(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Keywords of each text and argument, by command and name."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for record in records(path):
        name, *words = record.head.split()
        known: dict[str, Any] = {"help": " ".join(text for _, text in record.body)}
        for key, _, value in (word.partition("=") for word in words):
            known[key] = _READ.get(key, str)(value)
        found.setdefault(record.section, {})[name] = known
    return found


TABLE = _table(Path(__file__).with_suffix(".table"))
#: Purpose of each command.
COMMANDS = {name: told["about"]["help"] for name, told in TABLE.items() if "about" in told}


def fill(parser: argparse.ArgumentParser, command: str) -> None:
    """Give the parser of a command its texts and its arguments."""
    group = None  # of arguments of which one alone may be given
    for name, known in TABLE[command].items():
        if name in _TEXTS:
            setattr(parser, name, known["help"])
        elif known.get("apart"):
            group = group or parser.add_mutually_exclusive_group()
            group.add_argument(name, action=known["action"], help=known["help"])
        else:
            several = {"default": []} if known.get("nargs") == "+" else {}
            parser.add_argument(name, **several, **known)
