# SPDX-License-Identifier: Apache-2.0
"""Lines of prose that are wider than a page: in `docs/` and in the Markdown files at the top.

What cannot be broken may be wider: code between fences, rows of tables, and a line that is one link
or address. Pages that a tool makes are left out, as the tool's sources are what one can change.
"""

import re
from pathlib import Path

MAX_WIDTH = 110
_MADE = "<!-- Made by tools/"
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
#: One link or address, behind the marker of a list, of a quotation or of a link's definition.
_ALONE = re.compile(r"\s*(?:(?:[-*+>]|\d+\.|\[[^\]]+\]:)\s+)?\S*(?:\]\(|://)\S*")


def is_checked(path: Path) -> bool:
    """Whether a file, relative to the root, is Markdown of `docs/` or at the top."""
    return path.suffix == ".md" and (len(path.parts) == 1 or path.parts[0] == "docs")


def problems_of(path: Path, text: str) -> list[str]:
    """Printable offences of one file."""
    lines = text.splitlines()
    if not is_checked(path) or any(line.startswith(_MADE) for line in lines[:3]):
        return []
    found = []
    for number, line in enumerate(outside_fences(text), 1):
        if len(line) <= MAX_WIDTH or line.lstrip().startswith("|"):
            continue
        if not _ALONE.fullmatch(line):
            found.append(f"{path}:{number}: {len(line)} characters (at most {MAX_WIDTH} in prose)")
    return found


def outside_fences(text: str) -> list[str]:
    """The lines of a page, empty ones instead of fences and the code between them."""
    lines = []
    fence = ""  # what opened the code around a line
    for line in text.splitlines():
        mark = _FENCE.match(line)
        lines.append("" if mark or fence else line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
    return lines
