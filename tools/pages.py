# SPDX-License-Identifier: Apache-2.0
"""What the generators of documentation share: tables, and writing or checking their pages."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

import aureole as au

WIDTH = 110  # of lines that are not rows of tables
MARK = re.compile(
    r"([-+*>#]+|\d+[.)])(\s|$)"
)  # what makes a list or a heading at the start of a line


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def fill(text: str) -> str:
    """The text with its long lines broken, indented as they are, and none taken for a list."""
    return "\n".join(line for long in text.split("\n") for line in _broken(long))


def _broken(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    for width in range(WIDTH, WIDTH // 2, -1):
        lines = textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if not any(MARK.match(part.lstrip()) for part in lines[1:]):
            return lines
    return [line]


def write(folder: Path, pages: dict[str, str], tool: str) -> int:
    """Write pages that changed, or with --check only name them; returns the exit code.

    With --out FOLDER they are written there instead.
    """
    check = "--check" in sys.argv[1:]
    if "--out" in sys.argv[1:-1]:
        folder = Path(sys.argv[sys.argv.index("--out") + 1])
    stale = []
    for name, text in pages.items():
        path = folder / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path} of version {au.__version__}")
    if check and stale:
        print(f"stale, run tools/{tool}: " + ", ".join(stale))
        return 1
    return 0
