#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints commands that the README shows before its first section, as they are printed there.

tools/readme_commands.py make      # what a clone is tried with: `make demo`, `make test`
tools/readme_commands.py pip       # the lines that install the package
tools/readme_commands.py python    # the lines of Python below
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def blocks(text: str, language: str = "") -> list[str]:
    """The code between fences of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str, kind: str) -> list[str]:
    """The commands of a README: `make`, `pip` or `python`."""
    if kind == "python":
        return [line for block in blocks(text, "python") for line in block.splitlines()]
    top = text.partition("\n## ")[0]
    lines = [line.split("  #", 1)[0].strip() for b in blocks(top) for line in b.splitlines()]
    return [line for line in lines if line.startswith("make ") == (kind == "make")]


def main(words: list[str]) -> int:
    if len(words) != 1 or words[0] not in ("make", "pip", "python"):
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(commands(README.read_text(encoding="utf-8"), words[0])))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
