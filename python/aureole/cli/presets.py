# SPDX-License-Identifier: Apache-2.0
"""`aureole presets`: run parameters that go with common force fields."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aureole.base.errors import bad_input, file_error
from aureole.base.text import printable
from aureole.base.text_files import replace
from aureole.gromacs.presets.preset import NAMES, about, preset

from .run_summary import Paint, table


def act(arguments: argparse.Namespace) -> int:
    """List, print or write."""
    texts = {name: preset(name) for name in arguments.name or NAMES}
    if arguments.o:
        _write(Path(arguments.o), texts)
    elif not arguments.name:
        rows = [(name, about(name)) for name in texts]
        sys.stdout.write(table(rows, Paint(sys.stdout)) + "\n")
    elif len(texts) > 1:
        raise bad_input(
            f"{len(texts)} presets cannot be printed as one file",
            "options would be set twice",
            "Name one, or write them with -o FOLDER",
        )
    else:
        sys.stdout.write(next(iter(texts.values())))
    return 0


def _write(folder: Path, texts: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(folder, "cannot be created", error, "Choose another folder") from None
    for name, text in texts.items():
        path = folder / f"{name}.mdp"
        if path.exists() and path.read_text(errors="replace") != text:
            raise bad_input(
                f"{path} exists already",
                "it differs from the preset",
                "Move it, or choose another folder",
            )
        replace(path, [text.encode()])
        sys.stdout.write(f"{printable(path)}\n")
